package fakeapi_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"harnessbench/fakeapi"
	"harnessbench/fakeapi/script"
)

// sessions answers every prompt that begins with "go" with two tool rounds and a word.
var sessions = script.Script{Turns: []script.Turn{{Prompt: "go", Prefix: true, Answers: []script.Answer{
	call("first", "Running.", "make"), call("second", "Again.", "make test"), say("third", "Done."),
}}}}

// TestLegalSessionsAreNeverRefusedAndReadWhatTheyWrote lets a client prompt, run tools, rewind and wait, on one model
// of each kind (D2).
func TestLegalSessionsAreNeverRefusedAndReadWhatTheyWrote(t *testing.T) {
	models := []string{"claude-haiku-4-5", "claude-sonnet-4-6", "claude-sonnet-5", "claude-sonnet-5-5"}
	rapid.Check(t, func(t *rapid.T) {
		c := newChat(t, fakeapi.New(fakeapi.Options{Script: sessions, Seed: rapid.Uint64().Draw(t, "seed")}), rapid.SampledFrom(models).Draw(t, "model"))
		c.body["stream"] = rapid.Bool().Draw(t, "stream")
		for n := range rapid.IntRange(1, 5).Draw(t, "turns") {
			if len(c.messages) > 0 && rapid.IntRange(0, 2).Draw(t, "rewind") == 0 {
				c.messages = c.messages[:6*rapid.IntRange(0, len(c.messages)/6).Draw(t, "to turn")]
			}
			if rapid.IntRange(0, 3).Draw(t, "wait") == 0 {
				c.now = c.now.Add(time.Hour)
			}
			a := c.ask(text(fmt.Sprintf("go %d", n)))
			checkSums(t, c)
			for range 2 {
				before := c.last.View.Usage
				a = c.ask(result(a))
				checkSums(t, c)
				u := c.last.View.Usage
				require.Equal(t, before.Read+before.Write5m, u.Read, "inside a turn everything is read again")
				require.Equal(t, "", c.last.View.Cold)
			}
		}
	})
}

func checkSums(t *rapid.T, c *chat) {
	v := c.last.View
	require.Equal(t, v.Total, v.Usage.Input+v.Usage.Read+v.Usage.Write5m+v.Usage.Write1h)
	require.Positive(t, v.Usage.Input)
	if v.Read != nil {
		require.Equal(t, v.Usage.Read, v.Read.Tokens)
	} else {
		require.Zero(t, v.Usage.Read)
	}
	require.Equal(t, v.Base != nil && v.Read != nil && v.Base.Tokens == v.Read.Tokens, v.Cold == "")
	sum := 0
	if v.Base != nil {
		sum = v.Base.Tokens
	}
	for _, p := range v.Parts {
		sum += p.Tokens
	}
	last := v.Breakpoints[len(v.Breakpoints)-1]
	require.Equal(t, last.Tokens, sum, "the parts make up the prefix at the last block")
}

// A turn-scoped reminder is shown once, stays in the array, and is part of what thinking is bound to.
func TestATurnScopedReminderStaysBoundAfterItIsCleared(t *testing.T) {
	c := newChat(t, fakeapi.New(fakeapi.Options{Script: sessions}), "claude-sonnet-5-5")
	c.header = append([]fakeapi.Field{{Name: "anthropic-beta", Value: "mid-conversation-system-clear-at-2026-08-21"}}, usual...)
	reminder := func(s string) obj {
		return obj{"role": "system", "content": []any{text(s)}, "clear_at": "next_user_message"}
	}
	send := func(block obj, note string) {
		c.user(block)
		c.messages = append(c.messages, reminder(note))
		resp := c.do()
		require.Equal(t, 200, resp.Status, "%s", resp.Body())
		a := decode(t, resp.Body())
		c.messages = append(c.messages, obj{"role": "assistant", "content": a["content"]})
		c.now = c.now.Add(time.Second)
	}
	send(text("go"), "it is noon")
	first := c.last.View
	id := c.block(2, 2)["id"]
	send(obj{"type": "tool_result", "tool_use_id": id, "content": "ok"}, "one minute past noon")
	assert.Equal(t, first.Usage.Write5m, c.last.View.Usage.Read, "the cleared reminder stood behind the breakpoint")
	assert.Empty(t, c.last.View.Dropped)

	id = c.block(5, 2)["id"]
	c.user(obj{"type": "tool_result", "tool_use_id": id, "content": "ok"})
	kept := c.messages
	c.messages = append(append([]any(nil), kept[:1]...), kept[2:]...)
	assert.Equal(t, "messages.1.content.0: "+otherTalk, errorText(t, c.do()), "left out of the array")
	c.messages = kept
	assert.Equal(t, 200, c.do().Status)
}
