package run_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"harnessbench/conformance/invariant"
	"harnessbench/conformance/run"
	"harnessbench/conformance/sim"
	"harnessbench/conformance/trace"
	"harnessbench/golden"
	"harnessbench/scenarios"
)

func shipped(t testing.TB) []*scenarios.Scenario {
	t.Helper()
	all, err := scenarios.LoadAll(os.DirFS(filepath.Join("..", "..", "scenarios")), ".")
	require.NoError(t, err)
	require.GreaterOrEqual(t, len(all), 8)
	return all
}

// TestEveryStoryHoldsOnTheMatrix plays every story on its own model, where its expectations and its golden
// must hold, and on the four of the matrix, where the invariants must (D2, D35). A check that no story
// gives an occasion fails the suite (architecture.md 6), but for what the harness never does.
func TestEveryStoryHoldsOnTheMatrix(t *testing.T) {
	occasions := map[string]int{}
	for _, sc := range shipped(t) {
		models := append([]string{sc.Model}, sim.Matrix...)
		for i, model := range models {
			t.Run(sc.Name+"/"+model, func(t *testing.T) {
				var text bytes.Buffer
				render := golden.New(&text)
				res, err := run.Story(sc, run.Options{Model: model, Seed: 1, Listen: []func(trace.Event){render.Event}})
				require.NoError(t, err)
				require.Empty(t, res.Faults)
				require.Empty(t, res.Expect)
				for _, c := range res.Checks {
					occasions[c.Check] += c.Occasions
					for _, f := range c.Findings {
						require.True(t, f.Level != invariant.H || res.Expects(f), "%s: %s\nbut %s", c.Check, f.Fact, f.Other)
					}
				}
				if i > 0 {
					return
				}
				var lines []golden.Check
				for _, c := range res.Checks {
					lines = append(lines, checkLine(res, c))
				}
				require.NoError(t, render.End(lines))
				want, err := os.ReadFile(filepath.Join("..", "..", "golden", sc.Name+".trace"))
				require.NoError(t, err, "a shipped story has a golden")
				require.Equal(t, string(want), text.String())
			})
		}
	}
	for _, info := range invariant.Catalogue() {
		if info.Foreign {
			require.Zero(t, occasions[info.ID], "%s met an occasion that the harness should not give", info.ID)
			continue
		}
		require.Positive(t, occasions[info.ID], "%s met no occasion in any story", info.ID)
	}
}

func checkLine(res *run.Result, r invariant.Result) golden.Check {
	c := golden.Check{ID: r.Check, Verdict: string(r.Verdict), Occasions: r.Occasions, Note: r.Note}
	for _, f := range r.Findings {
		c.Findings = append(c.Findings, golden.Finding{Call: f.Call, Step: f.Step, Fact: f.Fact, Other: f.Other, Loss: f.Loss, Expected: res.Expects(f)})
	}
	return c
}
