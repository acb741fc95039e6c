package sim

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"harnessbench/conformance/run"
	"harnessbench/scenarios"
)

func story(t testing.TB, name string) *scenarios.Scenario {
	t.Helper()
	sc, err := scenarios.Load(os.DirFS(filepath.Join("..", "..", "scenarios")), name+".yaml")
	require.NoError(t, err)
	return sc
}

// TestAKillAtEveryPortCallLosesNothing sweeps stories on the model matrix: at every moment, resume, a plain
// prompt, and everything must hold.
func TestAKillAtEveryPortCallLosesNothing(t *testing.T) {
	for _, name := range []string{"rewind", "parallel_tools", "volatile_reminder", "resume_after_exit", "interrupt_during_tools"} {
		sc := story(t, name)
		for _, model := range Matrix {
			t.Run(name+"/"+model, func(t *testing.T) {
				opt := run.Options{Model: model, Seed: 1}
				points, err := Points(sc, opt)
				require.NoError(t, err)
				require.NotEmpty(t, points)
				killed := 0
				for _, p := range points {
					res, err := Kill(sc, opt, p)
					require.NoError(t, err)
					require.Empty(t, res.Faults, p.String())
					if res.Killed {
						killed++
					}
					for _, c := range res.Checks {
						for _, f := range c.Findings {
							require.NotEqual(t, "H", string(f.Level), "%s after a kill at %s: %s\n%s", c.Check, p, f.Fact, f.Other)
						}
					}
				}
				require.Equal(t, len(points), killed, "a kill that never came proves nothing")
			})
		}
	}
}
