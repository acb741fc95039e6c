package fakeapi_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"harnessbench/fakeapi"
	"harnessbench/fakeapi/script"
)

func TestTheWindowIsFullAtItsLastToken(t *testing.T) {
	for _, tc := range []struct {
		model  string
		window int
	}{{"claude-haiku-4-5", 200_000}, {"claude-sonnet-5-5", 1_000_000}} {
		s := fakeapi.New(fakeapi.Options{})
		resp := messages(t, s, ofSize(t, tc.model, tc.window, nil))
		assert.Equal(t, 200, resp.Status, "%s", resp.Body())
		resp = messages(t, s, ofSize(t, tc.model, tc.window+1, nil))
		require.Equal(t, 400, resp.Status)
		assert.Equal(t, fmt.Sprintf("prompt is too long: %d tokens > %d maximum", tc.window+1, tc.window), errorText(t, resp))
	}
}

func TestInputAndMaxTokensTogetherOverTheWindow(t *testing.T) {
	const beta = "model-context-window-exceeded-2025-08-26"
	for _, tc := range []struct {
		name, model string
		legacy      bool
		betas       []string
		size        int
		refused     bool
	}{
		{"an older model", "claude-3-7-sonnet-20250219", false, nil, 190_000, true},
		{"an older model, one token less", "claude-3-7-sonnet-20250219", false, nil, 180_000, false},
		{"an older model with the header", "claude-3-7-sonnet-20250219", false, []string{beta}, 190_000, false},
		{"a newer model", "claude-sonnet-4-5", false, nil, 190_000, false},
		{"a newer model by the option", "claude-sonnet-4-5", true, nil, 190_000, true},
		{"a newer model by the option, with the header", "claude-sonnet-4-5", true, []string{beta}, 190_000, false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s := fakeapi.New(fakeapi.Options{LegacyOverflow: tc.legacy})
			resp := messages(t, s, ofSize(t, tc.model, tc.size, obj{"max_tokens": 20_000}), tc.betas...)
			if !tc.refused {
				assert.Equal(t, 200, resp.Status, "%s", resp.Body())
				return
			}
			require.Equal(t, 400, resp.Status)
			assert.Equal(t, "input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000, decrease input length or `max_tokens` and try again", errorText(t, resp))
		})
	}
}

func TestTheSecond413NamesTheWindow(t *testing.T) {
	s := fakeapi.New(fakeapi.Options{WindowBytes: 5})
	over := obj{"model": "claude-haiku-4-5", "max_tokens": 10, "messages": []any{obj{"role": "user", "content": strings.Repeat("abcdefghi ", 100_001)}}}
	resp := messages(t, s, over)
	require.Equal(t, 413, resp.Status)
	assert.JSONEq(t, `{"type":"error","error":{"type":"invalid_request_error","message":"Request size exceeds model context window"},"request_id":"`+resp.View.RequestID+`"}`, string(resp.Body()))

	over["messages"] = []any{obj{"role": "user", "content": strings.Repeat("abcdefghi ", 99_000)}}
	assert.Equal(t, 200, messages(t, s, over).Status)
}

// words is a text of n tokens on models from 4.0 to 4.6, but for a fraction.
func words(n int) string { return strings.TrimSpace(strings.Repeat("word ", n)) }

func TestAnAnswerEndsAtMaxTokens(t *testing.T) {
	body := func(most int, more obj) obj {
		b := obj{"model": "claude-sonnet-4-6", "max_tokens": most, "messages": []any{obj{"role": "user", "content": "go"}}}
		for k, v := range more {
			b[k] = v
		}
		return b
	}
	long := script.Block{Kind: "text", Text: words(100)}
	whole := accepted(t, messages(t, saying(fakeapi.Options{}, long), body(4096, nil)))
	assert.Equal(t, "end_turn", whole["stop_reason"])
	tokens := int(whole["usage"].(obj)["output_tokens"].(float64))

	for _, stream := range []bool{false, true} {
		same := saying(fakeapi.Options{}, long)
		assert.Equal(t, "end_turn", answerOf(t, messages(t, same, body(tokens, obj{"stream": stream}))).StopReason, "exactly enough")
		a := answerOf(t, messages(t, same, body(tokens-1, obj{"stream": stream})))
		assert.Equal(t, "max_tokens", a.StopReason)
		assert.Equal(t, tokens-1, a.Usage.Output)
		got := a.Blocks[0].Get("text").Text()
		assert.True(t, strings.HasPrefix(long.Text, got) && len(got) < len(long.Text) && len(got) > len(long.Text)-12, "%q", got)
	}

	t.Run("inside the input of a call", func(t *testing.T) {
		input, err := json.Marshal(obj{"command": words(60)})
		require.NoError(t, err)
		s := saying(fakeapi.Options{}, script.Block{Kind: "text", Text: "Running."}, script.Block{Kind: "tool_use", Name: "Bash", Input: input})
		a := accepted(t, messages(t, s, body(30, obj{"tools": []any{bash}})))
		assert.Equal(t, "max_tokens", a["stop_reason"])
		assert.EqualValues(t, 30, a["usage"].(obj)["output_tokens"])
		call := a["content"].([]any)[1].(obj)
		assert.Equal(t, obj{}, call["input"])

		resp := messages(t, s, body(30, obj{"tools": []any{bash}, "stream": true}))
		require.Equal(t, 200, resp.Status)
		var partial string
		for _, f := range resp.Frames {
			_, data, _ := strings.Cut(string(f.Data), "data: ")
			event := decode(t, []byte(data))
			if d, ok := event["delta"].(obj); ok && d["type"] == "input_json_delta" {
				partial += d["partial_json"].(string)
			}
		}
		assert.True(t, strings.HasPrefix(string(input), partial) && len(partial) > 20 && len(partial) < len(input), "%q", partial)
		assert.Contains(t, string(resp.Body()), `"stop_reason":"max_tokens"`)
	})

	t.Run("inside thinking", func(t *testing.T) {
		s := saying(fakeapi.Options{}, script.Block{Kind: "thinking", Text: words(80)}, script.Block{Kind: "text", Text: "done"})
		a := accepted(t, messages(t, s, body(50, obj{"thinking": obj{"type": "adaptive"}})))
		assert.Equal(t, "max_tokens", a["stop_reason"])
		require.Len(t, a["content"], 1)
		assert.EqualValues(t, 50, a["usage"].(obj)["output_tokens"])
		assert.EqualValues(t, 50, a["usage"].(obj)["output_tokens_details"].(obj)["thinking_tokens"])
	})

	t.Run("before anything", func(t *testing.T) {
		a := accepted(t, messages(t, saying(fakeapi.Options{}, long), body(1, nil)))
		assert.Equal(t, "max_tokens", a["stop_reason"])
		assert.Empty(t, a["content"])
		assert.EqualValues(t, 1, a["usage"].(obj)["output_tokens"])
	})
}

func TestAnAnswerEndsWhereTheWindowDoes(t *testing.T) {
	s := saying(fakeapi.Options{}, script.Block{Kind: "text", Text: words(100)})
	for _, tc := range []struct {
		size, most int
		stop       string
		output     float64
	}{
		{199_960, 64_000, "model_context_window_exceeded", 40},
		{199_960, 39, "max_tokens", 39},
		{199_960, 40, "max_tokens", 40},
		{199_800, 64_000, "end_turn", 107},
	} {
		a := accepted(t, messages(t, s, ofSize(t, "claude-haiku-4-5", tc.size, obj{"max_tokens": tc.most})))
		assert.Equal(t, tc.stop, a["stop_reason"], tc.size)
		assert.Equal(t, tc.output, a["usage"].(obj)["output_tokens"])
		assert.EqualValues(t, tc.size, a["usage"].(obj)["input_tokens"])
	}
}
