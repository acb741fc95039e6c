package fakeapi_test

import (
	"bytes"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"harnessbench/fakeapi"
	"harnessbench/internal/model"
)

func handle(body []byte) fakeapi.Response {
	return fakeapi.New(fakeapi.Options{}).Handle(begin, fakeapi.Request{Method: "POST", Path: "/v1/messages", Header: usual, Body: body})
}

// request puts a raw JSON text where a message's content stands.
func around(content string) []byte {
	return []byte(`{"model":"claude-sonnet-5","max_tokens":16,"messages":[{"role":"user","content":` + content + `}]}`)
}

func TestBodiesThatAreNoJSONGetTheAPIsError(t *testing.T) { // api-verdicts.jsonl, body-not-json
	const notJSON = "The request body is not valid JSON: "
	for name, body := range map[string][]byte{
		"nesting 100,000 deep":            around(strings.Repeat("[", 100_000) + strings.Repeat("]", 100_000)),
		"objects 100,000 deep":            around(strings.Repeat(`{"a":`, 100_000) + "1" + strings.Repeat("}", 100_000)),
		"brackets and nothing else":       bytes.Repeat([]byte("["), 100_000),
		"bytes that are no UTF-8":         around("\"a\xff\xfeb\""),
		"UTF-8 of a surrogate":            around("\"\xed\xa0\x80\""),
		"an overlong UTF-8 form":          around("\"\xc0\xaf\""),
		"NaN":                             []byte(`{"model":"claude-sonnet-5","max_tokens":NaN,"messages":[]}`),
		"Infinity":                        []byte(`{"model":"claude-sonnet-5","max_tokens":16,"temperature":-Infinity,"messages":[]}`),
		"a control character in a string": around("\"a\x00b\""),
		"a byte order mark":               append([]byte("\xef\xbb\xbf"), around(`"hi"`)...),
		"a trailing comma":                []byte(`{"model":"claude-sonnet-5",}`),
		"two bodies":                      append(around(`"hi"`), around(`"hi"`)...),
		"half a body":                     around(`"hi"`)[:40],
		"nothing":                         nil,
		"blanks":                          []byte(" \n\t "),
	} {
		t.Run(name, func(t *testing.T) {
			resp := handle(body)
			require.Equal(t, 400, resp.Status)
			assert.Regexp(t, `^The request body is not valid JSON: .+: line \d+ column \d+ \(char \d+\)$`, errorText(t, resp))
			assert.Contains(t, string(resp.Body()), notJSON)
			assert.Contains(t, string(resp.Body()), `"type":"invalid_request_error"`)
		})
	}
}

// The API's parser takes no lone half of a surrogate pair (api-verdicts.jsonl, body-not-json).
func TestLoneSurrogatesGetTheAPIsError(t *testing.T) {
	before := len(around("")) - len("}]}") + 1 // characters before the first one of a string
	for name, c := range map[string]struct {
		content, detail string
		char            int
	}{
		"first half alone":          {`"a\ud83d b"`, "no low surrogate in string", before + 7},
		"first half at the end":     {`"\ud83d"`, "no low surrogate in string", before + 6},
		"first half and a letter":   {`"\ud83d\u0061"`, "invalid low surrogate in string", before + 6},
		"two first halves":          {`"\ud83d\ud83d"`, "invalid low surrogate in string", before + 6},
		"second half alone":         {`"\ude00"`, "invalid high surrogate in string", before},
		"halves swapped":            {`"\ude00\ud83d"`, "invalid high surrogate in string", before},
		"after an astral character": {`"😀\ud83d"`, "no low surrogate in string", before + 7},
	} {
		t.Run(name, func(t *testing.T) {
			resp := handle(around(c.content))
			require.Equal(t, 400, resp.Status)
			assert.Equal(t, fmt.Sprintf("The request body is not valid JSON: %s: line 1 column %d (char %d)", c.detail, c.char+1, c.char), errorText(t, resp))
		})
	}
	for _, content := range []string{`"\ud83d\ude00"`, `"\\ud83d"`, `"\ud7ff"`} {
		resp := handle(around(content))
		assert.Equal(t, 200, resp.Status, "%s", content)
	}
}

// No source knows a refusal of a name that stands twice: the last one counts, as in the parsers of the API's family.
func TestOfDuplicateKeysTheLastCounts(t *testing.T) {
	for name, body := range map[string][]byte{
		"a key twice": []byte(`{"model":"claude-sonnet-5","max_tokens":-1,"max_tokens":16,"messages":[{"role":"user","content":"hi"}]}`),
		"an input's key twice": []byte(`{"model":"claude-sonnet-5","max_tokens":16,"messages":[{"role":"user","content":"hi"},
			{"role":"assistant","content":[{"type":"tool_use","id":"toolu_1","name":"t","input":{"a":1,"a":2}}]},
			{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1"}]}]}`),
	} {
		t.Run(name, func(t *testing.T) {
			resp := handle(body)
			require.Equal(t, 200, resp.Status, "%s", resp.Body())
			again := handle(body)
			assert.Equal(t, resp.View.Total, again.View.Total)
		})
	}
	resp := handle([]byte(`{"model":"claude-sonnet-5","max_tokens":16,"max_tokens":-1,"messages":[{"role":"user","content":"hi"}]}`))
	require.Equal(t, 400, resp.Status)
	assert.Equal(t, "max_tokens: must be greater than or equal to 0", errorText(t, resp))
}

// A body at the limit made of brackets is refused without memory that grows with its depth; one byte more is 413.
func TestThirtyTwoMegabytesOfBrackets(t *testing.T) {
	body := bytes.Repeat([]byte("["), model.MaxBodyBytes)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	resp := handle(body)
	runtime.ReadMemStats(&after)
	require.Equal(t, 400, resp.Status)
	assert.Contains(t, errorText(t, resp), "is not valid JSON")
	assert.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(8<<20))

	resp = handle(append(body, '['))
	require.Equal(t, 413, resp.Status)
	assert.Equal(t, `{"error":{"type":"request_too_large","message":"Request exceeds the maximum size"}}`, string(resp.Body()))
}

func TestRefusalsQuoteNoBadBytes(t *testing.T) {
	resp := fakeapi.New(fakeapi.Options{}).Handle(begin, fakeapi.Request{Method: "GET", Path: "/v1/models/claude-\xff", Header: usual})
	require.Equal(t, 404, resp.Status)
	assert.Contains(t, string(resp.Body()), "model: claude-\ufffd")
}
