package harness_test

import (
	"bytes"
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"harnessbench/internal/wire"
)

// legal requires what the API requires of every request (messages-api.md 2.3 to 2.5, 5.2).
func legal(t *testing.T, body []byte) {
	t.Helper()
	req, err := wire.Parse(nil, body)
	require.NoError(t, err)
	require.LessOrEqual(t, bytes.Count(body, []byte(`"cache_control"`)), 4)
	last := ""
	var open []string
	for i, m := range req.Messages() {
		where := place{t, body, i}
		blocks := m.Blocks()
		require.NotEmpty(t, blocks, "empty message at the end of %s", where)
		switch m.Role() {
		case "system":
			require.Equal(t, "user", last, "a system message follows a user message: %s", where)
			require.Empty(t, open)
		case "user":
			require.Contains(t, []string{"", "assistant"}, last, "a user message follows an answer: %s", where)
			var results []string
			rest := false
			for _, b := range blocks {
				if b.Type() != "tool_result" {
					rest = true
					continue
				}
				require.False(t, rest, "results come first: %s", where)
				results = append(results, b.Get("tool_use_id").Text())
			}
			require.True(t, slices.Equal(open, results), "calls %q have the results %q: %s", open, results, where)
			open = nil
		case "assistant":
			if last != "" || blocks[0].Type() != "compaction" { // a summary of the server's may be what begins it
				require.Contains(t, []string{"user", "system"}, last, "%s", where)
			}
			for _, b := range blocks {
				if b.Type() == "tool_use" {
					open = append(open, b.Get("id").Text())
				}
			}
			require.NotEqual(t, "thinking", blocks[len(blocks)-1].Type(), "%s", where)
		}
		last = m.Role()
	}
	require.NotEqual(t, "assistant", last)
}

// place words the messages up to one only when a requirement fails.
type place struct {
	t    *testing.T
	body []byte
	i    int
}

func (p place) String() string { return fmt.Sprintf("%q", shape(p.t, p.body)[:p.i+1]) }
