package harness_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"harnessbench/harness"
	"harnessbench/harness/world"
)

// TestAClearOutlivesItsProcess is CLR-1: whether the process exits or is killed, the cleared session is the one that
// goes on, and nothing from before is sent.
func TestAClearOutlivesItsProcess(t *testing.T) {
	for _, model := range []string{plain, bound} {
		for _, killed := range []bool{false, true} {
			for _, resumes := range []int{1, 2} {
				r := newRig(t, model, says(thinking("t", "c2ln"), text("A.")))
				var id string
				out := r.m.Run(func(w world.World) {
					s, err := harness.Start(w, r.cfg)
					require.NoError(t, err)
					r.prompt(w, s, "one")
					require.NoError(t, s.Clear(w))
					id = s.ID()
					if killed {
						r.m.Kill()
					}
					require.NoError(t, s.Close(w))
				})
				require.Equal(t, killed, out.Killed)
				for range resumes - 1 {
					r.resumed(func(w world.World, s *harness.Session) { assert.Equal(t, id, s.ID()) })
				}
				r.resumed(func(w world.World, s *harness.Session) {
					assert.Equal(t, id, s.ID())
					assert.Equal(t, "", s.Leaf())
					r.prompt(w, s, "two")
					r.prompt(w, s, "three")
				})
				assert.Equal(t, []string{"user: text(The project keeps instru) text(two)*"}, r.shape(1))
				r.resumed(func(w world.World, s *harness.Session) { r.prompt(w, s, "four") })
				assert.Len(t, r.shape(3), 5, "the prompts ended the pin")
			}
		}
	}
}

// TestTheSessionWrittenLastGoesOn is H-CMD-40: by the times of the files, whatever their names and their entries say.
func TestTheSessionWrittenLastGoesOn(t *testing.T) {
	r := newRig(t, plain, says(text("A.")))
	var first, second string
	r.session(func(w world.World, s *harness.Session) {
		first = s.ID()
		r.prompt(w, s, "one")
		require.NoError(t, s.Clear(w))
		second = s.ID()
		r.prompt(w, s, "two")
	})
	for _, id := range []string{first, second, first} {
		r.process(func(w world.World) {
			s, err := harness.Resume(w, r.cfg, id)
			require.NoError(t, err)
			require.NoError(t, s.Rewind(w, s.LastPrompt())) // writes a record, no entry
			require.NoError(t, s.Close(w))
		})
		r.resumed(func(w world.World, s *harness.Session) { assert.Equal(t, id, s.ID()); r.prompt(w, s, "more") })
	}
}

func TestAClearThatCannotBeWrittenChangesNothing(t *testing.T) {
	r := newRig(t, bound, says(thinking("t", "c2ln"), text("A.")))
	full := false
	r.process(func(w world.World) {
		w = fullDisk{w, &full}
		s, err := harness.Start(w, r.cfg)
		require.NoError(t, err)
		r.prompt(w, s, "one")
		id := s.ID()
		full = true
		require.ErrorContains(t, s.Clear(w), "no space left on device")
		full = false
		assert.Equal(t, id, s.ID())
		r.prompt(w, s, "two")
		require.NoError(t, s.Close(w))
	})
	assert.Equal(t, []string{"user: text(The project keeps instru) text(one)", "assistant: thinking text(A.)", "user: text(two)*"}, r.shape(1))
	require.Len(t, r.sessions(), 2, "half a line of the new file was written")
	r.resumed(func(w world.World, s *harness.Session) { r.prompt(w, s, "three") })
	assert.Len(t, r.shape(2), 5, "the old session goes on")
}

// What belonged to the old conversation alone stays with it: a title nobody gave, and the questions asked beside it, which
// would tell the new one of the old (H-CMD-11, H-CMD-64).
func TestAClearForgetsWhatWasOfTheOldConversation(t *testing.T) {
	r := newRig(t, plain, says(text("A.")))
	var first string
	r.session(func(w world.World, s *harness.Session) {
		first = s.ID()
		r.prompt(w, s, "one")
		require.NoError(t, w.Append(s.File(), []byte(titleOf("ai-title", "aiTitle", "Made up", s.ID()))))
	})
	r.resumed(func(w world.World, s *harness.Session) {
		_, err := s.Btw(w, "a secret?")
		require.NoError(t, err)
		require.NoError(t, s.Clear(w))
		r.prompt(w, s, "two")
		_, err = s.Btw(w, "is it?")
		require.NoError(t, err)
		list, err := harness.List(w, r.cfg)
		require.NoError(t, err)
		titles := map[string]string{}
		for _, l := range list {
			titles[l.Session] = l.Title
		}
		assert.Equal(t, map[string]string{first: "Made up", s.ID(): "two"}, titles)
	})
	assert.Equal(t, []string{
		"user: text(The project keeps instru) text(two)", "assistant: text(A.)*", "user: text(The user asks a question) text(is it?)",
	}, r.shape(len(r.requests)-1))
}

// titleOf is a record that names a session.
func titleOf(typ, member, title, session string) string {
	return fmt.Sprintf("{\"type\":%q,%q:%q,\"sessionId\":%q}\n", typ, member, title, session)
}
