package harness_test

import (
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"harnessbench/harness"
	"harnessbench/harness/world"
)

func reading(id string) string { return use(id, "Read", `{"file_path":"/w/app/CLAUDE.md"}`) }

// started notes when each call was started, counted from the session's start.
func started(r *rig) map[string]time.Duration {
	at := map[string]time.Duration{}
	begin := r.m.Now()
	r.tool = func(call world.ToolCall) (world.ToolResult, time.Duration) {
		at[call.ID] = r.m.Now().Sub(begin)
		return world.ToolResult{Output: "of " + call.ID}, time.Second
	}
	return at
}

// With stream.eagerTools calls that may run side by side start at the stop of their block, up to the first that may not;
// results stay in the order of the calls, and nothing runs twice (H-LOOP-43). Without it nothing runs before the end.
func TestCallsStartWhileTheAnswerStreams(t *testing.T) {
	for _, eager := range []bool{true, false} {
		r := newRig(t, plain, says(reading("a"), reading("b"), use("c", "Bash", `{"command":"make"}`), reading("d"), text("Words.")), says(text("Hi.")))
		r.cfg.Switches.EagerTools = eager
		at := started(r)
		out, _, _ := listened(r, "one")
		assert.Equal(t, "completed", out.Reason)
		assert.Len(t, r.ran, 4)
		end := 2300 * time.Millisecond // 23 events, 100 ms apart
		if eager {
			assert.Equal(t, 500*time.Millisecond, at["a"])
			assert.Equal(t, 900*time.Millisecond, at["b"])
		} else {
			assert.GreaterOrEqual(t, at["a"], end)
		}
		assert.GreaterOrEqual(t, at["c"], end, "a command that may change something waits")
		assert.Greater(t, at["d"], at["c"], "and so does what stands behind it")
		assert.Equal(t, "user: tool_result(a 1\tof a) tool_result(b 1\tof b) tool_result(c of c|[rerun: b1]) tool_result(d 1\tof d)*", r.shape(1)[2])
	}
}

// A stream that fails behind completed calls: with stream.eagerTools they are run and the turn goes on from their results;
// an answer of which a call was started is not tried again (H-LOOP-44; STREAM-2).
func TestBrokenAnswersRunTheirCallsEagerly(t *testing.T) {
	r := newRig(t, plain, cut(1+4+4, errors.New("reset"), "", reading("a"), use("b", "Bash", `{"command":"make"}`), text("A.")), says(text("Hi.")))
	r.cfg.Switches.EagerTools = true
	out, heard, entries := listened(r, "one")
	assert.Equal(t, harness.Outcome{Reason: "completed", Text: "Hi."}, out)
	assert.Equal(t, []string{"a", "b"}, r.ran)
	assert.Empty(t, heard.retries)
	assert.Equal(t, "user: tool_result(a 1\tout) tool_result(b out|[rerun: b1])*", r.shape(1)[2])
	for _, e := range ofType(entries, "assistant", "")[:2] {
		assert.Nil(t, e["message"].(map[string]any)["stop_reason"])
	}
}

// An interrupt while the answer streams stops what was started; what had ended keeps its result (H-LOOP-22, H-LOOP-43).
func TestAnInterruptStopsWhatWasStartedEarly(t *testing.T) {
	r := newRig(t, plain, says(reading("a"), reading("b"), text("Words.")), says(text("Hi.")))
	r.cfg.Switches.EagerTools = true
	r.tool = func(call world.ToolCall) (world.ToolResult, time.Duration) {
		return world.ToolResult{Output: "of " + call.ID}, map[string]time.Duration{"a": 50 * time.Millisecond, "b": time.Hour}[call.ID]
	}
	out := interruptAt(t, r, world.OpRead, 1+4+4+2)
	assert.Equal(t, "interrupted", out.Reason)
	assert.Equal(t, "user: tool_result(a 1\tof a) tool_result(b The user doesn't want to) text([Request interrupted by ) text(two)*", r.shape(1)[2])
}

// Two calls of one id are a failed answer also when the first was started: it is stopped and nothing of it is kept.
func TestACallStartedEarlyOfAnAnswerThatCannotBeKept(t *testing.T) {
	r := newRig(t, plain, says(reading("a"), reading("a")), says(text("Hi.")))
	r.cfg.Switches.EagerTools = true
	out, _, _ := listened(r, "one")
	assert.Equal(t, "stream_error", out.Reason)
	require.Len(t, r.requests, 1)
	assert.LessOrEqual(t, len(r.ran), 1)
}
