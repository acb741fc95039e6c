package fakeapi_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"harnessbench/fakeapi"
	"harnessbench/fakeapi/script"
)

const badData = "Invalid `data` in `redacted_thinking` block"

// TestRedactedThinkingVerifies plays a tool loop whose answers think in the open, then redacted, and plants one
// fault a row, or the nearest legal edit.
func TestRedactedThinkingVerifies(t *testing.T) {
	answers := []script.Answer{
		{Blocks: []script.Block{{Kind: "thinking", Text: "look"}, {Kind: "redacted_thinking", Text: "hidden"}, {Kind: "tool_use", Name: "Bash", Input: []byte(`{"command":"make"}`)}}},
		{Blocks: []script.Block{{Kind: "redacted_thinking", Text: "more"}, {Kind: "redacted_thinking", Text: "still"}, {Kind: "tool_use", Name: "Bash", Input: []byte(`{"command":"make"}`)}}},
		{Blocks: []script.Block{{Kind: "text", Text: "Done."}}},
	}
	for _, tc := range []struct {
		name string
		edit func(*chat)
		want string
	}{
		{"nothing changed", func(c *chat) {}, ""},
		{"data altered", func(c *chat) { b := c.block(1, 1); b["data"] = alter(b["data"].(string)) }, "messages.1.content.1: " + badData},
		{"data cut", func(c *chat) { b := c.block(3, 0); s := b["data"].(string); b["data"] = s[:len(s)-8] }, "messages.3.content.0: " + badData},
		{"data made up", func(c *chat) { c.block(3, 0)["data"] = "c2VjcmV0" }, "messages.3.content.0: " + badData},
		{"a signature as data", func(c *chat) { c.block(3, 0)["data"] = c.block(1, 0)["signature"] }, "messages.3.content.0: " + badData},
		{"data as a signature", func(c *chat) { c.block(1, 0)["signature"] = c.block(3, 0)["data"] }, "messages.1.content.0: " + badSignature},
		{"exchanged in the latest answer", func(c *chat) {
			l := c.content(3)
			l[0], l[1] = l[1], l[0]
		}, "messages.3.content.0: " + cannotModify},
		{"the first of the latest answer left out", func(c *chat) { c.remove(3, 0) }, "messages.3.content.0: " + cannotModify},
		{"one of an older answer left out", func(c *chat) { c.remove(1, 1) }, ""},
	} {
		for _, model := range []string{"claude-sonnet-4-6", "claude-sonnet-5"} {
			t.Run(tc.name+" "+model, func(t *testing.T) {
				s := fakeapi.New(fakeapi.Options{Script: script.Script{Turns: []script.Turn{{Prompt: "go", Answers: answers}}}})
				c := newChat(t, s, model)
				c.body["thinking"] = obj{"type": "adaptive"}
				a := c.ask(text("go"))
				require.Equal(t, "redacted_thinking", a.Blocks[1].Get("type").Text())
				require.NotEmpty(t, a.Blocks[1].Get("data").Text())
				a = c.ask(result(a))
				c.user(result(a))
				tc.edit(c)
				resp := c.do()
				if tc.want == "" {
					assert.Equal(t, 200, resp.Status, "%s", resp.Body())
					return
				}
				require.Equal(t, 400, resp.Status)
				assert.Equal(t, tc.want, errorText(t, resp))
			})
		}
	}
}

// A redacted block streams whole in its start event, with no delta (messages-api.md 4).
func TestRedactedThinkingStreams(t *testing.T) {
	s := fakeapi.New(fakeapi.Options{Script: script.Script{Turns: []script.Turn{{Prompt: "go", Answers: []script.Answer{
		{Blocks: []script.Block{{Kind: "redacted_thinking", Text: "hidden"}, {Kind: "text", Text: "Done."}}}}}}}})
	c := newChat(t, s, "claude-sonnet-4-6")
	c.body["thinking"], c.body["stream"] = obj{"type": "adaptive"}, true
	a := c.ask(text("go"))
	for _, f := range c.last.Frames {
		assert.False(t, strings.Contains(string(f.Data), `"content_block_delta","index":0`), "%s", f.Data)
	}
	assert.Equal(t, "redacted_thinking", a.Blocks[0].Get("type").Text())
	assert.Equal(t, "Done.", a.Blocks[1].Get("text").Text())
	c.user(text("go"))
	assert.Equal(t, 200, c.do().Status)
}
