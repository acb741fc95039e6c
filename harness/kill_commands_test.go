package harness_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"harnessbench/harness"
	"harnessbench/harness/world"
)

// commandStory goes through every command of a session.
func commandStory(r *rig, w world.World, s *harness.Session) error {
	say := func(text string) func() error {
		return func() error { _, err := s.Prompt(w, text); return err }
	}
	to := func(back int, action string) func() error {
		return func() error {
			points := s.Prompts()
			_, err := s.RewindTo(w, points[len(points)-back].UUID, action)
			return err
		}
	}
	for i, step := range []func() error{
		say("one"), func() error { return s.SetTitle(w, "Plums") }, say("two"), to(1, harness.RestoreBoth), say("three"),
		func() error { return s.Compact(w, "mind the plums") }, say("four"), say("five"), to(1, harness.SummarizeUpTo), say("six"),
		to(1, harness.SummarizeFrom), func() error { _, err := s.Btw(w, "is it?"); return err },
		func() error { return s.KeepBtw(w) }, func() error { return s.SetMode(w, harness.ModeAcceptEdits) },
		func() error { return s.SetModel(w, systems, "low") }, func() error { return s.Fork(w, "") }, say("seven"),
		to(1, harness.RestoreCode), to(2, harness.RestoreConversation), say("eight"),
		func() error { return s.ClearAs(w, "Pears") }, say("nine"), func() error { return s.Close(w) },
	} {
		if err := step(); err != nil {
			return fmt.Errorf("step %d: %w", i+1, err)
		}
	}
	return nil
}

// commandAnswer plays the model of the command story: a file written and a command run in each turn.
func (r *rig) commandAnswer() answer {
	n := len(r.requests)
	switch r.requests[n-1].Chain {
	case "compact":
		return summary(fmt.Sprintf("summary %d", n))
	case "btw":
		return says(text("It is."))
	}
	if n%2 == 0 {
		return says(thinking("t", "c2ln"), text(fmt.Sprintf("answer %d", n)))
	}
	file := fmt.Sprintf("%s/f%d", cwd, n)
	return says(thinking("t", "c2ln"), use(fmt.Sprintf("w%d", n), "Write", fmt.Sprintf(`{"file_path":%q,"content":"v%d"}`, file, n)),
		use(fmt.Sprintf("b%d", n), "Bash", `{"command":"make"}`))
}

// A process that is killed before or after any port call of any command leaves sessions behind that all come back: each
// resumes, answers a prompt with legal requests, compacts and forks, and runs no call twice (H-LOG-80, H-LOG-81,
// H-CMD-10, H-CMD-20, H-CMD-32, H-CMD-38, H-CMD-39, H-CMD-50, H-CMD-65).
func TestKillInEveryCommand(t *testing.T) {
	for model, side := range map[string]string{plain: "after", bound: "before"} { // any order: subtests
		t.Run(model+" "+side, func(t *testing.T) {
			step := stride
			if testing.Short() {
				step *= 3
			}
			n := 1
			for killCommand(t, model, side, n) {
				n += step
			}
			require.Greater(t, n, 250)
		})
	}
}

// killCommand kills the story at the n-th port call; killed is false when it has fewer.
func killCommand(t *testing.T, model, side string, n int) (killed bool) {
	r := newRig(t, model, answer{})
	r.answer, r.chunks = r.commandAnswer, 2
	r.cfg.Switches.InjectTime = true
	r.tool = func(call world.ToolCall) (world.ToolResult, time.Duration) {
		return world.ToolResult{Output: "out", Own: call.Name == "Write"}, time.Second
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
	where := fmt.Sprintf("%s call %d", side, n)
	out := r.m.Run(func(w world.World) {
		w = world.Hooked(w, h)
		s, err := harness.Start(w, r.cfg)
		require.NoError(t, err)
		require.NoError(t, commandStory(r, w, s))
	})
	require.Empty(t, out.Panic, where)
	if !out.Killed {
		return false
	}
	before := map[string]string{}
	for _, id := range r.sessions() {
		before[id] = r.read(configDir + "/projects/-w-app/" + id + ".jsonl")
	}
	for i, id := range r.sessions() {
		r.process(func(w world.World) {
			s, err := harness.Resume(w, r.cfg, id)
			require.NoError(t, err, where)
			assert.Equal(t, before[id], r.read(s.File()), where)
			r.prompt(w, s, "after the crash")
			if i == n%len(before) {
				r.prompt(w, s, "and again")
				require.NoError(t, s.Compact(w, ""), where)
				require.NoError(t, s.Fork(w, ""), where)
			}
			require.NoError(t, s.Close(w), where)
		})
	}
	for _, q := range r.requests {
		legal(t, q.Body)
	}
	seen := map[string]bool{}
	for _, id := range r.ran {
		require.False(t, seen[id], "%s: call %s ran twice", where, id)
		seen[id] = true
	}
	return true
}
