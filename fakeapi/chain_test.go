package fakeapi_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"harnessbench/fakeapi"
	"harnessbench/fakeapi/script"
	"harnessbench/internal/wire"
)

// A client that does what input_transformations says takes the dropped blocks out of the array. What was thought
// behind them comes after the last block that was taken in, so nothing is missing then (messages-api.md 6.6).
func TestWhatIsThoughtBehindADroppedBlockStaysValidWithoutIt(t *testing.T) {
	c := newChat(t, fakeapi.New(fakeapi.Options{Script: endless}), "claude-sonnet-5-5")
	c.header = append([]fakeapi.Field{{Name: "anthropic-beta", Value: "thinking-binding-controls-2026-08-01"}}, usual...)
	c.body["thinking"] = obj{"type": "adaptive", "block_binding": obj{"prefix_mismatch_behavior": "drop_block"}}
	c.ask(text("go on"))
	c.ask(text("go on"))
	c.block(2, 0)["text"] = "go on, please" // the thinking of message 3 stands behind it
	c.ask(text("go on"))                    // message 5 is thought while that of message 3 is dropped
	c.user(text("go on"))
	resp := c.do()
	require.Equal(t, 200, resp.Status, "%s", resp.Body())
	assert.Len(t, resp.View.Dropped, 2, "one failing block takes all later ones along")

	c.remove(3, 0)
	resp = c.do()
	require.Equal(t, 200, resp.Status, "%s", resp.Body())
	assert.Empty(t, resp.View.Dropped)
	delete(c.body, "thinking")
	assert.Equal(t, 200, c.do().Status, "nor does it fail where a mismatch is an error")
}

// Opus 5.5 thinks, Sonnet 5.5 goes on without reading that, a bound reader of both comes last: whether the block in
// the middle stays or goes, the chain of the others is whole.
func TestBlocksThatTheProducerDidNotReadAreNoLinkOfItsChain(t *testing.T) {
	for _, removed := range []bool{false, true} {
		c := newChat(t, fakeapi.New(fakeapi.Options{Script: endless}), "claude-sonnet-5-5")
		c.body["thinking"] = obj{"type": "adaptive"}
		for _, m := range []string{"claude-sonnet-5-5", "claude-opus-5-5", "claude-sonnet-5-5"} {
			c.body["model"] = m
			c.ask(text("go on"))
		}
		c.user(text("go on"))
		if removed {
			c.remove(3, 0)
		}
		for _, reader := range []string{"claude-sonnet-5-5", "claude-opus-5-5"} {
			c.body["model"] = reader
			resp := c.do()
			assert.Equal(t, 200, resp.Status, "removed %t, read by %s: %s", removed, reader, resp.Body())
		}
	}
}

// An answer may end in thinking, which cannot come back in that place (messages-api.md 2.3): the next thinking comes
// after what the client could send.
func TestThinkingBehindTheLastCallNeedNotComeBack(t *testing.T) {
	in := []byte(`{"command":"ls"}`)
	turn := script.Turn{Prompt: "go", Answers: []script.Answer{
		{Blocks: []script.Block{{Kind: "thinking", Text: "a"}, {Kind: "tool_use", Name: "Bash", Input: in}, {Kind: "thinking", Text: "b"}}},
		{Blocks: []script.Block{{Kind: "thinking", Text: "c"}, {Kind: "tool_use", Name: "Bash", Input: in}}},
		say("d", "Done."),
	}}
	for _, model := range []string{"claude-sonnet-4-6", "claude-sonnet-5", "claude-sonnet-5-5", "claude-opus-5-5"} {
		c := newChat(t, fakeapi.New(fakeapi.Options{Script: script.Script{Turns: []script.Turn{turn}}}), model)
		c.body["thinking"] = obj{"type": "adaptive"}
		var a *wire.Answer
		for i, blocks := range [][]obj{{text("go")}, nil, nil} {
			if i > 0 {
				blocks = []obj{result(a)}
			}
			a = c.ask(blocks...)
			if i == 0 {
				require.Len(t, a.Blocks, 3)
				c.remove(1, 2)
			}
		}
		c.user(text("go"))
		assert.Equal(t, 200, c.do().Status, "%s: %s", model, c.last.Body())
	}
}

// Blank text cannot come back either; what was thought behind it stays valid without it (messages-api.md 2.3).
func TestThinkingBehindBlankTextIsValidWithoutIt(t *testing.T) {
	turn := script.Turn{Prompt: "go", Answers: []script.Answer{
		{Blocks: []script.Block{
			{Kind: "thinking", Text: "a"}, {Kind: "text", Text: "\n\n"}, {Kind: "thinking", Text: "b"}, {Kind: "text", Text: " "},
			{Kind: "tool_use", Name: "Bash", Input: []byte(`{"command":"ls"}`)},
		}},
		say("c", "Done."),
	}}
	c := newChat(t, fakeapi.New(fakeapi.Options{Script: script.Script{Turns: []script.Turn{turn}}}), "claude-sonnet-5-5")
	a := c.ask(text("go"))
	c.user(result(a))
	assert.Equal(t, "messages: text content blocks must contain non-whitespace text", errorText(t, c.do()))
	c.remove(1, 3)
	c.remove(1, 1)
	assert.Equal(t, 200, c.do().Status, "%s", c.last.Body())
}
