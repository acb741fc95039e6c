package sim

import (
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"harnessbench/conformance/invariant"
	"harnessbench/conformance/run"
	"harnessbench/harness/world"
	"harnessbench/scenarios"
)

// shipped are the stories of right behaviour: those that declare a harness at fault (Scenario.Faulty) have findings anyway.
func shipped(t testing.TB) []*scenarios.Scenario {
	t.Helper()
	all, err := scenarios.LoadAll(os.DirFS(filepath.Join("..", "..", "scenarios")), ".")
	require.NoError(t, err)
	return slices.DeleteFunc(all, (*scenarios.Scenario).Faulty)
}

// distinct leaves out what lies inside a long answer: its reads are all alike, but for some at both ends.
func distinct(points []Point) (out []Point) {
	const ends = 12
	reads := func(p Point) bool { return strings.HasSuffix(p.Name, " "+world.OpRead) }
	for i := 0; i < len(points); {
		j := i + 1
		for j < len(points) && reads(points[i]) && reads(points[j]) {
			j++
		}
		if j-i > 2*ends {
			out = append(append(out, points[i:i+ends]...), points[j-ends:j]...)
		} else {
			out = append(out, points[i:j]...)
		}
		i = j
	}
	return out
}

// sweep kills a story at every nth moment of its run, from one on; each time the session is resumed, a plain prompt
// typed, and everything must hold.
func sweep(t *testing.T, sc *scenarios.Scenario, opt run.Options, from, nth int) {
	t.Helper()
	points, err := Points(sc, opt)
	require.NoError(t, err)
	require.NotEmpty(t, points)
	points = distinct(points)
	for i := from % min(nth, len(points)); i < len(points); i += nth {
		p := points[i]
		res, err := Kill(sc, opt, p)
		require.NoError(t, err)
		require.True(t, res.Killed, "a kill that never came proves nothing: %s", p)
		require.Empty(t, res.Faults, p.String())
		for _, c := range res.Checks {
			for _, f := range c.Findings {
				require.NotEqual(t, invariant.H, f.Level, "%s after a kill at %s: %s\n%s", c.Check, p, f.Fact, f.Other)
			}
		}
	}
}

// thinned is how many moments of a story are passed over for one that is swept on a model that is not its own.
const thinned = 8

// TestAKillAtEveryPortCallLosesNothing sweeps the stories: at every moment on their own model, at every few on the
// others of the matrix, which -short leaves out. Without the tag sweep it takes one moment of several, another one in
// each story.
func TestAKillAtEveryPortCallLosesNothing(t *testing.T) {
	for i, sc := range shipped(t) {
		if sc.Name == "prompt_too_long" {
			continue // a prompt that cannot fit stays typed after a kill; only taking it back helps, as the story shows
		}
		models := map[string]int{sc.Model: stride}
		for _, model := range Matrix {
			if model != sc.Model && !testing.Short() {
				models[model] = thinned * stride
			}
		}
		for _, model := range slices.Sorted(maps.Keys(models)) {
			t.Run(sc.Name+"/"+model, func(t *testing.T) {
				t.Parallel()
				sweep(t, sc, run.Options{Model: model, Seed: 1}, i, models[model])
			})
		}
	}
}

// TestAKillAtEveryPortCallOfDrawnStories sweeps drawn stories as well.
func TestAKillAtEveryPortCallOfDrawnStories(t *testing.T) {
	for i, model := range Matrix {
		stories := rapid.Custom(func(t *rapid.T) *plan {
			p := newPlan(model)
			p.grow(t)
			return p
		})
		t.Run(model, func(t *testing.T) {
			t.Parallel()
			sweep(t, stories.Example(i).sc, run.Options{Model: model, Seed: uint64(i)}, i, stride)
		})
	}
}

// TestAToolRunTwiceIsSeen plants what only a sweep can see: a tool that is started twice for one call.
func TestAToolRunTwiceIsSeen(t *testing.T) {
	for _, sc := range shipped(t) {
		if sc.Name != "parallel_tools" {
			continue
		}
		opt := run.Options{Seed: 1}
		points, err := Points(sc, opt)
		require.NoError(t, err)
		last := points[len(points)-1]
		res, err := Kill(sc, opt, last)
		require.NoError(t, err)
		require.Empty(t, res.Faults)
		opt.Layers = []func(world.World) world.World{func(w world.World) world.World { return twice{w} }}
		res, err = Kill(sc, opt, last)
		require.NoError(t, err)
		require.Len(t, res.Faults, 3)
		require.Contains(t, res.Faults[0], "was started 2 times")
	}
}

// TestASessionThatDoesNotComeBackIsSeen plants a disk whose directories cannot be listed after the kill: the session
// that was begun is lost, and a fresh one in its place must not hide it.
func TestASessionThatDoesNotComeBackIsSeen(t *testing.T) {
	for _, sc := range shipped(t) {
		if sc.Name != "rewind" {
			continue
		}
		opt := run.Options{Seed: 1}
		points, err := Points(sc, opt)
		require.NoError(t, err)
		processes := 0
		opt.Layers = []func(world.World) world.World{func(w world.World) world.World {
			if processes++; processes == 1 {
				return w
			}
			return blind{w}
		}}
		res, err := Kill(sc, opt, points[len(points)-1])
		require.NoError(t, err)
		require.NotEmpty(t, res.Faults)
		require.Contains(t, res.Faults[0], "resume after kill")
	}
}

// blind cannot list directories.
type blind struct{ world.World }

func (blind) ReadDir(string) ([]string, error) { return nil, fs.ErrPermission }

// twice runs every tool again.
type twice struct{ world.World }

func (t twice) Go(key string, f func(world.World)) world.Task {
	return t.World.Go(key, func(w world.World) { f(twice{w}) })
}

func (t twice) RunTool(c world.ToolCall) (world.ToolResult, error) {
	if r, err := t.World.RunTool(c); err != nil {
		return r, err
	}
	return t.World.RunTool(c)
}
