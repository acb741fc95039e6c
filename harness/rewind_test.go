package harness_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"harnessbench/harness"
	"harnessbench/harness/world"
)

// The parent of the prompt becomes the leaf; the next prompt hangs from it, and the branch that was left stays in the file
// (H-CMD-31, H-CMD-32, H-CMD-55).
func TestRewindBranchesBeforeThePrompt(t *testing.T) {
	for _, model := range []string{plain, systems, bound, manual} {
		t.Run(model, func(t *testing.T) {
			r := newRig(t, model, says(thinking("hm", "c2ln"), text("A.")))
			var file string
			r.session(func(w world.World, s *harness.Session) {
				r.prompt(w, s, "one")
				keep := s.Leaf()
				r.prompt(w, s, "two")
				abandoned := s.LastPrompt()
				require.NoError(t, s.Rewind(w, abandoned))
				assert.Equal(t, keep, s.Leaf())
				r.prompt(w, s, "three")
				assert.Error(t, s.Rewind(w, s.Leaf()), "an answer is no prompt")
				r.prompt(w, s, "four")
				file = s.File()
			})
			assert.Equal(t, []string{
				"user: text(The project keeps instru) text(one)",
				"assistant: thinking text(A.)", "user: text(three)*",
			}, r.shape(2))
			r.resumed(func(w world.World, s *harness.Session) {
				assert.Equal(t, file, s.File())
				r.prompt(w, s, "five")
			})
			last := r.shape(4)
			assert.Equal(t, []string{"user: text(three)", "assistant: thinking text(A.)", "user: text(four)",
				"assistant: thinking text(A.)", "user: text(five)*"}, last[2:])
			data, err := r.disk.Read(file)
			require.NoError(t, err)
			assert.Contains(t, string(data), `"content":"two"`, "the abandoned branch stays in the file")
		})
	}
}

// A resume before the next prompt stays at the rewound point (H-CMD-32, H-REB-4).
func TestRewindHoldsOverAResume(t *testing.T) {
	r := newRig(t, bound, says(text("A.")))
	r.session(func(w world.World, s *harness.Session) {
		r.prompt(w, s, "one")
		first := s.LastPrompt()
		r.prompt(w, s, "two")
		require.NoError(t, s.Rewind(w, s.LastPrompt()))
		assert.Equal(t, first, s.LastPrompt())
	})
	r.resumed(func(w world.World, s *harness.Session) { r.prompt(w, s, "three") })
	assert.Equal(t, []string{"user: text(The project keeps instru) text(one)", "assistant: text(A.)", "user: text(three)*"}, r.shape(2))
	r.resumed(func(w world.World, s *harness.Session) { r.prompt(w, s, "four") })
	assert.Equal(t, "user: text(three)", r.shape(3)[2], "the prompt after the rewind is not lost")
}

// Before the first prompt the path is empty, and stays so over a resume (H-CMD-32, H-REB-4).
func TestRewindToTheFirstPromptLeavesAnEmptyPath(t *testing.T) {
	r := newRig(t, bound, says(text("A.")))
	r.session(func(w world.World, s *harness.Session) {
		r.prompt(w, s, "one")
		require.NoError(t, s.Rewind(w, s.LastPrompt()))
		assert.Equal(t, "", s.Leaf())
		assert.Equal(t, "", s.LastPrompt())
	})
	r.resumed(func(w world.World, s *harness.Session) {
		assert.Equal(t, "", s.Leaf())
		r.prompt(w, s, "two")
	})
	assert.Equal(t, []string{"user: text(The project keeps instru) text(two)*"}, r.shape(1))
	r.resumed(func(w world.World, s *harness.Session) { r.prompt(w, s, "three") })
	assert.Equal(t, []string{"user: text(The project keeps instru) text(two)", "assistant: text(A.)", "user: text(three)*"}, r.shape(2))
}

// Entries that grow from a pinned leaf move it along (H-REB-4, H-LOG-80).
func TestKillBetweenThePromptAndTheEndOfThePinLosesNothing(t *testing.T) {
	r := newRig(t, plain, says(text("A.")))
	r.session(func(w world.World, s *harness.Session) {
		r.prompt(w, s, "one")
		r.prompt(w, s, "two")
		require.NoError(t, s.Rewind(w, s.LastPrompt()))
	})
	out := r.m.Run(func(w world.World) {
		s, err := harness.Resume(w, r.cfg, "")
		require.NoError(t, err)
		w = world.Hooked(w, nth(world.OpDiskAppend, 2, func() { r.m.Kill() }))
		_, _ = s.Prompt(w, "three")
	})
	require.True(t, out.Killed)
	r.resumed(func(w world.World, s *harness.Session) { r.prompt(w, s, "four") })
	assert.Equal(t, []string{"user: text(The project keeps instru) text(one)", "assistant: text(A.)", "user: text(three) text(four)*"}, r.shape(2))
}

// A clear has a new id and file, takes memory afresh and leaves the old session as it is, to be resumed; nothing is
// announced there (H-CMD-10, H-CMD-11, H-CMD-41).
func TestClearBeginsANewFileAndLeavesTheOldOne(t *testing.T) {
	r := newRig(t, bound, says(use("a", "Bash", `{"command":"ls"}`)), says(text("A.")))
	r.session(func(w world.World, s *harness.Session) {
		r.prompt(w, s, "one")
		oldID, oldFile := s.ID(), s.File()
		before, err := r.disk.Read(oldFile)
		require.NoError(t, err)
		require.NoError(t, r.disk.Write(cwd+"/CLAUDE.md", []byte("Use blanks.\n")))
		require.NoError(t, s.Clear(w))
		assert.NotEqual(t, oldID, s.ID())
		assert.Equal(t, "", s.Leaf())
		r.prompt(w, s, "two")
		after, err := r.disk.Read(oldFile)
		require.NoError(t, err)
		assert.Equal(t, before, after)
	})
	assert.Equal(t, []string{"user: text(The project keeps instru) text(two)*"}, r.shape(2))
	assert.Contains(t, string(r.requests[2].Body), "Use blanks.", "memory is taken afresh")
	system := func(i int) string { s, _, _ := strings.Cut(string(r.requests[i].Body), `"messages"`); return s }
	assert.Equal(t, system(0), system(2))
	var id string
	r.process(func(w world.World) {
		s, err := harness.Resume(w, r.cfg, "")
		require.NoError(t, err)
		id = s.ID()
		old := r.sessions()
		require.Len(t, old, 2)
		for _, o := range old {
			if o != id {
				s, err := harness.Resume(w, r.cfg, o)
				require.NoError(t, err)
				r.prompt(w, s, "three")
			}
		}
	})
	assert.Equal(t, "assistant: tool_use(a)", r.shape(3)[1], "the old session goes on")
}

// sessions lists the session ids on the disk.
func (r *rig) sessions() []string {
	var ids []string
	for _, f := range r.disk.Files() {
		if name, ok := strings.CutPrefix(f, configDir+"/projects/-w-app/"); ok && strings.HasSuffix(name, ".jsonl") {
			ids = append(ids, strings.TrimSuffix(name, ".jsonl"))
		}
	}
	return ids
}
