package fakeapi_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"harnessbench/fakeapi"
	"harnessbench/fakeapi/script"
	"harnessbench/internal/wire"
)

// bothWays asks for one answer as JSON and as a stream and returns both messages.
func bothWays(t *testing.T, model string, said script.Answer) (whole, streamed *wire.Answer) {
	t.Helper()
	play := func(stream bool) fakeapi.Response {
		c := newChat(t, fakeapi.New(fakeapi.Options{Script: script.Script{Rules: []script.Rule{{Answers: []script.Answer{said}}}}, Seed: 1}), model)
		c.body["tools"] = []any{bash, obj{"type": "web_search_20250305", "name": "web_search"}}
		c.body["stream"] = stream
		c.user(obj{"type": "text", "text": "hello"})
		resp := c.do()
		require.Equal(t, 200, resp.Status, "%s", resp.Body())
		return resp
	}
	whole, err := wire.ParseAnswer(play(false).Body())
	require.NoError(t, err)
	streamed, err = follow(play(true).Body())
	if said.Cut == 0 || said.Blocks[len(said.Blocks)-1].Kind == "text" {
		require.NoError(t, err)
	}
	return whole, streamed
}

// TestAnswersOfEveryKindAreTheSameBothWays: what is streamed builds the message that would have come in one piece.
func TestAnswersOfEveryKindAreTheSameBothWays(t *testing.T) {
	text := func(s string) script.Block { return script.Block{Kind: "text", Text: s} }
	for _, tc := range []struct {
		name   string
		said   script.Answer
		stop   string
		blocks []string // types
	}{
		{"several texts", script.Answer{Blocks: []script.Block{text("a"), text("b")}}, "end_turn", []string{"text", "text"}},
		{"nothing at all", script.Answer{}, "end_turn", nil},
		{"a refusal", script.Answer{Blocks: []script.Block{text("I")}, Refusal: &script.Refusal{Category: "bio", Explanation: "no"}}, "refusal", []string{"text"}},
		{"a stop sequence", script.Answer{Blocks: []script.Block{text("up to")}, StopSequence: "END"}, "stop_sequence", []string{"text"}},
		{"a pause", script.Answer{Blocks: []script.Block{{Kind: "server_tool_use", Name: "web_search", Input: []byte(`{"query":"q"}`)}}, StopReason: "pause_turn"}, "pause_turn", []string{"server_tool_use"}},
		{"a cut text", script.Answer{Blocks: []script.Block{text("größer als")}, Cut: 3}, "max_tokens", []string{"text"}},
		{"redacted thinking", script.Answer{Blocks: []script.Block{{Kind: "redacted_thinking", Text: "hush"}, text("a")}}, "end_turn", []string{"redacted_thinking", "text"}},
		{"a search", script.Answer{Blocks: []script.Block{
			{Kind: "server_tool_use", Name: "web_search", Input: []byte(`{"query":"q"}`)},
			{Kind: "web_search_tool_result", Content: []byte(`[]`)},
			{Kind: "text", Text: "found", Citations: [][]byte{[]byte(`{"type":"web_search_result_location","url":"https://example.com/","title":"t","encrypted_index":"RQ==","cited_text":"c"}`)}},
		}}, "end_turn", []string{"server_tool_use", "web_search_tool_result", "text"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			whole, streamed := bothWays(t, "claude-sonnet-5", tc.said)
			require.True(t, streamed.Complete)
			require.Equal(t, tc.stop, whole.StopReason)
			require.Equal(t, tc.stop, streamed.StopReason)
			require.Equal(t, tc.said.StopSequence, streamed.StopSequence)
			var types []string
			for i, b := range streamed.Blocks {
				types = append(types, b.Get("type").Text())
				require.JSONEq(t, string(whole.Blocks[i].Raw()), string(b.Raw()))
			}
			require.Equal(t, tc.blocks, types)
			require.Equal(t, whole.Usage.Output, streamed.Usage.Output)
		})
	}
}

// TestACallThatIsCut: the stream's input is no JSON, the message in one piece shows an empty one.
func TestACallThatIsCut(t *testing.T) {
	whole, streamed := bothWays(t, "claude-sonnet-4-6", script.Answer{Cut: 9, Blocks: []script.Block{{Kind: "tool_use", Name: "Bash", Input: []byte(`{"command":"ls"}`)}}})
	require.Equal(t, "max_tokens", whole.StopReason)
	require.Equal(t, "{}", string(whole.Blocks[0].Get("input").Raw()))
	require.Empty(t, streamed.Blocks, "a block whose input is no JSON is left out")
}

// TestRedactedThinkingComesBack: the data verifies when it is sent back, and not when somebody changed it.
func TestRedactedThinkingComesBack(t *testing.T) {
	for _, model := range []string{"claude-haiku-4-5", "claude-sonnet-5-5"} {
		s := fakeapi.New(fakeapi.Options{Seed: 1, Script: script.Script{Rules: []script.Rule{{Answers: []script.Answer{
			{Blocks: []script.Block{{Kind: "redacted_thinking", Text: "hush"}, {Kind: "tool_use", Name: "Bash", Input: []byte(`{"command":"ls"}`)}}},
			{Blocks: []script.Block{{Kind: "text", Text: "done"}}},
		}, Repeat: true}}}})
		c := newChat(t, s, model)
		a := c.ask(obj{"type": "text", "text": "hello"})
		require.NotEmpty(t, a.Blocks)
		call := a.Blocks[len(a.Blocks)-1]
		done := c.ask(obj{"type": "tool_result", "tool_use_id": call.Get("id").Text(), "content": "ok"})
		require.Equal(t, "done", done.Blocks[len(done.Blocks)-1].Get("text").Text(), model)
	}
}

// TestTheAutopilotTalksOnEveryModel: whole conversations with tools and thinking, every request accepted.
func TestTheAutopilotTalksOnEveryModel(t *testing.T) {
	for _, model := range []string{"claude-haiku-4-5", "claude-sonnet-4-6", "claude-sonnet-5", "claude-sonnet-5-5"} {
		for seed := range uint64(6) {
			c := newChat(t, fakeapi.New(fakeapi.Options{Seed: 1, Script: script.Script{Autopilot: &script.Autopilot{Seed: seed}}}), model)
			for _, prompt := range []string{"look around", "and now?"} {
				next := []obj{{"type": "text", "text": prompt}}
				for round := 0; len(next) > 0; round++ {
					require.Less(t, round, 6)
					a := c.ask(next...)
					next = nil
					for _, b := range a.Blocks {
						if b.Get("type").Text() == "tool_use" {
							next = append(next, obj{"type": "tool_result", "tool_use_id": b.Get("id").Text(), "content": "ok"})
						}
					}
				}
			}
		}
	}
}
