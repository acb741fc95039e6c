package harness_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"harnessbench/harness"
	"harnessbench/harness/world"
)

// operations are the queue records of a log, in short.
func operations(entries []map[string]any) (out []string) {
	for _, e := range ofType(entries, "queue-operation", "") {
		line := e["operation"].(string)
		if text, ok := e["content"].(string); ok {
			line += " " + text
		}
		out = append(out, line)
	}
	return out
}

// sources are the typed prompts of a log with where they came from.
func sources(entries []map[string]any) (out []string) {
	for _, e := range ofType(entries, "user", "") {
		if source, ok := e["promptSource"].(string); ok {
			out = append(out, source+" "+e["message"].(map[string]any)["content"].(string))
		}
	}
	return out
}

// What is typed while tools run goes along with the next call, behind their results, and is logged so that a rebuild gives
// the same (H-LOOP-25, H-ARCH-10; bug p-steer-between-call-and-result, i-steer-into-old-result).
func TestTextTypedDuringToolsGoesWithTheNextCall(t *testing.T) {
	r := newRig(t, bound, says(use("a", "Bash", `{"command":"make"}`)), says(text("Done.")))
	var s *harness.Session
	r.tool = func(world.ToolCall) (world.ToolResult, time.Duration) {
		s.Queue("use plan B")
		s.Queue("  ")
		s.Queue("and be quick")
		return world.ToolResult{Output: "ok"}, time.Second
	}
	var file string
	r.process(func(w world.World) {
		var err error
		s, err = harness.Start(w, r.cfg)
		require.NoError(t, err)
		assert.Equal(t, "completed", r.prompt(w, s, "one").Reason)
		file = s.File()
		require.NoError(t, s.Close(w))
	})
	require.Len(t, r.requests, 2)
	assert.Equal(t, "user: tool_result(a ok|[rerun: b1]) text(use plan B) text(and be quick)*", r.shape(1)[2])
	entries := r.log(file)
	assert.Equal(t, []string{"enqueue use plan B", "enqueue and be quick", "dequeue", "dequeue"}, operations(entries))
	attached := ofType(entries, "attachment", "")
	require.Len(t, attached, 2)
	assert.Equal(t, map[string]any{"type": "queued_command", "prompt": "use plan B", "commandMode": "prompt"}, attached[0]["attachment"])
	r.resumed(func(w world.World, s *harness.Session) { r.prompt(w, s, "two") })
	assert.Equal(t, r.shape(1)[2], r.shape(2)[2]+"*", "the same after a resume")
}

// What is left when a turn ends begins a turn each, oldest first; a command waits for the end although tools run
// (H-LOOP-25).
func TestTextLeftAtTheEndBeginsTurns(t *testing.T) {
	r := newRig(t, bound, says(use("a", "Bash", `{"command":"make"}`)), says(text("Done.")), says(text("B.")), says(text("C.")))
	var s *harness.Session
	r.tool = func(world.ToolCall) (world.ToolResult, time.Duration) {
		s.Queue("/compact")
		s.Queue("second")
		return world.ToolResult{Output: "ok"}, time.Second
	}
	heard, file := &ear{}, ""
	r.process(func(w world.World) {
		var err error
		s, err = harness.Start(w, r.cfg)
		require.NoError(t, err)
		s.Listen(heard)
		assert.Equal(t, harness.Outcome{Reason: "completed", Text: "C."}, r.prompt(w, s, "one"))
		file = s.File()
		require.NoError(t, s.Close(w))
	})
	require.Len(t, r.requests, 4)
	assert.Len(t, r.shape(1), 3)
	assert.Equal(t, "user: text(/compact)*", r.shape(2)[4])
	assert.Equal(t, "user: text(second)*", r.shape(3)[6])
	assert.Len(t, heard.ended, 3)
	assert.Equal(t, []string{"typed one", "queued /compact", "queued second"}, sources(r.log(file)))
}

// An interrupt sends the queue at once: all of it begins one turn, a prompt each (H-LOOP-25, H-LOOP-20).
func TestAnInterruptSendsTheQueueAtOnce(t *testing.T) {
	r := newRig(t, bound, says(use("a", "Bash", `{"command":"make"}`)), says(text("B.")))
	var s *harness.Session
	r.tool = func(world.ToolCall) (world.ToolResult, time.Duration) {
		s.Queue("stop that")
		s.Queue("do this")
		s.Interrupt()
		return world.ToolResult{Output: "ok"}, time.Hour
	}
	var file string
	r.process(func(w world.World) {
		var err error
		s, err = harness.Start(w, r.cfg)
		require.NoError(t, err)
		assert.Equal(t, harness.Outcome{Reason: "completed", Text: "B."}, r.prompt(w, s, "one"))
		file = s.File()
		require.NoError(t, s.Close(w))
	})
	require.Len(t, r.requests, 2)
	assert.Equal(t, "user: tool_result(a The user doesn't want to) text([Request interrupted by ) text(stop that) text(do this)*", r.shape(1)[2])
	assert.Equal(t, []string{"enqueue stop that", "enqueue do this", "popAll"}, operations(r.log(file)))
}

// Without a turn, queued text goes with the next prompt, before it (H-LOOP-25, H-LOOP-63).
func TestTextQueuedWithoutATurnGoesWithTheNextPrompt(t *testing.T) {
	r := newRig(t, bound, says(text("B.")))
	r.session(func(w world.World, s *harness.Session) {
		s.Queue("hold this")
		r.prompt(w, s, "one")
	})
	require.Len(t, r.requests, 1)
	assert.Equal(t, []string{"user: text(The project keeps instru) text(hold this) text(one)*"}, r.shape(0))
}

// A prompt whose process ended before its answer is run again on demand, from wherever it stood; a finished or interrupted
// turn is not (H-CMD-44, H-REB-31; bug p-kill-while-tool-blocks).
func TestAnUnansweredPromptIsRunAgain(t *testing.T) {
	r := newRig(t, bound, refusal(500, "api_error", "no"), says(text("Hi.")))
	r.cfg.MaxRetries = -1
	r.session(func(w world.World, s *harness.Session) {
		_, err := s.Rerun(w)
		assert.EqualError(t, err, "rerun: the last prompt has its answer")
		assert.Equal(t, "api_error", r.prompt(w, s, "one").Reason)
	})
	r.resumed(func(w world.World, s *harness.Session) {
		out, err := s.Rerun(w)
		require.NoError(t, err)
		assert.Equal(t, harness.Outcome{Reason: "completed", Text: "Hi."}, out)
		_, err = s.Rerun(w)
		assert.Error(t, err)
	})
	require.Len(t, r.requests, 2)
	assert.Equal(t, string(r.requests[0].Body), string(r.requests[1].Body))

	// Killed while a tool runs: the call gets its lost result and is not run again.
	for _, place := range []string{"", "prompt", "tail"} {
		r = newRig(t, systems, says(use("a", "Bash", `{"command":"make"}`)), says(text("Hi.")))
		r.cfg.Switches.InjectTime, r.cfg.Switches.VolatilePlace = true, place
		r.tool = func(world.ToolCall) (world.ToolResult, time.Duration) {
			r.m.Kill()
			return world.ToolResult{}, time.Second
		}
		out := r.m.Run(func(w world.World) {
			s, err := harness.Start(w, r.cfg)
			require.NoError(t, err)
			_, _ = s.Prompt(w, "one")
		})
		require.True(t, out.Killed)
		r.resumed(func(w world.World, s *harness.Session) {
			out, err := s.Rerun(w)
			require.NoError(t, err)
			assert.Equal(t, "completed", out.Reason)
		})
		assert.Equal(t, []string{"a"}, r.ran)
		require.Len(t, r.requests, 2)
		assert.Contains(t, r.shape(1)[len(r.shape(0))+1], "tool_result(a [Tool result missing due)")
		assert.Contains(t, string(r.requests[1].Body), "The current time is", "volatile text of the turn is there again")
	}

	// An interrupted turn has ended.
	r = newRig(t, bound, says(text("Hi.")))
	r.process(func(plain world.World) {
		var s *harness.Session
		w := world.Hooked(plain, nth(world.OpRead, 2, func() { s.Interrupt() }))
		var err error
		s, err = harness.Start(w, r.cfg)
		require.NoError(t, err)
		require.Equal(t, "interrupted", r.prompt(w, s, "one").Reason)
		_, err = s.Rerun(w)
		assert.Error(t, err)
		require.NoError(t, s.Close(w))
	})
}
