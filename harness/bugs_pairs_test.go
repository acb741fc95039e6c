package harness_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"harnessbench/harness"
	"harnessbench/harness/world"
)

// A picture and a text are read side by side: both results stand first and together, the picture inside its own
// (H-LOOP-12, PAIR-4; bug p-images-between-results).
func TestAPictureStaysInsideItsResult(t *testing.T) {
	r := ownRig(t)
	r.write("/w/app/x.png", picture(2, 3))
	r.write("/w/app/a.go", "one\n")
	n := 0
	r.script = []answer{calls(&n, `Read {"file_path":"/w/app/x.png"}`, `Read {"file_path":"/w/app/a.go"}`), says(text("done"))}
	r.session(func(w world.World, s *harness.Session) { r.prompt(w, s, "look") })
	legal(t, r.requests[1].Body)
	results := get(t, r.requests[1].Body, "messages").At(2).Get("content")
	require.Equal(t, 2, results.Len())
	assert.Equal(t, "image", results.At(0).Get("content").At(0).Get("type").Text())
	assert.Equal(t, "1\tone", results.At(1).Get("content").Text())
}

// A boundary and its summary were logged between a call and its result, and a later boundary keeps a part from before
// them. Nothing stands between the call and its result, and one summary is sent, first (PAIR-1, CMP-1, LOG-9; bug
// p-stale-compaction-entry-inside-pair).
func TestABoundaryInsideAPairSplitsNothing(t *testing.T) {
	boundary := func(uuid, logical, more string) string {
		return `{"type":"system","uuid":"` + uuid + `","parentUuid":null,"logicalParentUuid":"` + logical + `","subtype":"compact_boundary"` + more + `}`
	}
	summed := func(uuid, parent, text string) string {
		return `{"type":"user","uuid":"` + uuid + `","parentUuid":"` + parent + `","isCompactSummary":true,"message":{"role":"user","content":"` + text + `"}}`
	}
	story := []string{
		asked("u1", "", `"one"`),
		answered("a1", "u1", plain, "m1", use("t1", "Bash", `{"command":"a"}`)),
		boundary("b1", "a1", ""),
		summed("s1", "b1", "summary A"),
		asked("r1", "a1", resulted("t1", "done")),
		answered("a2", "r1", plain, "m2", text("Ran.")),
		asked("u2", "a2", `"two"`),
		answered("a3", "u2", plain, "m3", text("Yes.")),
	}
	kept := boundary("b2", "a3", `,"compactMetadata":{"trigger":"manual","preservedSegment":{"headUuid":"a1","anchorUuid":"s2","tailUuid":"a3"}}`)
	for name, c := range map[string]struct{ lines, want []string }{
		"the first boundary alone": {story, []string{"user: text(The project keeps instru) text(one)", "assistant: tool_use(t1)",
			"user: tool_result(t1 done)", "assistant: text(Ran.)", "user: text(two)", "assistant: text(Yes.)", "user: text(three)"}},
		"a part is kept from before it": {append(story, kept, summed("s2", "b2", "summary B")), []string{
			"user: text(The project keeps instru) text(summary B)", "assistant: tool_use(t1)", "user: tool_result(t1 done)",
			"assistant: text(Ran.)", "user: text(two)", "assistant: text(Yes.)", "user: text(three)"}},
	} {
		t.Run(name, func(t *testing.T) {
			r := foreign(t, plain, c.lines...)
			r.resumed(func(w world.World, s *harness.Session) { r.prompt(w, s, "three") })
			legal(t, r.requests[0].Body)
			assert.Equal(t, c.want, unmarked(r.shape(0)))
		})
	}
}

// A process dies while a call runs; the next one answers it, once, and goes on. However often the session is taken up
// again, the call is not run again and has one result in log and requests, in the three cases of going on, of a summary
// first and of running the prompt again (PAIR-3, REC-1; bugs p-kill-while-tool-blocks, p-crash-recovery-double-result,
// p-resume-duplicates-observation).
func TestACallOpenAtAKillIsAnsweredOnce(t *testing.T) {
	for name, first := range map[string]func(r *rig, w world.World, s *harness.Session){
		"go on": func(r *rig, w world.World, s *harness.Session) { r.prompt(w, s, "go on") },
		"compact": func(r *rig, w world.World, s *harness.Session) {
			r.script, r.next = []answer{says(text("<summary>so far</summary>"))}, 0
			require.NoError(r.t, s.Compact(w, ""))
		},
		"rerun": func(r *rig, w world.World, s *harness.Session) {
			_, err := s.Rerun(w)
			require.NoError(r.t, err)
		},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, plain, says(use("t1", "Bash", `{"command":"make"}`)), says(text("Hi.")))
			r.tool = func(world.ToolCall) (world.ToolResult, time.Duration) {
				r.m.Kill()
				return world.ToolResult{Output: "never"}, time.Second
			}
			r.m.Run(func(w world.World) {
				s, err := harness.Start(w, r.cfg)
				require.NoError(t, err)
				_, _ = s.Prompt(w, "one")
			})
			r.script, r.next = []answer{says(text("Hi."))}, 0
			r.resumed(func(w world.World, s *harness.Session) { first(r, w, s) })
			r.script, r.next = []answer{says(text("Hi."))}, 0
			for range 2 {
				r.resumed(func(w world.World, s *harness.Session) { r.prompt(w, s, "and on") })
			}
			assert.Equal(t, []string{"t1"}, r.ran)
			assert.Equal(t, 1, strings.Count(r.logText(), `"type":"tool_result"`))
			for _, req := range r.requests {
				legal(t, req.Body)
				assert.LessOrEqual(t, strings.Count(string(req.Body), `"tool_use_id":"t1"`), 1)
			}
		})
	}
}

// Of three calls run one after the other the first is stopped: the log has a result for each before anything else, and so
// has the next request, before the new text (PAIR-1; bugs p-interrupted-round-null-slots, p-cancel-leaves-call-open).
func TestCallsThatNeverStartedHaveResults(t *testing.T) {
	r := newRig(t, plain, says(use("t1", "Bash", `{"command":"a"}`), use("t2", "Bash", `{"command":"b"}`), use("t3", "Bash", `{"command":"c"}`)),
		says(text("Hi.")))
	r.tool = func(world.ToolCall) (world.ToolResult, time.Duration) { return world.ToolResult{}, time.Hour }
	var file string
	r.session(func(w world.World, s *harness.Session) {
		user := w.Go("user", func(w world.World) {
			require.NoError(t, w.Sleep(2*time.Second))
			s.Interrupt()
		})
		assert.Equal(t, "interrupted", r.prompt(w, s, "one").Reason)
		require.NoError(t, w.Wait(user))
		file = s.File()
	})
	assert.Equal(t, []string{"t1"}, r.ran)
	results := 0
	for _, e := range ofType(r.log(file), "user", "") {
		if e["toolUseResult"] != nil {
			results++
		}
	}
	assert.Equal(t, 3, results)
	r.resumed(func(w world.World, s *harness.Session) { r.prompt(w, s, "hello") })
	legal(t, r.requests[1].Body)
	last := r.shape(1)[2]
	assert.Equal(t, 3, strings.Count(last, "tool_result("))
	assert.True(t, strings.HasSuffix(last, "text(hello)*"), last)
}

// A tool that printed nothing, or blanks, has a result that says so; what was sent is legal (H-LOOP-13, PAIR-6; bug
// p-empty-tool-output).
func TestToolsWithoutOutputHaveResults(t *testing.T) {
	for _, output := range []string{"", "\n", " \t\n"} {
		r := newRig(t, plain, says(use("t1", "Bash", `{"command":"true"}`), use("t2", "Glob", `{"pattern":"x"}`)), says(text("Hi.")))
		r.tool = func(world.ToolCall) (world.ToolResult, time.Duration) {
			return world.ToolResult{Output: output}, time.Second
		}
		r.session(func(w world.World, s *harness.Session) { r.prompt(w, s, "one") })
		legal(t, r.requests[1].Body)
		for _, result := range get(t, r.requests[1].Body, "messages").At(2).Get("content").Elems() {
			assert.Contains(t, result.Get("content").Text(), "completed with no output", fmt.Sprintf("%q", output))
		}
	}
}

// The record of a call was never written although its result was: the result is not sent, and the session goes on
// (PAIR-2, LOG-6; bug p-writer-drops-assistant-entry). A session of ours cannot get there: when the record of a call
// cannot be written, the call does not run.
func TestAResultWithoutItsCallIsNotSent(t *testing.T) {
	r := foreign(t, plain,
		asked("u1", "", `"one"`),
		answered("a1", "u1", plain, "m1", use("t1", "Read", `{"file_path":"/a"}`)),
		asked("r1", "a1", resulted("t1", "of t1")),
		asked("r2", "a1", resulted("t2", "of t2")),
		answered("a3", "a1", plain, "m1", use("t3", "Read", `{"file_path":"/c"}`)),
		asked("r3", "a3", resulted("t3", "of t3")),
	)
	r.resumed(func(w world.World, s *harness.Session) { r.prompt(w, s, "two") })
	legal(t, r.requests[0].Body)
	assert.NotContains(t, string(r.requests[0].Body), "of t2")
	assert.Contains(t, string(r.requests[0].Body), "of t3")

	full := errors.New("no space left on device")
	r = newRig(t, plain, says(use("t1", "Read", `{"file_path":"/a"}`), use("t2", "Read", `{"file_path":"/b"}`)), says(text("Hi.")))
	r.process(func(w world.World) {
		fw := &dropping{World: w, at: `"id":"t2"`, fault: full}
		s, err := harness.Start(fw, r.cfg)
		require.NoError(t, err)
		_, err = s.Prompt(fw, "one")
		require.ErrorIs(t, err, full)
	})
	assert.Empty(t, r.ran)
	r.resumed(func(w world.World, s *harness.Session) { r.prompt(w, s, "two") })
	legal(t, r.requests[1].Body)
}

// dropping is a disk that does not take the line that holds a text, nor any behind it.
type dropping struct {
	world.World
	at    string
	fault error
}

func (d *dropping) Append(path string, data []byte) error {
	if strings.Contains(string(data), d.at) {
		return d.fault
	}
	return d.World.Append(path, data)
}

func (d *dropping) Go(key string, f func(world.World)) world.Task {
	return d.World.Go(key, func(w world.World) { f(&dropping{w, d.at, d.fault}) })
}
