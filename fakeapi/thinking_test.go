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

const (
	badSignature = "Invalid `signature` in `thinking` block"
	cannotModify = "`thinking` or `redacted_thinking` blocks in the latest assistant message cannot be modified. These blocks must remain as they were in the original response."
	otherTalk    = "Invalid `signature` in `thinking` block. The block is bound to a different conversation. Remove the block, or set `thinking.block_binding.prefix_mismatch_behavior` to \"drop_block\"." + needsBeta
	needsBeta    = " That setting requires the `thinking-binding-controls-2026-08-01` value in the `anthropic-beta` header."
)

// content is the content of message i, as a list that may be edited in place.
func (c *chat) content(i int) []any { return c.messages[i].(obj)["content"].([]any) }

func (c *chat) block(i, j int) obj { return c.content(i)[j].(obj) }

func (c *chat) remove(i, j int) {
	content := c.content(i)
	c.messages[i].(obj)["content"] = append(content[:j:j], content[j+1:]...)
}

func alter(sig string) string {
	i := len(sig) / 2
	b := byte('A')
	if sig[i] == 'A' {
		b = 'B'
	}
	return sig[:i] + string(b) + sig[i+1:]
}

// TestThinkingComesBackAsItWas plants one fault a row into the third call of a tool loop (messages 1 and 3 are
// answers with thinking, 4 waits for its own), or the nearest legal edit.
func TestThinkingComesBackAsItWas(t *testing.T) {
	for _, tc := range []struct {
		name, model string
		edit        func(*chat)
		want        string // "" accepted
	}{
		{"nothing changed, summarized", "claude-sonnet-4-6", func(c *chat) {}, ""},
		{"nothing changed, omitted", "claude-sonnet-5-5", func(c *chat) {}, ""},
		{"signature altered", "claude-sonnet-4-6", func(c *chat) { b := c.block(1, 0); b["signature"] = alter(b["signature"].(string)) }, "messages.1.content.0: " + badSignature},
		{"signature cut", "claude-sonnet-4-6", func(c *chat) { b := c.block(3, 0); s := b["signature"].(string); b["signature"] = s[:len(s)-8] }, "messages.3.content.0: " + badSignature},
		{"signature empty under a text", "claude-sonnet-4-6", func(c *chat) { c.block(1, 0)["signature"] = "" }, "messages.1.content.0: " + badSignature},
		{"signature made up", "claude-sonnet-5-5", func(c *chat) { c.block(1, 0)["signature"] = "CAQSbWFkZSB1cA==" }, "messages.1.content.0: " + badSignature},
		{"signatures exchanged", "claude-sonnet-4-6", func(c *chat) {
			a, b := c.block(1, 0), c.block(3, 0)
			a["signature"], b["signature"] = b["signature"], a["signature"]
		}, "messages.1.content.0: " + badSignature},
		{"text of an older answer altered", "claude-sonnet-4-6", func(c *chat) { c.block(1, 0)["thinking"] = "run all of them" }, "messages.1.content.0: " + badSignature},
		{"text of the latest answer altered", "claude-sonnet-4-6", func(c *chat) { c.block(3, 0)["thinking"] = "look elsewhere" }, "messages.3.content.0: " + cannotModify},
		{"text taken out of a summarized block", "claude-sonnet-4-6", func(c *chat) { c.block(1, 0)["thinking"] = "" }, ""},
		{"text put into an omitted block", "claude-sonnet-5-5", func(c *chat) { c.block(1, 0)["thinking"] = "something" }, ""},
		{"thinking of an older answer left out", "claude-sonnet-4-6", func(c *chat) { c.remove(1, 0) }, ""},
		{"an earlier message edited, not bound", "claude-sonnet-5", func(c *chat) { c.block(0, 0)["text"] = "which tests fail?" }, ""},
		{"an earlier message edited, bound", "claude-sonnet-5-5", func(c *chat) { c.block(0, 0)["text"] = "which tests fail?" }, "messages.1.content.0: " + otherTalk},
		{"system edited, bound", "claude-sonnet-5-5", func(c *chat) { c.body["system"] = long + "!" }, "messages.1.content.0: " + otherTalk},
		{"system unmarked, bound", "claude-sonnet-5-5", func(c *chat) { c.body["system"] = long }, ""},
		{"max_tokens changed, bound", "claude-sonnet-5-5", func(c *chat) { c.body["max_tokens"] = 5000 }, ""},
		{"a tool added, bound", "claude-sonnet-5-5", func(c *chat) {
			c.body["tools"] = []any{bash, obj{"name": "Read", "input_schema": obj{"type": "object"}}}
		}, "messages.1.content.0: " + otherTalk},
		{"a result edited behind the first thinking, bound", "claude-sonnet-5-5", func(c *chat) { c.block(2, 0)["content"] = "other" }, "messages.3.content.0: " + otherTalk},
		{"the front removed, bound", "claude-sonnet-5-5", func(c *chat) { c.remove(1, 0) }, ""},
		{"all removed, bound", "claude-sonnet-5-5", func(c *chat) { c.remove(1, 0); c.remove(3, 0) }, ""},
		{"the end removed, bound", "claude-sonnet-5-5", func(c *chat) { c.remove(3, 0) }, ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			var turns script.Script
			turns.Turns = append(turns.Turns, script.Turn{Prompt: "which test", Prefix: true, Answers: story.Turns[0].Answers})
			c := newChat(t, fakeapi.New(fakeapi.Options{Script: turns}), tc.model)
			if tc.model == "claude-sonnet-4-6" {
				c.body["thinking"] = obj{"type": "adaptive"}
			}
			a := c.ask(text("which test fails?"))
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
			assert.NotEmpty(t, resp.View.Rule)
		})
	}
}

// talk runs three turns of thinking without tools.
func talk(c *chat) {
	for range 3 {
		c.ask(text("go on"))
	}
	c.user(text("go on"))
}

var endless = script.Script{Turns: []script.Turn{{Prompt: "go on", Answers: []script.Answer{say("hm", "Yes.")}}}}

func TestAGapInTheChainFailsEverythingAfterIt(t *testing.T) {
	c := newChat(t, fakeapi.New(fakeapi.Options{Script: endless}), "claude-sonnet-5-5")
	talk(c)
	c.remove(3, 0)
	assert.Equal(t, "messages.5.content.0: "+otherTalk, errorText(t, c.do()))
	c.remove(5, 0)
	assert.Equal(t, 200, c.do().Status, "from the gap on none is left")
}

func TestDropBlockLeavesOutWhatFails(t *testing.T) {
	c := newChat(t, fakeapi.New(fakeapi.Options{Script: endless}), "claude-sonnet-5-5")
	c.header = append([]fakeapi.Field{{Name: "anthropic-beta", Value: "thinking-binding-controls-2026-08-01"}}, usual...)
	c.body["thinking"] = obj{"type": "adaptive", "block_binding": obj{"prefix_mismatch_behavior": "drop_block"}}
	talk(c)
	whole := c.do()
	require.Equal(t, 200, whole.Status, "%s", whole.Body())
	assert.Empty(t, whole.View.Dropped)
	assert.Contains(t, string(whole.Body()), `"input_transformations":[]`)

	c.block(2, 0)["text"] = "go on, please"
	resp := c.do()
	require.Equal(t, 200, resp.Status, "%s", resp.Body())
	assert.Equal(t, []fakeapi.Dropped{
		{Path: "messages.3.content.0", Reason: "prefix_binding_mismatch"},
		{Path: "messages.5.content.0", Reason: "prefix_binding_mismatch"},
	}, resp.View.Dropped)
	assert.Contains(t, string(resp.Body()), `"input_transformations":[{"type":"thinking_dropped","path":"messages.3.content.0","reason":"prefix_binding_mismatch"},`)

	c.header = usual
	delete(c.body, "thinking")
	assert.Equal(t, 400, c.do().Status)
}

func TestOlderAccountsAreLetThrough(t *testing.T) {
	s := fakeapi.New(fakeapi.Options{Script: endless, AccountCreated: time.Date(2026, 8, 30, 23, 59, 59, 0, time.UTC)})
	c := newChat(t, s, "claude-sonnet-5-5")
	talk(c)
	c.block(2, 0)["text"] = "go on, please"
	resp := c.do()
	require.Equal(t, 200, resp.Status, "%s", resp.Body())
	assert.Empty(t, resp.View.Dropped)

	c.header = append([]fakeapi.Field{{Name: "anthropic-beta", Value: "thinking-binding-controls-2026-08-01"}}, usual...)
	c.body["thinking"] = obj{"type": "adaptive", "block_binding": obj{"prefix_mismatch_behavior": "error"}}
	assert.Equal(t, 400, c.do().Status, "unless the request asks for the check")
}

func TestUnreadableThinkingIsDroppedSilently(t *testing.T) {
	s := fakeapi.New(fakeapi.Options{Script: endless})
	c := newChat(t, s, "claude-opus-5")
	talk(c)
	all := c.do()
	c.body["model"] = "claude-sonnet-5-5" // does not read Opus 5
	resp := c.do()
	require.Equal(t, 200, resp.Status, "%s", resp.Body())
	require.Len(t, resp.View.Dropped, 3)
	assert.Equal(t, "model_binding_mismatch", resp.View.Dropped[0].Reason)
	c.body["model"] = "claude-opus-5-5" // reads it
	resp = c.do()
	require.Equal(t, 200, resp.Status, "%s", resp.Body())
	assert.Empty(t, resp.View.Dropped)
	assert.Less(t, all.View.Total-300, resp.View.Total)
}

func TestThinkingOfAnotherOrganizationIsDropped(t *testing.T) {
	c := newChat(t, fakeapi.New(fakeapi.Options{Script: endless, Organization: "one"}), "claude-sonnet-5-5")
	talk(c)
	c.s = fakeapi.New(fakeapi.Options{Script: endless, Organization: "two"})
	resp := c.do()
	require.Equal(t, 200, resp.Status, "%s", resp.Body())
	require.Len(t, resp.View.Dropped, 3)
	assert.Equal(t, "organization_binding_mismatch", resp.View.Dropped[0].Reason)
}

func TestSignaturesSurviveARestartWithTheSameSeed(t *testing.T) {
	c := newChat(t, fakeapi.New(fakeapi.Options{Script: endless, Seed: 7}), "claude-sonnet-5-5")
	talk(c)
	c.s = fakeapi.New(fakeapi.Options{Script: endless, Seed: 7})
	assert.Equal(t, 200, c.do().Status)
	c.s = fakeapi.New(fakeapi.Options{Script: endless, Seed: 8})
	assert.Equal(t, "messages.1.content.0: "+badSignature, errorText(t, c.do()))
}

func TestSignaturesLookLikeTheirEra(t *testing.T) {
	for model, lead := range map[string]string{
		"claude-sonnet-4-6": "E", "claude-sonnet-5": "E", "claude-opus-5": "CA", "claude-opus-5-5": "CAQS", "claude-sonnet-5-5": "CAQS",
	} {
		c := newChat(t, fakeapi.New(fakeapi.Options{Script: endless}), model)
		c.body["thinking"] = obj{"type": "adaptive"}
		a := c.ask(text("go on"))
		sig := a.Blocks[0].Get("signature").Text()
		assert.True(t, strings.HasPrefix(sig, lead), "%s: %s", model, sig)
	}
}

// TestManualModeIsStrictInAnOpenLoop runs two rounds on a model that knows the budget alone; message 1 is the
// first answer of the turn, 3 the latest.
func TestManualModeIsStrictInAnOpenLoop(t *testing.T) {
	const (
		first = "messages.1.content.0.type: Expected `thinking` or `redacted_thinking`, but found `text`. When `thinking` is enabled, a final `assistant` message must start with a thinking block (preceeding the lastmost set of `tool_use` and `tool_result` blocks). We recommend you include thinking blocks from previous turns. To avoid this requirement, disable `thinking`. Please consult our documentation at https://docs.claude.com/en/docs/build-with-claude/extended-thinking"
		final = "messages.3.content.0: When thinking is disabled, an `assistant` message in the final position cannot contain `thinking`. To use thinking blocks, enable `thinking` in your request."
	)
	for _, tc := range []struct {
		name string
		edit func(*chat)
		want string
	}{
		{"nothing changed", func(c *chat) {}, ""},
		{"the turn does not begin with thinking", func(c *chat) { c.remove(1, 0) }, first},
		{"thinking switched off before the latest answer thought", func(c *chat) { delete(c.body, "thinking") }, ""},
		{"thinking switched off, the latest answer thinks", func(c *chat) {
			delete(c.body, "thinking")
			c.messages[3].(obj)["content"] = append([]any{c.block(1, 0)}, c.content(3)...)
		}, final},
		{"a later model takes it", func(c *chat) {
			c.body["model"], c.body["thinking"] = "claude-sonnet-4-6", obj{"type": "enabled", "budget_tokens": 2048}
			c.remove(1, 0)
		}, ""},
		{"a text beside the results ends the turn, which did not begin with thinking", func(c *chat) {
			c.remove(1, 0)
			c.messages[4].(obj)["content"] = append(c.content(4), text("stop, do this instead"))
		}, ""},
		{"a text beside the results ends the turn, thinking is switched off", func(c *chat) {
			delete(c.body, "thinking")
			c.messages[3].(obj)["content"] = append([]any{c.block(1, 0)}, c.content(3)...)
			c.messages[4].(obj)["content"] = append(c.content(4), text("stop, do this instead"))
		}, ""},
		{"a new prompt begins another turn", func(c *chat) {
			last := c.messages[4].(obj)
			c.messages = c.messages[:4]
			c.ask(last["content"].([]any)[0].(obj))
			c.user(text("fix it"))
			c.remove(1, 0)
		}, ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			c := newChat(t, serverWith(t, fakeapi.Options{}), "claude-haiku-4-5")
			a := c.ask(text("which test fails?"))
			a = c.ask(result(a))
			c.user(result(a))
			tc.edit(c)
			resp := c.do()
			if tc.want == "" {
				assert.Equal(t, 200, resp.Status, "%s", resp.Body())
				return
			}
			assert.Equal(t, tc.want, errorText(t, resp))
		})
	}
}
