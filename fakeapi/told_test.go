package fakeapi_test

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"harnessbench/fakeapi"
	"harnessbench/fakeapi/script"
	"harnessbench/fakeapi/thread"
	"harnessbench/internal/model"
)

// zipped is a body under content-encoding gzip.
func zipped(t *testing.T, body []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, err := w.Write(body)
	require.NoError(t, err)
	require.NoError(t, w.Close())
	return b.Bytes()
}

// padded is a body of exactly n bytes that says no more than before.
func padded(body string, n int) []byte {
	return append([]byte(body), bytes.Repeat([]byte(" "), n-len(body))...)
}

// TestRulesOfWhatStandsAroundTheBody asks twice, the second time as it would be right: endpoints, methods, sizes,
// encodings and the parameters of the list of models (messages-api.md 1.1, 1.2, 1.5).
func TestRulesOfWhatStandsAroundTheBody(t *testing.T) {
	const (
		hello    = `{"model":"claude-sonnet-4-6","max_tokens":10,"messages":[{"role":"user","content":"hello"}]}`
		invalid  = "invalid_request_error"
		missing  = "not_found_error"
		tooLarge = "request_too_large"
	)
	say := func(body []byte, encoding string) fakeapi.Request {
		return fakeapi.Request{Method: "POST", Path: "/v1/messages", Body: body,
			Header: append([]fakeapi.Field{{Name: "content-encoding", Value: encoding}}, usual...)}
	}
	get := func(path string) fakeapi.Request { return fakeapi.Request{Method: "GET", Path: path, Header: usual} }
	plain := say([]byte(hello), "")
	elsewhere, wrong := plain, plain
	elsewhere.Path, wrong.Method = "/v1/message", "GET"
	unsupported := func(name string) string {
		return fmt.Sprintf("content-encoding: '%s' is not supported. Use gzip, deflate or identity.", name)
	}
	for _, c := range []struct {
		rule       string
		bad        fakeapi.Request
		status     int
		kind, text string
		code       string // of details
		good       fakeapi.Request
	}{
		{"not-found", elsewhere, 404, missing, "Not Found", "", plain},
		{"method-not-allowed", wrong, 405, invalid, "Method Not Allowed", "", plain},
		{"request-too-large", say(padded(hello, model.MaxBodyBytes+1), ""), 413, tooLarge, "Request exceeds the maximum size", "",
			say(padded(hello, model.MaxBodyBytes), "")},
		{"content-encoding-unsupported", say([]byte(hello), "br"), 400, invalid, unsupported("br"), "request_body_encoding_unsupported",
			say(zipped(t, []byte(hello)), "gzip")},
		{"content-encoding-unsupported", say([]byte(hello), "ZSTD"), 400, invalid, unsupported("zstd"), "request_body_encoding_unsupported",
			say([]byte(hello), "identity")},
		{"content-encoding-invalid", say([]byte(hello), "gzip"), 400, invalid, "The request body could not be decoded as its content-encoding says.",
			"request_body_encoding_invalid", say(zipped(t, []byte(hello)), "gzip")},
		{"content-encoding-too-large", say(zipped(t, padded(hello, model.MaxBodyBytes+1)), "gzip"), 413, tooLarge, "Request exceeds the maximum size after decoding",
			"request_body_too_large_after_decoding", say(zipped(t, padded(hello, model.MaxBodyBytes)), "gzip")},
		{"models-limit-integer", get("/v1/models?limit=1.5"), 400, invalid, "limit: Input should be a valid integer, unable to parse string as an integer", "", get("/v1/models?limit=1")},
		{"models-limit-minimum", get("/v1/models?limit=0"), 400, invalid, "limit: Input should be greater than or equal to 1", "", get("/v1/models?limit=1")},
		{"models-limit-maximum", get("/v1/models?limit=1001"), 400, invalid, "limit: Input should be less than or equal to 1000", "", get("/v1/models?limit=1000")},
		{"models-cursor", get("/v1/models?after_id=claude-none"), 400, invalid, "after_id: no object with the id 'claude-none'", "", get("/v1/models?after_id=claude-sonnet-5")},
		{"models-cursor", get("/v1/models?before_id=claude-none"), 400, invalid, "before_id: no object with the id 'claude-none'", "", get("/v1/models?before_id=claude-sonnet-5")},
		{"models-lifecycle", get("/v1/models?lifecycle=old"), 400, invalid, "lifecycle: Input should be 'active', 'deprecated' or 'retired'", "", get("/v1/models?lifecycle=retired")},
		{"models-unknown", get("/v1/models/claude-none"), 404, missing, "model: claude-none", "", get("/v1/models/claude-sonnet-5")},
	} {
		t.Run(c.rule, func(t *testing.T) {
			s := fakeapi.New(fakeapi.Options{})
			resp := s.Handle(begin, c.bad)
			assert.Equal(t, c.status, resp.Status)
			assert.Equal(t, c.rule, resp.View.Rule)
			assert.Equal(t, c.text, errorText(t, resp))
			fault := decode(t, resp.Body())["error"].(obj)
			assert.Equal(t, c.kind, fault["type"])
			if c.code == "" {
				assert.NotContains(t, fault, "details")
			} else {
				assert.Equal(t, obj{"error_code": c.code}, fault["details"])
			}
			resp = s.Handle(begin, c.good)
			assert.Equal(t, 200, resp.Status, "%.300s", resp.Body())
			assert.Empty(t, resp.View.Rule)
		})
	}
}

// One mark more than a thread takes is refused with the whole text and its code; as many as it takes pass on the same
// thread, the automatic one among them (messages-api.md 2.10).
func TestTheTextOfTooManyMarksInAThread(t *testing.T) {
	mark := obj{"type": "ephemeral"}
	ok := script.Answer{Blocks: []script.Block{{Kind: "text", Text: "ok"}}}
	for most, opt := range map[int]fakeapi.Options{4: {}, 3: {Threads: thread.Options{Markers: 3}}} {
		opt.Script = script.Script{Turns: []script.Turn{{Prefix: true, Answers: []script.Answer{ok, ok}}}}
		l := newLine(t, opt, "claude-sonnet-5")
		first := l.send(whole(said("go")))
		require.Equal(t, 200, first.status, "%s", first.Error.Message)
		l.now = l.now.Add(first.took)
		marked := func(n int) obj {
			var blocks []any
			for i := range n - 1 {
				blocks = append(blocks, obj{"type": "text", "text": fmt.Sprint(i), "cache_control": mark})
			}
			return obj{"thread": goOn(first.ID), "cache_control": mark, "messages": []any{obj{"role": "user", "content": append(blocks, text("so"))}}}
		}
		r := l.send(marked(most + 1))
		invalid("thread_unsupported_request",
			fmt.Sprintf("thread: a maximum of %d blocks with cache_control may be provided when thread is set. Found %d.", most, most+1),
			"cache_control").check(t, first.ID, r)
		assert.Equal(t, "thread.markers", r.view.Rule)
		r = l.send(marked(most))
		assert.Equal(t, 200, r.status, "%s", r.Error.Message)
	}
}
