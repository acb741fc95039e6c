package fakeapi_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"harnessbench/fakeapi"
	"harnessbench/fakeapi/script"
)

// TestAnAnswerWeighsTheSameWhateverItsDisplay has one tool loop with its thinking shown, not shown, and redacted: every
// prompt counts the same, and so does what is read of it, also when another generation reads it (messages-api.md 6.3).
func TestAnAnswerWeighsTheSameWhateverItsDisplay(t *testing.T) {
	type prompt struct{ total, read, written, out int }
	thoughts := []string{"run all of them, the slow ones too", "TestLogin is the one: it expects 3 users, and 4 are there\n\nso fix that"}
	said := func(kind string) script.Script {
		var answers []script.Answer
		for _, th := range thoughts {
			answers = append(answers, script.Answer{Blocks: []script.Block{{Kind: kind, Text: th},
				{Kind: "tool_use", Name: "Bash", Input: []byte(`{"command":"make"}`)}}})
		}
		answers = append(answers, script.Answer{Blocks: []script.Block{{Kind: "text", Text: "Done."}}})
		return script.Script{Turns: []script.Turn{{Prompt: "go", Answers: answers}}}
	}
	play := func(t *testing.T, kind, display, model, reader string) (all []prompt) {
		c := newChat(t, fakeapi.New(fakeapi.Options{Script: said(kind)}), model)
		c.body["thinking"] = obj{"type": "adaptive", "display": display}
		a := c.ask(text("go"))
		note := func() {
			v := c.last.View
			all = append(all, prompt{v.Total, v.Usage.Read, v.Usage.Write5m, v.Usage.Output})
		}
		note()
		a = c.ask(result(a))
		note()
		shown := c.block(1, 0)["thinking"]
		require.Equal(t, kind == "thinking" && display == "summarized", shown != nil && shown != "")
		c.body["model"] = reader
		c.ask(result(a))
		note()
		return all
	}
	for _, m := range []struct{ model, reader string }{
		{"claude-sonnet-4-6", "claude-sonnet-4-6"}, {"claude-sonnet-5", "claude-sonnet-5"}, {"claude-sonnet-5-5", "claude-sonnet-5-5"},
		{"claude-sonnet-4-6", "claude-sonnet-5"}, // another tokenizer
	} {
		t.Run(m.model+" to "+m.reader, func(t *testing.T) {
			shown := play(t, "thinking", "summarized", m.model, m.reader)
			assert.Equal(t, shown, play(t, "thinking", "omitted", m.model, m.reader))
			assert.Equal(t, shown, play(t, "redacted_thinking", "omitted", m.model, m.reader))
			require.Positive(t, shown[1].read)
		})
	}
	t.Run("the other text weighs otherwise", func(t *testing.T) {
		short := play(t, "thinking", "omitted", "claude-sonnet-5", "claude-sonnet-5")
		thoughts[0] += " and then once more"
		assert.Greater(t, play(t, "thinking", "omitted", "claude-sonnet-5", "claude-sonnet-5")[1].total, short[1].total)
	})
}

// The text of thinking does not come with redact-thinking, whatever display asks for, and weighs what it weighs; without
// the header it comes. Like every constant of the official SDK, the header is known.
func TestRedactThinkingKeepsTheTextBack(t *testing.T) {
	const beta = "redact-thinking-2026-02-12"
	said := script.Script{Turns: []script.Turn{{Prompt: "go", Answers: []script.Answer{
		{Blocks: []script.Block{{Kind: "thinking", Text: "first of all the tests"}, {Kind: "text", Text: "Done."}}}}}}}
	ask := func(display string, betas ...string) (thinking any, out int) {
		c := newChat(t, fakeapi.New(fakeapi.Options{Script: said}), "claude-sonnet-4-6")
		c.body["thinking"] = obj{"type": "adaptive", "display": display}
		for _, b := range betas {
			c.header = append([]fakeapi.Field{{Name: "anthropic-beta", Value: b}}, c.header...)
		}
		c.ask(text("go"))
		require.Equal(t, 200, c.last.Status)
		require.NotEmpty(t, c.block(1, 0)["signature"])
		return c.block(1, 0)["thinking"], c.last.View.Usage.Output
	}
	shown, weight := ask("summarized")
	assert.Equal(t, "first of all the tests", shown)
	redacted, same := ask("summarized", beta)
	assert.Equal(t, "", redacted)
	assert.Equal(t, weight, same)
	omitted, _ := ask("omitted", beta)
	assert.Equal(t, "", omitted)
}
