package fakeapi_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"harnessbench/fakeapi"
	"harnessbench/fakeapi/script"
	"harnessbench/fakeapi/validate"
)

const fallbackBeta = "server-side-fallback-2026-07-01"

// decliners is a server whose models decline but for those named; what was said ahead of a refusal is partial.
func decliners(partial []script.Block, serve ...string) *fakeapi.Server {
	var rules []script.Rule
	for _, m := range serve {
		rules = append(rules, script.Rule{When: script.Match{Model: m}, Repeat: true, Answers: []script.Answer{
			{Blocks: []script.Block{{Kind: "thinking", Text: "this I can do"}, {Kind: "text", Text: "By " + m + "."}}}}})
	}
	rules = append(rules, script.Rule{Repeat: true, Answers: []script.Answer{{Blocks: partial, Refusal: &script.Refusal{Category: "cyber"}}}})
	return fakeapi.New(fakeapi.Options{Script: script.Script{Rules: rules}})
}

func fallingBack(model string, to ...string) obj {
	var list []any
	for _, m := range to {
		list = append(list, obj{"model": m})
	}
	return obj{"model": model, "max_tokens": 1000, "messages": said("go"), "fallbacks": list}
}

func hopOf(from, to string) obj {
	return obj{"type": "fallback", "from": obj{"model": from}, "to": obj{"model": to}, "trigger": obj{"type": "refusal", "category": "cyber"}}
}

// kindsOf are the types of usage.iterations, each with its model.
func kindsOf(a obj) (all []string) {
	for _, s := range a["usage"].(obj)["iterations"].([]any) {
		all = append(all, s.(obj)["type"].(string)+" "+s.(obj)["model"].(string))
	}
	return all
}

// TestFallbackModelsAreAskedInOrder has the model asked decline, and after it none, one or all of its fallbacks
// (messages-api.md 2.11, 3).
func TestFallbackModelsAreAskedInOrder(t *testing.T) {
	const fable, opus, haiku = "claude-fable-5-1", "claude-opus-5-5", "claude-haiku-4-5"
	const longHaiku = "claude-haiku-4-5-20251001"
	for _, tc := range []struct {
		name   string
		serve  []string
		model  string
		marks  []any
		served string // "" for nobody
		steps  []string
	}{
		{"the model itself", []string{fable}, fable, nil, fable, nil},
		{"the first", []string{opus, haiku}, opus, []any{hopOf(fable, opus)}, opus, []string{"message " + fable, "fallback_message " + opus}},
		{"the second, under an alias", []string{haiku}, longHaiku, []any{hopOf(fable, opus), hopOf(opus, longHaiku)}, haiku,
			[]string{"message " + fable, "message " + opus, "fallback_message " + longHaiku}},
		{"nobody", nil, fable, []any{hopOf(fable, opus), hopOf(opus, longHaiku)}, "", []string{"message " + fable, "message " + opus, "message " + longHaiku}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			body := fallingBack(fable, opus, haiku)
			resp := messages(t, decliners(nil, tc.serve...), body, fallbackBeta)
			a := accepted(t, resp)
			assert.Equal(t, tc.model, a["model"])
			content := a["content"].([]any)
			require.GreaterOrEqual(t, len(content), len(tc.marks))
			for i, m := range tc.marks {
				assert.Equal(t, m, content[i])
			}
			if tc.served == "" {
				assert.Equal(t, "refusal", a["stop_reason"])
				assert.Equal(t, "cyber", a["stop_details"].(obj)["category"])
				require.Len(t, content, len(tc.marks))
			} else {
				assert.Equal(t, "end_turn", a["stop_reason"])
				assert.Nil(t, a["stop_details"])
				assert.Equal(t, "By "+tc.served+".", content[len(content)-1].(obj)["text"])
			}
			assert.Equal(t, []string{"fallbacks"}, resp.View.NotJudged, "which models may fall back is not known")
			if tc.steps == nil {
				assert.NotContains(t, a["usage"], "iterations")
				assert.Empty(t, resp.View.ServedBy)
			} else {
				assert.Equal(t, tc.steps, kindsOf(a))
				var sum [4]float64
				for _, s := range a["usage"].(obj)["iterations"].([]any) {
					for i, n := range tokensOf(s) {
						sum[i] += n
					}
				}
				assert.Equal(t, sum, tokensOf(a["usage"]))
				assert.Equal(t, tc.served != "", resp.View.ServedBy != "")
			}

			body["stream"] = true
			resp = messages(t, decliners(nil, tc.serve...), body, fallbackBeta)
			streamed := answerOf(t, resp)
			assert.Equal(t, tc.model, streamed.Model)
			require.Len(t, streamed.Blocks, len(content))
			for i, b := range streamed.Blocks {
				if b.Get("type").Text() == "fallback" {
					assert.Equal(t, content[i], decode(t, b.Raw()))
				}
			}
			assert.Equal(t, a["usage"].(obj)["iterations"], decode(t, streamed.Usage.Raw)["iterations"])
		})
	}
}

func TestWithoutAListARefusalStands(t *testing.T) {
	s := decliners(nil, "claude-opus-5-5")
	body := fallingBack("claude-fable-5-1")
	for _, f := range []any{"default", []any{}} {
		body["fallbacks"] = f
		a := accepted(t, messages(t, s, body, fallbackBeta))
		assert.Equal(t, "refusal", a["stop_reason"])
		assert.Empty(t, a["content"])
		assert.NotContains(t, a["usage"], "iterations")
	}
}

// What two models said comes back as it was: the thinking behind the boundary is bound to what stands before it, and
// the boundary itself is no part of the prompt.
func TestAnAnswerOfTwoModelsComesBack(t *testing.T) {
	partial := []script.Block{{Kind: "thinking", Text: "may I?"}, {Kind: "text", Text: "Well, "}}
	for _, tc := range []struct {
		from, to string
		partial  []script.Block
	}{
		{"claude-opus-5-5", "claude-sonnet-5-5", nil},
		{"claude-sonnet-5-5", "claude-opus-5-5", partial}, // it reads the other's thinking
		{"claude-opus-5-5", "claude-sonnet-5-5", partial}, // it does not
		{"claude-sonnet-4-6", "claude-haiku-4-5", partial},
	} {
		t.Run(tc.from+" to "+tc.to, func(t *testing.T) {
			s := decliners(tc.partial, tc.to)
			body := fallingBack(tc.from, tc.to)
			a := accepted(t, messages(t, s, body, fallbackBeta))
			content := a["content"].([]any)
			at := len(content) - 2
			if tc.to == "claude-haiku-4-5" {
				at++ // without a budget it does not think
			}
			require.Equal(t, "fallback", content[at-1].(obj)["type"])
			require.Equal(t, len(tc.partial) > 0, at > 1)
			next := func(content []any) fakeapi.Response {
				return messages(t, s, obj{"model": tc.to, "max_tokens": 1000, "messages": []any{body["messages"].([]any)[0],
					obj{"role": "assistant", "content": content}, obj{"role": "user", "content": "and on"}}}, fallbackBeta)
			}
			whole := next(content)
			require.Equal(t, 200, whole.Status, "%s", whole.Body())
			without := next(append(append([]any(nil), content[:at-1]...), content[at:]...))
			require.Equal(t, 200, without.Status, "%s", without.Body())
			assert.Equal(t, without.View.Total, whole.View.Total)
			if at < len(content)-1 && tc.partial != nil {
				content[1] = text("Sure, ")
				assert.Equal(t, 400, next(content).Status, "what stood before the thinking was changed")
			}
		})
	}
}

// A thread keeps no answer of a fallback model: the next continue does not find it (messages-api.md 2.10).
func TestAThreadKeepsNoAnswerOfAFallback(t *testing.T) {
	for _, serve := range []string{"claude-fable-5-1", "claude-opus-5-5"} {
		s := decliners(nil, serve)
		body := fallingBack("claude-fable-5-1", "claude-opus-5-5")
		body["thread"] = create
		id := accepted(t, messages(t, s, body, fallbackBeta, validate.ThreadBeta))["id"].(string)
		resp := laterAs(t, s, 1, obj{"model": "claude-fable-5-1", "max_tokens": 1000, "messages": said("and on"), "thread": goOn(id)}, validate.ThreadBeta)
		if serve == "claude-fable-5-1" {
			assert.Equal(t, 200, resp.Status, "%s", resp.Body())
		} else {
			assert.Equal(t, "thread_not_found", detail(t, resp))
		}
	}
}

// An entry is judged as a request to its model would be, before anybody is asked (SDK BetaFallbackParam).
func TestAnEntryIsJudgedAsARequestToItsModel(t *testing.T) {
	s := decliners(nil, "claude-fable-5-1")
	for _, tc := range []struct {
		bad, good obj
		status    int
		text      string
	}{
		{obj{"model": "claude-none"}, obj{"model": "claude-opus-5-5"}, 404, "fallbacks.1: model: claude-none"},
		{obj{"model": "claude-haiku-4-5", "max_tokens": 64001}, obj{"model": "claude-haiku-4-5", "max_tokens": 64000}, 400,
			"fallbacks.1: max_tokens: 64001 > 64000, which is the maximum allowed number of output tokens for claude-haiku-4-5-20251001"},
		{obj{"model": "claude-opus-4-8", "thinking": obj{"type": "enabled", "budget_tokens": 1024}, "max_tokens": 2000}, obj{"model": "claude-opus-4-8", "thinking": obj{"type": "disabled"}}, 400,
			`fallbacks.1: "thinking.type.enabled" is not supported for this model. Use "thinking.type.adaptive" and "output_config.effort" to control thinking behavior.`},
		{obj{"model": "claude-haiku-4-5", "output_config": obj{"effort": "low"}}, obj{"model": "claude-haiku-4-5", "output_config": nil}, 400,
			"fallbacks.1: This model does not support the effort parameter."},
		{obj{"model": "claude-sonnet-5-5", "speed": "fast"}, obj{"model": "claude-opus-5-5", "speed": "fast"}, 400,
			"fallbacks.1: speed: 'fast' is not supported for this model."},
	} {
		body := fallingBack("claude-fable-5-1")
		body["output_config"] = obj{"effort": "high"}
		body["fallbacks"] = []any{obj{"model": "claude-opus-5"}, tc.bad}
		resp := messages(t, s, body, fallbackBeta)
		assert.Equal(t, tc.status, resp.Status)
		assert.Equal(t, "fallbacks.entry", resp.View.Rule)
		assert.Equal(t, tc.text, errorText(t, resp))
		body["fallbacks"] = []any{obj{"model": "claude-opus-5"}, tc.good}
		resp = messages(t, s, body, fallbackBeta)
		assert.Equal(t, 200, resp.Status, "%s", resp.Body())
	}
}
