package harness_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"harnessbench/harness"
	"harnessbench/harness/compact"
	"harnessbench/harness/world"
)

// An interrupt during a compaction ends the turn, leaves everything as it was, and is no failure (H-CMP-66).
func TestInterruptedAuto(t *testing.T) {
	r := newRig(t, bound, says(text("-")))
	r.cfg.Window = 100_000
	r.answer = func() answer {
		if r.requests[len(r.requests)-1].Chain == "compact" {
			return summary("s")
		}
		return full(70_000, thinking("t", "c2ln"), text("A."))
	}
	r.session(func(w world.World, s *harness.Session) {
		r.prompt(w, s, "one")
		for range 4 {
			before := len(r.requests)
			hooked := world.Hooked(w, nth(world.OpRead, 1, s.Interrupt))
			out, err := s.Prompt(hooked, "two")
			require.NoError(t, err)
			require.Equal(t, harness.WasInterrupted, out.Reason)
			require.Len(t, r.requests, before+1)
			assert.Empty(t, r.boundaries(s.File()))
		}
		assert.Empty(t, s.Report())
		assert.Equal(t, "A.", r.prompt(w, s, "three").Text)
		assert.Len(t, r.boundaries(s.File()), 1)
	})
}

// A power cut anywhere in the lines of a compaction leaves the whole history, up to the end of the summary's line, or
// the summary with the prompt behind it; nothing in between, and the prompt in either case (H-CMP-78, H-LOG-45, H-LOG-82).
func TestATornAutoLosesNothing(t *testing.T) {
	for _, inLoop := range []bool{false, true} {
		r := newRig(t, bound, full(70_000, thinking("k", "c2ln"), text("A.")), summary("plums"), says(text("B.")))
		if inLoop {
			r.script[0] = full(70_000, thinking("k", "c2ln"), use("a", "Bash", `{"command":"ls"}`))
		}
		r.cfg.Window = 100_000
		r.cfg.Restorers = []harness.Restorer{standIn{m: compact.Material{Plan: &compact.Plan{Path: "/p", Text: "PLAN"}}}}
		var file string
		r.session(func(w world.World, s *harness.Session) {
			r.prompt(w, s, "one")
			if !inLoop {
				r.prompt(w, s, "two")
			}
			file = s.File()
		})
		r.cfg.Window = 0
		whole := r.read(file)
		from := strings.Index(whole, "compact_boundary")
		from = strings.LastIndex(whole[:from], "\n") + 1
		summed := from + strings.Index(whole[from:], "\n") + 1
		summed += strings.Index(whole[summed:], "\n")
		end := strings.Index(whole, `"B."`)
		end = strings.LastIndex(whole[:end], "\n") + 1
		newest := map[bool]string{false: `"text":"two"`, true: `"text":"one"`}[inLoop]
		for cut := from; cut <= end; cut += max(1, min(37, end-cut)) {
			require.NoError(t, r.disk.Write(file, []byte(whole[:cut])))
			r.next = 2
			r.resumed(func(w world.World, s *harness.Session) { r.prompt(w, s, "after") })
			body := r.requests[len(r.requests)-1].Body
			holds(t, cut >= summed, string(body), "This session is being continued", cut, summed)
			assert.Equal(t, 1, strings.Count(string(body), newest), "%d of %d", cut, end)
			legal(t, body)
			if cut == end {
				break
			}
		}
	}
}

// A process killed before or after any step of a compaction goes on from its log: with the history, or with the summary
// and the prompt (H-ARCH-12, H-CMP-65).
func TestAKillInACompactionIsRecovered(t *testing.T) {
	for _, model := range []string{plain, bound} {
		for n, ended := 1, false; !ended; n++ {
			r := newRig(t, model, full(70_000, thinking("k", "c2ln"), text("A.")), summary("plums"), says(text("B.")))
			r.cfg.Window = 100_000
			out := r.m.Run(func(w world.World) {
				s, err := harness.Start(w, r.cfg)
				require.NoError(t, err)
				r.prompt(w, s, "one")
				left := n
				ended = true
				_, _ = s.Prompt(world.Hooked(w, &hook{before: func(int, string, string) {
					if left--; left == 0 {
						ended = false
						r.m.Kill()
					}
				}}), "two")
			})
			require.Equal(t, !ended, out.Killed)
			r.answer = func() answer {
				if r.requests[len(r.requests)-1].Chain == "compact" {
					return summary("pears")
				}
				return says(text("C."))
			}
			r.resumed(func(w world.World, s *harness.Session) {
				assert.Equal(t, harness.Completed, r.prompt(w, s, "three").Reason)
				require.LessOrEqual(t, len(r.boundaries(s.File())), 2)
			})
			for _, q := range r.requests {
				legal(t, q.Body)
			}
			require.Less(t, n, 300)
		}
	}
}
