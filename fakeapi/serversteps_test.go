package fakeapi_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"harnessbench/fakeapi"
	"harnessbench/fakeapi/script"
)

// searching answers with a call of a server tool, its result, and text behind it.
func searching(tool, result string) script.Script {
	content := []byte(`[{"type":"web_search_result","url":"https://example.com","title":"t","encrypted_content":"` + strings.Repeat("QUJD", 80) + `","page_age":null}]`)
	if tool == "web_fetch" {
		content = []byte(`{"type":"web_fetch_result","url":"https://example.com","content":{"type":"document","source":{"type":"text","media_type":"text/plain","data":"` + filler + `"}},"retrieved_at":null}`)
	}
	return script.Script{Turns: []script.Turn{{Prompt: "look it up", Answers: []script.Answer{{Blocks: []script.Block{
		{Kind: "server_tool_use", Name: tool, Input: []byte(`{"query":"x"}`)},
		{Kind: result, Content: content},
		{Kind: "text", Text: "Found."},
	}}}}, {Prompt: "thanks", Answers: []script.Answer{say("", "Yes.")}}}}
}

const filler = "one page of plain words that says something, one page of plain words that says something, one page of plain words"

// TestServerToolsGetABreakpoint: the loop of a server tool reads what its first step wrote, writes its results for
// five minutes, and sums its steps (messages-api.md 5.8).
func TestServerToolsGetABreakpoint(t *testing.T) {
	for _, tc := range []struct {
		name, tool, result, typ string
		found                   bool // the next request finds the entry of the loop
	}{
		{"web search", "web_search", "web_search_tool_result", "web_search_20250305", false},
		{"web fetch", "web_fetch", "web_fetch_tool_result", "web_fetch_20250910", true},
	} {
		for _, stream := range []bool{false, true} {
			t.Run(tc.name, func(t *testing.T) {
				s := fakeapi.New(fakeapi.Options{Script: searching(tc.tool, tc.result)})
				c := newChat(t, s, "claude-sonnet-4-6")
				c.body["stream"] = stream
				c.body["tools"] = []any{obj{"type": tc.typ, "name": tc.tool}}
				c.body["system"] = []any{obj{"type": "text", "text": long, "cache_control": hour()}}
				c.ask(text("look it up"))
				u := c.last.View.Usage
				total := c.last.View.Total
				b := c.last.View.Breakpoints
				c1 := b[len(b)-1].Tokens // of the request's own last breakpoint
				assert.Equal(t, c1, u.Read, "the second step reads what the first wrote")
				assert.Equal(t, b[0].Tokens, u.Write1h)
				assert.Greater(t, u.Write5m, c1-b[0].Tokens, "the result is written for five minutes")
				assert.Equal(t, 2*(total-c1), u.Input, "the tail, once a step")

				c.user(text("thanks"))
				next := c.do()
				require.Equal(t, 200, next.Status, "%s", next.Body())
				if tc.found {
					assert.Equal(t, c1+u.Write5m-(c1-b[0].Tokens), next.View.Usage.Read, "the whole loop")
				} else {
					assert.Equal(t, c1, next.View.Usage.Read, "the first step alone")
				}
			})
		}
	}
}

func TestServerToolsWithoutABreakpointAreInput(t *testing.T) {
	s := fakeapi.New(fakeapi.Options{Script: searching("web_search", "web_search_tool_result")})
	resp := at(t, s, 0, obj{"model": "claude-sonnet-4-6", "max_tokens": 100, "system": long,
		"tools": []any{obj{"type": "web_search_20250305", "name": "web_search"}}, "messages": []any{obj{"role": "user", "content": "look it up"}}})
	u := usage(t, resp)
	assert.Zero(t, u.Read+u.Write5m+u.Write1h)
	assert.Greater(t, u.Input, 2*resp.View.Total)
}

// ask is a small conversation with a diagnostics object.
func diagnosed(previous any, change func(obj)) obj {
	body := obj{
		"model": "claude-sonnet-5", "max_tokens": 100, "system": "You help.", "tools": []any{bash},
		"messages":    []any{obj{"role": "user", "content": "hello"}},
		"diagnostics": obj{"previous_message_id": previous},
	}
	change(body)
	return body
}

// Where the prompt and the results of the loop stay below the model's minimum nothing of it is stored either, and nobody is
// told (H-CACHE-7, messages-api.md 5.6, 5.8).
func TestServerToolsBelowTheMinimumAreInput(t *testing.T) {
	s := fakeapi.New(fakeapi.Options{Script: searching("web_fetch", "web_fetch_tool_result")})
	c := newChat(t, s, "claude-sonnet-4-6")
	c.body["tools"] = []any{obj{"type": "web_fetch_20250910", "name": "web_fetch"}}
	c.body["system"] = []any{obj{"type": "text", "text": "Be brief.", "cache_control": hour()}}
	c.ask(text("look it up"))
	first := c.last
	c.user(text("thanks"))
	for _, resp := range []fakeapi.Response{first, c.do()} {
		require.Equal(t, 200, resp.Status, "%s", resp.Body())
		u := resp.View.Usage
		assert.Zero(t, u.Read+u.Write5m+u.Write1h)
		assert.Positive(t, u.Input)
	}
}

func TestDiagnostics(t *testing.T) { // messages-api.md 5.10
	more := func(b obj) {
		b["messages"] = append(b["messages"].([]any), obj{"role": "assistant", "content": "hi"}, obj{"role": "user", "content": "go on"})
	}
	for _, tc := range []struct {
		name   string
		change func(obj)
		want   string // of the field
	}{
		{"the same again", func(obj) {}, `null`},
		{"continued", more, `null`},
		{"markers moved", func(b obj) { b["cache_control"] = mark() }, `null`},
		{"max_tokens", func(b obj) { b["max_tokens"] = 200 }, `null`},
		{"model", func(b obj) { b["model"] = "claude-opus-5" }, `{"cache_miss_reason":{"type":"model_changed","cache_missed_input_tokens":`},
		{"model and system", func(b obj) { b["model"], b["system"] = "claude-opus-5", "Other." }, `{"cache_miss_reason":{"type":"model_changed",`},
		{"tools", func(b obj) { b["tools"] = []any{} }, `{"cache_miss_reason":{"type":"tools_changed",`},
		{"tools and system", func(b obj) { b["tools"], b["system"] = []any{}, "Other." }, `{"cache_miss_reason":{"type":"tools_changed",`},
		{"system", func(b obj) { b["system"] = "You help!" }, `{"cache_miss_reason":{"type":"system_changed","cache_missed_input_tokens":`},
		{"messages", func(b obj) { more(b); b["messages"].([]any)[0].(obj)["content"] = "Hello" }, `{"cache_miss_reason":{"type":"messages_changed","cache_missed_input_tokens":`},
		{"tool_choice", func(b obj) { b["tool_choice"] = obj{"type": "none"} }, `{"cache_miss_reason":{"type":"unavailable"}}`},
		{"thinking", func(b obj) { b["thinking"] = obj{"type": "disabled"} }, `{"cache_miss_reason":{"type":"unavailable"}}`},
		{"output_config", func(b obj) { b["output_config"] = obj{"effort": "low"} }, `{"cache_miss_reason":{"type":"unavailable"}}`},
		{"a deferred tool added", func(b obj) {
			b["tools"] = append(b["tools"].([]any), obj{"name": "Edit", "input_schema": obj{"type": "object"}, "defer_loading": true})
		}, `null`},
	} {
		for _, stream := range []bool{false, true} {
			t.Run(tc.name, func(t *testing.T) {
				s := fakeapi.New(fakeapi.Options{})
				first := at(t, s, 0, diagnosed(nil, func(obj) {}))
				require.Equal(t, 200, first.Status, "%s", first.Body())
				assert.Contains(t, string(first.Body()), `"diagnostics":null`, "a first turn")
				id := decode(t, first.Body())["id"]
				resp := at(t, s, time.Minute, diagnosed(id, func(b obj) { tc.change(b); b["stream"] = stream }))
				require.Equal(t, 200, resp.Status, "%s", resp.Body())
				assert.Contains(t, string(resp.Frames[0].Data), `"diagnostics":`+tc.want, "in streams on message_start")
			})
		}
	}
	t.Run("unknown, expired and foreign ids are not found", func(t *testing.T) {
		const none = `"diagnostics":{"cache_miss_reason":{"type":"previous_message_not_found"}}`
		s := fakeapi.New(fakeapi.Options{})
		first := at(t, s, 0, diagnosed(nil, func(obj) {}))
		id := decode(t, first.Body())["id"]
		assert.Contains(t, string(at(t, s, 0, diagnosed("msg_013Zva2CMHLNnXjNJJKqJ2EF", func(obj) {})).Body()), none)
		assert.Contains(t, string(at(t, s, time.Hour, diagnosed(id, func(obj) {})).Body()), none)
		assert.Contains(t, string(at(t, s, 0, diagnosed(id, func(obj) {}), fakeapi.Field{Name: "anthropic-workspace-id", Value: "w"}).Body()), none)
		plain := diagnosed(nil, func(b obj) { delete(b, "diagnostics") })
		id = decode(t, at(t, s, 0, plain).Body())["id"]
		assert.Contains(t, string(at(t, s, 0, diagnosed(id, func(obj) {})).Body()), none, "a request without the object leaves nothing")
	})
}
