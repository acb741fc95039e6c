package run_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"harnessbench/conformance/run"
	"harnessbench/harness/world"
	"harnessbench/scenarios"
)

// again makes so many calls for each that the harness makes, and gives it the answer of the last.
type again struct {
	world.World
	times int
}

func (x again) Go(key string, f func(world.World)) world.Task {
	return x.World.Go(key, func(w world.World) { f(again{w, x.times}) })
}

func (x again) Call(req world.Request) (world.Response, error) {
	for range x.times - 1 {
		resp, err := x.World.Call(req)
		if err != nil {
			return resp, err
		}
		resp.Body.Close()
	}
	return x.World.Call(req)
}

// TestARunThatDoesNotEndIsEnded: a story of two prompts with an answer each, the recovery and the summary that each
// script has besides, has 4 answers, so it may take 90 calls and no more.
func TestARunThatDoesNotEndIsEnded(t *testing.T) {
	const file = "story: two questions\nmodel: claude-sonnet-5-5\nsteps:\n  - prompt: one\n    model: [{text: A}]\n  - prompt: two\n    model: [{text: B}]\n"
	sc, err := scenarios.Load(fstest.MapFS{"x.yaml": {Data: []byte(file)}}, "x.yaml")
	require.NoError(t, err)
	for _, c := range []struct {
		times, calls int
		faults       []string
	}{
		{1, 2, nil},
		{45, 90, nil},
		{46, 90, []string{"step 2: the run does not end: the story has 4 answers, and after 90 calls the harness makes another"}},
		{1 << 30, 90, []string{"step 1: the run does not end: the story has 4 answers, and after 90 calls the harness makes another"}},
	} {
		t.Run(fmt.Sprintf("%d calls for each", c.times), func(t *testing.T) {
			res, err := run.Story(sc, run.Options{Seed: 1, Layers: []func(world.World) world.World{
				func(w world.World) world.World { return again{w, c.times} },
			}})
			require.NoError(t, err)
			require.Equal(t, c.faults, res.Faults)
			require.Len(t, res.Calls, c.calls)
			require.Equal(t, len(c.faults) > 0, len(res.Faults) > 0 && res.Broken(false))
		})
	}
}

// TestALoopEndsWhateverALayerLeavesOut: a turn of forty rounds is answered to its end, each answer once, also where rounds
// of its middle or its head are no longer sent (H-CMP-17, H-CMP-32).
func TestALoopEndsWhateverALayerLeavesOut(t *testing.T) {
	var rounds strings.Builder
	for i := range 40 {
		fmt.Fprintf(&rounds, "      - {text: round %d, tool_use: [{name: Bash, input: {command: make %d}}]}\n", i+1, i+1)
	}
	for _, c := range []struct{ model, set string }{
		{"claude-haiku-4-5", "micro.mode: off"},
		{"claude-haiku-4-5", "snip: on"},
		{"claude-sonnet-4-6", "snip: on"},
		{"claude-sonnet-5-5", "snip: on"},
		{"claude-haiku-4-5", "collapse: on"},
	} {
		t.Run(c.model+", "+c.set, func(t *testing.T) {
			file := "story: a long loop\nmodel: " + c.model + "\nset: {" + c.set + "}\nsteps:\n  - prompt: build\n    model:\n" +
				rounds.String() + "      - {text: Finished.}\n    tools: {Bash: {output: ok}}\n  - prompt: thanks\n    model: [{text: Welcome.}]\n"
			sc, err := scenarios.Load(fstest.MapFS{"x.yaml": {Data: []byte(file)}}, "x.yaml")
			require.NoError(t, err)
			res, err := run.Story(sc, run.Options{Seed: 1})
			require.NoError(t, err)
			require.Empty(t, res.Faults)
			require.Len(t, res.Calls, 42)
			require.Contains(t, string(res.Calls[41].Body), "Finished.")
		})
	}
}

// TestALoopEndsBehindSummaries: the same where the context fills inside the turn and the story says nothing of what its
// summaries or the rounds behind them say (H-CMP-78).
func TestALoopEndsBehindSummaries(t *testing.T) {
	for _, set := range []string{"micro.mode: off", "snip: on", "micro.mode: position", `compact.keepRecent: "20"`} {
		t.Run(set, func(t *testing.T) {
			file := "story: a loop of large results\nmodel: claude-sonnet-5-5\nstart: {window: 100000}\nset: {" + set + "}\nsteps:\n  - prompt: build\n    model:\n"
			for i := range 30 {
				file += fmt.Sprintf("      - {text: round %d, tool_use: [{name: Bash, input: {command: make %d}}]}\n", i+1, i+1)
			}
			file += "      - {text: Finished.}\n    tools: {Bash: {output: ok, fill: {tokens: 5000}}}\n  - prompt: thanks\n    model: [{text: Welcome.}]\n"
			sc, err := scenarios.Load(fstest.MapFS{"x.yaml": {Data: []byte(file)}}, "x.yaml")
			require.NoError(t, err)
			res, err := run.Story(sc, run.Options{Seed: 1})
			require.NoError(t, err)
			require.Empty(t, res.Faults)
			main := 0
			for _, c := range res.Calls {
				if !strings.Contains(string(c.Body), "<analysis>") {
					main++
				}
			}
			require.Equal(t, 32, main)
		})
	}
}
