package real_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"harnessbench/conformance/sim"
	"harnessbench/conformance/trace"
)

// model is a bound one: its logs hold thinking, and a file of frozen parts lies beside them.
const model = "claude-sonnet-5-5"

// TestASessionOfFortyEntries is the session that the other tests break: it is long enough, holds, and a process that
// resumes it has all of it.
func TestASessionOfFortyEntries(t *testing.T) {
	b := newBed(t)
	require.False(t, b.whole(job{Model: model, Seed: 1}, story()...))
	require.False(t, b.whole(job{Model: model, Seed: 2, Resume: true}, still))
	file, data := b.log()
	require.GreaterOrEqual(t, bytes.Count(data, []byte(`"parentUuid":`)), 40)
	require.Equal(t, string(b.logged[file]), string(data))
	require.Len(t, b.runs, rounds+2)
	require.Empty(t, b.broken())
	require.Empty(t, b.twice())
	for _, c := range b.judge.Results() {
		switch c.Check {
		case "LOG-3", "LOG-5", "LOG-6", "LOG-12", "PAIR-1", "PAIR-2", "PAIR-3", "THINK-2", "THINK-6":
			require.Positive(t, c.Occasions, "%s has no occasion: %s", c.Check, c.Note)
		}
	}
}

// TestSIGKILLAtEveryWrite has a process kill itself with SIGKILL right before and right after each of its writes. A fresh
// process resumes the session and answers the next prompt; no acknowledged line is lost, no pair is broken, no tool runs
// twice (H-LOG-80, H-LOG-81, REC-1). Both sides of each write, and every model of the matrix, take the tag sweep.
func TestSIGKILLAtEveryWrite(t *testing.T) {
	models := []string{model}
	if thorough {
		models = sim.Matrix
	}
	step := 1
	if testing.Short() {
		step = 7
	}
	for _, id := range models {
		b := newBed(t)
		require.False(t, b.whole(job{Model: id, Seed: 1}, story()...))
		require.Greater(t, b.writes, 40)
		for n := 1; n <= b.writes; n += step {
			for _, after := range []bool{false, true} {
				if !thorough && after != (n%2 == 0) {
					continue
				}
				t.Run(fmt.Sprintf("%s/write %d/after %v", id, n, after), func(t *testing.T) {
					t.Parallel()
					killed(t, job{Model: id, Seed: 1, KillAt: n, KillAfter: after})
				})
			}
		}
	}
}

func killed(t *testing.T, j job) {
	b := newBed(t)
	require.True(t, b.whole(j, story()...), "a kill that never came proves nothing")
	b.take(trace.Event{Kind: trace.KindOp, Op: &trace.Op{Name: "kill"}}, nil)
	begun := len(b.logged) > 0
	if begun {
		file, data := b.log()
		require.Equal(t, string(b.logged[file]), string(data), "what was acknowledged is on the disk, and nothing else is")
	}
	before := len(b.bodies)
	require.False(t, b.whole(job{Model: j.Model, Seed: 2, Resume: begun}, still))
	file, data := b.log()
	require.Equal(t, string(b.logged[file]), string(data))
	require.Equal(t, before+1, len(b.bodies), "a plain prompt is one call")
	require.Contains(t, string(data), "I am here.")
	require.Empty(t, unpaired(t, data, b.leaf.Leaf))
	require.Empty(t, b.broken())
	require.Empty(t, b.twice())
}

// TestTheSweepSeesItsFaults plants what the sweep looks for: a command that has run again, by its id and by what it left
// in the project, and an invariant that broke.
func TestTheSweepSeesItsFaults(t *testing.T) {
	b := newBed(t)
	require.False(t, b.whole(job{Model: model, Seed: 1}, "round 1"))
	require.Empty(t, b.twice())
	require.Empty(t, b.broken())
	runs := filepath.Join(b.project, "runs")
	ran, err := os.ReadFile(runs)
	require.NoError(t, err)
	require.Equal(t, "round1\n", string(ran))
	require.NoError(t, os.WriteFile(runs, append(ran, ran...), 0o600))
	require.Contains(t, b.twice(), "the command of round1\n ran twice")
	require.NoError(t, os.WriteFile(runs, ran, 0o600))
	for id := range b.runs {
		b.take(trace.Event{Kind: trace.KindTool, Tool: &trace.Tool{Phase: "start", ID: id, Name: "Bash"}}, nil)
		require.Contains(t, b.twice(), id+" was started 2 times")
	}

	file, data := b.log()
	b.take(trace.Event{Kind: trace.KindLog, Log: &trace.Log{File: file, Data: data, Offset: 3}}, nil)
	require.Contains(t, b.broken(), "LOG-12")
}
