package fakeapi_test

import (
	"encoding/base64"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"harnessbench/fakeapi"
	"harnessbench/fakeapi/script"
	"harnessbench/fakeapi/validate"
)

// markedChat is a chat whose tools end with a breakpoint too, so that a read ends at the level that survived.
func markedChat(t *testing.T, s *fakeapi.Server, model, betas string) *chat {
	c := newChat(t, s, model)
	c.header = append([]fakeapi.Field{{Name: "anthropic-beta", Value: betas}}, usual...)
	tool := obj{"cache_control": mark()}
	for k, v := range bash {
		tool[k] = v
	}
	tool["description"] = long
	c.body["tools"] = []any{tool}
	delete(c.body, "thinking")
	return c
}

// Clearing thinking misses from the first cleared block on, and reads on where it keeps what there is
// (messages-api.md 5.7, 8.2).
func TestClearedThinkingInvalidatesFromThere(t *testing.T) {
	for _, model := range []string{"claude-sonnet-4-6", "claude-opus-5", "claude-sonnet-5-5"} {
		for _, row := range []struct {
			name string
			keep any
			want string
		}{
			{"one turn of three kept", quantity("thinking_turns", 1), "messages.0.content.0"},
			{"two of three", quantity("thinking_turns", 2), "messages.0.content.0"},
			{"three of three", quantity("thinking_turns", 3), "messages.4.content.0"},
			{"all", "all", "messages.4.content.0"},
		} {
			t.Run(row.name+" "+model, func(t *testing.T) {
				c := markedChat(t, fakeapi.New(fakeapi.Options{Script: endless}), model, validate.EditBeta)
				c.body["thinking"] = obj{"type": "adaptive"}
				for range 3 {
					c.ask(text("go on"))
				}
				c.body["context_management"] = keeping(row.keep)
				c.user(text("go on"))
				resp := c.do()
				require.Equal(t, 200, resp.Status, "%s", resp.Body())
				assert.Equal(t, row.want != "messages.4.content.0", len(resp.View.Edits) > 0, "took effect")
				assert.Equal(t, row.want, readTo(c))
			})
		}
	}
}

// A tool that a tool_reference brings into sight was deferred, so that tools and system stay what they were; the
// same tool sent without deferring it is another list of tools (messages-api.md 5.7).
func TestADiscoveredToolInvalidatesNothing(t *testing.T) {
	for _, model := range []string{"claude-opus-5", "claude-sonnet-4-6", "claude-sonnet-5-5"} {
		for deferred, want := range map[bool]string{true: "messages.2.content.0", false: ""} {
			c := markedChat(t, fakeapi.New(fakeapi.Options{}), model, "interleaved-thinking-2025-05-14")
			edit := obj{"name": "Edit", "input_schema": obj{"type": "object"}, "defer_loading": true}
			c.body["tools"] = append([]any{edit}, c.body["tools"].([]any)...)
			c.ask(text("go"))
			c.ask(text("find the tool that edits"))
			if !deferred {
				delete(edit, "defer_loading")
			}
			c.messages = append(c.messages,
				obj{"role": "user", "content": "now"},
				obj{"role": "assistant", "content": []any{obj{"type": "tool_use", "id": "toolu_find", "name": "Bash", "input": obj{}}}})
			c.user(obj{"type": "tool_result", "tool_use_id": "toolu_find", "content": []any{obj{"type": "tool_reference", "tool_name": "Edit"}}})
			resp := c.do()
			require.Equal(t, 200, resp.Status, "%s", resp.Body())
			assert.Equal(t, want, readTo(c), "%s deferred %v", model, deferred)
		}
	}
}

// A compaction takes the messages away: what has a breakpoint of its own stays, nothing else (messages-api.md 5.7,
// 8.3).
func TestACompactionKeepsWhatHasABreakpointOfItsOwn(t *testing.T) {
	for _, model := range []string{"claude-sonnet-4-6", "claude-opus-5", "claude-sonnet-5-5"} {
		for _, row := range []struct {
			name          string
			tools, system bool // have a breakpoint
			compacts      bool
			want          string
		}{
			{"no compaction", true, true, false, "messages.2.content.0"},
			{"system has one", true, true, true, "system.0"},
			{"tools alone have one", true, false, true, "tools.0"},
			{"neither has one", false, false, true, ""},
		} {
			t.Run(row.name+" "+model, func(t *testing.T) {
				c := markedChat(t, fakeapi.New(fakeapi.Options{Script: endless}), model, validate.CompactBeta)
				if !row.tools {
					delete(c.body["tools"].([]any)[0].(obj), "cache_control")
				}
				if !row.system {
					delete(c.body["system"].([]any)[0].(obj), "cache_control")
				}
				c.ask(text("go on"))
				c.ask(text("go on"))
				if row.compacts {
					c.messages = append(c.messages, obj{"role": "assistant", "content": []any{obj{"type": "compaction", "content": "They went on."}}})
				}
				c.user(text("go on"))
				resp := c.do()
				require.Equal(t, 200, resp.Status, "%s", resp.Body())
				assert.Equal(t, row.want, readTo(c))
			})
		}
	}
}

// A block signed by an on-demand compaction does the same (messages-api.md 8.4).
func TestACompactionOnDemandKeepsSystem(t *testing.T) {
	for _, model := range []string{"claude-sonnet-5", "claude-opus-5-5"} {
		c, _ := compactedOnDemand(t, thinker(), model)
		c.user(text("three"))
		resp := c.do()
		require.Equal(t, 200, resp.Status, "%s", resp.Body())
		assert.Equal(t, "system.0", readTo(c), model)
	}
}

// New content of the user behind a thinking loop: models that keep thinking read on, the others miss from the first
// stripped block; a tool result alone strips nothing on either (messages-api.md 5.7).
func TestNewContentOfTheUserBehindThinking(t *testing.T) {
	for model, keeps := range map[string]bool{"claude-haiku-4-5": false, "claude-sonnet-4-5": false, "claude-sonnet-4-6": true, "claude-opus-5": true, "claude-haiku-5-5": true} {
		for _, row := range []struct {
			name   string
			more   []obj // behind the result
			strips bool
		}{
			{"a result", nil, false},
			{"a result and a text", []obj{text("and now")}, true},
		} {
			t.Run(row.name+" "+model, func(t *testing.T) {
				c := markedChat(t, fakeapi.New(fakeapi.Options{Script: alwaysCalls}), model, "interleaved-thinking-2025-05-14")
				if keeps {
					c.body["thinking"] = obj{"type": "adaptive"}
				} else {
					c.body["thinking"] = obj{"type": "enabled", "budget_tokens": 1024}
				}
				a := c.ask(text("go"))
				a = c.ask(result(a))
				c.user(append([]obj{result(a)}, row.more...)...)
				resp := c.do()
				require.Equal(t, 200, resp.Status, "%s", resp.Body())
				want := "messages.2.content.0"
				if row.strips && !keeps {
					want = "messages.0.content.0"
				}
				assert.Equal(t, want, readTo(c))
			})
		}
	}
}

// alwaysCalls thinks and calls a tool twice.
var alwaysCalls = script.Script{Turns: []script.Turn{{Prompt: "go", Answers: []script.Answer{
	call("hm", "Running.", "make"), call("hm", "Again.", "make"), say("hm", "Done."),
}}}}

// The same PDF as base64 and by a URL is one prefix at the API (messages-api.md 5.7), which fetches the file and so
// knows its bytes. A server without a network cannot: a URL is an identity of its own here, and the change counts as
// the edit of a message it may have been. This pins that limit and what holds on each side of it.
func TestAPDFByURLIsItsOwnIdentity(t *testing.T) {
	pdf := func(source obj) obj { return obj{"type": "document", "source": source} }
	link := func(name string) obj { return pdf(obj{"type": "url", "url": "https://example.com/" + name}) }
	inline := func(mark string) obj {
		data := base64.StdEncoding.EncodeToString([]byte("%PDF-1.4\n1 0 obj<</Type/Page>>endobj\n%%EOF " + mark))
		return pdf(obj{"type": "base64", "media_type": "application/pdf", "data": data})
	}
	for _, model := range []string{"claude-opus-5", "claude-sonnet-5", "claude-haiku-4-5"} {
		for _, row := range []struct {
			name          string
			before, after obj
			want          string
		}{
			{"the same bytes", inline("a"), inline("a"), "messages"},
			{"other bytes", inline("a"), inline("b"), "system"},
			{"the same URL", link("a.pdf"), link("a.pdf"), "messages"},
			{"another URL", link("a.pdf"), link("b.pdf"), "system"},
			{"bytes, then a URL", inline("a"), link("a.pdf"), "system"},
			{"a URL, then bytes", link("a.pdf"), inline("a"), "system"},
		} {
			t.Run(row.name+" "+model, func(t *testing.T) {
				p := newProbe(model)
				p.message(0)["content"] = append(p.message(0)["content"].([]any), row.before)
				assert.Equal(t, row.want, p.level(t, fakeapi.New(fakeapi.Options{}), func(p *probe) {
					p.message(0)["content"].([]any)[3] = row.after
				}))
			})
		}
	}
}
