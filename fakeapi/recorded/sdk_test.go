//go:build outside

package recorded

import (
	"bytes"
	"encoding/json"
	"io"
	"math/rand/v2"
	"net/http"
	"strings"
	"testing"

	"github.com/anthropics/anthropic-sdk-go/v2"
	"github.com/anthropics/anthropic-sdk-go/v2/packages/ssestream"
	"github.com/stretchr/testify/require"

	"harnessbench/internal/wire"
)

// chunked hands a stream out in pieces of drawn sizes.
type chunked struct {
	rest []byte
	size func(left int) int
}

func (c *chunked) Read(p []byte) (int, error) {
	if len(c.rest) == 0 {
		return 0, io.EOF
	}
	n := min(len(p), c.size(len(c.rest)))
	copy(p, c.rest[:n])
	c.rest = c.rest[n:]
	return n, nil
}

func (c *chunked) Close() error { return nil }

// inSDK accumulates a stream with the official client library.
func inSDK(t testing.TB, stream []byte, size func(left int) int) (*anthropic.BetaMessage, error) {
	t.Helper()
	decoder := ssestream.NewDecoder(&http.Response{
		StatusCode: 200, Header: http.Header{"Content-Type": {"text/event-stream; charset=utf-8"}}, Body: &chunked{stream, size},
	})
	events := ssestream.NewStream[anthropic.BetaRawMessageStreamEventUnion](decoder, nil)
	m := &anthropic.BetaMessage{}
	for events.Next() {
		if err := m.Accumulate(events.Current()); err != nil {
			return nil, err
		}
	}
	return m, events.Err()
}

// ours assembles a stream in pieces.
func ours(t testing.TB, stream []byte, size func(left int) int) *wire.Answer {
	t.Helper()
	var s wire.SSE
	var a wire.Assembler
	for rest := stream; len(rest) > 0; {
		n := size(len(rest))
		for _, e := range s.Feed(rest[:n]) {
			require.NoError(t, a.Event(e))
		}
		rest = rest[n:]
	}
	return a.Answer()
}

func TestRecordedStreamsGiveOneMessageInTheGoSDKAndHere(t *testing.T) {
	streams, blocks := 0, 0
	for _, r := range records(t) {
		if !strings.HasPrefix(r.Path, "/v1/messages") || !strings.Contains(r.SSE, "message_stop") {
			continue
		}
		stream := append(bytes.TrimRight([]byte(r.SSE), "\n"), "\n\n"...)
		draw := rand.New(rand.NewPCG(2, uint64(len(stream))))
		for _, size := range []func(left int) int{
			func(left int) int { return left },
			func(left int) int { return 1 + draw.IntN(min(left, 400)) },
			func(left int) int { return 1 + draw.IntN(min(left, 9)) },
		} {
			theirs, err := inSDK(t, stream, size)
			require.NoError(t, err, r.ID)
			mine := ours(t, stream, size)
			require.Equal(t, theirs.ID, mine.ID, r.ID)
			require.Equal(t, string(theirs.StopReason), mine.StopReason, r.ID)
			require.Equal(t, theirs.StopSequence, mine.StopSequence, r.ID)
			require.Equal(t, theirs.Usage.OutputTokens, int64(mine.Usage.Output), r.ID)
			require.Len(t, mine.Blocks, len(theirs.Content), r.ID)
			for i, b := range theirs.Content {
				sameBlock(t, r.ID, b, mine.Blocks[i])
				blocks++
			}
		}
		streams++
	}
	t.Logf("%d streams, %d blocks", streams, blocks)
	require.Greater(t, streams, 300)
}

func sameBlock(t testing.TB, id string, b anthropic.BetaContentBlockUnion, v wire.Value) {
	t.Helper()
	require.Equal(t, b.Type, v.Get("type").Text(), id)
	switch b.Type {
	case "text":
		require.Equal(t, b.Text, v.Get("text").Text(), id)
	case "thinking":
		require.Equal(t, b.Thinking, v.Get("thinking").Text(), id)
		require.Equal(t, b.Signature, v.Get("signature").Text(), id)
	case "redacted_thinking":
		require.Equal(t, b.Data, v.Get("data").Text(), id)
	case "tool_use", "server_tool_use", "mcp_tool_use":
		require.Equal(t, b.ID, v.Get("id").Text(), id)
		require.Equal(t, b.Name, v.Get("name").Text(), id)
		theirs, err := json.Marshal(b.Input)
		require.NoError(t, err, id)
		require.JSONEq(t, string(theirs), string(v.Get("input").Raw()), id)
	}
}
