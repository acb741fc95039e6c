package real_test

import (
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"harnessbench/conformance/invariant"
	"harnessbench/conformance/run"
	"harnessbench/conformance/sim"
	"harnessbench/conformance/suite/real"
	"harnessbench/fakeapi"
	"harnessbench/fakeapi/httpfront"
	"harnessbench/scenarios"
)

// behind serves a story's model over HTTP and gives the engine that plays against it.
func behind(t *testing.T, sc *scenarios.Scenario) *real.Engine {
	t.Helper()
	return behindModel(t, sc, sc.Model)
}

// behindModel serves a story whose answers are as long as the run's model counts them.
func behindModel(t *testing.T, sc *scenarios.Scenario, id string) *real.Engine {
	t.Helper()
	its := *sc
	its.Model = id
	faults, err := run.Faults(sc)
	require.NoError(t, err)
	server := httptest.NewServer(httpfront.New(fakeapi.New(fakeapi.Options{Seed: 1, Script: run.Script(&its), Faults: faults}), httpfront.Options{Seed: 1}))
	t.Cleanup(server.Close)
	return &real.Engine{BaseURL: server.URL, Dir: t.TempDir()}
}

func stories(t *testing.T) []*scenarios.Scenario {
	t.Helper()
	all, err := scenarios.LoadAll(os.DirFS(filepath.Join("..", "..", "..", "scenarios")), ".")
	require.NoError(t, err)
	return all
}

// TestEveryStoryHoldsInTheRealWorld plays each story on goroutines, files and HTTP: the verdicts and the
// occasions are those of the simulated world. A short run, as under the race detector, takes each third.
func TestEveryStoryHoldsInTheRealWorld(t *testing.T) {
	for i, sc := range stories(t) {
		if idles(sc) || testing.Short() && i%3 != 0 {
			continue
		}
		models := sim.Matrix
		if !thorough { // each model meets a quarter of the stories
			models = models[i%len(models):][:1]
		}
		if sc.Name == "prompt_too_long" { // megabytes a call; one model shows it
			models = []string{"claude-haiku-4-5"}
		}
		for _, id := range models {
			t.Run(sc.Name+"/"+id, func(t *testing.T) {
				res, err := run.Story(sc, run.Options{Engine: behindModel(t, sc, id), Model: id, Seed: 1})
				require.NoError(t, err)
				require.Empty(t, res.Faults)
				want, err := run.Story(sc, run.Options{Model: id, Seed: 1})
				require.NoError(t, err)
				require.Equal(t, summary(want.Checks), summary(res.Checks))
			})
		}
	}
}

// idles tells a story whose server lets real minutes pass in the middle of an answer: only virtual time is for that.
func idles(sc *scenarios.Scenario) bool {
	for _, st := range sc.Steps {
		if st.Prompt == nil {
			continue
		}
		for _, f := range st.Prompt.Faults {
			for _, p := range f.With {
				if d, err := time.ParseDuration(p.Value); p.Name == "for" && err == nil && d > time.Second {
					return true
				}
			}
		}
	}
	return false
}

func summary(results []invariant.Result) (out []string) {
	for _, r := range results {
		out = append(out, strings.Join([]string{r.Check, string(r.Verdict), strings.Repeat("+", r.Occasions)}, " "))
	}
	return out
}

// TestAKillInTheRealWorldLosesNothing kills processes of the real world (goroutines, files, sockets) before and
// after every port call, the moments dealt out over the models of the matrix; nothing may be lost and no goroutine
// left.
func TestAKillInTheRealWorldLosesNothing(t *testing.T) {
	for _, sc := range stories(t) {
		if sc.Name != "parallel_tools" && sc.Name != "resume_after_exit" {
			continue
		}
		for first, id := range sim.Matrix {
			t.Run(sc.Name+"/"+id, func(t *testing.T) {
				before := goroutines()
				opt := run.Options{Engine: behind(t, sc), Model: id, Seed: 1}
				points, err := sim.Points(sc, opt)
				require.NoError(t, err)
				require.NotEmpty(t, points)
				for i := first; i < len(points); i += len(sim.Matrix) {
					res, err := sim.Kill(sc, opt, points[i])
					require.NoError(t, err)
					require.Empty(t, res.Faults, points[i].String())
					for _, c := range res.Checks {
						for _, f := range c.Findings {
							require.NotEqual(t, invariant.H, f.Level, "%s after a kill at %s: %s\n%s", c.Check, points[i], f.Fact, f.Other)
						}
					}
				}
				require.Eventually(t, func() bool { return goroutines() <= before }, 5*time.Second, 10*time.Millisecond, "goroutines of the harness are left")
			})
		}
	}
}

// goroutines counts those that run code of the harness.
func goroutines() int {
	buf := make([]byte, 1<<20)
	n := 0
	for _, g := range strings.Split(string(buf[:runtime.Stack(buf, true)]), "\n\n") {
		if strings.Contains(g, "harnessbench/harness") {
			n++
		}
	}
	return n
}
