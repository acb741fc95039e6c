package mutant_test

import (
	"cmp"
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

func story(t *testing.T, m mutant.Mutant) *scenarios.Scenario {
	t.Helper()
	sc, err := scenarios.Load(os.DirFS(filepath.Join("..", "..", "scenarios")), m.Story+".yaml")
	require.NoError(t, err)
	return sc
}

// ownFaults are the checks that a story expects to find something by itself.
func ownFaults(t *testing.T, m mutant.Mutant) (own []string) {
	t.Helper()
	sc := story(t, m)
	for _, f := range sc.Expect.Findings {
		if f.On(cmp.Or(m.Model, sc.Model)) {
			own = append(own, f.Check)
		}
	}
	slices.Sort(own)
	return slices.Compact(own)
}

func play(t *testing.T, m mutant.Mutant, layers ...func(world.World) world.World) []string {
	t.Helper()
	sc := story(t, m)
	res, err := run.Story(sc, run.Options{Model: m.Model, Seed: 1, Layers: layers})
	require.NoError(t, err)
	var broken []string
	for _, c := range res.Checks {
		if c.Verdict == invariant.Broken {
			broken = append(broken, c.Check)
			for _, f := range c.Findings {
				t.Logf("%s: %s | %s", c.Check, f.Fact, f.Other)
				require.NotEmpty(t, f.Fact)
				require.NotEmpty(t, f.Other)
			}
		}
	}
	return broken
}

// TestEachPlantedFaultIsCaughtByName: the named check catches it, alone or with the checks listed as implied;
// the same story without the fault is silent, but for faults of its own that it expects, which are none of the named check.
func TestEachPlantedFaultIsCaughtByName(t *testing.T) {
	for _, m := range mutant.All() {
		t.Run(m.Name, func(t *testing.T) {
			own := ownFaults(t, m)
			require.NotContains(t, own, m.Check)
			require.Equal(t, own, play(t, m), "the story itself must hold, but for what it expects")
			want := slices.Concat(own, []string{m.Check}, m.Implied)
			slices.Sort(want)
			require.Equal(t, slices.Compact(want), play(t, m, m.Plant()))
		})
	}
}

// TestTheTableAndTheCatalogueAgree: every check names its mutants, every mutant its check.
func TestTheTableAndTheCatalogueAgree(t *testing.T) {
	caughtBy := map[string]string{}
	for _, m := range mutant.All() {
		caughtBy[m.Name] = m.Check
	}
	own := map[string]int{}
	for _, info := range invariant.Catalogue() {
		for _, name := range info.Mutants {
			require.Contains(t, caughtBy, name, "%s names a mutant that is not planted", info.ID)
			if caughtBy[name] == info.ID {
				own[info.ID]++
			}
		}
		require.Positive(t, own[info.ID], "%s has no mutant that it must catch", info.ID)
	}
	for _, m := range mutant.All() {
		require.Positive(t, own[m.Check], "%s must be caught by %s, which is not in the catalogue", m.Name, m.Check)
	}
}
