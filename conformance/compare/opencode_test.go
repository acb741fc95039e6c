package compare_test

import (
	"maps"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"harnessbench/conformance/compare"
	"harnessbench/conformance/run"
	"harnessbench/scenarios"
)

// TestFaultyPoliciesOfAnotherHarness plays the issues of OpenCode that are switches of ours: the faulty policy shows what
// it does, the right one beside it, the story's own, is silent and costs less (H-CMP-76). Issues that are no switch are
// planted faults of conformance/mutant, by their numbers.
func TestFaultyPoliciesOfAnotherHarness(t *testing.T) {
	for _, tc := range []struct {
		issue, story, model string
		fault               map[string]string
		finding             string
		dearer              float64 // at least so many times the cost of the right policy
	}{
		// Thinking of earlier turns is left out, and with each turn the cache behind it is void.
		{"19081", "haiku_forgets", "claude-sonnet-5", map[string]string{"thinking.keep": "last-turn"}, "CACHE-1", 1.2},
		// Results are pruned whatever that costs, which nobody is told.
		{"3917", "micro_position", "claude-sonnet-5-5", map[string]string{"micro.unconditional": "on"}, "", 1.5},
	} {
		t.Run(tc.issue, func(t *testing.T) {
			sc, err := scenarios.Load(os.DirFS(filepath.Join("..", "..", "scenarios")), tc.story+".yaml")
			require.NoError(t, err)
			right := compare.Policy{Name: "right", Set: maps.Clone(sc.Set)}
			faulty := compare.Policy{Name: "faulty", Set: tc.fault}
			rows, err := compare.Play(sc, []compare.Policy{right, faulty}, run.Options{Model: tc.model, Seed: 1}, false, func(string) {})
			require.NoError(t, err)
			require.Len(t, rows, 2)
			require.Empty(t, rows[0].Error+rows[1].Error)
			require.Empty(t, rows[0].Findings, "the right policy is silent")
			require.Greater(t, rows[1].CostUSD, tc.dearer*rows[0].CostUSD)
			if tc.finding == "" {
				return
			}
			require.NotEmpty(t, rows[1].Findings)
			require.Equal(t, tc.finding, rows[1].Findings[0].Check)
			require.Positive(t, rows[1].Findings[0].Loss)
		})
	}
}
