package harness_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"harnessbench/harness"
	"harnessbench/harness/world"
)

// A call that cannot be told from another, or that no request may hold, ends the turn as a failed stream: nothing of
// the answer is kept, nothing runs, the next prompt works.
func TestCallsThatCouldNotBeSentBackEndTheTurn(t *testing.T) {
	const read, change = `{"command":"cat a"}`, `{"command":"make"}`
	first := says(thinking("t", "c2ln"), use("a", "Bash", read))
	for name, c := range map[string]struct {
		answer answer
		err    string
	}{
		"twice in one batch":        {says(text("On it."), use("d", "Bash", read), use("d", "Bash", read)), `the answer has two tool calls with the id "d"`},
		"twice, one after another":  {says(use("d", "Bash", change), use("d", "Bash", change)), `the answer has two tool calls with the id "d"`},
		"one of before, thought on": {says(use("a", "Read", `{"file_path":"/a"}`), thinking("t", "c2ln"), use("b", "Bash", read)), `the answer has a tool call with the id "a", which an earlier call of this session has`},
		"no id":                     {says(use("", "Bash", read)), `the answer has a tool call with the id "", which is none: ^[a-zA-Z0-9_-]+$ is wanted`},
		"an id that is none":        {says(use("a b", "Bash", read)), `the answer has a tool call with the id "a b", which is none: ^[a-zA-Z0-9_-]+$ is wanted`},
		"an input that is a list":   {says(use("d", "Bash", `["make"]`)), `the input of tool call d is an array, not an object`},
		"an input that is a string": {says(use("d", "Bash", `"make"`)), `the input of tool call d is a string, not an object`},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, bound, first, c.answer, says(use("e", "Bash", read)), says(text("Done.")))
			r.session(func(w world.World, s *harness.Session) {
				out := r.prompt(w, s, "one")
				assert.Equal(t, "stream_error", out.Reason)
				assert.EqualError(t, out.Err, c.err)
				assert.Equal(t, []string{"a"}, r.ran)
				assert.Equal(t, "completed", r.prompt(w, s, "two").Reason)
			})
			assert.Equal(t, []string{"a", "e"}, r.ran)
			assert.Equal(t, []string{
				"user: text(The project keeps instru) text(one)", "assistant: thinking tool_use(a)", "user: tool_result(a out|[rerun: b1]) text(two)*",
			}, r.shape(2))
		})
	}
}

// A gateway that numbers the calls of each round anew: each call runs, has an id of its own in log and requests, and its
// own result (bug p-ids-reused-each-round).
func TestIDsThatComeAgainAreMadeDifferent(t *testing.T) {
	for _, model := range []string{plain, bound} {
		r := newRig(t, model, says(thinking("t", "c2ln"), use("x0", "Read", `{"file_path":"/a"}`), use("x1", "Read", `{"file_path":"/b"}`)),
			says(use("x0", "Read", `{"file_path":"/c"}`), use("x0_2", "Read", `{"file_path":"/d"}`)),
			says(thinking("u", "c2ln"), use("x0", "Bash", `{"command":"make"}`)), says(text("Done.")))
		r.tool = func(call world.ToolCall) (world.ToolResult, time.Duration) {
			return world.ToolResult{Output: "of " + call.ID + "\n"}, time.Second
		}
		r.session(func(w world.World, s *harness.Session) { assert.Equal(t, "completed", r.prompt(w, s, "one").Reason) })
		r.resumed(func(w world.World, s *harness.Session) { r.prompt(w, s, "two") })
		assert.Equal(t, []string{"x0", "x1", "x0_3", "x0_2", "x0_4"}, r.ran)
		assert.Equal(t, []string{
			"user: text(The project keeps instru) text(one)",
			"assistant: thinking tool_use(x0) tool_use(x1)", "user: tool_result(x0 1\tof x0) tool_result(x1 1\tof x1)",
			"assistant: tool_use(x0_3) tool_use(x0_2)", "user: tool_result(x0_3 1\tof x0_3) tool_result(x0_2 1\tof x0_2)",
			"assistant: thinking tool_use(x0_4)", "user: tool_result(x0_4 of x0_4|[rerun: b1])",
			"assistant: text(Done.)", "user: text(two)",
		}, unmarked(r.shape(4)))
		legal(t, r.requests[4].Body)
	}
}

// The id of a call on a branch that was left is still taken, also after a resume; a cleared session begins anew.
func TestAnIDIsTakenAsLongAsItsSessionLasts(t *testing.T) {
	call, done := says(use("a", "Bash", `{"command":"make"}`)), says(text("Done."))
	r := newRig(t, bound, call, done, call, done, call, done, call, done)
	r.session(func(w world.World, s *harness.Session) {
		r.prompt(w, s, "one")
		assert.NoError(t, s.Rewind(w, s.LastPrompt()))
		r.prompt(w, s, "two")
	})
	r.resumed(func(w world.World, s *harness.Session) {
		r.prompt(w, s, "three")
		assert.NoError(t, s.Clear(w))
		r.prompt(w, s, "four")
	})
	assert.Equal(t, []string{"a", "a_2", "a_3", "a"}, r.ran)
}

func TestAnInterruptLeavesNothingOfAnAnswerWithEqualIDs(t *testing.T) {
	r := newRig(t, bound, says(use("d", "Bash", `{}`), use("d", "Bash", `{}`), text("more")), says(text("Done.")))
	r.process(func(w world.World) {
		var s *harness.Session
		reads := 0
		w = world.Hooked(w, &hook{before: func(_ int, op, _ string) {
			if op == world.OpRead {
				if reads++; reads == 11 { // both calls are complete, the text is under way
					s.Interrupt()
				}
			}
		}})
		var err error
		s, err = harness.Start(w, r.cfg)
		assert.NoError(t, err)
		assert.Equal(t, harness.Outcome{Reason: "interrupted"}, r.prompt(w, s, "one"))
		r.prompt(w, s, "two")
	})
	assert.Equal(t, []string{"user: text(The project keeps instru) text(one) text([Request interrupted by ) text(two)*"}, r.shape(1))
	assert.Empty(t, r.ran)
}
