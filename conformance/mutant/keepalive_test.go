package mutant_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"harnessbench/conformance/invariant"
	"harnessbench/conformance/mutant"
	"harnessbench/conformance/run"
	"harnessbench/harness/world"
	"harnessbench/scenarios"
)

// TestAKeepAliveThatReadsIsSilent: what the reference harness never does itself is done right beside it, in time and with
// the prefix of the newest request, and no check minds. Where thinking has a budget the server
// refuses such a request (messages-api.md 5.9).
func TestAKeepAliveThatReadsIsSilent(t *testing.T) {
	sc, err := scenarios.Load(os.DirFS(filepath.Join("..", "..", "scenarios")), "parallel_tools.yaml")
	require.NoError(t, err)
	all := mutant.All()
	late := slices.IndexFunc(all, func(m mutant.Mutant) bool { return m.Name == "keep-alive-too-late" }) // where nobody pauses it is not
	require.NotEqual(t, -1, late)
	for _, model := range []string{"claude-sonnet-4-6", "claude-sonnet-5", "claude-sonnet-5-5"} {
		res, err := run.Story(sc, run.Options{Model: model, Seed: 1, Layers: []func(world.World) world.World{all[late].Plant()}})
		require.NoError(t, err)
		for _, c := range res.Checks {
			require.Empty(t, c.Findings, c.Check)
			if c.Check == "CACHE-9" {
				require.Equal(t, invariant.Held, c.Verdict)
			}
		}
	}
}
