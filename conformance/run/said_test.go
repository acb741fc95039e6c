package run

import (
	"testing"

	"github.com/stretchr/testify/require"

	"harnessbench/internal/model"
	"harnessbench/internal/tokens"
	"harnessbench/scenarios"
)

// TestAnAnswerIsFilledForWhoeverServesIt: a server that plays a story outside of a run says its long answers too; one
// that cannot be filled is said as it is written, and a run refuses it.
func TestAnAnswerIsFilledForWhoeverServesIt(t *testing.T) {
	story := func(n int) *scenarios.Scenario {
		return &scenarios.Scenario{Name: "s", File: "s.yaml", Model: "claude-sonnet-5-5", Steps: []scenarios.Step{{Number: 1, Line: 4, Prompt: &scenarios.Prompt{
			Text: "go", Model: []scenarios.Answer{{Blocks: []scenarios.Block{{Kind: "text", Text: "All of it."}}, FillTokens: n}}}}}}
	}
	m, _ := model.Lookup("claude-sonnet-5-5")
	text := Script(story(500)).Turns[0].Answers[0].Blocks[0].Text
	want, err := tokens.Fill(tokens.Generation(m), "All of it.", 500)
	require.NoError(t, err)
	require.Equal(t, want, text)

	require.Equal(t, "All of it.", Script(story(1)).Turns[0].Answers[0].Blocks[0].Text)
	_, err = Story(story(1), Options{Seed: 1})
	require.ErrorContains(t, err, "s.yaml:4: an answer of step 1: ")
}
