package httpfront_test

import (
	"context"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/anthropics/anthropic-sdk-go/v2"
	"github.com/anthropics/anthropic-sdk-go/v2/option"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"harnessbench/fakeapi"
	"harnessbench/fakeapi/httpfront"
	"harnessbench/fakeapi/script"
)

// beta talks to a server that has a summary for every answer.
func beta(t *testing.T) anthropic.Client {
	t.Helper()
	answers := make([]script.Answer, 8)
	for i := range answers {
		answers[i].Blocks = []script.Block{{Kind: "compaction", Text: "They talked."}, {Kind: "thinking", Text: "so"}, {Kind: "text", Text: "Yes."}}
	}
	srv := httptest.NewServer(httpfront.New(fakeapi.New(fakeapi.Options{Script: script.Script{Turns: []script.Turn{{Prefix: true, Answers: answers}}}}), httpfront.Options{}))
	t.Cleanup(srv.Close)
	return anthropic.NewClient(option.WithBaseURL(srv.URL), option.WithAPIKey("test-key"), option.WithMaxRetries(0))
}

func say(t *testing.T, client anthropic.Client, p anthropic.BetaMessageNewParams) anthropic.BetaMessage {
	t.Helper()
	stream := client.Beta.Messages.NewStreaming(context.Background(), p)
	var m anthropic.BetaMessage
	for stream.Next() {
		require.NoError(t, m.Accumulate(stream.Current()))
	}
	require.NoError(t, stream.Err())
	return m
}

func TestTheGoSDKIsSummarisedOnItsWay(t *testing.T) {
	client := beta(t)
	p := anthropic.BetaMessageNewParams{
		Model: "claude-sonnet-5-5", MaxTokens: 4096, Betas: []anthropic.AnthropicBeta{anthropic.AnthropicBetaCompact2026_01_12},
		ContextManagement: anthropic.BetaContextManagementConfigParam{Edits: []anthropic.BetaContextManagementConfigEditUnionParam{{
			OfCompact20260112: &anthropic.BetaCompact20260112EditParam{Trigger: anthropic.BetaInputTokensTriggerParam{Value: 50_000}},
		}}},
		Messages: []anthropic.BetaMessageParam{anthropic.NewBetaUserMessage(anthropic.NewBetaTextBlock(strings.Repeat("word ", 50_000)))},
	}
	first := say(t, client, p)
	require.Len(t, first.Content, 3)
	assert.Equal(t, "They talked.", first.Content[0].AsCompaction().Content)
	require.Len(t, first.Usage.Iterations, 2)
	assert.Equal(t, "compaction", first.Usage.Iterations[0].Type)
	assert.Greater(t, first.Usage.Iterations[0].InputTokens, int64(50_000))
	assert.Less(t, first.Usage.InputTokens, int64(200))

	p.Messages = append(p.Messages, first.ToParam(), anthropic.NewBetaUserMessage(anthropic.NewBetaTextBlock("go on")))
	second := say(t, client, p)
	require.Len(t, second.Content, 2, "the summary holds: no other is needed")
	assert.Less(t, second.Usage.InputTokens, int64(250))
}

func TestTheGoSDKAsksForASummary(t *testing.T) {
	client := beta(t)
	p := anthropic.BetaMessageNewParams{
		Model: "claude-sonnet-5-5", MaxTokens: 4096, Betas: []anthropic.AnthropicBeta{anthropic.AnthropicBetaCompact2026_09_04},
		Messages: []anthropic.BetaMessageParam{anthropic.NewBetaUserMessage(anthropic.NewBetaTextBlock("hello"))},
	}
	first := say(t, client, p)
	p.Messages = append(p.Messages, first.ToParam())
	p.Compaction = anthropic.BetaCompactionConfigUnionParam{OfSummarize: &anthropic.BetaSummarizeCompactionParam{}}
	block := say(t, client, p)
	assert.EqualValues(t, "compaction", block.StopReason)
	p.Compaction = anthropic.BetaCompactionConfigUnionParam{}
	p.Messages = []anthropic.BetaMessageParam{block.ToParam(), anthropic.NewBetaUserMessage(anthropic.NewBetaTextBlock("go on"))}
	second := say(t, client, p)
	assert.EqualValues(t, "end_turn", second.StopReason)

	p.Messages[0].OfAssistant.Content[0].OfCompaction.Content = anthropic.String("They did not.")
	_, err := client.Beta.Messages.New(context.Background(), p)
	var refused *anthropic.Error
	require.ErrorAs(t, err, &refused)
	assert.Contains(t, refused.RawJSON(), `"details":{"error_code":"compaction_content_mismatch"}`)
}
