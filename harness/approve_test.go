package harness_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"harnessbench/harness"
	"harnessbench/harness/world"
	"harnessbench/harness/world/sim"
)

// user answers when asked; by call id, yes without a word for others.
type user struct {
	answers map[string]world.Approval
	asked   []string
	takes   time.Duration
}

func (u *user) Approve(_ time.Time, call world.ToolCall) (world.Approval, time.Duration) {
	u.asked = append(u.asked, call.ID)
	if a, ok := u.answers[call.ID]; ok {
		return a, u.takes
	}
	return world.Approval{Allow: true}, u.takes
}

// asking is a rig whose user is asked.
func asking(t *testing.T, u *user, script ...answer) *rig {
	r := newRig(t, bound, script...)
	r.m = sim.New(sim.Config{Seed: 7, Start: time.Date(2026, 11, 30, 9, 0, 0, 0, time.UTC), Server: r, Tools: r, Disk: r.disk, Approver: u, MaxEvents: 100_000})
	return r
}

const (
	making  = `{"command":"make"}`
	writing = `{"file_path":"/w/app/new","content":"x"}`
)

// Each mode asks, allows or refuses by what a call does; what only reads is never asked about, and a call that failed its
// checks neither (H-LOOP-10, H-EXT-40, H-LOOP-24).
func TestModesSayWhichCallsAreAskedAbout(t *testing.T) {
	script := says(use("read", "Read", `{"file_path":"/w/app/CLAUDE.md"}`), use("look", "Bash", `{"command":"git status"}`), use("make", "Bash", making),
		use("write", "Write", writing), use("out", "Write", `{"file_path":"/elsewhere","content":"x"}`),
		use("plan", "Write", `{"file_path":"/home/u/.claude/plans/p.md","content":"x"}`), use("fetch", "WebFetch", `{"url":"https://example.com","prompt":"x"}`),
		use("task", "TaskList", `{}`), use("bad", "Bash", `{"command":3}`), use("none", "Nope", `{}`))
	for mode, want := range map[string]struct{ asked, refused []string }{
		"default":           {[]string{"make", "write", "out", "plan", "fetch"}, nil},
		"acceptEdits":       {[]string{"make", "out", "plan", "fetch"}, nil},
		"plan":              {[]string{"fetch"}, []string{"make", "write", "out"}},
		"auto":              {[]string{"make", "write", "out", "plan", "fetch"}, nil},
		"dontAsk":           {nil, []string{"make", "write", "out", "plan", "fetch"}},
		"bypassPermissions": {nil, nil},
	} {
		t.Run(mode, func(t *testing.T) {
			u := &user{}
			r := asking(t, u, script, says(text("Done.")))
			heard := &ear{}
			r.session(func(w world.World, s *harness.Session) {
				s.Listen(heard)
				require.NoError(t, s.SetMode(w, mode))
				assert.Equal(t, "completed", r.prompt(w, s, "one").Reason)
			})
			assert.Equal(t, want.asked, u.asked)
			var denied []string
			for _, d := range heard.ended[0].Denied {
				denied = append(denied, d.ID)
				assert.NotEmpty(t, d.Tool)
				assert.NotEmpty(t, d.Input)
			}
			assert.Equal(t, want.refused, denied)
			ran := map[string]bool{}
			for _, id := range r.ran {
				ran[id] = true
			}
			for _, id := range []string{"read", "look", "make", "write", "out", "plan", "fetch", "task"} {
				refused := false
				for _, d := range denied {
					refused = refused || d == id
				}
				assert.Equal(t, !refused, ran[id], id)
			}
			assert.False(t, ran["bad"] || ran["none"])
			require.Len(t, r.requests, 2, "a refusal by rule does not end the turn")
			assert.NotContains(t, string(r.requests[1].Body), "[Request interrupted", "and leaves no marker")
		})
	}
}

// A No without a word ends the turn like an interrupt: what has no result yet is rejected, what has one keeps it
// (H-LOOP-20, H-LOOP-21; bugs p-interrupted-round-null-slots, p-parallel-interrupt-partial, p-cancel-leaves-call-open).
func TestANoEndsTheTurn(t *testing.T) {
	u := &user{answers: map[string]world.Approval{"b": {}}}
	r := asking(t, u, says(use("a", "Bash", `{"command":"make a"}`), use("b", "Bash", `{"command":"make b"}`), use("c", "Bash", `{"command":"make c"}`)), says(text("Hi.")))
	r.session(func(w world.World, s *harness.Session) {
		assert.Equal(t, harness.Outcome{Reason: "interrupted"}, r.prompt(w, s, "one"))
		r.prompt(w, s, "two")
	})
	assert.Equal(t, []string{"a", "b"}, u.asked)
	assert.Equal(t, []string{"a"}, r.ran)
	assert.Equal(t, "user: tool_result(a out|[rerun: b1]) tool_result(b The user doesn't want to) tool_result(c The user doesn't want to) "+
		"text([Request interrupted by ) text(two)*", r.shape(1)[2])
	assert.Contains(t, string(r.requests[1].Body), `"text":"[Request interrupted by user for tool use]"`)
}

// In a parallel batch too: the others are run to their end and keep their results (H-LOOP-20).
func TestANoInABatchLeavesTheOthersTheirResults(t *testing.T) {
	u := &user{answers: map[string]world.Approval{"b": {}}}
	fetch := func(id string) string { return use(id, "WebFetch", `{"url":"https://example.com","prompt":"x"}`) }
	r := asking(t, u, says(fetch("a"), fetch("b"), fetch("c")), says(text("Hi.")))
	r.session(func(w world.World, s *harness.Session) {
		assert.Equal(t, "interrupted", r.prompt(w, s, "one").Reason)
		r.prompt(w, s, "two")
	})
	assert.ElementsMatch(t, []string{"a", "c"}, r.ran)
	assert.Contains(t, r.shape(1)[2], "tool_result(b The user doesn't want to)")
	assert.NotContains(t, r.shape(1)[2], "tool_result(a The user")
	assert.NotContains(t, r.shape(1)[2], "tool_result(c The user")
}

// A No with feedback gives it as the call's result, and the turn goes on, the other calls too (H-LOOP-23).
func TestANoWithFeedbackGoesOn(t *testing.T) {
	u := &user{answers: map[string]world.Approval{"a": {Feedback: "use make check"}}}
	r := asking(t, u, says(use("a", "Bash", making), use("b", "Bash", `{"command":"make b"}`)), says(text("Hi.")))
	r.session(func(w world.World, s *harness.Session) {
		assert.Equal(t, "completed", r.prompt(w, s, "one").Reason)
	})
	assert.Equal(t, []string{"b"}, r.ran)
	require.Len(t, r.requests, 2)
	assert.Contains(t, string(r.requests[1].Body), `wait for the user to tell you how to proceed.\nuse make check","is_error":true`)
	assert.NotContains(t, string(r.requests[1].Body), "[Request interrupted")
}

// Esc at the prompt for approval is the same as No (H-LOOP-20).
func TestAnInterruptAtTheApprovalIsANo(t *testing.T) {
	u := &user{takes: time.Hour}
	r := asking(t, u, says(use("a", "Bash", making)), says(text("Hi.")))
	r.process(func(w world.World) {
		s, err := harness.Start(w, r.cfg)
		require.NoError(t, err)
		esc := w.Go("user", func(w world.World) {
			require.NoError(t, w.Sleep(time.Minute))
			s.Interrupt()
		})
		assert.Equal(t, "interrupted", r.prompt(w, s, "one").Reason)
		require.NoError(t, w.Wait(esc))
		u.takes = 0
		r.prompt(w, s, "two")
		require.NoError(t, s.Close(w))
	})
	assert.Empty(t, r.ran)
	assert.Equal(t, "user: tool_result(a The user doesn't want to) text([Request interrupted by ) text(two)*", r.shape(1)[2])
}

// Side by side run as many calls as the configuration says, ten if it says nothing (H-LOOP-11).
func TestCallsSideBySideAreLimited(t *testing.T) {
	var blocks []string
	for i := range 12 {
		blocks = append(blocks, use(string(rune('a'+i)), "Read", `{"file_path":"/w/app/CLAUDE.md"}`))
	}
	for set, want := range map[int]time.Duration{0: 2, 1: 12, 5: 3, 20: 1} {
		r := newRig(t, plain, says(blocks...), says(text("Hi.")))
		r.cfg.MaxToolConcurrency = set
		r.session(func(w world.World, s *harness.Session) {
			before := w.Now()
			r.prompt(w, s, "one")
			took := w.Now().Sub(before)
			assert.GreaterOrEqual(t, took, want*time.Second, set)
			assert.Less(t, took, want*time.Second+6*time.Second, "the answers take some of it")
		})
		assert.Len(t, r.ran, 12)
	}
}
