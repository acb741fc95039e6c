package harness_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"harnessbench/harness"
	"harnessbench/harness/world"
)

// Inside a tool loop whose newest results fill the tail behind the memory file, the prompt stands before them, word for
// word and once (H-CMP-80, H-CMP-78).
func TestThePromptStandsBeforeTheTailOfTheMemoryFile(t *testing.T) {
	script := loop("a", 6, "Agent", helper)
	script[5].input = 190_000
	r := newRig(t, plain, append([]answer{says(text("A."))}, script...)...)
	r.long(45_000)
	r.cfg.Switches.SessionMemory, r.cfg.Window = true, 200_000
	r.session(func(w world.World, s *harness.Session) {
		r.remembers(s, "It was kept up.")
		r.prompt(w, s, "one")
		assert.Equal(t, harness.Completed, r.prompt(w, s, "two").Reason)
		assert.Len(t, r.boundaries(s.File()), 1)
	})
	assert.NotContains(t, r.chains(), "compact")
	last := r.requests[len(r.requests)-1]
	legal(t, last.Body)
	for want, n := range map[string]int{"It was kept up.": 1, `"text":"two"`: 1, `"text":"one"`: 0, `"id":"a6"`: 1, `"id":"a4"`: 1, `"id":"a2"`: 0} {
		assert.Equal(t, n, strings.Count(string(last.Body), want), want)
	}
}

// The tail does not reach behind a summary of the server's, before which nothing is sent: the memory file would be lost
// with it. A summary is asked for (H-CMP-80, H-CMP-83).
func TestTheMemoryFileBehindAServersSummary(t *testing.T) {
	r := newRig(t, bound, says(text("A.")), condensed(`"Of the server."`), says(text("B.")), summary("Asked."), says(text("C.")))
	r.cfg.Switches.SessionMemory, r.cfg.Switches.CompactServer = true, true
	r.session(func(w world.World, s *harness.Session) {
		r.remembers(s, "It was kept up.")
		r.prompt(w, s, "one "+strings.Repeat("long ", 33_000))
		r.prompt(w, s, "two")
		require.NoError(t, s.Compact(w, ""))
		r.prompt(w, s, "three")
	})
	assert.Equal(t, []string{"main", "main", "main", "compact", "main"}, r.chains())
	assert.Contains(t, string(r.requests[4].Body), "Asked.")
}

// Also where messages stay behind the summary, of the memory file or one that is asked for, the memory is read anew: the
// first message says what stands on disk now (H-CMP-71, H-CMP-74, H-CMP-80).
func TestMemoryIsReadAnewBeforeMessagesThatStay(t *testing.T) {
	for name, set := range map[string]func(*harness.Switches){
		"memory file":     func(on *harness.Switches) { on.SessionMemory = true },
		"recent messages": func(on *harness.Switches) { on.KeepRecent = true },
	} {
		t.Run(name, func(t *testing.T) {
			var list []string
			for range 14 {
				list = append(list, read("a.txt"))
			}
			r := reader(t, plain, 70_000, list...)
			set(&r.cfg.Switches)
			r.write(cwd+"/a.txt", strings.Repeat("apples and pears\n", 300))
			r.session(func(w world.World, s *harness.Session) {
				r.remembers(s, "It was kept up.")
				r.prompt(w, s, "one "+strings.Repeat("long ", 33_000))
				r.write(cwd+"/CLAUDE.md", "Use blanks.\n")
				r.prompt(w, s, "two")
				assert.Len(t, r.boundaries(s.File()), 1)
			})
			last := r.requests[len(r.requests)-1].Body
			assert.Contains(t, messages(t, last)[0], "Use blanks.")
			holds(t, false, string(last), "Use tabs.")
			holds(t, true, string(last), `"id":"c14"`)
		})
	}
}
