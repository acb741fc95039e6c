package fakeapi_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"harnessbench/fakeapi"
	"harnessbench/fakeapi/fault"
	"harnessbench/fakeapi/script"
	"harnessbench/fakeapi/thread"
)

var threaded = append([]fakeapi.Field{{Name: "anthropic-beta", Value: "message-threads-2026-08-12"}}, usual...)

// twoTools answers "go" with two calls in a row and a text.
var twoTools = script.Script{Turns: []script.Turn{{Prompt: "go", Answers: []script.Answer{
	{Blocks: []script.Block{{Kind: "thinking", Text: "first one"}, {Kind: "tool_use", Name: "Bash", Input: []byte(`{"command":"a"}`)}}},
	{Blocks: []script.Block{{Kind: "tool_use", Name: "Bash", Input: []byte(`{"command":"b"}`)}}},
	{Blocks: []script.Block{{Kind: "text", Text: "done"}}},
}}}}

// line is a client of a thread.
type line struct {
	t    *testing.T
	s    *fakeapi.Server
	now  time.Time
	body obj // of the next request, without messages and thread
	last reply
}

// reply is what a client reads of an answer.
type reply struct {
	status int
	view   fakeapi.View
	took   time.Duration
	ID     string
	Type   string
	Usage  struct {
		Input int `json:"input_tokens"`
		Write int `json:"cache_creation_input_tokens"`
		Read  int `json:"cache_read_input_tokens"`
	}
	Content []struct{ Type, ID, Text string }
	Error   struct {
		Type, Message string
		Details       struct {
			Code        string `json:"error_code"`
			Unsupported []string
		}
	}
	Transformations []struct{ Path, Reason string } `json:"input_transformations"`
}

func (l *line) send(over obj) reply {
	l.t.Helper()
	return l.as(threaded, over)
}

// as sends the usual body with members laid over it; nil takes one away.
func (l *line) as(header []fakeapi.Field, over obj) reply {
	l.t.Helper()
	body := obj{}
	for _, o := range []obj{l.body, over} {
		for k, v := range o {
			if body[k] = v; v == nil {
				delete(body, k)
			}
		}
	}
	data, err := json.Marshal(body)
	require.NoError(l.t, err)
	resp := l.s.Handle(l.now, fakeapi.Request{Method: "POST", Path: "/v1/messages", Header: header, Body: data})
	l.last = reply{status: resp.Status, view: resp.View, took: resp.Frames[len(resp.Frames)-1].After}
	require.NoError(l.t, json.Unmarshal(resp.Body(), &l.last), "%s", resp.Body())
	return l.last
}

func goOn(id string) obj { return obj{"type": "continue", "previous_message_id": id} }

var create = obj{"type": "create"}

func said(text string) []any { return []any{obj{"role": "user", "content": text}} }

// result answers the last call.
func (l *line) result() []any {
	return []any{obj{"role": "user", "content": []any{obj{"type": "tool_result", "tool_use_id": l.last.Content[len(l.last.Content)-1].ID, "content": "ok"}}}}
}

func newLine(t *testing.T, opt fakeapi.Options, model string) *line {
	if len(opt.Script.Turns) == 0 {
		opt.Script = twoTools
	}
	return &line{t: t, s: fakeapi.New(opt), now: begin, body: obj{"model": model, "max_tokens": 1000}}
}

// whole is what a create sends.
func whole(messages []any) obj {
	return obj{"thread": create, "messages": messages, "tools": []any{bash},
		"system": []any{obj{"type": "text", "text": long, "cache_control": obj{"type": "ephemeral"}}}}
}

func TestAThreadHoldsTheConversation(t *testing.T) {
	for _, model := range []string{"claude-haiku-4-5", "claude-sonnet-4-6", "claude-sonnet-5", "claude-sonnet-5-5"} {
		t.Run(model, func(t *testing.T) {
			l := newLine(t, fakeapi.Options{}, model)
			plain := newChat(t, fakeapi.New(fakeapi.Options{Script: twoTools}), model) // the same, sent whole
			delete(plain.body, "thinking")
			first := l.send(whole(said("go")))
			require.Equal(t, 200, first.status, "%s", first.Error.Message)
			assert.Empty(t, first.view.Effective, "what was sent is the whole")
			plain.ask(obj{"type": "text", "text": "go"})
			for n := range 2 {
				l.now = l.now.Add(10 * time.Second)
				r := l.send(obj{"thread": goOn(l.last.ID), "messages": l.result()})
				require.Equal(t, 200, r.status, "%s", r.Error.Message)
				a := plain.messages[len(plain.messages)-1].(obj)["content"].([]any)
				id := a[len(a)-1].(obj)["id"]
				b := plain.ask(obj{"type": "tool_result", "tool_use_id": id, "content": "ok"})
				assert.Equal(t, b.Usage.Total(), r.Usage.Input+r.Usage.Read+r.Usage.Write, "usage counts the whole")
				assert.Zero(t, r.Usage.Read+r.Usage.Write, "marks of earlier turns are gone")
				assert.Empty(t, r.view.Breakpoints)
				var sent struct {
					Thread   any
					System   []any
					Tools    []any
					Messages []any
				}
				require.NoError(t, json.Unmarshal([]byte(r.view.Effective), &sent))
				assert.Nil(t, sent.Thread)
				assert.Len(t, sent.Messages, 3+2*n)
				assert.Len(t, sent.System, 1)
				assert.Len(t, sent.Tools, 1)
				assert.NotContains(t, r.view.Effective, "cache_control")
			}
			assert.Equal(t, "done", l.last.Content[0].Text)
		})
	}
}

// Every refusal, and next to it what passes.
func TestWhatAContinueIsRefusedFor(t *testing.T) {
	const model = "claude-sonnet-5"
	mark := obj{"type": "ephemeral"}
	marked := func(n int) []any {
		var blocks []any
		for i := range n {
			blocks = append(blocks, obj{"type": "text", "text": fmt.Sprint(i), "cache_control": mark})
		}
		return []any{obj{"role": "user", "content": blocks}}
	}
	for _, c := range []struct {
		name   string
		opt    fakeapi.Options
		begin  obj // laid over the create
		wait   time.Duration
		header []fakeapi.Field // of the continue
		over   obj             // laid over the continue
		status int
		code   string
		text   string // that the message holds
		un     []string
	}{
		{name: "a tool result"},
		{name: "an unknown message", over: obj{"thread": goOn("msg_01unknown")}, status: 404, code: "thread_not_found", text: "msg_01unknown"},
		{name: "another workspace", header: append([]fakeapi.Field{{Name: "anthropic-workspace-id", Value: "w"}}, threaded...), status: 404, code: "thread_not_found"},
		{name: "a moment before it expires", wait: 5*time.Minute - 1},
		{name: "at the moment it expires", wait: 5 * time.Minute, status: 404, code: "thread_not_found"},
		{name: "thread_ttl: a minute", opt: fakeapi.Options{Threads: thread.Options{TTL: time.Minute}}, wait: time.Minute, status: 404, code: "thread_not_found"},
		{name: "before the answer has ended", wait: -1, status: 404, code: "thread_not_found"},
		{name: "without the header", header: usual, status: 400, text: "thread: Extra inputs are not permitted"},
		{name: "no thread was asked for", begin: obj{"thread": nil}, status: 404, code: "thread_not_found"},
		{name: "the schema comes first", over: obj{"thread": goOn("x"), "messages": []any{obj{"role": "user"}}}, status: 400, text: "messages.0.content: Field required"},
		{name: "another model", over: obj{"model": "claude-opus-5"}, status: 400, code: "thread_fingerprint_mismatch", text: "created the thread: model."},
		{name: "other thinking and effort", over: obj{"thinking": obj{"type": "disabled"}, "output_config": obj{"effort": "low"}}, status: 400, code: "thread_fingerprint_mismatch", text: ": output_config, thinking."},
		{name: "thinking that was there is gone", begin: obj{"thinking": obj{"type": "adaptive"}}, status: 400, code: "thread_fingerprint_mismatch", text: ": thinking."},
		{name: "thinking in another spelling", begin: obj{"thinking": obj{"type": "adaptive", "display": "omitted"}}, over: obj{"thinking": json.RawMessage(`{"display":"omitted" , "type":"adaptive"}`)}},
		{name: "thread_fixed_fields without model", opt: fakeapi.Options{Threads: thread.Options{Fixed: []string{}}}, over: obj{"model": "claude-opus-5"}},
		{name: "thread_fixed_fields with max_tokens", opt: fakeapi.Options{Threads: thread.Options{Fixed: []string{"max_tokens"}}}, over: obj{"max_tokens": 5}, status: 400, code: "thread_fingerprint_mismatch", text: ": max_tokens."},
		{name: "the same system and tools", over: obj{"system": long, "tools": []any{bash}}},
		{name: "another system", over: obj{"system": "other"}, status: 400, code: "thread_fingerprint_mismatch", text: ": system."},
		{name: "other tools", over: obj{"tools": []any{}}, status: 400, code: "thread_fingerprint_mismatch", text: ": tools."},
		{name: "what may change", over: obj{"max_tokens": 7, "metadata": obj{"user_id": "u"}, "tool_choice": obj{"type": "auto"}, "service_tier": "auto", "cache_control": mark}},
		{name: "context_management", header: append([]fakeapi.Field{{Name: "anthropic-beta", Value: "context-management-2025-06-27"}}, threaded...),
			over: obj{"context_management": obj{"edits": []any{}}}, status: 400, code: "thread_unsupported_request", text: "context_management", un: []string{"context_management"}},
		{name: "thread_unsupported: nothing", opt: fakeapi.Options{Threads: thread.Options{Unsupported: []string{}}},
			header: append([]fakeapi.Field{{Name: "anthropic-beta", Value: "context-management-2025-06-27"}}, threaded...), over: obj{"context_management": obj{"edits": []any{}}}},
		{name: "four marks and a result", over: obj{"messages": nil}, begin: obj{"messages": marked(4), "system": nil}, status: 400, text: "messages: Field required"},
		{name: "five marks", begin: obj{"messages": said("go")}, over: obj{"messages": marked(5)}, status: 400, code: "thread_unsupported_request", text: "a maximum of 4 blocks with cache_control may be provided when thread is set. Found 5.", un: []string{"cache_control"}},
		{name: "three marks and an automatic one, of three", opt: fakeapi.Options{Threads: thread.Options{Markers: 3}},
			over: obj{"cache_control": mark, "messages": append(marked(3), said("x")...)}, status: 400, code: "thread_unsupported_request", text: "a maximum of 3 ", un: []string{"cache_control"}},
		{name: "no message, and nothing paused", over: obj{"messages": []any{}}, status: 400, text: "messages: at least one message is required"},
		{name: "the pair is broken", over: obj{"messages": said("never mind")}, status: 400, text: "messages.0: `tool_use` ids were found without `tool_result` blocks immediately after: "},
		{name: "a stray result", over: obj{"messages": []any{obj{"role": "user", "content": []any{obj{"type": "tool_result", "tool_use_id": "toolu_x"}}}}}, status: 400, text: "messages.0"},
		{name: "an organisation without threads", opt: fakeapi.Options{Threads: thread.Options{Settings: []string{"hipaa"}}}, begin: obj{"thread": nil}, status: 400, code: "thread_unsupported_request", un: []string{"hipaa"}},
		{name: "a server without threads", opt: fakeapi.Options{ThreadsUnsupported: true}, begin: obj{"thread": nil}, status: 400, code: "thread_unsupported_request"},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := newLine(t, c.opt, model)
			for k, v := range whole(said("go")) {
				if _, set := c.begin[k]; !set {
					if c.begin == nil {
						c.begin = obj{}
					}
					c.begin[k] = v
				}
			}
			first := l.send(c.begin)
			if len(first.Content) == 0 { // this row is about its create
				first.Content = append(first.Content, struct{ Type, ID, Text string }{})
				l.last = first
			}
			l.now = begin.Add(first.took + c.wait)
			over := obj{"thread": goOn(first.ID), "messages": l.result()}
			if c.begin["thinking"] != nil {
				over["thinking"] = nil
			}
			for k, v := range c.over {
				over[k] = v
			}
			header := c.header
			if header == nil {
				header = threaded
			}
			r := l.as(header, over)
			if c.status == 0 {
				require.Equal(t, 200, r.status, "%s", r.Error.Message)
				return
			}
			assert.Equal(t, c.status, r.status)
			assert.Equal(t, c.code, r.Error.Details.Code, r.Error.Message)
			assert.Contains(t, r.Error.Message, c.text)
			assert.Equal(t, c.un, r.Error.Details.Unsupported)
			want := "invalid_request_error"
			if c.status == 404 {
				want = "not_found_error"
			}
			assert.Equal(t, want, r.Error.Type)
		})
	}
}

func TestAResponseIsContinuedOnce(t *testing.T) {
	l := newLine(t, fakeapi.Options{}, "claude-sonnet-5")
	first := l.send(whole(said("go")))
	l.now = l.now.Add(first.took)
	next := obj{"thread": goOn(first.ID), "messages": l.result()}
	bad := l.send(obj{"thread": goOn(first.ID), "messages": said("never mind")})
	require.Equal(t, 400, bad.status, "a refused continue")
	second := l.send(next)
	require.Equal(t, 200, second.status, "leaves the response as it was: %s", second.Error.Message)
	l.now = l.now.Add(second.took - 1)
	assert.Equal(t, "thread_continue_in_flight", l.send(next).Error.Details.Code)
	l.now = l.now.Add(1)
	assert.Equal(t, "thread_already_continued", l.send(next).Error.Details.Code)
	l.now = begin.Add(first.took + 5*time.Minute)
	assert.Equal(t, "thread_not_found", l.send(next).Error.Details.Code, "it is gone with its time")
	l.last = second
	assert.Equal(t, 200, l.send(obj{"thread": goOn(second.ID), "messages": l.result()}).status, "the next one has a time of its own")
}

func TestAPausedTurnIsResumedWithoutMessages(t *testing.T) {
	sc := script.Script{Turns: []script.Turn{{Prompt: "go", Answers: []script.Answer{
		{Blocks: []script.Block{{Kind: "text", Text: "searching"}}, StopReason: "pause_turn"}, {Blocks: []script.Block{{Kind: "text", Text: "found"}}},
	}}}}
	l := newLine(t, fakeapi.Options{Script: sc}, "claude-sonnet-5")
	first := l.send(whole(said("go")))
	l.now = l.now.Add(first.took)
	r := l.send(obj{"thread": goOn(first.ID), "messages": []any{}})
	require.Equal(t, 200, r.status, r.Error.Message)
	assert.Equal(t, "found", r.Content[0].Text)
	l.now = l.now.Add(r.took)
	r = l.send(obj{"thread": goOn(r.ID), "messages": said("go")})
	require.Equal(t, 200, r.status, r.Error.Message)
	assert.Equal(t, 3, strings.Count(r.view.Effective, `"role":"assistant"`)+strings.Count(r.view.Effective, `"searching"`))
}

func TestARefusedAnswerIsKeptUnlessTheOptionSaysNo(t *testing.T) {
	sc := script.Script{Turns: []script.Turn{{Prompt: "go", Answers: []script.Answer{
		{Blocks: []script.Block{{Kind: "text", Text: "no"}}, StopReason: "refusal"}, {Blocks: []script.Block{{Kind: "text", Text: "x"}}}}}}}
	for drop, status := range map[bool]int{false: 200, true: 404} {
		l := newLine(t, fakeapi.Options{Script: sc, Threads: thread.Options{DropRefused: drop}}, "claude-sonnet-5")
		first := l.send(whole(said("go")))
		l.now = l.now.Add(first.took)
		assert.Equal(t, status, l.send(obj{"thread": goOn(first.ID), "messages": said("go")}).status)
	}
}

// A path in a refusal counts the messages that were sent.
func TestPathsIndexWhatWasSent(t *testing.T) {
	l := newLine(t, fakeapi.Options{}, "claude-sonnet-5")
	first := l.send(whole(said("go")))
	l.now = l.now.Add(first.took)
	r := l.send(obj{"thread": goOn(first.ID), "messages": append(l.result(), obj{"role": "assistant", "content": []any{obj{"type": "tool_use", "id": "toolu_1", "name": "Bash", "input": obj{}}}},
		obj{"role": "user", "content": "x"})})
	assert.Contains(t, r.Error.Message, "messages.1: `tool_use` ids")
	for text, want := range map[string]string{
		"messages.7.content.0: x": "messages.4.content.0: x", "messages.1: y": "messages.0: y", "a messages.12, messages.3": "a messages.9, messages.0",
		"submessages.7 messages. messages.x": "submessages.7 messages. messages.x",
	} {
		assert.Equal(t, want, thread.Sent(text, 3))
		assert.Equal(t, text, thread.Sent(text, 0))
	}
}

// The next turn of a thread reads what the one before wrote, by the marks of each.
func TestAThreadCachesByTheMarksOfItsTurns(t *testing.T) {
	l := newLine(t, fakeapi.Options{}, "claude-sonnet-5-5")
	l.body["cache_control"] = obj{"type": "ephemeral"}
	r := l.send(whole(said("go")))
	wrote := r.Usage.Read + r.Usage.Write
	for range 2 {
		l.now = l.now.Add(r.took)
		r = l.send(obj{"thread": goOn(r.ID), "messages": l.result()})
		require.Equal(t, 200, r.status, r.Error.Message)
		assert.Equal(t, wrote, r.Usage.Read)
		assert.Positive(t, r.Usage.Write)
		wrote = r.Usage.Read + r.Usage.Write
	}
}

// A client whose answer became an error sends the same continue again.
func TestAThreadKeepsNoAnswerThatBecameAnError(t *testing.T) {
	for do, again := range map[string]int{"error_event": 200, "overloaded": 200, "ping": 400} {
		f := fault.Fault{Do: do, When: fault.Match{Call: 2}}
		require.NoError(t, f.Check(), do)
		l := newLine(t, fakeapi.Options{Faults: []fault.Fault{f}}, "claude-sonnet-5")
		first := l.send(whole(said("go")))
		next := obj{"thread": goOn(first.ID), "messages": l.result(), "stream": true}
		body, err := json.Marshal(obj{"model": "claude-sonnet-5", "max_tokens": 1000, "thread": next["thread"], "messages": next["messages"], "stream": true})
		require.NoError(t, err)
		resp := l.s.Handle(begin.Add(time.Minute), fakeapi.Request{Method: "POST", Path: "/v1/messages", Header: threaded, Body: body})
		require.NotEmpty(t, resp.View.Faults, do)
		l.now = begin.Add(2 * time.Minute)
		next["stream"] = false
		r := l.send(next)
		assert.Equal(t, again, r.status, "%s: %s", do, r.Error.Message)
	}
}
