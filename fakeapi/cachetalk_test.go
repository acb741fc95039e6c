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

// readTo is the path of the block that ends what the last call read, "" for nothing.
func readTo(c *chat) string {
	if c.last.View.Read == nil {
		return ""
	}
	return c.last.View.Read.Path
}

var looping = script.Script{Turns: []script.Turn{
	{Prompt: "go", Answers: []script.Answer{
		{Blocks: []script.Block{{Kind: "thinking", Text: "look at the tests"}, {Kind: "tool_use", Name: "Bash", Input: []byte(`{"command":"make"}`)}}},
		say("", "Done."),
	}},
	{Prompt: "and now", Answers: []script.Answer{say("again", "Done."), say("", "Done.")}},
}}

// A new prompt strips the thinking before it on the older models, and the cache misses from there on; later models
// keep it (messages-api.md 5.7, 5.8).
func TestANewPromptBehindThinking(t *testing.T) {
	for id, want := range map[string]string{"claude-haiku-4-5": "messages.0.content.0", "claude-sonnet-4-5": "messages.0.content.0",
		"claude-sonnet-4-6": "messages.2.content.0", "claude-sonnet-5": "messages.2.content.0", "claude-sonnet-5-5": "messages.2.content.0"} {
		t.Run(id, func(t *testing.T) {
			c := newChat(t, fakeapi.New(fakeapi.Options{Script: looping}), id)
			c.body["thinking"] = obj{"type": "adaptive"}
			if want == "messages.0.content.0" {
				c.body["thinking"] = obj{"type": "enabled", "budget_tokens": 1024}
			}
			a := c.ask(text("go"))
			c.ask(result(a))
			assert.Equal(t, "messages.0.content.0", readTo(c), "inside the loop nothing is stripped")
			c.ask(text("and now"))
			assert.Equal(t, want, readTo(c))
		})
	}
}

// TestWhatInvalidatesWhatInATalk are the rows of messages-api.md 5.7 that are about a conversation going on. Each
// begins with messages 0 (marked), 1 (a tool call with thinking, where the model thinks), 2 (its result, marked).
func TestWhatInvalidatesWhatInATalk(t *testing.T) {
	adaptive := func(c *chat) { c.body["thinking"] = obj{"type": "adaptive"} }
	edits := func(c *chat, list ...any) { c.body["context_management"] = obj{"edits": list} }
	for _, row := range []struct {
		name, models, betas string
		before              func(*chat)
		after               func(*chat) // ahead of the third call, which says one thing more
		want                string
	}{
		{"nothing but growth", "claude-sonnet-4-6 claude-opus-5", "", adaptive, func(c *chat) {}, "messages.2.content.0"},
		{"the result edited", "claude-sonnet-4-6 claude-opus-5", "", adaptive, func(c *chat) { c.block(2, 0)["content"] = "other" }, "messages.0.content.0"},
		{"a system message appended", "claude-opus-5 claude-sonnet-5-5", "", adaptive, func(c *chat) {
			c.messages = append(c.messages, obj{"role": "system", "content": "be brief"})
		}, "messages.2.content.0"},
		{"effort by a system message", "claude-opus-5 claude-sonnet-5-5", "mid-conversation-output-config-2026-07-01", adaptive, func(c *chat) {
			c.messages = append(c.messages, obj{"role": "system", "content": []any{}, "output_config": obj{"effort": "low"}})
		}, "messages.2.content.0"},
		{"an effort message left out", "claude-opus-5 claude-sonnet-5-5", "mid-conversation-output-config-2026-07-01,thinking-binding-controls-2026-08-01", func(c *chat) {
			c.body["thinking"] = obj{"type": "adaptive", "block_binding": obj{"prefix_mismatch_behavior": "drop_block"}}
			c.messages = append(c.messages, obj{"role": "system", "content": []any{}, "output_config": obj{"effort": "low"}})
		}, func(c *chat) { c.messages = c.messages[1:] }, "system.0"},
		{"the level of an effort message changed", "claude-opus-5 claude-sonnet-5-5", "mid-conversation-output-config-2026-07-01", func(c *chat) {
			adaptive(c)
			c.messages = append(c.messages, obj{"role": "system", "content": []any{}, "output_config": obj{"effort": "low"}})
		}, func(c *chat) { c.messages[0].(obj)["output_config"] = obj{"effort": "medium"} }, "system.0"},
		{"a tool added in a system message", "claude-opus-5 claude-opus-4-8", "mid-conversation-tool-changes-2026-07-01", func(c *chat) {
			c.body["tools"] = []any{bash, obj{"name": "Edit", "input_schema": obj{"type": "object"}, "defer_loading": true}}
		}, func(c *chat) {
			c.messages = append(c.messages, obj{"role": "system", "content": []any{obj{"type": "tool_addition", "tool": obj{"type": "tool_reference", "name": "Edit"}}}})
		}, "messages.2.content.0"},
		{"a tool removed in a system message", "claude-opus-4-8 claude-opus-5", "mid-conversation-tool-changes-2026-07-01", func(c *chat) {}, func(c *chat) {
			c.messages = append(c.messages, obj{"role": "system", "content": []any{obj{"type": "tool_removal", "tool": obj{"type": "tool_reference", "name": "Bash"}}}})
		}, "messages.2.content.0"},
		{"clear_tool_uses", "claude-sonnet-4-6 claude-opus-5", "context-management-2025-06-27", adaptive, func(c *chat) {
			edits(c, obj{"type": "clear_tool_uses_20250919", "trigger": obj{"type": "tool_uses", "value": 0}, "keep": obj{"type": "tool_uses", "value": 0}})
		}, "messages.0.content.0"},
		{"clear_tool_uses that does nothing", "claude-sonnet-4-6 claude-opus-5", "context-management-2025-06-27", adaptive, func(c *chat) {
			edits(c, obj{"type": "clear_tool_uses_20250919"})
		}, "messages.2.content.0"},
		{"clear_thinking keeps one turn", "claude-sonnet-4-6 claude-sonnet-5-5", "context-management-2025-06-27", adaptive, func(c *chat) {
			edits(c, obj{"type": "clear_thinking_20251015", "keep": obj{"type": "thinking_turns", "value": 1}})
		}, "messages.2.content.0"},
		{"clear_thinking keeps all", "claude-sonnet-5 claude-opus-5", "context-management-2025-06-27", adaptive, func(c *chat) {
			edits(c, obj{"type": "clear_thinking_20251015", "keep": "all"})
		}, "messages.2.content.0"},
	} {
		for _, model := range strings.Fields(row.models) {
			t.Run(row.name+" "+model, func(t *testing.T) {
				c := newChat(t, fakeapi.New(fakeapi.Options{Script: looping}), model)
				if row.betas != "" {
					c.header = append([]fakeapi.Field{{Name: "anthropic-beta", Value: row.betas}}, usual...)
				}
				row.before(c)
				a := c.ask(text("go"))
				r := result(a)
				r["content"] = strings.Repeat("one line of output\n", 100)
				c.ask(r)
				c.user(text("and now"))
				row.after(c)
				resp := c.do()
				require.Equal(t, 200, resp.Status, "%s", resp.Body())
				assert.Equal(t, row.want, readTo(c))
			})
		}
	}
}

// Where tools has none that is shown, the first one added costs a full miss (messages-api.md 5.7).
func TestTheFirstToolAddedCostsAFullMiss(t *testing.T) {
	edit := obj{"name": "Edit", "input_schema": obj{"type": "object"}}
	for _, model := range []string{"claude-opus-5", "claude-opus-4-8"} {
		for _, other := range []bool{false, true} {
			c := newChat(t, fakeapi.New(fakeapi.Options{}), model)
			c.header = append([]fakeapi.Field{{Name: "anthropic-beta", Value: "mid-conversation-tool-changes-2026-07-01,inline-tools-2026-09-15"}}, usual...)
			if !other {
				delete(c.body, "tools")
			}
			c.ask(text("go"))
			c.user(text("and now"))
			c.messages = append(c.messages, obj{"role": "system", "content": []any{obj{"type": "tool_addition", "tool": obj{"type": "tool_definition", "definition": edit}}}})
			resp := c.do()
			require.Equal(t, 200, resp.Status, "%s", resp.Body())
			assert.Equal(t, other, resp.View.Usage.Read > 0, model)
		}
	}
}

// Thinking that a binding check drops invalidates from there on. A cleared reminder left out of the array shows it
// alone: the prompt does not hold it any more, the binding does.
func TestDroppedThinkingInvalidatesFromThere(t *testing.T) {
	for _, model := range []string{"claude-sonnet-5-5", "claude-opus-5-5"} {
		for _, drop := range []bool{false, true} {
			c := newChat(t, fakeapi.New(fakeapi.Options{Script: endless}), model)
			c.header = append([]fakeapi.Field{{Name: "anthropic-beta", Value: "mid-conversation-system-clear-at-2026-08-21,thinking-binding-controls-2026-08-01"}}, usual...)
			c.body["thinking"] = obj{"type": "adaptive", "block_binding": obj{"prefix_mismatch_behavior": "drop_block"}}
			c.ask(text("go on"))
			c.messages = append(c.messages[:1:1], obj{"role": "system", "content": []any{text("it is noon")}, "clear_at": "next_user_message"})
			resp := c.do()
			require.Equal(t, 200, resp.Status, "%s", resp.Body())
			c.messages = append(c.messages, obj{"role": "assistant", "content": decode(t, resp.Body())["content"]})
			c.now = c.now.Add(time.Second)
			c.ask(text("go on"))
			assert.Equal(t, "messages.0.content.0", readTo(c), "the reminder is cleared: up to the user turn before it")
			c.ask(text("go on"))
			c.user(text("go on"))
			if drop {
				c.messages = append(c.messages[:1:1], c.messages[2:]...)
			}
			c.do()
			if !drop {
				assert.Equal(t, "messages.5.content.0", readTo(c))
				continue
			}
			assert.Equal(t, "messages.0.content.0", readTo(c))
			assert.Len(t, c.last.View.Dropped, 3)
		}
	}
}
