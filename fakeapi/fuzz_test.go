package fakeapi_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"harnessbench/fakeapi"
	"harnessbench/fakeapi/script"
	"harnessbench/internal/wire"
)

// FuzzHandle: whatever a body holds, the server answers with a message, a stream or the error of a rule, in valid
// JSON, and answers the same from what it remembers.
func FuzzHandle(f *testing.F) {
	for _, body := range []string{rich, eraBody, `{}`, `[]`, `{"model":`, string(around(`"\ud83d"`)), string(around("[[[[")),
		`{"model":"claude-haiku-4-5","max_tokens":2000,"thinking":{"type":"enabled","budget_tokens":1024},"messages":[{"role":"user","content":"hi"}]}`,
		`{"model":"claude-sonnet-5-5","max_tokens":9,"thread":{"type":"create"},"messages":[{"role":"user","content":"hi"}]}`,
		`{"model":"claude-opus-4-8","max_tokens":9,"context_management":{"edits":[{"type":"clear_tool_uses_20250919"}]},"messages":[{"role":"user","content":"hi"}]}`,
	} {
		f.Add([]byte(body), "")
		f.Add([]byte(body), "context-management-2025-06-27,compact-2026-01-12,message-threads-2026-08-12")
	}
	f.Fuzz(func(t *testing.T, body []byte, betas string) {
		head := usual
		if betas != "" {
			head = append([]fakeapi.Field{{Name: "anthropic-beta", Value: betas}}, usual...)
		}
		s := fakeapi.New(fakeapi.Options{})
		for i, path := range []string{"/v1/messages", "/v1/messages", "/v1/messages/count_tokens"} {
			resp := s.Handle(begin.Add(time.Duration(i)*time.Second), fakeapi.Request{Method: "POST", Path: path, Header: head, Body: body})
			if resp.Status != 200 {
				require.Contains(t, []int{400, 404, 413, 529}, resp.Status)
				require.NotEmpty(t, resp.View.Rule)
				require.NotEmpty(t, errorText(t, resp))
				continue
			}
			out := resp.Body()
			require.True(t, utf8.Valid(out))
			if !json.Valid(out) {
				complete(t, out)
			}
		}
	})
}

// complete assembles a stream that must be complete.
func complete(t *testing.T, stream []byte) *wire.Answer {
	t.Helper()
	var s wire.SSE
	var a wire.Assembler
	for _, e := range s.Feed(stream) {
		require.True(t, json.Valid(e.Data), "%s", e.Data)
		require.NoError(t, a.Event(e))
	}
	require.Empty(t, s.Rest())
	require.True(t, a.Answer().Complete)
	return a.Answer()
}

// FuzzStream: whatever the model says, the stream says it: events of one line each, assembled to the scripted
// content, and to what the same answer says when it is not streamed.
func FuzzStream(f *testing.F) {
	f.Add("Hello.", "let me think", `{"command":"ls"}`, "claude-sonnet-5-5")
	f.Add("a\r\n\ndata: x\n\nevent: error\n", "\u2028\u2029\x00", `{"a":"\ud83d","b":[1e400,{"c":null}]}`, "claude-haiku-4-5")
	f.Add("", "", `{}`, "claude-opus-4-8")
	f.Add("\xff\xfe", "日本語 ✓", `[1]`, "claude-sonnet-4-6")
	f.Fuzz(func(t *testing.T, text, thought, input, model string) {
		said := script.Answer{}
		if thought != "" {
			said.Blocks = append(said.Blocks, script.Block{Kind: "thinking", Text: thought})
		}
		if text != "" {
			said.Blocks = append(said.Blocks, script.Block{Kind: "text", Text: text})
		}
		if v, err := wire.ParseValue([]byte(input)); err == nil && v.Kind() == '{' {
			said.Blocks = append(said.Blocks, script.Block{Kind: "tool_use", Name: "Bash", Input: []byte(input)})
		}
		ask := func(stream bool) fakeapi.Response {
			body, err := json.Marshal(map[string]any{"model": model, "max_tokens": 8000, "stream": stream,
				"tools":    []any{map[string]any{"name": "Bash", "input_schema": map[string]any{"type": "object"}}},
				"messages": []any{map[string]any{"role": "user", "content": "go"}}})
			require.NoError(t, err)
			return fakeapi.New(fakeapi.Options{Script: script.Script{Default: &said}}).Handle(begin, fakeapi.Request{Method: "POST", Path: "/v1/messages", Header: usual, Body: body})
		}
		streamed := ask(true)
		if streamed.Status != 200 {
			return // a model that is not there
		}
		for _, frame := range streamed.Frames {
			require.Equal(t, 1, strings.Count(string(frame.Data), "\ndata: "), "%q", frame.Data)
			require.True(t, strings.HasSuffix(string(frame.Data), "}\n\n"))
			require.Equal(t, 3, strings.Count(string(frame.Data), "\n"), "one line of data: %q", frame.Data)
		}
		a := complete(t, streamed.Body())
		plain, err := wire.ParseAnswer(ask(false).Body())
		require.NoError(t, err)
		require.Equal(t, plain.StopReason, a.StopReason)
		require.Equal(t, plain.Usage.Output, a.Usage.Output)
		require.Len(t, a.Blocks, len(plain.Blocks))
		for i, b := range a.Blocks {
			p := plain.Blocks[i]
			require.Equal(t, p.Get("type").Text(), b.Get("type").Text())
			require.Equal(t, p.Get("text").Text(), b.Get("text").Text())
			require.Equal(t, p.Get("thinking").Text(), b.Get("thinking").Text())
			require.Equal(t, string(p.Get("input").Raw()), string(b.Get("input").Raw()))
		}
	})
}
