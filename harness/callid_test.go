package harness_test

import (
	"testing"

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
		"one of the answer before":  {says(use("b", "Bash", read), use("a", "Read", `{"file_path":"/a"}`)), `the answer has a tool call with the id "a", which an earlier call of this session has`},
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

// The id of a call on a branch that was left is still taken, also after a resume; a cleared session begins anew.
func TestAnIDIsTakenAsLongAsItsSessionLasts(t *testing.T) {
	call := use("a", "Bash", `{"command":"make"}`)
	r := newRig(t, bound, says(call), says(text("Done.")), says(call), says(call), says(call), says(text("Done.")))
	r.session(func(w world.World, s *harness.Session) {
		r.prompt(w, s, "one")
		assert.NoError(t, s.Rewind(w, s.LastPrompt()))
		assert.Equal(t, "stream_error", r.prompt(w, s, "two").Reason)
	})
	r.resumed(func(w world.World, s *harness.Session) {
		assert.Equal(t, "stream_error", r.prompt(w, s, "three").Reason)
		assert.NoError(t, s.Clear(w))
		assert.Equal(t, "completed", r.prompt(w, s, "four").Reason)
	})
	assert.Equal(t, []string{"a", "a"}, r.ran)
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
