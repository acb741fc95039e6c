package fakeapi_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"harnessbench/fakeapi"
)

// The answer says the speed that it was made at to those who asked for one, and fast mode has budgets of its own
// (messages-api.md 1.4, 2.2, 3).
func TestAnAnswerSaysItsSpeed(t *testing.T) {
	const beta = "fast-mode-2026-02-01"
	for _, tc := range []struct {
		model string
		speed any // of the request
		want  any // of usage
	}{
		{"claude-opus-5-5", nil, nil},
		{"claude-opus-5-5", "standard", "standard"},
		{"claude-opus-5-5", "fast", "fast"},
		{"claude-opus-5", "fast", "fast"},
		{"claude-opus-4-6", "fast", "standard"},
	} {
		body := obj{"model": tc.model, "max_tokens": 100, "messages": said("go"), "speed": tc.speed}
		s := saying(fakeapi.Options{}, ok)
		resp := messages(t, s, body, beta)
		usage := accepted(t, resp)["usage"].(obj)
		assert.Equal(t, tc.want, usage["speed"], tc.model)
		assert.Equal(t, tc.want != nil, strings.Contains(string(resp.Body()), `"speed"`), "absent where none was asked for")
		var own []string
		for _, f := range resp.Header {
			if strings.HasPrefix(f.Name, "anthropic-fast-") {
				own = append(own, f.Name)
			}
		}
		if tc.want != "fast" {
			assert.Empty(t, own)
		} else {
			assert.Equal(t, []string{"anthropic-fast-input-tokens-limit", "anthropic-fast-input-tokens-remaining", "anthropic-fast-input-tokens-reset",
				"anthropic-fast-output-tokens-limit", "anthropic-fast-output-tokens-remaining", "anthropic-fast-output-tokens-reset"}, own)
		}

		body["stream"] = true
		a := answerOf(t, messages(t, s, body, beta))
		assert.Equal(t, tc.want, decode(t, a.Usage.Raw)["speed"])
		assert.Equal(t, tc.want == "fast", a.Usage.Fast)
		resp = messages(t, s, body, beta)
		require.Equal(t, 200, resp.Status)
		delta := string(resp.Frames[len(resp.Frames)-2].Data)
		require.Contains(t, delta, `"message_delta"`)
		assert.NotContains(t, delta, `"speed"`)
	}
}
