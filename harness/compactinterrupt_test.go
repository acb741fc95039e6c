package harness_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"harnessbench/harness"
	"harnessbench/harness/world"
)

// interruptedOften plays four prompts whose compaction is interrupted while its summary comes, one more than the failures
// that would end them; the fifth is let through. It gives the calls of the last one.
func interruptedOften(t *testing.T, r *rig, w world.World, s *harness.Session, prompt string) []string {
	t.Helper()
	for range 4 {
		before := len(r.requests)
		out, err := s.Prompt(world.Hooked(w, nth(string(world.OpRead), 1, s.Interrupt)), prompt)
		require.NoError(t, err)
		require.Equal(t, harness.WasInterrupted, out.Reason)
		require.Equal(t, []string{"compact"}, r.chains()[before:])
	}
	before := len(r.requests)
	require.Equal(t, harness.Completed, r.prompt(w, s, prompt).Reason)
	return r.chains()[before:]
}

// An interrupt is no failure of a span's summary either, nor of one of the teaching profile (H-CMP-66).
func TestInterruptedSpansAndTaughtSummaries(t *testing.T) {
	answers := func(r *rig, size int) func() answer {
		return func() answer {
			if r.requests[len(r.requests)-1].Chain == "compact" {
				return summary("S")
			}
			return full(size, text("A."))
		}
	}
	r := newRig(t, plain, filled(6, 70_000)...)
	r.long(20_000)
	r.cfg.Switches.Collapse, r.cfg.Window = true, 100_000
	r.session(func(w world.World, s *harness.Session) {
		r.prompt(w, s, "one")
		r.answer = answers(r, 10)
		assert.Equal(t, []string{"compact", "main"}, interruptedOften(t, r, w, s, "two"))
		assert.Len(t, r.records(s.File(), "collapse-commit"), 1)
	})

	r = taughtRig(t, plain, 10, says(text("-")))
	r.answer = answers(r, 10)
	r.session(func(w world.World, s *harness.Session) {
		r.prompt(w, s, "one")
		assert.Equal(t, []string{"compact", "main"}, interruptedOften(t, r, w, s, strings.Repeat("y", 210_000)))
	})
}

// A compaction that takes the memory file and is interrupted as it reads it writes nothing and reports nothing; the next
// prompt has its compaction (H-CMP-66, H-CMP-80).
func TestAnInterruptAtTheMemoryFile(t *testing.T) {
	r := reader(t, plain, 70_000)
	r.cfg.Switches.SessionMemory = true
	r.session(func(w world.World, s *harness.Session) {
		r.prompt(w, s, "one")
		r.remembers(s, "Kept.")
		hit := 0
		stop := &hook{before: func(_ int, op, path string) {
			if op == string(world.OpDiskRead) && strings.HasSuffix(path, "/session-memory/summary.md") {
				hit++
				s.Interrupt()
			}
		}}
		out, err := s.Prompt(world.Hooked(w, stop), "two")
		require.NoError(t, err)
		assert.Equal(t, harness.WasInterrupted, out.Reason)
		assert.Equal(t, 1, hit)
		assert.Empty(t, s.Report())
		assert.Empty(t, r.boundaries(s.File()))
		assert.Equal(t, harness.Completed, r.prompt(w, s, "three").Reason)
		assert.Len(t, r.boundaries(s.File()), 1)
	})
}
