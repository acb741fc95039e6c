package harness_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"harnessbench/harness"
	"harnessbench/harness/world"
)

// interruptAt runs one prompt that is interrupted before the n-th call of op, then a second prompt.
func interruptAt(t *testing.T, r *rig, op string, n int) harness.Outcome {
	t.Helper()
	var out harness.Outcome
	r.process(func(plainWorld world.World) {
		var s *harness.Session
		w := world.Hooked(plainWorld, nth(op, n, func() { s.Interrupt() }))
		var err error
		s, err = harness.Start(w, r.cfg)
		require.NoError(t, err)
		out = r.prompt(w, s, "one")
		r.next = len(r.script) - 1
		assert.Equal(t, "completed", r.prompt(w, s, "two").Reason)
		require.NoError(t, s.Close(w))
	})
	return out
}

// An interrupt before the answer leaves its marker, which heads the next prompt (H-LOOP-21, H-LOOP-22; bug
// s-empty-aborted-turn-persisted).
func TestInterruptBeforeTheAnswer(t *testing.T) {
	r := newRig(t, bound, says(text("Never.")), says(text("Hi.")))
	out := interruptAt(t, r, world.OpCall, 1)
	assert.Equal(t, "interrupted", out.Reason)
	// Whether the first request still went out depends on who comes first in that instant.
	assert.Equal(t, []string{"user: text(The project keeps instru) text(one) text([Request interrupted by ) text(two)*"}, r.shape(len(r.requests)-1))
}

// Completed blocks are kept, the one that streams is not (H-LOOP-22).
func TestInterruptWhileTextStreamsKeepsCompletedBlocks(t *testing.T) {
	r := newRig(t, bound, says(thinking("hm", "c2ln"), text("First."), text("Second.")), says(text("Hi.")))
	// message_start, thinking (5 frames), First (4 frames), then the second text.
	out := interruptAt(t, r, world.OpRead, 1+5+4+2)
	assert.Equal(t, harness.Outcome{Reason: "interrupted", Text: "First."}, out)
	assert.Equal(t, []string{
		"user: text(The project keeps instru) text(one)",
		"assistant: thinking text(First.)",
		"user: text([Request interrupted by ) text(two)*",
	}, r.shape(1))
}

// Thinking that did not end leaves nothing (H-LOOP-22).
func TestInterruptWhileThinkingLeavesNoAssistantMessage(t *testing.T) {
	r := newRig(t, bound, says(thinking("hm", "c2ln"), text("First.")), says(text("Hi.")))
	interruptAt(t, r, world.OpRead, 1+5+1)
	assert.Equal(t, []string{"user: text(The project keeps instru) text(one) text([Request interrupted by ) text(two)*"}, r.shape(1))
}

// A completed call of an interrupted answer is not run but rejected (H-LOOP-20, H-LOOP-22).
func TestInterruptBehindACompletedCallRejectsIt(t *testing.T) {
	r := newRig(t, bound, says(use("a", "Bash", `{"command":"make"}`), text("And then.")), says(text("Hi.")))
	out := interruptAt(t, r, world.OpRead, 1+4+2)
	assert.Equal(t, "interrupted", out.Reason)
	assert.Empty(t, r.ran)
	assert.Equal(t, []string{
		"user: text(The project keeps instru) text(one)",
		"assistant: tool_use(a)",
		"user: tool_result(a The user doesn't want to) text([Request interrupted by ) text(two)*",
	}, r.shape(1))
	assert.Contains(t, string(r.requests[1].Body), `"text":"[Request interrupted by user for tool use]"`)
}

// An interrupt while tools run keeps the results there are and rejects the rest (H-LOOP-20, H-LOOP-21; bugs
// p-parallel-interrupt-partial, p-cancel-leaves-call-open).
func TestInterruptDuringToolsKeepsFinishedResults(t *testing.T) {
	r := newRig(t, plain, says(use("a", "Read", `{"file_path":"/a"}`), use("b", "Read", `{"file_path":"/b"}`),
		use("c", "Bash", `{"command":"make"}`)), says(text("Hi.")))
	var s *harness.Session
	r.process(func(w world.World) {
		r.tool = func(call world.ToolCall) (world.ToolResult, time.Duration) {
			return world.ToolResult{Output: "of " + call.ID}, map[string]time.Duration{"a": time.Hour, "b": time.Second}[call.ID]
		}
		var err error
		s, err = harness.Start(w, r.cfg)
		require.NoError(t, err)
		user := w.Go("user", func(w world.World) {
			require.NoError(t, w.Sleep(5*time.Minute))
			s.Interrupt()
			s.Interrupt() // twice is once
		})
		out := r.prompt(w, s, "one")
		assert.Equal(t, "interrupted", out.Reason)
		require.NoError(t, w.Wait(user))
		r.prompt(w, s, "two")
		require.NoError(t, s.Close(w))
	})
	assert.ElementsMatch(t, []string{"a", "b"}, r.ran)
	assert.Equal(t, "user: tool_result(a The user doesn't want to) tool_result(b 1\tof b) tool_result(c The user doesn't want to) "+
		"text([Request interrupted by ) text(two)*", r.shape(1)[2])
}

// Behind the last event an interrupt comes too late (H-LOOP-22).
func TestInterruptBehindTheLastEventComesTooLate(t *testing.T) {
	r := newRig(t, plain, says(text("First.")), says(text("Hi.")))
	out := interruptAt(t, r, world.OpRead, 1+4+2+1)
	assert.Equal(t, harness.Outcome{Reason: "completed", Text: "First."}, out)
}
