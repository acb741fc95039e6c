package harness_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"harnessbench/harness"
	"harnessbench/harness/world"
)

// BenchmarkSession: seven operations with tools in the simulated world, shadow and re-reads included.
// architecture.md 7 gives twenty operations with all checks of the judge 3 ms.
func BenchmarkSession(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		r := newRig(nil, bound, answer{})
		r.answer, r.chunks = r.unique, 3
		r.cfg.Switches.InjectTime = true
		r.tool = func(world.ToolCall) (world.ToolResult, time.Duration) {
			return world.ToolResult{Output: "out"}, time.Second
		}
		out := r.m.Run(func(w world.World) {
			s, err := harness.Start(w, r.cfg)
			require.NoError(b, err)
			require.NoError(b, killStory(r, w, s))
		})
		require.Empty(b, out.Panic)
	}
	b.ReportMetric(float64(b.Elapsed())/float64(b.N)/float64(3*time.Millisecond), "of-budget")
}
