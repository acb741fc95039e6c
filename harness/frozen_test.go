package harness_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"harnessbench/harness"
	"harnessbench/harness/world"
)

// before is what stands before the conversation: system, tools and the block of memory and date.
func before(t *testing.T, body []byte) string {
	t.Helper()
	v := get(t, body)
	head := v.Get("messages").At(0).Get("content").At(0)
	return markers.Replace(string(v.Get("system").Raw()) + string(v.Get("tools").Raw()) + string(head.Raw()))
}

func (r *rig) memory(text string) {
	r.t.Helper()
	require.NoError(r.t, r.disk.Write(cwd+"/CLAUDE.md", []byte(text)))
}

// What a bound model's path sends before its messages is on disk before the first request that uses it (H-REB-46).
func TestFrozenPartsAreOnDiskBeforeTheirFirstUse(t *testing.T) {
	for _, model := range []string{bound, systems} {
		r := newRig(t, model, says(text("A.")))
		present := []bool{}
		r.session(func(w world.World, s *harness.Session) {
			file := strings.TrimSuffix(s.File(), ".jsonl") + "/frozen.json"
			r.check = func(world.Request) {
				data, err := r.disk.Read(file)
				present = append(present, err == nil)
				if err == nil {
					assert.Contains(t, string(data), "Use tabs.")
				}
			}
			r.prompt(w, s, "one")
		})
		assert.Equal(t, []bool{model == bound}, present, "on other models the disk says what holds")
	}
}

// On a bound model a compaction loads memory afresh, and a rewind across its boundary finds the older bytes again, with
// the news appended; so do a resume and a fork, which copies the file (H-REB-41, H-REB-46, H-CMD-33, H-CMD-53). On other
// models the newest memory applies.
// (bug k-rewritten-project-file-per-run)
func TestFrozenPartsFollowThePath(t *testing.T) {
	r := newRig(t, bound, says(thinking("hm", "c2ln"), text("A. <summary>S</summary>")))
	r.session(func(w world.World, s *harness.Session) {
		r.prompt(w, s, "one")
		r.prompt(w, s, "two")
		second := s.LastPrompt()
		r.memory("Use blanks.")
		require.NoError(t, s.Compact(w, ""))
		r.prompt(w, s, "three")
		require.NoError(t, s.Rewind(w, second))
		r.prompt(w, s, "other")
	})
	old, fresh, back := before(t, r.requests[1].Body), before(t, r.requests[3].Body), before(t, r.requests[4].Body)
	assert.Contains(t, fresh, "Use blanks.")
	assert.NotContains(t, fresh, "Use tabs.")
	assert.Equal(t, old, back)
	assert.Equal(t, "user: text(The instruction files ha) text(other)*", r.shape(4)[2], "the newest memory still applies")
	assert.Equal(t, "T", thoughts(t, r.requests[4].Body), "nothing before it changed")

	r.memory("Use both.")
	r.resumed(func(w world.World, s *harness.Session) {
		r.prompt(w, s, "four")
		require.NoError(t, s.Fork(w, ""))
		r.memory("Use none.")
		r.prompt(w, s, "five")
	})
	r.resumed(func(w world.World, s *harness.Session) { r.prompt(w, s, "six") })
	for i, n := range []string{"TT", "TTT", "TTTT"} {
		assert.Equal(t, old, before(t, r.requests[5+i].Body))
		assert.Equal(t, n, thoughts(t, r.requests[5+i].Body))
	}
	last := r.shape(7)
	assert.Equal(t, []string{"user: text(The instruction files ha) text(four)", "assistant: thinking text(A. <summary>S</summary>)", "user: text(five)",
		"assistant: thinking text(A. <summary>S</summary>)", "user: text(The instruction files ha) text(six)*"}, last[4:])
}

// A log that has no such file, as another writer's, is sent with what disk and clock give: a declared break, before which
// no thinking is left (H-REB-46, D1). The thinking made from then on stays.
func TestALogWithoutFrozenPartsLosesItsThinking(t *testing.T) {
	r := newRig(t, bound, says(thinking("hm", "c2ln"), text("A.")))
	var file string
	r.session(func(w world.World, s *harness.Session) {
		r.prompt(w, s, "one")
		file = strings.TrimSuffix(s.File(), ".jsonl") + "/frozen.json"
	})
	require.NoError(t, r.disk.Remove(file))
	r.memory("Use blanks.")
	r.resumed(func(w world.World, s *harness.Session) { r.prompt(w, s, "two") })
	r.resumed(func(w world.World, s *harness.Session) { r.prompt(w, s, "three") })
	assert.Contains(t, before(t, r.requests[1].Body), "Use blanks.")
	assert.Equal(t, []string{"-", "-T"}, []string{thoughts(t, r.requests[1].Body), thoughts(t, r.requests[2].Body)})
}
