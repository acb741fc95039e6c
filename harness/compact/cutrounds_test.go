package compact

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"harnessbench/harness/sessionlog"
)

// With a round go the attachments that stand in it and the local commands of other writers, so that nothing of the middle is
// left behind (H-CMP-17).
func TestACutTakesWhatStandsInItsRounds(t *testing.T) {
	path := over(30)
	beside := []*sessionlog.Entry{
		{UUID: "attached", Type: sessionlog.Attachment, Attach: attach("queued_command", "", "also the pears")},
		{UUID: "local", Type: sessionlog.System, Subtype: "local_command", Content: []byte(`"<local-command-stdout>x</local-command-stdout>"`)},
	}
	limits := Full().Snip
	c, ok := limits.Snip(slices.Insert(slices.Clone(path), 9, beside...), &sessionlog.Decisions{}, false)
	require.True(t, ok)
	without, _ := limits.Snip(path, &sessionlog.Decisions{}, false)
	assert.Equal(t, slices.Insert(slices.Clone(without.Gone), 6, "attached", "local"), c.Gone)
	assert.Greater(t, c.Tokens, without.Tokens)
}
