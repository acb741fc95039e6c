package validate_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"harnessbench/fakeapi/validate"
)

func messagesOf(faults []*validate.Fault) (out []string) {
	for _, f := range faults {
		out = append(out, f.Message)
	}
	return out
}

func TestEveryFaultOfARequestIsListed(t *testing.T) {
	body := overlay(t, `{"max_tokens":"x","temperature":2,"zzz":1,"tool_choice":{"type":"nope"},
		"tools":[{"name":"a.b","input_schema":{}},{"name":"t","input_schema":{"type":"object"},"x":1,"y":2}],
		"messages":[{"role":"user","content":[{"type":"text"},{"type":"nope"},7]},{"content":"x"}]}`)
	h := usual("unknown-beta")
	h["x-api-key"] = "other"
	faults, _ := validate.Every(body, h, []string{"key"})
	assert.Equal(t, []string{
		"invalid x-api-key",
		"Unexpected value(s) `unknown-beta` for the `anthropic-beta` header. Please consult our documentation at platform.claude.com/docs or try again without the header.",
		"tool_choice: Input tag 'nope' found using 'type' does not match any of the expected tags: 'auto', 'any', 'tool', 'none'",
		"tools.0.custom.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'",
		"tools.0.custom.input_schema.type: Field required",
		"tools.1.custom.x: Extra inputs are not permitted",
		"tools.1.custom.y: Extra inputs are not permitted",
		"messages.0.content.0.text.text: Field required",
		"messages.0.content.1: Input tag 'nope'",
		"messages.0.content.2: Input should be an object",
		"messages.1.role: Field required",
		"max_tokens: Input should be a valid integer",
		"temperature: range: 0..1",
		"zzz: Extra inputs are not permitted",
	}, shortened(messagesOf(faults)))
}

// shortened cuts the list of expected tags of a block, which has a test of its own.
func shortened(all []string) []string {
	for i, s := range all {
		if len(s) > 300 {
			all[i] = s[:len("messages.0.content.1: Input tag 'nope'")]
		}
	}
	return all
}

func TestEveryFaultOfAConversationIsListed(t *testing.T) {
	body := overlay(t, on(`"thinking":{"type":"enabled","budget_tokens":1024},"container":"c",`, u, assistant(callA+","+callB), user(resA), assistant(think), system(blankT), user(blankT)))
	faults, _ := validate.Every(body, usual(""), []string{"key"})
	assert.Equal(t, []string{
		`"thinking.type.enabled" is not supported for this model. Use "thinking.type.adaptive" and "output_config.effort" to control thinking behavior.`,
		"messages.4: role 'system' must follow a 'user' message or an 'assistant' message ending in a server tool result; the directive-only form (content: [] with output_config) is accepted at any position",
		"messages.4: role 'system' must precede an 'assistant' message or end the array; the directive-only form (content: [] with output_config) is accepted at any position",
		"messages.4: system text blocks must contain non-whitespace text",
		"messages: text content blocks must contain non-whitespace text",
		"messages.3: The final block in an assistant message cannot be `thinking`.",
		"messages.1: `tool_use` ids were found without `tool_result` blocks immediately after: toolu_B. Each `tool_use` block must have a corresponding `tool_result` block in the next message.",
		"container: Container identifier can only be provided when using the code execution tool",
	}, messagesOf(faults))
}

func TestNoFaultIsListedOfARequestThatPasses(t *testing.T) {
	faults, _ := validate.Every([]byte(base), usual(""), []string{"key"})
	assert.Empty(t, faults)
	faults, _ = validate.Every([]byte(`{`), usual(""), []string{"key"})
	require.Len(t, faults, 1)
	assert.Equal(t, "body.json", faults[0].Rule)
	faults, rest := validate.Every(overlay(t, `{"thread":{"type":"continue","previous_message_id":"msg_1"},"messages":[`+user(resA)+`]}`), usual(validate.ThreadBeta), []string{"key"})
	assert.Empty(t, faults)
	assert.Equal(t, []string{"messages"}, rest)
}

// The first of all faults is the one the API reports.
func TestTheFirstOfEveryFaultIsTheOneReported(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		var messages []string
		for range rapid.IntRange(0, 6).Draw(rt, "messages") {
			messages = append(messages, pieces(rt, len(messages)))
		}
		body := overlay(t, on(newest, messages...))
		_, f := check(t, body, usual(effort))
		faults, _ := validate.Every(body, usual(effort), []string{"key"})
		if f == nil {
			require.Empty(rt, faults, string(body))
			return
		}
		require.NotEmpty(rt, faults, string(body))
		require.Equal(rt, f, faults[0], string(body))
	})
}
