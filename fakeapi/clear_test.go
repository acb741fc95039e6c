package fakeapi_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"harnessbench/fakeapi"
	"harnessbench/fakeapi/contextedit"
	"harnessbench/fakeapi/script"
	"harnessbench/fakeapi/validate"
)

var ok = script.Block{Kind: "text", Text: "ok"}

// loops is a conversation with n tool uses whose results are equally long; every third call is of Read.
func loops(n int) []any {
	list := []any{obj{"role": "user", "content": "begin"}}
	for i := range n {
		name := "Bash"
		if i%3 == 2 {
			name = "Read"
		}
		id := fmt.Sprintf("toolu_%d", i)
		list = append(list,
			obj{"role": "assistant", "content": []any{obj{"type": "tool_use", "id": id, "name": name, "input": obj{"command": words(10)}}}},
			obj{"role": "user", "content": []any{obj{"type": "tool_result", "tool_use_id": id, "content": words(200)}}})
	}
	return list
}

func clearing(n int, edits ...any) obj {
	return obj{"model": "claude-sonnet-4-6", "max_tokens": 100, "messages": loops(n),
		"context_management": obj{"edits": edits}}
}

func toolEdit(more obj) obj {
	e := obj{"type": "clear_tool_uses_20250919", "trigger": obj{"type": "tool_uses", "value": 0}, "keep": obj{"type": "tool_uses", "value": 0}}
	for k, v := range more {
		e[k] = v
	}
	return e
}

func quantity(typ string, n int) obj { return obj{"type": typ, "value": n} }

func TestToolUsesAreClearedOldestFirst(t *testing.T) {
	s := saying(fakeapi.Options{}, ok)
	plain := accepted(t, messages(t, s, clearing(6), validate.EditBeta))
	assert.Equal(t, obj{"applied_edits": []any{}}, plain["context_management"])
	total := int(plain["usage"].(obj)["input_tokens"].(float64))
	saved, input := 200.7, 14.7 // what a result of 200 words loses to the placeholder, a call to {}

	for _, tc := range []struct {
		name    string
		edit    obj
		cleared int
		tokens  float64 // within 2
	}{
		{"all by name", toolEdit(nil), 6, 6 * saved},
		{"three are kept by default", obj{"type": "clear_tool_uses_20250919", "trigger": quantity("tool_uses", 5)}, 3, 3 * saved},
		{"the trigger must be exceeded", toolEdit(obj{"trigger": quantity("tool_uses", 6)}), 0, 0},
		{"uses one over the trigger", toolEdit(obj{"trigger": quantity("tool_uses", 5)}), 6, 6 * saved},
		{"the prompt is the trigger's size", toolEdit(obj{"trigger": quantity("input_tokens", total)}), 0, 0},
		{"the prompt is one token larger", toolEdit(obj{"trigger": quantity("input_tokens", total-1)}), 6, 6 * saved},
		{"the default trigger is 100,000 tokens", obj{"type": "clear_tool_uses_20250919"}, 0, 0},
		{"more is kept than there is", toolEdit(obj{"keep": quantity("tool_uses", 7)}), 0, 0},
		{"excluded tools stay", toolEdit(obj{"exclude_tools": []any{"Bash"}}), 2, 2 * saved},
		{"inputs too", toolEdit(obj{"clear_tool_inputs": true}), 6, 6 * (saved + input)},
		{"inputs of one tool", toolEdit(obj{"clear_tool_inputs": []any{"Read"}}), 6, 6*saved + 2*input},
		{"inputs by a list without it", toolEdit(obj{"clear_tool_inputs": []any{"Grep"}}), 6, 6 * saved},
		{"too little to clear", toolEdit(obj{"clear_at_least": quantity("input_tokens", 2000)}), 0, 0},
		{"enough to clear", toolEdit(obj{"clear_at_least": quantity("input_tokens", 1000)}), 6, 6 * saved},
	} {
		t.Run(tc.name, func(t *testing.T) {
			resp := messages(t, s, clearing(6, tc.edit), validate.EditBeta)
			a := accepted(t, resp)
			applied := a["context_management"].(obj)["applied_edits"].([]any)
			after := total - int(a["usage"].(obj)["input_tokens"].(float64))
			if tc.cleared == 0 {
				assert.Empty(t, applied)
				assert.Zero(t, after)
				assert.Empty(t, resp.View.Effective)
				return
			}
			assert.Equal(t, []any{obj{"type": "clear_tool_uses_20250919", "cleared_tool_uses": float64(tc.cleared), "cleared_input_tokens": float64(after)}}, applied)
			assert.InDelta(t, tc.tokens, after, 2)
			assert.Equal(t, tc.cleared, strings.Count(resp.View.Effective, `"content":"`+contextedit.Cleared+`"`))
			assert.Equal(t, []fakeapi.Edit{{Type: "clear_tool_uses_20250919", Count: tc.cleared, Tokens: after}}, resp.View.Edits)
		})
	}
}

func TestThePlaceholderIsAnOption(t *testing.T) {
	s := saying(fakeapi.Options{Edits: contextedit.Options{Placeholder: "gone"}}, ok)
	resp := messages(t, s, clearing(2, toolEdit(nil)), validate.EditBeta)
	accepted(t, resp)
	assert.Equal(t, 2, strings.Count(resp.View.Effective, `"content":"gone"`))
}

func TestAppliedEditsStandInTheLastEventOfAStream(t *testing.T) {
	s := saying(fakeapi.Options{}, ok)
	body := clearing(2, toolEdit(nil))
	body["stream"] = true
	resp := messages(t, s, body, validate.EditBeta)
	require.Equal(t, 200, resp.Status)
	last := string(resp.Frames[len(resp.Frames)-2].Data)
	assert.Regexp(t, `"usage":\{.*\},"context_management":\{"applied_edits":\[\{"type":"clear_tool_uses_20250919","cleared_tool_uses":2,"cleared_input_tokens":\d+\}\]\}\}\n\n$`, last)
	assert.NotContains(t, string(resp.Frames[0].Data), "context_management")

	delete(body, "context_management")
	assert.NotContains(t, string(messages(t, s, body, validate.EditBeta).Body()), "context_management")
}

func TestCountTokensCountsBehindTheEdits(t *testing.T) {
	s := saying(fakeapi.Options{}, ok)
	body := clearing(6, toolEdit(nil))
	delete(body, "max_tokens")
	got := accepted(t, post(t, s, "/v1/messages/count_tokens", body, validate.EditBeta))
	body["context_management"] = obj{"edits": []any{}}
	plain := accepted(t, post(t, s, "/v1/messages/count_tokens", body, validate.EditBeta))
	assert.Equal(t, plain["input_tokens"], got["context_management"].(obj)["original_input_tokens"])
	assert.Equal(t, plain["input_tokens"], plain["context_management"].(obj)["original_input_tokens"])
	assert.Less(t, got["input_tokens"], plain["input_tokens"])

	body["max_tokens"] = 10
	body["context_management"] = obj{"edits": []any{toolEdit(nil)}}
	assert.Equal(t, got["input_tokens"], accepted(t, messages(t, s, body, validate.EditBeta))["usage"].(obj)["input_tokens"])
	delete(body, "context_management")
	delete(body, "max_tokens")
	assert.NotContains(t, accepted(t, post(t, s, "/v1/messages/count_tokens", body, validate.EditBeta)), "context_management")
}

// The rows of messages-api.md 5.7: up to the first cleared block the prefix still hits.
func TestClearingMissesFromTheFirstClearedBlockOn(t *testing.T) {
	for _, m := range []string{"claude-sonnet-4-6", "claude-sonnet-5-5"} {
		s := saying(fakeapi.Options{}, ok)
		mark := obj{"type": "ephemeral"}
		body := clearing(6)
		body["model"] = m
		body["system"] = []any{obj{"type": "text", "text": long, "cache_control": mark}}
		list := body["messages"].([]any)
		list[2].(obj)["content"].([]any)[0].(obj)["cache_control"] = mark
		list[12].(obj)["content"].([]any)[0].(obj)["cache_control"] = mark
		first := messages(t, s, body, validate.EditBeta)
		written := accepted(t, first)["usage"].(obj)["cache_creation_input_tokens"].(float64)
		system := first.View.Breakpoints[0].Tokens

		body["context_management"] = obj{"edits": []any{toolEdit(obj{"keep": quantity("tool_uses", 2)})}}
		cleared := later(t, s, 1, body)
		assert.EqualValues(t, system, cleared["cache_read_input_tokens"], "%s: system alone", m)
		wrote := cleared["cache_creation_input_tokens"].(float64)
		assert.InDelta(t, written-float64(system)-4*200, wrote, 300)
		again := later(t, s, 2, body)
		assert.Equal(t, float64(system)+wrote, again["cache_read_input_tokens"], "the same clearing again is one prefix")
		assert.Zero(t, again["cache_creation_input_tokens"])
	}
}

// later is the usage of a request some minutes on, when everything before has been answered.
func later(t *testing.T, s *fakeapi.Server, minutes int, body obj) obj {
	t.Helper()
	return accepted(t, laterAs(t, s, minutes, body, validate.EditBeta))["usage"].(obj)
}

// thoughtful is a conversation of turns of which each has thought, on a chat that continues it.
func thoughtful(t *testing.T, model string, turns int) *chat {
	t.Helper()
	c := newChat(t, saying(fakeapi.Options{}, script.Block{Kind: "thinking", Text: words(100)}, script.Block{Kind: "text", Text: "ok"}), model)
	c.header = append(append([]fakeapi.Field(nil), usual...), fakeapi.Field{Name: "anthropic-beta", Value: validate.EditBeta})
	for range turns {
		c.ask(text("go on"))
	}
	return c
}

func keeping(keep any) obj {
	return obj{"edits": []any{obj{"type": "clear_thinking_20251015", "keep": keep}}}
}

func TestThinkingIsClearedButForTheNewestTurns(t *testing.T) {
	for _, tc := range []struct {
		name, model string
		keep        any
		cleared     int // of four turns
		shown       int
	}{
		{"all are kept by default where models keep them", "claude-sonnet-5-5", nil, 0, 4},
		{"one is kept by default where models strip them", "claude-haiku-4-5", nil, 3, 1},
		{"one is kept", "claude-sonnet-5-5", quantity("thinking_turns", 1), 3, 1},
		{"three are kept", "claude-sonnet-4-6", quantity("thinking_turns", 3), 1, 3},
		{"three are kept where models strip them", "claude-haiku-4-5", quantity("thinking_turns", 3), 1, 3},
		{"more are kept than there are", "claude-sonnet-5-5", quantity("thinking_turns", 5), 0, 4},
		{"all by a word", "claude-haiku-4-5", "all", 0, 4},
		{"all by an object", "claude-haiku-4-5", obj{"type": "all"}, 0, 4},
	} {
		t.Run(tc.name, func(t *testing.T) {
			c := thoughtful(t, tc.model, 0)
			if tc.model == "claude-sonnet-4-6" {
				c.body["thinking"] = obj{"type": "adaptive"}
			}
			for range 4 {
				c.ask(text("go on"))
			}
			c.user(text("and now"))
			plain := c.do()
			require.Equal(t, 200, plain.Status)
			c.body["context_management"] = keeping(tc.keep)
			if tc.keep == nil {
				c.body["context_management"] = obj{"edits": []any{obj{"type": "clear_thinking_20251015"}}}
			}
			resp := c.do()
			applied := accepted(t, resp)["context_management"].(obj)["applied_edits"].([]any)
			if tc.cleared == 0 {
				assert.Empty(t, applied)
				return
			}
			require.Len(t, applied, 1)
			e := applied[0].(obj)
			assert.Equal(t, "clear_thinking_20251015", e["type"])
			assert.EqualValues(t, tc.cleared, e["cleared_thinking_turns"])
			assert.Positive(t, e["cleared_input_tokens"])
			assert.Equal(t, tc.shown, strings.Count(resp.View.Effective, `"type":"thinking"`))
		})
	}
}

func TestAToolLoopIsOneThinkingTurn(t *testing.T) {
	c := newChat(t, fakeapi.New(fakeapi.Options{Script: story}), "claude-sonnet-5-5")
	c.header = append(append([]fakeapi.Field(nil), usual...), fakeapi.Field{Name: "anthropic-beta", Value: validate.EditBeta})
	a := c.ask(text("which test fails?"))
	a = c.ask(result(a))
	c.ask(result(a))
	c.body["context_management"] = keeping(quantity("thinking_turns", 1))
	c.user(text("fix it"))
	assert.Equal(t, obj{"applied_edits": []any{}}, accepted(t, c.do())["context_management"], "three blocks of one turn")
}

// Server-side edits never fail the prefix check (messages-api.md 6.6): the client's own array is what counts.
func TestEditsNeverFailThePrefixCheck(t *testing.T) {
	c := newChat(t, fakeapi.New(fakeapi.Options{Script: story}), "claude-sonnet-5-5")
	c.header = append(append([]fakeapi.Field(nil), usual...), fakeapi.Field{Name: "anthropic-beta", Value: validate.EditBeta})
	a := c.ask(text("which test fails?"))
	c.body["context_management"] = obj{"edits": []any{obj{"type": "clear_thinking_20251015", "keep": quantity("thinking_turns", 1)}, toolEdit(obj{"clear_tool_inputs": true})}}
	a = c.ask(result(a))
	assert.Len(t, c.last.View.Edits, 1)
	c.ask(result(a)) // bound to what was sent, not to what was left
	delete(c.body, "context_management")
	c.user(text("fix it"))
	assert.Equal(t, 200, c.do().Status, "%s", c.last.Body())

	c.messages[2].(obj)["content"].([]any)[0].(obj)["content"] = contextedit.Cleared
	assert.Equal(t, 400, c.do().Status, "the client itself may not clear")
}

func TestClearedThinkingMissesFromTheFirstClearedBlockOn(t *testing.T) {
	c := thoughtful(t, "claude-sonnet-5-5", 4)
	whole := c.last.View.Usage
	c.body["context_management"] = keeping(quantity("thinking_turns", 4))
	c.ask(text("and now"))
	assert.Equal(t, whole.Read+whole.Write5m, c.last.View.Usage.Read, "kept: everything hits")
	c.ask(text("and now"))
	u := c.last.View.Usage
	assert.Len(t, c.last.View.Edits, 1)
	assert.Less(t, u.Read, whole.Read, "cleared: from the first block on everything is new")
	assert.Positive(t, u.Write5m)
}

func TestTheOrderOfEditsIsAnOption(t *testing.T) {
	body := clearing(6, toolEdit(nil), obj{"type": "compact_20260112", "trigger": quantity("input_tokens", 50_000), "pause_after_compaction": true})
	for i, m := range body["messages"].([]any) {
		if i > 0 && i%2 == 0 {
			m.(obj)["content"].([]any)[0].(obj)["content"] = words(9000)
		}
	}
	betas := []string{validate.EditBeta, validate.CompactBeta}
	a := accepted(t, messages(t, saying(fakeapi.Options{}, ok), body, betas...))
	assert.Equal(t, "end_turn", a["stop_reason"], "cleared first, the prompt stays under the trigger")
	s := saying(fakeapi.Options{Edits: contextedit.Options{Order: []string{contextedit.Compact}}}, ok)
	a = accepted(t, messages(t, s, body, betas...))
	assert.Equal(t, "compaction", a["stop_reason"])
}
