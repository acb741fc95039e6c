package httpfront_test

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	"github.com/anthropics/anthropic-sdk-go/v2"
	"github.com/anthropics/anthropic-sdk-go/v2/option"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"harnessbench/fakeapi"
	"harnessbench/fakeapi/httpfront"
)

// TestTheGoSDKRunsABatch creates, polls, reads and deletes a batch of two rows (messages-api.md 1.7).
func TestTheGoSDKRunsABatch(t *testing.T) {
	var late atomic.Int64
	srv := serve(t, fakeapi.New(fakeapi.Options{}), httpfront.Options{Clock: func() time.Time { return still().Add(time.Duration(late.Load())) }})
	client := anthropic.NewClient(option.WithBaseURL(srv.URL), option.WithAPIKey("k"))
	ctx := context.Background()
	var rows []anthropic.MessageBatchNewParamsRequest
	for _, id := range []string{"one", "two"} {
		rows = append(rows, anthropic.MessageBatchNewParamsRequest{CustomID: id, Params: anthropic.MessageBatchNewParamsRequestParams{
			Model: "claude-sonnet-5", MaxTokens: 100, Messages: []anthropic.MessageParam{anthropic.NewUserMessage(anthropic.NewTextBlock("hello"))}}})
	}
	batch, err := client.Messages.Batches.New(ctx, anthropic.MessageBatchNewParams{Requests: rows})
	require.NoError(t, err)
	assert.EqualValues(t, "in_progress", batch.ProcessingStatus)
	assert.EqualValues(t, 2, batch.RequestCounts.Processing)

	late.Store(int64(fakeapi.DefaultBatchPace))
	batch, err = client.Messages.Batches.Get(ctx, batch.ID, anthropic.MessageBatchGetParams{})
	require.NoError(t, err)
	assert.EqualValues(t, "ended", batch.ProcessingStatus)
	assert.Equal(t, srv.URL+"/v1/messages/batches/"+batch.ID+"/results", batch.ResultsURL)
	var seen []string
	for lines := client.Messages.Batches.ResultsStreaming(ctx, batch.ID, anthropic.MessageBatchResultsParams{}); ; {
		if !lines.Next() {
			require.NoError(t, lines.Err())
			break
		}
		l := lines.Current()
		seen = append(seen, l.CustomID)
		assert.Equal(t, fakeapi.FixedText, l.Result.AsSucceeded().Message.Content[0].Text)
	}
	assert.Equal(t, []string{"one", "two"}, seen)
	_, err = client.Messages.Batches.Delete(ctx, batch.ID, anthropic.MessageBatchDeleteParams{})
	require.NoError(t, err)
	pages, err := client.Messages.Batches.List(ctx, anthropic.MessageBatchListParams{})
	require.NoError(t, err)
	assert.Empty(t, pages.Data)
}
