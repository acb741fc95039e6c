package fakeapi_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"harnessbench/fakeapi"
	"harnessbench/fakeapi/script"
	"harnessbench/fakeapi/validate"
)

// compacting is a body of so many tokens that asks for a compaction at 50,000.
func compacting(t *testing.T, size int, more obj) obj {
	t.Helper()
	body := ofSize(t, "claude-sonnet-4-6", size, nil)
	edit := obj{"type": "compact_20260112", "trigger": quantity("input_tokens", 50_000)}
	for k, v := range more {
		edit[k] = v
	}
	body["context_management"] = obj{"edits": []any{edit}}
	return body
}

func tokensOf(u any) [4]float64 {
	m := u.(obj)
	return [4]float64{m["input_tokens"].(float64), m["cache_read_input_tokens"].(float64), m["cache_creation_input_tokens"].(float64), m["output_tokens"].(float64)}
}

var summarised = []script.Block{{Kind: "compaction", Text: words(30)}, {Kind: "text", Text: words(10)}}

func TestAPromptThatReachesTheTriggerIsSummarised(t *testing.T) {
	s := saying(fakeapi.Options{}, summarised...)
	below := accepted(t, messages(t, s, compacting(t, 49_999, nil), validate.CompactBeta))
	require.Len(t, below["content"], 1, "the scripted summary is not said without a compaction")
	assert.Equal(t, [4]float64{49_999, 0, 0, 14}, tokensOf(below["usage"]))
	steps := below["usage"].(obj)["iterations"].([]any)
	require.Len(t, steps, 1, "present always")
	assert.Equal(t, "message", steps[0].(obj)["type"])
	assert.Equal(t, [4]float64{49_999, 0, 0, 14}, tokensOf(steps[0]))
	assert.Equal(t, obj{"applied_edits": []any{}}, below["context_management"])

	resp := messages(t, s, compacting(t, 50_000, nil), validate.CompactBeta)
	a := accepted(t, resp)
	assert.Equal(t, []any{obj{"type": "compaction", "content": words(30)}, obj{"type": "text", "text": words(10)}}, a["content"])
	assert.Equal(t, "end_turn", a["stop_reason"])
	assert.Equal(t, obj{"applied_edits": []any{}}, a["context_management"], "a compaction is not listed")
	steps = a["usage"].(obj)["iterations"].([]any)
	require.Len(t, steps, 2)
	assert.Equal(t, "compaction", steps[0].(obj)["type"])
	assert.Equal(t, [4]float64{50_097, 0, 0, 35}, tokensOf(steps[0]), "97 tokens ask for the summary")
	assert.Equal(t, "message", steps[1].(obj)["type"])
	assert.Equal(t, [4]float64{131, 0, 0, 14}, tokensOf(steps[1]), "the summary, what stands around it, and a prompt of nothing else")
	assert.Equal(t, tokensOf(steps[1]), tokensOf(a["usage"]), "the top level leaves the compaction out")
	assert.Regexp(t, `"cache_creation":\{[^}]*\},"iterations":\[\{"input_tokens":50097,"output_tokens":35,"cache_read_input_tokens":0,"cache_creation_input_tokens":0,"cache_creation":\{"ephemeral_5m_input_tokens":0,"ephemeral_1h_input_tokens":0\},"type":"compaction"\}`, string(resp.Body()))
	assert.Equal(t, &fakeapi.Usage{Input: 50_097, Output: 35}, resp.View.Compaction)
	assert.Equal(t, 1, strings.Count(resp.View.Effective, `"role"`))
	assert.Contains(t, resp.View.Effective, `"messages":[{"role":"assistant","content":[{"type":"compaction","content":"word `)
}

func TestAStreamedCompaction(t *testing.T) {
	body := compacting(t, 50_000, nil)
	body["stream"] = true
	resp := messages(t, saying(fakeapi.Options{}, summarised...), body, validate.CompactBeta)
	require.Equal(t, 200, resp.Status)
	var lines []string
	for _, f := range resp.Frames {
		_, data, _ := strings.Cut(strings.TrimSpace(string(f.Data)), "data: ")
		lines = append(lines, data)
	}
	assert.Contains(t, lines[0], `"usage":{"input_tokens":50097,`, "a stream opens with the step that summarises")
	assert.NotContains(t, lines[0], "iterations")
	assert.Equal(t, `{"type":"content_block_start","index":0,"content_block":{"type":"compaction","content":null}}`, lines[1])
	assert.Equal(t, `{"type": "ping"}`, lines[2])
	assert.Equal(t, `{"type":"content_block_delta","index":0,"delta":{"type":"compaction_delta","content":"`+words(30)+`"}}`, lines[3])
	assert.Equal(t, `{"type":"content_block_stop","index":0}`, lines[4])
	assert.Contains(t, lines[5], `{"type":"content_block_start","index":1,"content_block":{"type":"text"`)
	last := lines[len(lines)-2]
	assert.Regexp(t, `"usage":\{"input_tokens":131,"cache_creation_input_tokens":0,"cache_read_input_tokens":0,"output_tokens":14,"iterations":\[\{"input_tokens":50097,.*"type":"compaction"\},\{"input_tokens":131,.*"type":"message"\}\]\},"context_management":\{"applied_edits":\[\]\}\}$`, last)
	a := assemble(t, resp)
	assert.Equal(t, words(30), a.Blocks[0].Get("content").Text())
}

func TestACompactionMayPause(t *testing.T) {
	for _, stream := range []bool{false, true} {
		body := compacting(t, 50_000, obj{"pause_after_compaction": true})
		body["stream"] = stream
		a := answerOf(t, messages(t, saying(fakeapi.Options{}, summarised...), body, validate.CompactBeta))
		require.Len(t, a.Blocks, 1)
		assert.Equal(t, "compaction", a.Blocks[0].Get("type").Text())
		assert.Equal(t, "compaction", a.StopReason)
		u := decode(t, a.Usage.Raw)
		assert.Equal(t, [4]float64{}, tokensOf(u))
		require.Len(t, u["iterations"], 1)
		assert.Equal(t, [4]float64{50_097, 0, 0, 35}, tokensOf(u["iterations"].([]any)[0]))
	}
}

func TestAPausedCompactionGoesOn(t *testing.T) {
	s := saying(fakeapi.Options{}, summarised...)
	body := compacting(t, 50_000, obj{"pause_after_compaction": true})
	paused := accepted(t, messages(t, s, body, validate.CompactBeta))
	block := obj{"role": "assistant", "content": paused["content"]}
	for _, more := range [][]any{{block}, {block, obj{"role": "user", "content": "go on"}}} {
		next := obj{}
		for k, v := range body {
			next[k] = v
		}
		next["messages"] = append(append([]any(nil), body["messages"].([]any)...), more...)
		a := accepted(t, messages(t, s, next, validate.CompactBeta))
		require.Len(t, a["content"], 1)
		assert.Equal(t, "end_turn", a["stop_reason"])
		assert.Less(t, tokensOf(a["usage"])[0], 160.0)
	}
	body["messages"] = append(body["messages"].([]any), obj{"role": "assistant", "content": []any{text("so")}})
	assert.Equal(t, "This model does not support assistant message prefill. The conversation must end with a user message.", errorText(t, messages(t, s, body, validate.CompactBeta)))
}

func TestInstructionsTakeThePlaceOfThePrompt(t *testing.T) {
	for _, tc := range []struct {
		instructions any
		input        float64
	}{{nil, 50_097}, {"", 50_097}, {" \n", 50_097}, {words(10), 50_011}} {
		a := accepted(t, messages(t, saying(fakeapi.Options{}, summarised...), compacting(t, 50_000, obj{"instructions": tc.instructions}), validate.CompactBeta))
		assert.Equal(t, tc.input, tokensOf(a["usage"].(obj)["iterations"].([]any)[0])[0])
	}
}

func TestWithoutAScriptedSummaryThereIsOneAllTheSame(t *testing.T) {
	a := accepted(t, messages(t, saying(fakeapi.Options{}, ok), compacting(t, 50_000, nil), validate.CompactBeta))
	assert.Regexp(t, `^Summary of 1 messages with 0 tool calls\. The user said last: Fill\. `, a["content"].([]any)[0].(obj)["content"])
}

func TestAFailedCompactionChangesNothing(t *testing.T) {
	s := saying(fakeapi.Options{}, script.Block{Kind: "compaction"}, script.Block{Kind: "text", Text: words(10)})
	body := compacting(t, 50_000, nil)
	resp := messages(t, s, body, validate.CompactBeta)
	a := accepted(t, resp)
	assert.Equal(t, obj{"type": "compaction", "content": nil}, a["content"].([]any)[0])
	steps := a["usage"].(obj)["iterations"].([]any)
	assert.Equal(t, [4]float64{50_097, 0, 0, 3}, tokensOf(steps[0]))
	assert.Equal(t, [4]float64{50_000, 0, 0, 14}, tokensOf(a["usage"]), "the whole conversation")

	body["stream"] = true
	assert.Contains(t, string(messages(t, s, body, validate.CompactBeta).Body()), `"delta":{"type":"compaction_delta","content":null}`)

	body["stream"] = false
	body["context_management"] = nil
	body["messages"] = append(body["messages"].([]any), obj{"role": "assistant", "content": a["content"]}, obj{"role": "user", "content": "go on"})
	next := accepted(t, messages(t, s, body, validate.CompactBeta))
	assert.Greater(t, tokensOf(next["usage"])[0], 50_000.0, "its block is nothing when it comes back")
}

func TestWhatStandsBeforeTheLastSummaryIsIgnored(t *testing.T) {
	s := saying(fakeapi.Options{}, ok)
	block := obj{"type": "compaction", "content": words(30)}
	tail := []any{
		obj{"role": "assistant", "content": []any{block, obj{"type": "text", "text": "ok"}}},
		obj{"role": "user", "content": "go on"},
	}
	count := func(list []any) [4]float64 {
		body := obj{"model": "claude-sonnet-4-6", "max_tokens": 100, "messages": list}
		return tokensOf(accepted(t, messages(t, s, body, validate.CompactBeta))["usage"])
	}
	want := count(tail)
	assert.Less(t, want[0], 150.0)
	assert.Equal(t, want, count(append(loops(6), tail...)), "sending or leaving out is equal")
	assert.Equal(t, want, count(append([]any{obj{"role": "assistant", "content": []any{block}}, obj{"role": "user", "content": "a"}}, tail...)), "an earlier summary too")
	inner := []any{obj{"role": "assistant", "content": []any{obj{"type": "text", "text": "before"}, block, obj{"type": "text", "text": "ok"}}}, tail[1]}
	assert.Equal(t, want, count(inner), "and the blocks before it in its own message")

	t.Run("as long as it has content", func(t *testing.T) {
		failed := []any{obj{"role": "user", "content": words(500)}, obj{"role": "assistant", "content": []any{obj{"type": "compaction", "content": nil}, obj{"type": "text", "text": "ok"}}}, tail[1]}
		assert.Greater(t, count(failed)[0], 500.0)
	})
	t.Run("errors name what was sent", func(t *testing.T) {
		list := append(loops(2), tail...)
		list = append(list, obj{"role": "assistant", "content": []any{obj{"type": "thinking", "thinking": "x", "signature": "bad"}, obj{"type": "text", "text": "a"}}}, obj{"role": "user", "content": "b"})
		resp := messages(t, s, obj{"model": "claude-sonnet-4-6", "max_tokens": 100, "messages": list}, validate.CompactBeta)
		assert.Equal(t, "messages.7.content.0: Invalid `signature` in `thinking` block", errorText(t, resp))
		shifted := []any{obj{"role": "assistant", "content": []any{
			obj{"type": "text", "text": "before"}, block, obj{"type": "thinking", "thinking": "x", "signature": "bad"}, obj{"type": "text", "text": "a"},
		}}, obj{"role": "user", "content": "b"}}
		resp = messages(t, s, obj{"model": "claude-sonnet-4-6", "max_tokens": 100, "messages": shifted}, validate.CompactBeta)
		assert.Equal(t, "messages.0.content.2: Invalid `signature` in `thinking` block", errorText(t, resp))
	})
}

// A conversation that is compacted on its way: each answer is the same whether the server has seen it grow or
// meets it whole, and the prefix behind the summary hits.
func TestAConversationGoesOnBehindItsSummary(t *testing.T) {
	for _, m := range []string{"claude-sonnet-4-6", "claude-sonnet-5-5"} {
		s := saying(fakeapi.Options{}, script.Block{Kind: "compaction", Text: words(2000)}, script.Block{Kind: "thinking", Text: "so"}, script.Block{Kind: "text", Text: "ok"})
		c := newChat(t, s, m)
		c.header = append(append([]fakeapi.Field(nil), usual...), fakeapi.Field{Name: "anthropic-beta", Value: validate.CompactBeta})
		c.body["thinking"] = obj{"type": "adaptive"}
		c.body["context_management"] = obj{"edits": []any{obj{"type": "compact_20260112", "trigger": quantity("input_tokens", 50_000)}}}
		c.ask(text("begin"))
		assert.Nil(t, c.last.View.Compaction)
		c.ask(text(words(60_000)))
		require.NotNil(t, c.last.View.Compaction)
		system := c.last.View.Usage.Read
		assert.Positive(t, system, "%s: the breakpoint behind system keeps that part warm", m)
		c.ask(text("go on"))
		assert.Nil(t, c.last.View.Compaction)
		u := c.last.View.Usage
		assert.Equal(t, system, u.Read)
		c.ask(text("and on"))
		assert.Equal(t, u.Read+u.Write5m, c.last.View.Usage.Read, m)

		c.messages = c.messages[3:] // what was summarised need not be sent
		c.user(text("and further"))
		assert.Equal(t, 200, c.do().Status, "%s", c.last.Body())
		data, err := json.Marshal(c.body)
		require.NoError(t, err)
		cold := fakeapi.New(fakeapi.Options{}).Handle(c.now, fakeapi.Request{Method: "POST", Path: "/v1/messages", Header: c.header, Body: data})
		require.Equal(t, 200, cold.Status, "%s", cold.Body())
		assert.Equal(t, cold.View.Total, c.last.View.Total)
	}
}

func TestAPromptBeyondTheWindowIsNotSummarised(t *testing.T) {
	body := compacting(t, 1_000_001, nil)
	resp := messages(t, saying(fakeapi.Options{}, ok), body, validate.CompactBeta)
	require.Equal(t, 400, resp.Status)
	assert.Equal(t, "prompt is too long: 1000001 tokens > 1000000 maximum", errorText(t, resp))
}

func TestCountTokensCompactsNothing(t *testing.T) {
	s := saying(fakeapi.Options{}, ok)
	body := compacting(t, 50_000, nil)
	delete(body, "max_tokens")
	got := accepted(t, post(t, s, "/v1/messages/count_tokens", body, validate.CompactBeta))
	assert.Equal(t, obj{"input_tokens": 50_000.0, "context_management": obj{"original_input_tokens": 50_000.0}}, got)
	body["messages"] = append(body["messages"].([]any), obj{"role": "assistant", "content": []any{obj{"type": "compaction", "content": words(30)}, obj{"type": "text", "text": "ok"}}}, obj{"role": "user", "content": "go on"})
	got = accepted(t, post(t, s, "/v1/messages/count_tokens", body, validate.CompactBeta))
	assert.Less(t, got["input_tokens"], 150.0, "but blocks that are there count")
}
