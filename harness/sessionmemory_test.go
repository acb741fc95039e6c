package harness_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"harnessbench/harness"
	"harnessbench/harness/world"
)

// remembers puts text into the memory file of a session.
func (r *rig) remembers(s *harness.Session, text string) {
	file := strings.TrimSuffix(s.File(), ".jsonl") + "/session-memory/summary.md"
	require.NoError(r.t, r.disk.Write(file, []byte(text)))
}

// The session's memory file is the summary, without a call, and the newest messages stay behind it whole; the same is sent
// after a resume. Off by default (H-CMP-80).
func TestTheMemoryFileIsTheSummary(t *testing.T) {
	for _, model := range []string{plain, systems, bound, manual} {
		for _, on := range []bool{true, false} {
			r := newRig(t, model, says(text("A.")), says(use("c1", "Bash", ls)), full(190_000, text("B.")), says(text("<summary>Asked.</summary>")), says(text("C.")))
			r.cfg.Switches.SessionMemory, r.cfg.Window = on, 200_000
			r.session(func(w world.World, s *harness.Session) {
				r.remembers(s, "It was kept up.\n")
				r.prompt(w, s, "one "+strings.Repeat("long ", 33_000))
				r.prompt(w, s, "two")
				assert.Equal(t, "completed", r.prompt(w, s, "three").Reason)
			})
			if !on {
				assert.Equal(t, []string{"main", "main", "main", "compact", "main"}, r.chains(), model)
				continue
			}
			assert.Equal(t, []string{"main", "main", "main", "main"}, r.chains(), model)
			r.resumed(func(w world.World, s *harness.Session) { r.prompt(w, s, "four") })
			for _, q := range r.requests[3:] {
				legal(t, q.Body)
				for _, want := range []string{"It was kept up.", `"text":"two"`, `"c1"`, `"text":"three"`} {
					assert.Contains(t, string(q.Body), want, model)
				}
				assert.NotContains(t, string(q.Body), "long long", model)
			}
		}
	}
}

// The summary is asked for where the file is absent, empty or no text, where the user wants something of the summary, where
// the file leaves the conversation as long as it was, and inside a tool loop whose thinking must go back (H-CMP-80,
// H-LOOP-52).
func TestTheMemoryFileDoesNotHelp(t *testing.T) {
	for name, c := range map[string]struct {
		file, words string
		asked       bool
	}{
		"it does":    {"Kept.", "", false},
		"absent":     {"", "", true},
		"blank":      {" \n", "", true},
		"no text":    {"\xff\xfe", "", true},
		"words":      {"Kept.", "the names above all", true},
		"no shorter": {strings.Repeat("long ", 140_000), "", true},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, bound, says(text("A.")), says(text("B.")), says(text("<summary>Asked.</summary>")))
			r.cfg.Switches.SessionMemory, r.cfg.Window = true, 200_000
			r.session(func(w world.World, s *harness.Session) {
				if c.file != "" {
					r.remembers(s, c.file)
				}
				r.prompt(w, s, "one "+strings.Repeat("long ", 33_000))
				r.prompt(w, s, "two")
				require.NoError(t, s.Compact(w, c.words))
				assert.Len(t, r.boundaries(s.File()), 1)
			})
			assert.Equal(t, c.asked, len(r.requests) == 3)
		})
	}
	for model, want := range map[string]string{bound: "compact", plain: "main"} {
		r := newRig(t, model, says(text("A.")), full(190_000, thinking("t", "c2ln"), use("c1", "Bash", ls)), says(text("<summary>Asked.</summary>")), says(text("B.")))
		r.cfg.Switches.SessionMemory, r.cfg.Window = true, 200_000
		r.session(func(w world.World, s *harness.Session) {
			r.remembers(s, "Kept.")
			r.prompt(w, s, "one "+strings.Repeat("long ", 33_000))
			r.prompt(w, s, "two")
		})
		assert.Equal(t, want, r.chains()[2], model)
	}
}
