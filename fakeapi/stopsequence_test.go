package fakeapi_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"harnessbench/fakeapi"
	"harnessbench/fakeapi/script"
)

// TestAStopSequenceOfTheRequestEndsTheAnswer: the text ends before it, what stands behind it is not sent, and the
// answer names it, streamed or not.
func TestAStopSequenceOfTheRequestEndsTheAnswer(t *testing.T) {
	text := func(s string) script.Block { return script.Block{Kind: "text", Text: s} }
	call := script.Block{Kind: "tool_use", Name: "Bash", Input: []byte(`{"command":"echo END"}`)}
	think := script.Block{Kind: "thinking", Text: "END of it"}
	said := func(b ...script.Block) script.Answer { return script.Answer{Blocks: b} }
	for _, tc := range []struct {
		name      string
		said      script.Answer
		sequences []string
		most      int
		stop      string
		sequence  string
		types     []string
		last      string // text of the last block
	}{
		{"in the middle", said(text("one END two")), []string{"END"}, 0, "stop_sequence", "END", []string{"text"}, "one "},
		{"the first of several", said(text("a b c")), []string{"c", "b"}, 0, "stop_sequence", "b", []string{"text"}, "a "},
		{"the one that is complete first", said(text("abcd")), []string{"abcd", "c"}, 0, "stop_sequence", "c", []string{"text"}, "ab"},
		{"two that are complete together", said(text("abcd")), []string{"cd", "bcd"}, 0, "stop_sequence", "bcd", []string{"text"}, "a"},
		{"at once", said(text("END")), []string{"END"}, 0, "stop_sequence", "END", nil, ""},
		{"at once, behind another text", said(text("a"), text("END b")), []string{"END"}, 0, "stop_sequence", "END", []string{"text"}, "a"},
		{"ahead of a call", said(text("a END"), call), []string{"END"}, 0, "stop_sequence", "END", []string{"text"}, "a "},
		{"behind thinking", said(think, text("a END")), []string{"END"}, 0, "stop_sequence", "END", []string{"thinking", "text"}, "a "},
		{"ahead of a cut", script.Answer{Blocks: []script.Block{text("a END b")}, Cut: 6}, []string{"END"}, 0, "stop_sequence", "END", []string{"text"}, "a "},
		{"ahead of a refusal", script.Answer{Blocks: []script.Block{text("a END b")}, Refusal: &script.Refusal{}}, []string{"END"}, 0, "stop_sequence", "END", []string{"text"}, "a "},
		{"ahead of max_tokens", said(text("a END " + words(100))), []string{"END"}, 20, "stop_sequence", "END", []string{"text"}, "a "},

		{"none of them said", said(text("one END two")), []string{"end", "Z"}, 0, "end_turn", "", []string{"text"}, "one END two"},
		{"no sequences", said(text("one END two")), []string{}, 0, "end_turn", "", []string{"text"}, "one END two"},
		{"in a call's input alone", said(text("a"), call), []string{"END"}, 0, "tool_use", "", []string{"text", "tool_use"}, ""},
		{"in thinking alone", said(think, text("a")), []string{"END"}, 0, "end_turn", "", []string{"thinking", "text"}, "a"},
		{"half of it in each of two texts", said(text("EN"), text("D")), []string{"END"}, 0, "end_turn", "", []string{"text", "text"}, "D"},
		{"beyond a cut", script.Answer{Blocks: []script.Block{text("a END b")}, Cut: 4}, []string{"END"}, 0, "max_tokens", "", []string{"text"}, "a EN"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			for _, stream := range []bool{false, true} {
				s := fakeapi.New(fakeapi.Options{Script: script.Script{Default: &tc.said}})
				body := obj{"model": "claude-sonnet-4-6", "max_tokens": 4096, "stream": stream, "stop_sequences": tc.sequences,
					"tools": []any{bash}, "thinking": obj{"type": "adaptive"}, "messages": []any{obj{"role": "user", "content": "go"}}}
				if tc.most > 0 {
					body["max_tokens"] = tc.most
				}
				a := answerOf(t, messages(t, s, body))
				require.Equal(t, tc.stop, a.StopReason)
				require.Equal(t, tc.sequence, a.StopSequence)
				var types []string
				for _, b := range a.Blocks {
					types = append(types, b.Get("type").Text())
				}
				require.Equal(t, tc.types, types)
				if len(types) > 0 {
					require.Equal(t, tc.last, a.Blocks[len(types)-1].Get("text").Text())
				}
				require.GreaterOrEqual(t, a.Usage.Output, 1)
				require.LessOrEqual(t, a.Usage.Output, body["max_tokens"])
			}
		})
	}
}

// TestWhatMaxTokensCutsOffHoldsNoStopSequence: the answer ends at max_tokens when the sequence lies behind it.
func TestWhatMaxTokensCutsOffHoldsNoStopSequence(t *testing.T) {
	s := saying(fakeapi.Options{}, script.Block{Kind: "text", Text: words(100) + " END"})
	ask := func(most int) string {
		return answerOf(t, messages(t, s, obj{"model": "claude-sonnet-4-6", "max_tokens": most, "stop_sequences": []string{"END"},
			"messages": []any{obj{"role": "user", "content": "go"}}})).StopReason
	}
	require.Equal(t, "max_tokens", ask(50))
	require.Equal(t, "stop_sequence", ask(500))
}

// TestASwallowedStopSequenceIsPaidFor: an answer without content costs what its sequence does (recorded 2026-08).
func TestASwallowedStopSequenceIsPaidFor(t *testing.T) {
	for sequence, cost := range map[string][2]int{"alpha": {1, 2}, "alpha bravo charlie": {3, 5}} { // any order: each by itself
		s := saying(fakeapi.Options{}, script.Block{Kind: "text", Text: sequence + " delta"})
		a := answerOf(t, messages(t, s, obj{"model": "claude-sonnet-4-6", "max_tokens": 50, "stop_sequences": []string{sequence},
			"messages": []any{obj{"role": "user", "content": "go"}}}))
		require.Empty(t, a.Blocks)
		require.GreaterOrEqual(t, a.Usage.Output, cost[0])
		require.LessOrEqual(t, a.Usage.Output, cost[1])
	}
}

// TestTheFixedAnswerIsEndedToo: a server without a script honours the sequences as well.
func TestTheFixedAnswerIsEndedToo(t *testing.T) {
	a := answerOf(t, messages(t, fakeapi.New(fakeapi.Options{}), obj{"model": "claude-sonnet-4-6", "max_tokens": 50,
		"stop_sequences": []string{fakeapi.FixedText[1:]}, "messages": []any{obj{"role": "user", "content": "go"}}}))
	require.Equal(t, "stop_sequence", a.StopReason)
	require.Equal(t, fakeapi.FixedText[:1], a.Blocks[0].Get("text").Text())
}

// TestAStepThatSaysAStopSequenceAloneIsPaidFor: behind a server tool's result the model was asked again, although
// nothing of what it said is left; an answer that ends with the result had no such step.
func TestAStepThatSaysAStopSequenceAloneIsPaidFor(t *testing.T) {
	input := func(behind ...script.Block) int {
		s := saying(fakeapi.Options{}, append([]script.Block{
			{Kind: "server_tool_use", Name: "web_search", Input: []byte(`{"query":"q"}`)},
			{Kind: "web_search_tool_result", Content: []byte(`[]`)},
		}, behind...)...)
		a := answerOf(t, messages(t, s, obj{"model": "claude-sonnet-4-6", "max_tokens": 500, "stop_sequences": []string{"END"},
			"tools": []any{obj{"type": "web_search_20250305", "name": "web_search"}}, "messages": []any{obj{"role": "user", "content": "go"}}}))
		return a.Usage.Input
	}
	said := input(script.Block{Kind: "text", Text: "a END"})
	require.Equal(t, said, input(script.Block{Kind: "text", Text: "END"}))
	require.Less(t, input(), said)
}
