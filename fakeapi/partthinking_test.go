package fakeapi_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"harnessbench/fakeapi"
	"harnessbench/fakeapi/script"
	"harnessbench/internal/wire"
)

// results answers the first n calls of an answer.
func results(a *wire.Answer, n int) []obj {
	var out []obj
	for _, b := range a.Blocks {
		if b.Get("type").Text() == "tool_use" && len(out) < n {
			out = append(out, obj{"type": "tool_result", "tool_use_id": b.Get("id").Text(), "content": "it ran"})
		}
	}
	return out
}

// TestThinkingPartlyDroppedFromTheLatestAnswer sends the answer [thinking, text, thinking, call, thinking, call] back
// with some of it left out (messages-api.md 6.5): thinking that had to stand before a call that came back is missed,
// all of it may be left out, and an answer may end early.
func TestThinkingPartlyDroppedFromTheLatestAnswer(t *testing.T) {
	runs := func(command string) script.Block {
		return script.Block{Kind: "tool_use", Name: "Bash", Input: []byte(`{"command":"` + command + `"}`)}
	}
	said := script.Script{Turns: []script.Turn{{Prompt: "which test fails?", Answers: []script.Answer{{Blocks: []script.Block{
		{Kind: "thinking", Text: "run them"}, {Kind: "text", Text: "Running."}, {Kind: "thinking", Text: "all of them"}, runs("make test"),
		{Kind: "thinking", Text: "and the slow ones"}, runs("make slow"),
	}}, say("", "Done.")}}, {Prompt: "never mind", Answers: []script.Answer{say("", "Fine.")}}}}
	for _, tc := range []struct {
		name  string
		keep  []int // blocks of the answer
		calls int   // results sent
		want  string
	}{
		{"nothing dropped", []int{0, 1, 2, 3, 4, 5}, 2, ""},
		{"all dropped", []int{1, 3, 5}, 2, ""},
		{"the first dropped", []int{1, 2, 3, 4, 5}, 2, "messages.1.content.1: " + cannotModify},
		{"the second dropped", []int{0, 1, 3, 4, 5}, 2, "messages.1.content.0: " + cannotModify},
		{"the third dropped", []int{0, 1, 2, 3, 5}, 2, "messages.1.content.2: " + cannotModify},
		{"the last two dropped", []int{0, 1, 3, 5}, 2, "messages.1.content.0: " + cannotModify},
		{"cut before the third", []int{0, 1, 2, 3}, 1, ""},
		{"cut before the third, the second dropped", []int{0, 1, 3}, 1, "messages.1.content.0: " + cannotModify},
		{"cut behind the text", []int{0, 1}, 0, ""},
		{"the call that waited dropped with its thinking", []int{0, 1, 2, 3, 4}, 1, "messages.1: The final block in an assistant message cannot be `thinking`."},
	} {
		for _, model := range []string{"claude-sonnet-4-6", "claude-sonnet-5", "claude-sonnet-5-5"} {
			t.Run(tc.name+", "+model, func(t *testing.T) {
				c := newChat(t, fakeapi.New(fakeapi.Options{Script: said}), model)
				c.body["thinking"] = obj{"type": "adaptive"}
				a := c.ask(text("which test fails?"))
				require.Len(t, a.Blocks, 6)
				var kept []any
				for _, i := range tc.keep {
					kept = append(kept, c.content(1)[i])
				}
				c.messages[1].(obj)["content"] = kept
				if tc.calls > 0 {
					c.user(results(a, tc.calls)...)
				} else {
					c.user(text("never mind"))
				}
				resp := c.do()
				if tc.want == "" {
					assert.Equal(t, 200, resp.Status, "%s", resp.Body())
					return
				}
				assert.Equal(t, 400, resp.Status)
				assert.Equal(t, tc.want, errorText(t, resp))
			})
		}
	}
}

// TestTextInOmittedThinkingIsIgnored writes into a field that came empty: the prompt weighs as much as before and is
// the same to the cache (messages-api.md 6.3).
func TestTextInOmittedThinkingIsIgnored(t *testing.T) {
	for _, model := range []string{"claude-sonnet-5", "claude-sonnet-5-5"} {
		t.Run(model, func(t *testing.T) {
			c := newChat(t, serverWith(t, fakeapi.Options{}), model)
			a := c.ask(text("which test fails?"))
			a = c.ask(result(a))
			c.user(result(a))
			empty := c.do()
			require.Equal(t, 200, empty.Status, "%s", empty.Body())
			written := empty.View.Usage.Write5m + empty.View.Usage.Read
			c.now = c.now.Add(fakeapi.FirstByte)

			require.Empty(t, c.block(1, 0)["thinking"])
			c.block(1, 0)["thinking"], c.block(3, 0)["thinking"] = "something of mine", "and more"
			filled := c.do()
			require.Equal(t, 200, filled.Status, "%s", filled.Body())
			assert.Equal(t, empty.View.Total, filled.View.Total)
			assert.Equal(t, written, filled.View.Usage.Read, "all of it is read")
			assert.Zero(t, filled.View.Usage.Write5m)
		})
	}
}
