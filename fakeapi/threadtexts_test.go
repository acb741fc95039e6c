package fakeapi_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"harnessbench/fakeapi"
	"harnessbench/fakeapi/script"
	"harnessbench/fakeapi/thread"
	"harnessbench/fakeapi/validate"
)

// refusal is what a client of a thread reads of one, {id} standing for the message that it continues.
type refusal struct {
	status     int
	kind, code string
	text       string
	un         []string
}

func (w refusal) check(t *testing.T, id string, r reply) {
	t.Helper()
	assert.Equal(t, w.status, r.status)
	assert.Equal(t, w.kind, r.Error.Type)
	assert.Equal(t, w.code, r.Error.Details.Code)
	assert.Equal(t, strings.ReplaceAll(w.text, "{id}", id), r.Error.Message)
	assert.Equal(t, w.un, r.Error.Details.Unsupported)
}

func invalid(code, text string, un ...string) refusal {
	return refusal{400, "invalid_request_error", code, text, un}
}

func lost(text string) refusal {
	return refusal{404, "not_found_error", "thread_not_found", text, nil}
}

const (
	notFoundText    = "thread.previous_message_id: no thread to continue was found for message {id}. It is unknown, was not kept, or has expired."
	continuedText   = "thread.previous_message_id: message {id} has already been continued. A message can be continued once."
	inFlightText    = "thread.previous_message_id: another request that continues message {id} is in progress."
	unsupportedHere = "thread: message threads are not supported for this organization."
	nothingToResume = "messages: at least one message is required"
)

// under is the header of a thread with more betas.
func under(betas ...string) []fakeapi.Field {
	list := strings.Join(append([]string{validate.ThreadBeta}, betas...), ",")
	return append([]fakeapi.Field{{Name: "anthropic-beta", Value: list}}, usual...)
}

// Each text of messages-api.md 2.10 that a continue meets, by two requests that differ in one thing: the first is
// refused with the whole text and its code, the second passes on the same thread, since a refusal keeps nothing.
func TestEveryTextOfARefusedContinue(t *testing.T) {
	summarize := obj{"type": "summarize"}
	edits := obj{"edits": []any{}}
	for _, row := range []struct {
		name      string
		opt       fakeapi.Options
		header    []fakeapi.Field
		bad, good obj // laid over the continue
		want      refusal
	}{
		{"context_management", fakeapi.Options{}, under(validate.EditBeta), obj{"context_management": edits}, obj{"context_management": nil},
			invalid("thread_unsupported_request", "thread: not supported together with context_management.", "context_management")},
		{"a compaction on a continue", fakeapi.Options{}, under(validate.OnDemandBeta), obj{"compaction": summarize}, obj{"compaction": nil},
			invalid("thread_unsupported_request", "thread: not supported together with compaction.", "context_management")},
		{"a field of the option", fakeapi.Options{Threads: thread.Options{Unsupported: []string{"metadata", "service_tier"}}}, threaded,
			obj{"metadata": obj{"user_id": "u"}, "service_tier": "auto"}, obj{"stop_sequences": []any{"x"}},
			invalid("thread_unsupported_request", "thread: not supported together with metadata, service_tier.", "metadata", "service_tier")},
		{"model", fakeapi.Options{}, threaded, obj{"model": "claude-opus-5"}, obj{"model": "claude-sonnet-5"},
			invalid("thread_fingerprint_mismatch", "thread: these fields must be the same as in the request that created the thread: model.")},
		{"every fixed field at once", fakeapi.Options{}, threaded,
			obj{"model": "claude-opus-5", "output_config": obj{"effort": "low"}, "thinking": obj{"type": "disabled"}, "system": "other", "tools": []any{}},
			obj{"max_tokens": 7, "tool_choice": obj{"type": "auto"}},
			invalid("thread_fingerprint_mismatch", "thread: these fields must be the same as in the request that created the thread: model, output_config, thinking, system, tools.")},
		{"system", fakeapi.Options{}, threaded, obj{"system": "other"}, obj{"system": long},
			invalid("thread_fingerprint_mismatch", "thread: these fields must be the same as in the request that created the thread: system.")},
		{"no message behind an answer that did not pause", fakeapi.Options{}, threaded, obj{"messages": []any{}}, obj{}, invalid("", nothingToResume)},
		{"a message nobody knows", fakeapi.Options{}, threaded, obj{"thread": goOn("{id}x")}, obj{}, lost(notFoundText)},
		{"of another workspace", fakeapi.Options{}, append([]fakeapi.Field{{Name: "anthropic-workspace-id", Value: "w"}}, threaded...), obj{}, nil, lost(notFoundText)},
	} {
		t.Run(row.name, func(t *testing.T) {
			l := newLine(t, row.opt, "claude-sonnet-5")
			first := l.send(whole(said("go")))
			require.Equal(t, 200, first.status, "%s", first.Error.Message)
			l.now = l.now.Add(first.took)
			results := l.result()
			ask := func(header []fakeapi.Field, over obj) (reply, string) {
				body, id := obj{"thread": goOn(first.ID), "messages": results}, first.ID
				for k, v := range over {
					body[k] = v
				}
				if th, set := over["thread"].(obj); set {
					id = strings.ReplaceAll(th["previous_message_id"].(string), "{id}", first.ID)
					body["thread"] = goOn(id)
				}
				return l.as(header, body), id
			}
			r, id := ask(row.header, row.bad)
			row.want.check(t, id, r)
			header := row.header
			if row.good == nil { // the header is what differs
				header = threaded
			}
			r, _ = ask(header, row.good)
			assert.Equal(t, 200, r.status, "%s", r.Error.Message)
		})
	}
}

// An answer is continued once, and by one request at a time; then it is gone with its time.
func TestTheTextsOfAContinueThatComesTwice(t *testing.T) {
	l := newLine(t, fakeapi.Options{}, "claude-sonnet-5")
	first := l.send(whole(said("go")))
	next := obj{"thread": goOn(first.ID), "messages": l.result()}
	l.now = begin.Add(first.took - 1)
	lost(notFoundText).check(t, first.ID, l.send(next))
	l.now = begin.Add(first.took)
	second := l.send(next)
	require.Equal(t, 200, second.status, "%s", second.Error.Message)
	third := obj{"thread": goOn(second.ID), "messages": l.result()}
	ends := l.now.Add(second.took)
	l.now = ends.Add(-1)
	invalid("thread_continue_in_flight", inFlightText).check(t, first.ID, l.send(next))
	l.now = ends
	invalid("thread_already_continued", continuedText).check(t, first.ID, l.send(next))
	r := l.send(third)
	require.Equal(t, 200, r.status, "what it was continued with goes on: %s", r.Error.Message)
	l.now = begin.Add(first.took + 5*time.Minute - 1)
	invalid("thread_already_continued", continuedText).check(t, first.ID, l.send(next))
	l.now = l.now.Add(1)
	lost(notFoundText).check(t, first.ID, l.send(next))
}

// Where threads are not to be had every request that asks for one is told so, the same without it passes.
func TestTheTextWhereThereAreNoThreads(t *testing.T) {
	for _, row := range []struct {
		name string
		opt  fakeapi.Options
		un   []string
	}{
		{"a server without threads", fakeapi.Options{ThreadsUnsupported: true}, nil},
		{"hipaa", fakeapi.Options{Threads: thread.Options{Settings: []string{"hipaa"}}}, []string{"hipaa"}},
		{"two settings", fakeapi.Options{Threads: thread.Options{Settings: []string{"hipaa", "inference_hooks"}}}, []string{"hipaa", "inference_hooks"}},
	} {
		t.Run(row.name, func(t *testing.T) {
			l := newLine(t, row.opt, "claude-sonnet-5")
			want := invalid("thread_unsupported_request", unsupportedHere, row.un...)
			want.check(t, "", l.send(whole(said("go"))))
			want.check(t, "", l.send(obj{"thread": goOn("msg_01unknown"), "messages": said("go")}))
			body := whole(said("go"))
			delete(body, "thread")
			r := l.send(body)
			assert.Equal(t, 200, r.status, "%s", r.Error.Message)
		})
	}
	l := newLine(t, fakeapi.Options{}, "claude-sonnet-5")
	r := l.send(whole(said("go")))
	assert.Equal(t, 200, r.status, "a server with threads: %s", r.Error.Message)
}

// Context management is refused on a create as well; a compaction on a create is none of it.
func TestWhatACreateIsToldItCannotBeTogetherWith(t *testing.T) {
	l := newLine(t, fakeapi.Options{}, "claude-sonnet-5")
	body := whole(said("go"))
	body["context_management"] = obj{"edits": []any{}}
	invalid("thread_unsupported_request", "thread: not supported together with context_management.", "context_management").
		check(t, "", l.as(under(validate.EditBeta), body))
	delete(body, "context_management")
	body["compaction"] = obj{"type": "summarize"}
	r := l.as(under(validate.OnDemandBeta), body)
	assert.Equal(t, 200, r.status, "%s", r.Error.Message)
}

// Nothing to resume behind an answer that ended; behind a pause there is.
func TestTheTextOfAResumeWithoutAPause(t *testing.T) {
	for _, stop := range []string{"", "pause_turn"} {
		sc := script.Script{Turns: []script.Turn{{Prompt: "go", Answers: []script.Answer{
			{Blocks: []script.Block{{Kind: "text", Text: "searching"}}, StopReason: stop}, {Blocks: []script.Block{{Kind: "text", Text: "found"}}}}}}}
		l := newLine(t, fakeapi.Options{Script: sc}, "claude-sonnet-5")
		first := l.send(whole(said("go")))
		l.now = l.now.Add(first.took)
		r := l.send(obj{"thread": goOn(first.ID), "messages": []any{}})
		if stop == "" {
			invalid("", nothingToResume).check(t, first.ID, r)
			r = l.send(obj{"thread": goOn(first.ID), "messages": said("go")})
		} else {
			assert.Equal(t, "found", r.Content[0].Text)
		}
		assert.Equal(t, 200, r.status, "%s", r.Error.Message)
	}
}
