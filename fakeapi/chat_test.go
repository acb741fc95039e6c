package fakeapi_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"harnessbench/fakeapi"
	"harnessbench/fakeapi/script"
	"harnessbench/internal/wire"
)

type obj = map[string]any

// chat is a client that talks to a machine and keeps the conversation.
type chat struct {
	t        require.TestingT
	s        *fakeapi.Server
	now      time.Time
	body     obj // model, max_tokens, tools, ...
	header   []fakeapi.Field
	messages []any
	last     fakeapi.Response
}

var begin = time.Date(2026, 10, 1, 12, 0, 0, 0, time.UTC)

var usual = []fakeapi.Field{{Name: "anthropic-version", Value: "2023-06-01"}, {Name: "x-api-key", Value: "test-key"}}

var bash = obj{"name": "Bash", "description": "runs a command", "input_schema": obj{"type": "object", "properties": obj{"command": obj{"type": "string"}}}}

// long makes prompts that reach every model's minimum.
var long = strings.Repeat("You are a careful helper who reads before writing. ", 600)

func newChat(t require.TestingT, s *fakeapi.Server, model string) *chat {
	body := obj{
		"model": model, "max_tokens": 4096, "tools": []any{bash},
		"system": []any{obj{"type": "text", "text": long, "cache_control": obj{"type": "ephemeral"}}},
	}
	if strings.Contains(model, "haiku-4-5") {
		body["thinking"] = obj{"type": "enabled", "budget_tokens": 2048}
	}
	return &chat{t: t, s: s, now: begin, body: body, header: usual}
}

// do sends the conversation as it stands.
func (c *chat) do() fakeapi.Response {
	c.body["messages"] = c.messages
	data, err := json.Marshal(c.body)
	require.NoError(c.t, err)
	c.last = c.s.Handle(c.now, fakeapi.Request{Method: "POST", Path: "/v1/messages", Header: c.header, Body: data})
	return c.last
}

// user appends a user message with a breakpoint on its last block, and moves the one before.
func (c *chat) user(blocks ...obj) {
	for _, m := range c.messages {
		if content, ok := m.(obj)["content"].([]any); ok {
			for _, b := range content {
				delete(b.(obj), "cache_control")
			}
		}
	}
	var content []any
	for _, b := range blocks {
		content = append(content, b)
	}
	blocks[len(blocks)-1]["cache_control"] = obj{"type": "ephemeral"}
	c.messages = append(c.messages, obj{"role": "user", "content": content})
}

// ask says something and takes the answer into the conversation.
func (c *chat) ask(blocks ...obj) *wire.Answer {
	c.user(blocks...)
	resp := c.do()
	require.Equal(c.t, 200, resp.Status, "%s", resp.Body())
	a := c.answer(resp)
	var content []any
	for _, b := range a.Blocks {
		content = append(content, decode(c.t, b.Raw()))
	}
	c.messages = append(c.messages, obj{"role": "assistant", "content": content})
	c.now = c.now.Add(10 * time.Second)
	return a
}

func (c *chat) answer(resp fakeapi.Response) *wire.Answer {
	if c.body["stream"] == true {
		return assemble(c.t, resp)
	}
	a, err := wire.ParseAnswer(resp.Body())
	require.NoError(c.t, err)
	return a
}

// assemble reads a stream as a client would.
func assemble(t require.TestingT, resp fakeapi.Response) *wire.Answer {
	var sse wire.SSE
	var a wire.Assembler
	for _, f := range resp.Frames {
		events := sse.Feed(f.Data)
		require.Len(t, events, 1, "a frame is one event: %q", f.Data)
		require.NoError(t, a.Event(events[0]))
	}
	require.Empty(t, sse.Rest())
	require.True(t, a.Answer().Complete)
	return a.Answer()
}

func decode(t require.TestingT, raw []byte) obj {
	var v obj
	require.NoError(t, json.Unmarshal(raw, &v))
	return v
}

func text(s string) obj { return obj{"type": "text", "text": s} }

// result answers the tool call of an answer.
func result(a *wire.Answer) obj {
	for _, b := range a.Blocks {
		if b.Get("type").Text() == "tool_use" {
			return obj{"type": "tool_result", "tool_use_id": b.Get("id").Text(), "content": "it ran"}
		}
	}
	return nil
}

func call(thinking, text, command string) script.Answer {
	in, _ := json.Marshal(obj{"command": command})
	return script.Answer{Blocks: []script.Block{
		{Kind: "thinking", Text: thinking}, {Kind: "text", Text: text}, {Kind: "tool_use", Name: "Bash", Input: in},
	}}
}

func say(thinking, text string) script.Answer {
	return script.Answer{Blocks: []script.Block{{Kind: "thinking", Text: thinking}, {Kind: "text", Text: text}}}
}

// story is two tool calls in one turn, then a second turn.
var story = script.Script{Turns: []script.Turn{
	{Prompt: "which test fails?", Answers: []script.Answer{
		call("run them", "Running.", "make test"), call("look closer", "Looking.", "go test -v"), say("clear now", "TestLogin fails."),
	}},
	{Prompt: "fix it", Answers: []script.Answer{say("easy", "Fixed.")}},
}}

// errorText is the message of a refusal.
func errorText(t require.TestingT, resp fakeapi.Response) string {
	_, msg, ok := wire.APIError(resp.Body())
	require.True(t, ok, "%s", resp.Body())
	return msg
}

func serverWith(_ *testing.T, opt fakeapi.Options) *fakeapi.Server {
	if len(opt.Script.Turns) == 0 {
		opt.Script = story
	}
	return fakeapi.New(opt)
}
