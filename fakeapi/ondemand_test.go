package fakeapi_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"harnessbench/fakeapi"
	"harnessbench/fakeapi/script"
	"harnessbench/fakeapi/validate"
)

// summaryOf is the body of a compaction request over the messages of another.
func summaryOf(body obj, more obj) obj {
	out := obj{"compaction": obj{"type": "summarize"}}
	for k, v := range body {
		out[k] = v
	}
	for k, v := range more {
		out[k] = v
	}
	return out
}

func greeting(model string) obj {
	return obj{"model": model, "max_tokens": 1000, "messages": []any{
		obj{"role": "user", "content": "hello"}, obj{"role": "assistant", "content": "hi"}, obj{"role": "user", "content": "sum it up"},
	}}
}

func TestASummaryOnDemand(t *testing.T) {
	s := saying(fakeapi.Options{}, summarised...)
	plain := tokensOf(accepted(t, messages(t, s, greeting("claude-sonnet-4-6")))["usage"])
	for _, stream := range []bool{false, true} {
		resp := messages(t, s, summaryOf(greeting("claude-sonnet-4-6"), obj{"stream": stream}), validate.OnDemandBeta)
		a := answerOf(t, resp)
		require.Len(t, a.Blocks, 1)
		block := decode(t, a.Blocks[0].Raw())
		assert.Equal(t, words(30), block["content"])
		assert.NotEmpty(t, block["signature"])
		assert.NotEmpty(t, block["encrypted_content"])
		assert.Equal(t, []any{}, block["tool_changes"])
		assert.Equal(t, "compaction", a.StopReason)
		u := decode(t, a.Usage.Raw)
		assert.Equal(t, [4]float64{}, tokensOf(u))
		steps := u["iterations"].([]any)
		require.Len(t, steps, 1)
		assert.Equal(t, "compaction", steps[0].(obj)["type"])
		assert.Equal(t, [4]float64{plain[0] + 97, 0, 0, 35}, tokensOf(steps[0]))
		if stream {
			assert.Contains(t, string(resp.Frames[1].Data), `"content_block":{"type":"compaction","content":"word `, "the start carries everything")
			assert.NotContains(t, string(resp.Body()), "content_block_delta")
		}
	}
}

func TestASummaryMayEndOnEitherRole(t *testing.T) {
	s := saying(fakeapi.Options{}, ok)
	body := greeting("claude-sonnet-5-5")
	body["messages"] = body["messages"].([]any)[:2]
	a := accepted(t, messages(t, s, summaryOf(body, nil), validate.OnDemandBeta))
	assert.Equal(t, "Summary of 2 messages with 0 tool calls. The user said last: hello", a["content"].([]any)[0].(obj)["content"])

	resp := messages(t, s, body, validate.OnDemandBeta)
	assert.Equal(t, 400, resp.Status, "which is a prefill without `compaction`")
}

func TestWhereNoSummaryIsWritten(t *testing.T) {
	for _, tc := range []struct {
		name   string
		blocks []script.Block
		stop   string
		more   obj
		want   string
		output float64
	}{
		{"max_tokens", summarised, "", obj{"max_tokens": 20}, "max_tokens", 20},
		{"the script writes none", []script.Block{{Kind: "compaction"}}, "", nil, "end_turn", 3},
		{"the script refuses", nil, "refusal", nil, "refusal", 3},
		{"the script calls a tool", nil, "tool_use", nil, "tool_use", 3},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s := fakeapi.New(fakeapi.Options{Script: script.Script{Turns: []script.Turn{{Prompt: "sum it up", Answers: []script.Answer{{Blocks: tc.blocks, StopReason: tc.stop}}}}}})
			a := accepted(t, messages(t, s, summaryOf(greeting("claude-sonnet-4-6"), tc.more), validate.OnDemandBeta))
			assert.Empty(t, a["content"])
			assert.Equal(t, tc.want, a["stop_reason"])
			step := tokensOf(a["usage"].(obj)["iterations"].([]any)[0])
			assert.Equal(t, tc.output, step[3])
			assert.Positive(t, step[0], "it is billed")
		})
	}
	t.Run("the window", func(t *testing.T) {
		body := ofSize(t, "claude-haiku-4-5", 199_990, nil)
		a := accepted(t, messages(t, saying(fakeapi.Options{}, summarised...), summaryOf(body, nil), validate.OnDemandBeta))
		assert.Empty(t, a["content"])
		assert.Equal(t, "model_context_window_exceeded", a["stop_reason"])
	})
}

// compactedOnDemand is a conversation of a bound model that was summarised up to its second message: the block, and
// what was said since.
func compactedOnDemand(t *testing.T, s *fakeapi.Server, model string) (c *chat, block obj) {
	t.Helper()
	c = newChat(t, s, model)
	c.header = append(append([]fakeapi.Field(nil), usual...), fakeapi.Field{Name: "anthropic-beta", Value: validate.OnDemandBeta})
	c.ask(text("one"))
	c.ask(text("two"))
	rest := c.messages[2:]
	c.messages = c.messages[:2]
	c.body["compaction"] = obj{"type": "summarize"}
	resp := c.do()
	delete(c.body, "compaction")
	block = accepted(t, resp)["content"].([]any)[0].(obj)
	c.messages = append([]any{obj{"role": "assistant", "content": []any{block}}}, rest...)
	return c, block
}

func thinker() *fakeapi.Server {
	return saying(fakeapi.Options{}, script.Block{Kind: "thinking", Text: "so"}, script.Block{Kind: "text", Text: "ok"})
}

func TestASignedBlockIsTakenAsItWasMade(t *testing.T) {
	s := thinker()
	refuse := func(name string, change func(c *chat, block obj), code, message string) {
		t.Run(name, func(t *testing.T) {
			c, block := compactedOnDemand(t, s, "claude-sonnet-5")
			c.user(text("three"))
			require.Equal(t, 200, c.do().Status, "%s", c.last.Body())
			change(c, block)
			resp := c.do()
			require.Equal(t, 400, resp.Status)
			assert.Equal(t, code, detail(t, resp))
			assert.Equal(t, message, errorText(t, resp))
		})
	}
	refuse("another text", func(_ *chat, b obj) { b["content"] = "other" }, "compaction_content_mismatch",
		"messages.0.content.0: the `content` of the `compaction` block differs from the text its `signature` recorded")
	refuse("another signature", func(_ *chat, b obj) { b["signature"] = "x" + b["signature"].(string)[1:] }, "compaction_signature_invalid",
		"messages.0.content.0: Invalid `signature` in `compaction` block")
	refuse("another opaque part", func(_ *chat, b obj) { b["encrypted_content"] = "x" }, "compaction_signature_invalid",
		"messages.0.content.0: Invalid `signature` in `compaction` block")
	refuse("without its opaque part", func(_ *chat, b obj) { delete(b, "encrypted_content") }, "compaction_signature_invalid",
		"messages.0.content.0: Invalid `signature` in `compaction` block")
	refuse("without its signature", func(_ *chat, b obj) { delete(b, "signature") }, "compaction_signature_invalid",
		"messages.0.content.0: Invalid `signature` in `compaction` block")
	refuse("other tool changes", func(_ *chat, b obj) {
		b["tool_changes"] = []any{obj{"type": "tool_removal", "tool": obj{"type": "tool_reference", "name": "Bash"}}}
	}, "compaction_tool_changes_mismatch", "messages.0.content.0: the `tool_changes` of the `compaction` block differ from what was returned with it")
	refuse("behind a message", func(c *chat, _ obj) {
		c.messages = append([]any{obj{"role": "user", "content": "before"}}, c.messages...)
	}, "compaction_block_misplaced", "messages.1.content.0: a `compaction` block must be the first block of `messages`")
	refuse("behind a block", func(c *chat, b obj) {
		c.messages[0] = obj{"role": "assistant", "content": []any{text("before"), b}}
	}, "compaction_block_misplaced", "messages.0.content.1: a `compaction` block must be the first block of `messages`")
	refuse("twice", func(c *chat, b obj) {
		c.messages[0] = obj{"role": "assistant", "content": []any{b, b}}
	}, "compaction_block_ambiguous", "messages.0.content.1: `messages` holds more than one `compaction` block. Send only the one the conversation returned last")

	pass := func(name string, change func(c *chat, block obj)) {
		t.Run(name, func(t *testing.T) {
			c, block := compactedOnDemand(t, s, "claude-sonnet-5")
			change(c, block)
			c.user(text("three"))
			assert.Equal(t, 200, c.do().Status, "%s", c.last.Body())
		})
	}
	pass("first in a user message", func(c *chat, b obj) {
		c.messages[0].(obj)["role"] = "user"
	})
	pass("without its empty list of tool changes", func(_ *chat, b obj) { delete(b, "tool_changes") })
	pass("marked", func(_ *chat, b obj) { b["cache_control"] = obj{"type": "ephemeral"} })

	t.Run("count_tokens judges it too", func(t *testing.T) {
		c, block := compactedOnDemand(t, s, "claude-sonnet-5")
		body := obj{"model": "claude-sonnet-5", "messages": append(c.messages, obj{"role": "user", "content": "three"})}
		assert.Equal(t, 200, post(t, s, "/v1/messages/count_tokens", body, validate.OnDemandBeta).Status)
		block["content"] = "other"
		assert.Equal(t, "compaction_content_mismatch", detail(t, post(t, s, "/v1/messages/count_tokens", body, validate.OnDemandBeta)))
	})
	t.Run("of another organisation", func(t *testing.T) {
		c, _ := compactedOnDemand(t, s, "claude-sonnet-5")
		c.user(text("three"))
		c.s = fakeapi.New(fakeapi.Options{Organization: "other"})
		for _, m := range c.messages[1:] { // thinking of that organisation is another matter
			blocks := m.(obj)["content"].([]any)
			if len(blocks) > 1 {
				m.(obj)["content"] = blocks[1:]
			}
		}
		assert.Equal(t, "compaction_signature_invalid", detail(t, c.do()))
		c.s = fakeapi.New(fakeapi.Options{Organization: "other", TrustSignatures: true})
		assert.Equal(t, 200, c.do().Status, "%s", c.last.Body())
	})
}

// Thinking behind a block stays valid when the compaction ran on a bound model, and turns, system and tools are as
// they were (messages-api.md 8.4).
func TestThinkingBehindASignedBlock(t *testing.T) {
	const bound = "Invalid `signature` in `thinking` block. The block is bound to a different conversation."
	for _, tc := range []struct {
		name   string
		change func(c *chat)
		ok     bool
	}{
		{"turns follow unchanged", func(*chat) {}, true},
		{"all thinking behind it was left out", func(c *chat) {
			c.body["system"] = "another"
			m := c.messages[2].(obj)
			m["content"] = m["content"].([]any)[1:]
		}, true},
		{"system changed", func(c *chat) { c.body["system"] = "another" }, false},
		{"a tool was added", func(c *chat) {
			c.body["tools"] = []any{bash, obj{"name": "Read", "input_schema": obj{"type": "object"}}}
		}, false},
		{"a kept turn changed", func(c *chat) { c.messages[1].(obj)["content"] = "other" }, false},
		{"a turn was left out", func(c *chat) {
			c.messages = append(c.messages[:1:1], c.messages[2:]...)
		}, false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			c, _ := compactedOnDemand(t, thinker(), "claude-sonnet-5-5")
			tc.change(c)
			c.user(text("three"))
			resp := c.do()
			if tc.ok {
				assert.Equal(t, 200, resp.Status, "%s", resp.Body())
				return
			}
			require.Equal(t, 400, resp.Status)
			assert.Contains(t, errorText(t, resp), bound)
		})
	}
	t.Run("and so does new thinking", func(t *testing.T) {
		c, _ := compactedOnDemand(t, thinker(), "claude-sonnet-5-5")
		c.ask(text("three"))
		c.ask(text("four"))
		assert.Len(t, c.messages, 7)
	})
}

func TestCompactingAgainFoldsTheOldSummaryIn(t *testing.T) {
	s := thinker()
	c, block := compactedOnDemand(t, s, "claude-sonnet-5-5")
	c.body["compaction"] = obj{"type": "summarize"}
	again := accepted(t, c.do())["content"].([]any)[0].(obj)
	delete(c.body, "compaction")
	assert.NotEqual(t, block["signature"], again["signature"])
	c.messages = []any{obj{"role": "assistant", "content": []any{again}}}
	c.ask(text("three"))
	assert.Equal(t, 200, c.last.Status)
}

func TestToolChangesOutliveTheirMessages(t *testing.T) {
	betas := []string{validate.OnDemandBeta, "mid-conversation-tool-changes-2026-07-01"}
	read := obj{"name": "Read", "input_schema": obj{"type": "object"}, "defer_loading": true}
	change := func(kind, name string) obj {
		return obj{"type": kind, "tool": obj{"type": "tool_reference", "name": name}}
	}
	body := obj{"model": "claude-sonnet-5-5", "max_tokens": 1000, "tools": []any{bash, read}, "messages": []any{
		obj{"role": "user", "content": "a"},
		obj{"role": "system", "content": []any{change("tool_addition", "Read"), change("tool_removal", "Bash")}},
		obj{"role": "assistant", "content": "b"},
		obj{"role": "user", "content": "c"},
		obj{"role": "system", "content": []any{change("tool_removal", "Read")}},
		obj{"role": "assistant", "content": "d"},
	}}
	s := saying(fakeapi.Options{}, ok)
	resp := messages(t, s, summaryOf(body, nil), betas...)
	block := accepted(t, resp)["content"].([]any)[0].(obj)
	assert.Equal(t, []any{change("tool_removal", "Bash"), change("tool_removal", "Read")}, block["tool_changes"])
	body["messages"] = []any{obj{"role": "assistant", "content": []any{block}}, obj{"role": "user", "content": "e"}}
	assert.Equal(t, 200, messages(t, s, body, betas...).Status)
	block["tool_changes"] = []any{change("tool_removal", "Read"), change("tool_removal", "Bash")}
	assert.Equal(t, "compaction_tool_changes_mismatch", detail(t, messages(t, s, body, betas...)))
}

func TestOnDemandRefusalsThroughTheServer(t *testing.T) {
	s := saying(fakeapi.Options{}, ok)
	resp := messages(t, s, summaryOf(greeting("claude-sonnet-4-6"), nil))
	assert.Equal(t, "compaction: requires anthropic-beta: compact-2026-09-04", errorText(t, resp))
	unfinished := greeting("claude-sonnet-4-6")
	unfinished["messages"] = []any{obj{"role": "user", "content": "a"}, obj{"role": "assistant", "content": []any{obj{"type": "tool_use", "id": "t1", "name": "Bash", "input": obj{}}}}}
	assert.Equal(t, "compaction_incomplete_turn", detail(t, messages(t, s, summaryOf(unfinished, nil), validate.OnDemandBeta)))
	over := ofSize(t, "claude-haiku-4-5", 200_001, nil)
	assert.Equal(t, "prompt is too long: 200001 tokens > 200000 maximum", errorText(t, messages(t, s, summaryOf(over, nil), validate.OnDemandBeta)))
	assert.True(t, strings.HasPrefix(errorText(t, messages(t, s, summaryOf(greeting("claude-sonnet-4-6"), obj{"max_tokens": 0}), validate.OnDemandBeta)), "compaction: cannot be combined with"))
}
