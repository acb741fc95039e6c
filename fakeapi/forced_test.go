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
