package rebuild

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"harnessbench/harness/sessionlog"
)

// The entries as they are shown make the same messages as the path with its decisions, and nothing is left in them that is
// not sent (H-CMP-54, H-CMP-3).
func TestShownEntriesMakeTheSameMessages(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		opt := drawOptions(rt)
		opt.LastTurn = rapid.Bool().Draw(rt, "last turn")
		p := path(t, drawLines(rt)...)
		if n := len(p); n > 3 && rapid.Bool().Draw(rt, "collapsed") {
			from := rapid.IntRange(0, n-2).Draw(rt, "from")
			span := sessionlog.Collapse{Summary: []byte(`"span"`)}
			for _, e := range p[from : from+2] {
				span.Span = append(span.Span, e.UUID)
			}
			opt.Decisions.Collapsed = []sessionlog.Collapse{span}
		}
		shown := Shown(p, opt)
		bare := opt
		bare.Decisions = nil
		require.Equal(rt, string(Of(p, opt).Messages()), string(Of(shown, bare).Messages()))
	})
}
