package harness_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"harnessbench/harness"
	"harnessbench/harness/world"
)

// unique is an answer that makes calls under ids of its own.
func (r *rig) unique() answer {
	n := len(r.requests)
	if n%3 == 0 {
		return says(thinking("t", "c2ln"), text(fmt.Sprintf("answer %d", n)))
	}
	return says(thinking("t", "c2ln"), use(fmt.Sprintf("a%d", n), "Read", `{"file_path":"/a"}`),
		use(fmt.Sprintf("b%d", n), "Bash", `{"command":"ls"}`), use(fmt.Sprintf("c%d", n), "Bash", `{"command":"make"}`))
}

// killStory is what the sweep cuts: two turns with tools, a rewind, another turn, a clear, one more.
func killStory(r *rig, w world.World, s *harness.Session) error {
	steps := []func() error{
		func() error { _, err := s.Prompt(w, "one"); return err },
		func() error { _, err := s.Prompt(w, "two"); return err },
		func() error { return s.Rewind(w, s.LastPrompt()) },
		func() error { _, err := s.Prompt(w, "three"); return err },
		func() error { return s.Clear(w) },
		func() error { _, err := s.Prompt(w, "four"); return err },
		func() error { return s.Close(w) },
	}
	for _, step := range steps {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

// TestKillAtEveryPortCall kills a process before and after each of its port calls. Whatever is left on
// the disk resumes, stands where the log says, and the next prompt goes out in a legal request; no call
// is run twice.
func TestKillAtEveryPortCall(t *testing.T) {
	for _, model := range []string{plain, bound} {
		t.Run(model, func(t *testing.T) {
			sides := []string{"before"}
			if model == bound {
				sides = append(sides, "after") // differs from before the next call only between fibers
			}
			for _, side := range sides {
				calls := 1
				for n := 1; n <= calls+stride; n += stride { // the last finds no call to hit
					calls = max(calls, killOnce(t, model, side, n))
				}
				require.Greater(t, calls, 100)
			}
		})
	}
}

// killOnce kills at the n-th port call and gives the number of calls up to there, or in all.
func killOnce(t *testing.T, model, side string, n int) (calls int) {
	r := newRig(t, model, answer{})
	r.answer, r.chunks = r.unique, 3
	r.cfg.Switches.InjectTime = true
	r.tool = func(world.ToolCall) (world.ToolResult, time.Duration) {
		return world.ToolResult{Output: "out"}, time.Second
	}
	h := &hook{}
	ended := 0
	h.before = func(i int, _, _ string) {
		if side == "before" && i == n {
			r.m.Kill()
		}
	}
	h.after = func(int, string, string) {
		if ended++; side == "after" && ended == n {
			r.m.Kill()
		}
	}
	out := r.m.Run(func(w world.World) {
		w = world.Hooked(w, h)
		s, err := harness.Start(w, r.cfg)
		require.NoError(t, err)
		require.NoError(t, killStory(r, w, s))
	})
	require.Empty(t, out.Panic)
	if !out.Killed {
		return h.n
	}
	r.process(func(w world.World) {
		s, err := harness.Resume(w, r.cfg, "")
		if len(r.sessions()) == 0 {
			require.Error(t, err)
			return
		}
		require.NoError(t, err, "%s call %d", side, n)
		require.Equal(t, r.lastLeaf(s.File()), s.Leaf(), "%s call %d", side, n)
		r.prompt(w, s, "after the crash")
		r.prompt(w, s, "and again")
		require.NoError(t, s.Close(w))
	})
	for _, q := range r.requests {
		legal(t, q.Body)
	}
	seen := map[string]bool{}
	for _, id := range r.ran {
		require.False(t, seen[id], "call %s ran twice", id)
		seen[id] = true
	}
	return h.n + 1
}

// lastLeaf is where the last line of a log says the session stands.
func (r *rig) lastLeaf(file string) string {
	lines := r.log(file)
	last := lines[len(lines)-1]
	if last["type"] == "last-prompt" {
		leaf, _ := last["leafUuid"].(string)
		return leaf
	}
	return last["uuid"].(string)
}
