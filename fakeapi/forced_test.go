package fakeapi_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"harnessbench/fakeapi"
	"harnessbench/fakeapi/script"
)

// TestTheAutopilotNeverPassesOverAForcedCall: the bench's own error says which tool and which keyword stand in the
// way; unforced, the same request is answered.
func TestTheAutopilotNeverPassesOverAForcedCall(t *testing.T) {
	s := fakeapi.New(fakeapi.Options{Script: script.Script{Autopilot: &script.Autopilot{Seed: 1}}})
	body := obj{"model": "claude-sonnet-4-6", "max_tokens": 500, "tool_choice": obj{"type": "any"}, "messages": []any{obj{"role": "user", "content": "go"}},
		"tools": []any{obj{"name": "count", "input_schema": obj{"type": "object", "required": []string{"n"}, "properties": obj{"n": obj{"type": "integer", "minimum": 2, "maximum": 1}}}}}}
	resp := messages(t, s, body)
	require.Equal(t, 400, resp.Status)
	require.Equal(t, fakeapi.RuleNoAnswer, resp.View.Rule)
	require.Equal(t, `bench script: tool_choice any forces a call, but the autopilot finds no input for the tool "count": what it draws does not satisfy #/properties/n/minimum of the input_schema; script the answer`, errorText(t, resp))

	body["tool_choice"] = obj{"type": "auto"}
	require.Equal(t, "end_turn", answerOf(t, messages(t, s, body)).StopReason)
}

// TestAForcedAnswerStartsWithTheCall: neither thinking nor text stands before a forced call, whoever speaks
// (messages-api.md 2.8); unforced, the model may think first.
func TestAForcedAnswerStartsWithTheCall(t *testing.T) {
	thinks := script.Answer{Blocks: []script.Block{{Kind: "thinking", Text: "Let me look."}, {Kind: "tool_use", Name: "look", Input: []byte(`{}`)}}}
	for name, says := range map[string]func(seed uint64) script.Script{
		"autopilot": func(seed uint64) script.Script { return script.Script{Autopilot: &script.Autopilot{Seed: seed}} },
		"script":    func(uint64) script.Script { return script.Script{Default: &thinks} },
	} {
		for _, model := range []string{"claude-opus-4-6", "claude-sonnet-4-6", "claude-opus-4-7", "claude-sonnet-5", "claude-opus-5", "claude-fable-5", "claude-haiku-5-5", "claude-haiku-4-5"} {
			thought := false
			for seed := range uint64(12) {
				body := obj{"model": model, "max_tokens": 500, "messages": []any{obj{"role": "user", "content": "go"}},
					"tools": []any{obj{"name": "look", "input_schema": obj{"type": "object"}}}}
				if model != "claude-haiku-4-5" {
					body["thinking"] = obj{"type": "adaptive"}
				}
				free := answerOf(t, messages(t, fakeapi.New(fakeapi.Options{Script: says(seed)}), body))
				thought = thought || free.Blocks[0].Get("type").Text() == "thinking"
				for _, choice := range []obj{{"type": "any"}, {"type": "tool", "name": "look"}} {
					body["tool_choice"] = choice
					a := answerOf(t, messages(t, fakeapi.New(fakeapi.Options{Script: says(seed)}), body))
					require.Equal(t, "tool_use", a.Blocks[0].Get("type").Text(), "%s, %s, seed %d", name, model, seed)
					require.Equal(t, "tool_use", a.StopReason)
				}
			}
			require.Equal(t, model != "claude-haiku-4-5", thought, "%s on %s, unforced", name, model)
		}
	}
}
