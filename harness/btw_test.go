package harness_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"harnessbench/harness"
	"harnessbench/harness/world"
)

func (r *rig) read(file string) string {
	r.t.Helper()
	data, err := r.disk.Read(file)
	require.NoError(r.t, err)
	return string(data)
}

// sameFront is the part of a request before its messages.
func front(body []byte) string { s, _, _ := strings.Cut(string(body), `"messages":[`); return s }

// A side question is one request on top of the conversation, tools and marker unchanged; nothing of it is logged, and
// the conversation goes on as if it had not been (H-CMD-60, H-CMD-61, H-CMD-62, H-CMD-63).
func TestASideQuestionLeavesNoTrace(t *testing.T) {
	for _, model := range []string{plain, systems, bound, manual} {
		t.Run(model, func(t *testing.T) {
			r := newRig(t, model, says(thinking("hm", "c2ln"), text("A.")), says(text("It is.")), says(text("B.")))
			r.session(func(w world.World, s *harness.Session) {
				r.prompt(w, s, "one")
				before := r.read(s.File())
				got, err := s.Btw(w, "is it?")
				require.NoError(t, err)
				assert.Equal(t, "It is.", got)
				assert.Equal(t, before, r.read(s.File()), "the log is byte for byte what it was")
				r.prompt(w, s, "two")
			})
			assert.Equal(t, []string{
				"user: text(The project keeps instru) text(one)", "assistant: thinking text(A.)*",
				"user: text(The user asks a question) text(is it?)",
			}, r.shape(1))
			assert.Equal(t, "btw", r.requests[1].Chain)
			assert.Equal(t, front(r.requests[0].Body), front(r.requests[1].Body), "tools and all are those of the conversation")
			assert.Equal(t, []string{
				"user: text(The project keeps instru) text(one)", "assistant: thinking text(A.)", "user: text(two)*",
			}, r.shape(2))
			legal(t, r.requests[1].Body)
		})
	}
}

// Earlier questions and their answers stand before a new one, the newest twenty of them, until they are forgotten
// (H-CMD-64).
func TestSideQuestionsAreReplayed(t *testing.T) {
	r := newRig(t, bound, says(text("A.")))
	r.session(func(w world.World, s *harness.Session) {
		r.prompt(w, s, "one")
		r.answer = func() answer { return says(text(fmt.Sprintf("answer %d", len(r.requests)))) }
		for n := range 23 {
			_, err := s.Btw(w, fmt.Sprintf("question %d", n))
			require.NoError(t, err)
		}
		s.ForgetBtw()
		_, err := s.Btw(w, "afresh")
		require.NoError(t, err)
		require.NoError(t, s.Clear(w))
		_, err = s.Btw(w, "after the clear")
		require.NoError(t, err)
	})
	got := r.shape(23)
	require.Len(t, got, 2+2*20+1)
	assert.Equal(t, []string{"user: text(question 2)", "assistant: text(answer 4)"}, got[2:4], "the two oldest are gone")
	assert.Equal(t, "user: text(The user asks a question) text(question 22)", got[len(got)-1])
	assert.Len(t, r.shape(24), 3)
	assert.Equal(t, []string{"user: text(The project keeps instru)* text(The user asks a question) text(after the clear)"}, r.shape(25))
	legal(t, r.requests[23].Body)
}

// Asked while a tool runs, a question stands on the last request: the call that has no result yet is not part of it, nor
// the system message at its end; the turn is not disturbed (H-CMD-60, H-CMD-64).
func TestASideQuestionWhileAToolRuns(t *testing.T) {
	for _, model := range []string{plain, bound} {
		for round, want := range map[int][]string{
			1: {"user: text(The project keeps instru) text(go)* text(The user asks a question) text(what now?)"},
			2: {"user: text(The project keeps instru) text(go)", "assistant: thinking tool_use(a)",
				"user: tool_result(a out|[rerun: b1])* text(The user asks a question) text(what now?)"},
		} {
			r := newRig(t, model, says(thinking("t", "c2ln"), use("a", "Bash", `{"command":"ls"}`)),
				says(use("b", "Bash", `{"command":"make"}`)), says(text("Done.")))
			r.cfg.Switches.InjectTime = model == bound
			r.process(func(w world.World) {
				s, err := harness.Start(w, r.cfg)
				require.NoError(t, err)
				asked := false
				r.tool = func(world.ToolCall) (world.ToolResult, time.Duration) {
					return world.ToolResult{Output: "out\n"}, 10 * time.Second
				}
				task := w.Go("turn of the user", func(w world.World) { r.prompt(w, s, "go") })
				for !asked {
					require.NoError(t, w.Sleep(time.Second))
					if len(r.ran) == round {
						asked = true
						r.answer = func() answer { r.answer = nil; r.next--; return says(text("Listing.")) }
						before := r.read(s.File())
						got, err := s.Btw(w, "what now?")
						require.NoError(t, err)
						assert.Equal(t, "Listing.", got)
						assert.Equal(t, before, r.read(s.File()))
					}
				}
				require.NoError(t, w.Wait(task))
				require.NoError(t, s.Close(w))
			})
			i := round
			assert.Equal(t, "btw", r.requests[i].Chain)
			if model == plain {
				assert.Equal(t, want, r.shape(i))
			}
			legal(t, r.requests[i].Body)
			assert.Len(t, r.requests, 4, "the turn went its way")
			assert.NotContains(t, string(r.requests[3].Body), "what now?")
		}
	}
}

// A tool call in the answer is ignored, and without any text the question has no answer; neither changes anything
// (H-CMD-62).
func TestASideQuestionRunsNoTool(t *testing.T) {
	r := newRig(t, plain, says(text("A.")), says(text("Look: "), use("x", "Bash", `{"command":"ls"}`)), says(use("y", "Bash", `{"command":"ls"}`)))
	r.session(func(w world.World, s *harness.Session) {
		_, err := s.Btw(w, "too early?")
		require.NoError(t, err)
		got, err := s.Btw(w, "what?")
		require.NoError(t, err)
		assert.Equal(t, "Look: ", got)
		_, err = s.Btw(w, "again?")
		require.ErrorContains(t, err, "no text")
		_, err = s.Btw(w, " ")
		require.ErrorContains(t, err, "empty")
	})
	assert.Empty(t, r.ran)
	assert.Empty(t, r.sessions())
}

// `f` keeps the newest exchange: a new session holds the conversation and the exchange as history; the old file keeps
// its bytes and the session goes on in it (H-CMD-65). bug l-fork-reuses-uuids.
func TestKeepingASideQuestion(t *testing.T) {
	for _, model := range []string{plain, bound} {
		r := newRig(t, model, says(thinking("hm", "c2ln"), text("A.")), says(thinking("x", "eHh4"), text("It is.")), says(text("B.")))
		r.session(func(w world.World, s *harness.Session) {
			require.ErrorContains(t, s.KeepBtw(w), "no answer to keep")
			r.prompt(w, s, "one")
			_, err := s.Btw(w, "is it?")
			require.NoError(t, err)
			r.prompt(w, s, "two") // what comes after the question is no part of what is kept
			before, id := r.read(s.File()), s.ID()
			require.NoError(t, s.KeepBtw(w))
			assert.Equal(t, before, r.read(s.File()))
			assert.Equal(t, id, s.ID())
			require.Len(t, r.sessions(), 2)
			for _, other := range r.sessions() {
				if other == id {
					continue
				}
				kept, err := harness.Resume(w, r.cfg, other)
				require.NoError(t, err)
				r.prompt(w, kept, "three")
				require.NoError(t, kept.Close(w))
				assert.Equal(t, before, r.read(s.File())[:len(before)])
			}
		})
		assert.Len(t, r.shape(2), 3)
		assert.Equal(t, []string{
			"user: text(The project keeps instru) text(one)", "assistant: thinking text(A.)",
			"user: text(is it?)", "assistant: text(It is.)", "user: text(three)*",
		}, r.shape(3))
	}
}

// Asked where the server paused a turn and the process died, the question stands behind the answer without the call that
// is still open; so does the request of a compaction (H-CMD-60, H-CMP-46, H-REB-33).
func TestASideQuestionBehindAPause(t *testing.T) {
	search := `{"type":"server_tool_use","id":"srvtoolu_1","name":"web_search","input":{"query":"go"}}`
	for _, model := range []string{plain, bound} {
		r := newRig(t, model, stopped("pause_turn", thinking("t", "c2ln"), text("Searching."), search), says(text("Found.")))
		killed := r.m.Run(func(w world.World) {
			s, err := harness.Start(w, r.cfg)
			require.NoError(t, err)
			_, _ = s.Prompt(world.Hooked(w, nth(world.OpCall, 2, r.m.Kill)), "one")
		})
		require.True(t, killed.Killed)
		r.resumed(func(w world.World, s *harness.Session) {
			_, err := s.Btw(w, "when?")
			require.NoError(t, err)
			r.answer = func() answer { r.answer = nil; return summary("s") }
			require.NoError(t, s.Compact(w, ""))
			r.prompt(w, s, "two")
		})
		for i, asked := range []string{"user: text(The user asks a question) text(when?)", "user: text(CRITICAL: Respond with T)"} {
			assert.Equal(t, []string{first, "assistant: thinking text(Searching.)*", asked}, r.shape(1+i))
			legal(t, r.requests[1+i].Body)
		}
	}
}

// A process that died between an answer and the results of its calls leaves a reply that waits for them. A question asked
// right after the resume is about what stood before it, so no call goes without its result, and what is kept of the
// question ends there too (H-CMD-60, H-CMD-65).
func TestASideQuestionBehindCallsWithoutResults(t *testing.T) {
	for _, model := range []string{plain, systems, bound, manual} {
		for _, killedIn := range []string{"a", "b"} { // before the first result is logged, and behind it
			t.Run(model+" "+killedIn, func(t *testing.T) {
				r := newRig(t, model, says(thinking("hm", "c2ln"), text("A.")),
					says(thinking("so", "c2ln"), text("Both."), use("a", "Bash", `{"command":"make"}`), use("b", "Bash", `{"command":"make"}`)),
					says(text("It is.")))
				r.tool = func(call world.ToolCall) (world.ToolResult, time.Duration) {
					if call.ID == killedIn {
						r.m.Kill()
					}
					return world.ToolResult{Output: "out"}, time.Second
				}
				out := r.m.Run(func(w world.World) {
					s, err := harness.Start(w, r.cfg)
					require.NoError(t, err)
					r.prompt(w, s, "one")
					_, _ = s.Prompt(w, "two")
				})
				require.True(t, out.Killed)
				asked := []string{
					"user: text(The project keeps instru) text(one)", "assistant: thinking text(A.)*",
					"user: text(two) text(The user asks a question) text(is it?)",
				}
				r.resumed(func(w world.World, s *harness.Session) {
					before := r.read(s.File())
					_, err := s.Btw(w, "is it?")
					require.NoError(t, err)
					require.NoError(t, s.KeepBtw(w))
					assert.Equal(t, before, r.read(s.File()))
				})
				got := r.shape(2)
				require.Len(t, got, 3)
				assert.Equal(t, strings.ReplaceAll(asked[1], "*", ""), strings.ReplaceAll(got[1], "*", ""))
				assert.Equal(t, asked[2], strings.ReplaceAll(got[2], "*", ""))
				legal(t, r.requests[2].Body)
				r.resumed(func(w world.World, s *harness.Session) { r.prompt(w, s, "go on") })
				kept := r.shape(3)
				require.Len(t, kept, 5)
				assert.Equal(t, "user: text(two) text(is it?)", kept[2], "the kept question stands where it was asked")
				legal(t, r.requests[3].Body)
			})
		}
	}
}

// Volatile text that is no longer sent takes along the thinking that was made behind it, where the model would check: a
// question after a resume holds neither (H-CMD-60, D1).
func TestASideQuestionAfterTheVolatileTextIsGone(t *testing.T) {
	r := newRig(t, bound, says(thinking("hm", "c2ln"), text("A.")), says(text("It is.")))
	r.cfg.Switches.InjectTime, r.cfg.Switches.VolatilePlace = true, "prompt"
	r.session(func(w world.World, s *harness.Session) {
		r.prompt(w, s, "one")
		_, err := s.Btw(w, "is it?")
		require.NoError(t, err)
	})
	r.resumed(func(w world.World, s *harness.Session) {
		_, err := s.Btw(w, "is it?")
		require.NoError(t, err)
	})
	assert.Equal(t, []string{
		"user: text(The project keeps instru)* text(The current time is 2026) text(one)", "assistant: thinking text(A.)*",
		"user: text(The user asks a question) text(is it?)",
	}, r.shape(1), "the text and the thinking behind it")
	assert.Equal(t, []string{
		"user: text(The project keeps instru) text(one)", "assistant: text(A.)*", "user: text(The user asks a question) text(is it?)",
	}, r.shape(2), "neither")
}
