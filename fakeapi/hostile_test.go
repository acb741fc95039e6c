package fakeapi_test

import (
	"bytes"
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

// A lone half of a surrogate pair is legal JSON; strings that hold one are taken and never echoed as bad UTF-8.
func TestLoneSurrogatesAndDuplicateKeysAreTaken(t *testing.T) {
	for name, body := range map[string][]byte{
		"first half alone":  around(`"a\ud83d b"`),
		"second half alone": around(`"\ude00"`),
		"halves swapped":    around(`"\ude00\ud83d"`),
		"a pair":            around(`"\ud83d\ude00"`),
		"a key twice":       []byte(`{"model":"claude-sonnet-5","max_tokens":0,"max_tokens":16,"messages":[{"role":"user","content":"hi"}]}`),
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
	resp := handle([]byte(`{"model":"claude-\ud83d","max_tokens":16,"messages":[{"role":"user","content":"hi"}]}`))
	require.Equal(t, 404, resp.Status)
	assert.Contains(t, string(resp.Body()), "model: claude-\ufffd")
}
