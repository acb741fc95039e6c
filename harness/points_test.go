package harness_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"harnessbench/harness"
	"harnessbench/harness/world"
)

func texts(points []harness.Point) (out []string) {
	for _, p := range points {
		out = append(out, p.Text)
	}
	return out
}

// The prompts of the current path are listed across compact boundaries, those of branches that were left are not
// (H-CMD-30). A rewind to one before a boundary makes the history before it the current one, without a summary (H-CMD-33).
func TestRewindAcrossABoundary(t *testing.T) {
	for _, model := range []string{plain, systems, bound, manual} {
		for _, resumed := range []bool{false, true} {
			r := newRig(t, model, says(thinking("hm", "c2ln"), text("A.")))
			r.session(func(w world.World, s *harness.Session) {
				r.asked(w, s, "one", "left")
				require.NoError(t, s.Rewind(w, s.LastPrompt()))
				r.asked(w, s, "two", "three")
				r.answer = func() answer { r.answer = nil; return summary("s") }
				require.NoError(t, s.Compact(w, ""))
				r.prompt(w, s, "four")
				assert.Equal(t, []string{"one", "two", "three", "four"}, texts(s.Prompts()))
				assert.NotEmpty(t, s.Prompts()[0].Time)
				if resumed {
					return
				}
				restored, err := s.RewindTo(w, s.Prompts()[2].UUID, harness.RestoreConversation)
				require.NoError(t, err)
				assert.Equal(t, "three", restored.Input)
			})
			r.resumed(func(w world.World, s *harness.Session) {
				if resumed {
					assert.Equal(t, []string{"one", "two", "three", "four"}, texts(s.Prompts()))
					require.NoError(t, s.Rewind(w, s.Prompts()[2].UUID))
				}
				assert.Equal(t, []string{"one", "two"}, texts(s.Prompts()))
				r.prompt(w, s, "other")
			})
			got := r.shape(len(r.requests) - 1)
			assert.Equal(t, []string{
				"user: text(The project keeps instru) text(one)", "assistant: thinking text(A.)",
				"user: text(two)", "assistant: thinking text(A.)", "user: text(other)*",
			}, got)
			assert.Equal(t, messages(t, r.requests[3].Body)[:3], messages(t, r.requests[len(r.requests)-1].Body)[:3])
			if model == bound {
				assert.Equal(t, front(r.requests[3].Body), front(r.requests[len(r.requests)-1].Body), "the older bytes")
			}
			r.resumed(func(w world.World, s *harness.Session) { r.prompt(w, s, "more") })
			assert.Len(t, r.shape(len(r.requests)-1), 7)
		}
	}
}

// A rewind to a prompt of a branch that was left makes that branch the current one, up to that prompt; it holds over an
// exit and a resume (H-CMD-31, H-CMD-32). bug l-rewind-parent-null-after-resume, l-stale-branch-chosen,
// l-rewind-then-resume-at-deleted.
func TestRewindOntoABranchThatWasLeft(t *testing.T) {
	for _, model := range []string{plain, bound} {
		for _, between := range []string{"nothing", "exit", "kill"} {
			r := newRig(t, model, says(thinking("hm", "c2ln"), text("A.")))
			var old []string
			out := r.m.Run(func(w world.World) {
				s, err := harness.Start(w, r.cfg)
				require.NoError(t, err)
				old = r.asked(w, s, "one", "two", "three")
				require.NoError(t, s.Rewind(w, old[1]))
				r.asked(w, s, "other", "others")
				require.NoError(t, s.Rewind(w, old[2]))
				assert.Equal(t, old[1], s.LastPrompt())
				assert.Equal(t, []string{"one", "two"}, texts(s.Prompts()))
				switch between {
				case "nothing":
					r.prompt(w, s, "again")
				case "kill":
					r.m.Kill()
				}
				require.NoError(t, s.Close(w))
			})
			require.Equal(t, between == "kill", out.Killed)
			if between != "nothing" {
				r.resumed(func(w world.World, s *harness.Session) {
					assert.Equal(t, old[1], s.LastPrompt())
					r.prompt(w, s, "again")
				})
			}
			want := []string{
				"user: text(The project keeps instru) text(one)", "assistant: thinking text(A.)",
				"user: text(two)", "assistant: thinking text(A.)", "user: text(again)*",
			}
			assert.Equal(t, want, r.shape(5))
			r.resumed(func(w world.World, s *harness.Session) {
				r.prompt(w, s, "more")
				assert.Equal(t, []string{"one", "two", "again", "more"}, texts(s.Prompts()))
			})
			assert.Len(t, r.shape(6), 7)
		}
	}
}

// What follows the path is recomputed after a rewind: a file read on the branch that was left is not taken for read
// (H-CMD-34, H-TOOL-13, H-TOOL-20).
func TestReadStateFollowsARewind(t *testing.T) {
	r := editing(t, plain, nil)
	r.file(cwd+"/f", "old")
	r.session(func(w world.World, s *harness.Session) {
		r.turn(w, s, "one")
		r.turn(w, s, "two", says(use("r", "Read", `{"file_path":"/w/app/f"}`)))
		require.NoError(t, s.Rewind(w, s.LastPrompt()))
		r.turn(w, s, "three", writes("w", cwd+"/f", "new"))
		assert.Equal(t, "old", r.read(cwd+"/f"))
		got := messages(t, r.requests[len(r.requests)-1].Body)
		assert.Contains(t, got[len(got)-1], "File has not been read yet.")
		r.turn(w, s, "four", says(use("r4", "Read", `{"file_path":"/w/app/f"}`)), writes("w4", cwd+"/f", "new"))
		assert.Equal(t, "new", r.read(cwd+"/f"))
		r.answer = func() answer { return summary("s") }
		require.NoError(t, s.Compact(w, ""))
		r.turn(w, s, "five", writes("w5", cwd+"/f", "newer"))
		assert.Equal(t, "new", r.read(cwd+"/f"), "the summary shows no file")
	})
}

// Only prompts of the main conversation are points to go back to: one that a subagent was given in the same file is
// neither listed nor taken (H-CMD-30, H-LOG-35).
func TestAnAgentsPromptIsNoPoint(t *testing.T) {
	r := newRig(t, plain, says(text("A.")))
	r.put("-w-app", sid1, promptLine("u1", "2026-01-01T00:00:00.000Z", "one", ""),
		promptLine("x1", "2026-01-01T00:00:01.000Z", "for the agent", `,"isSidechain":true`),
		`{"type":"user","uuid":"u2","parentUuid":"x1","message":{"role":"user","content":"two"}}`) // hangs from the agent's
	r.resumed(func(w world.World, s *harness.Session) {
		assert.Equal(t, []string{"two"}, texts(s.Prompts()))
		for _, action := range []string{harness.RestoreConversation, harness.RestoreCode, harness.SummarizeFrom} {
			_, err := s.RewindTo(w, "x1", action)
			assert.EqualError(t, err, `rewind: no prompt of this session has the uuid "x1"`)
		}
		assert.Equal(t, "u2", s.Leaf())
	})
}
