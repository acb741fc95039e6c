package harness_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"harnessbench/harness"
	"harnessbench/harness/world"
)

// Behind a compaction in a tool loop, and a second one in the same loop, every command works as behind one the user
// asked for: a resume and a fork send the same bytes, a rewind to the prompt it kept has the whole history again, a
// summary of a part and another of everything can be made (H-CMP-78, H-CMD-33, H-CMD-38, H-CMD-39, H-CMD-53, H-LOG-45).
func TestCommandsBehindAutomaticCompactions(t *testing.T) {
	for _, model := range []string{plain, systems, bound, manual} {
		for _, times := range []int{1, 2} {
			commands := map[string]func(r *rig, w world.World, s *harness.Session){
				"resume": func(*rig, world.World, *harness.Session) {},
				"fork": func(r *rig, w world.World, s *harness.Session) {
					before := messages(t, r.requests[len(r.requests)-1].Body)
					require.NoError(t, s.Fork(w, ""))
					r.prompt(w, s, "again")
					after := messages(t, r.requests[len(r.requests)-1].Body)
					assert.Equal(t, before, after[:len(before)])
				},
				"rewind": func(r *rig, w world.World, s *harness.Session) {
					points := s.Prompts()
					require.NoError(t, s.Rewind(w, points[1].UUID))
					r.prompt(w, s, "instead")
					body := string(r.requests[len(r.requests)-1].Body)
					holds(t, true, body, `"text":"one"`)
					holds(t, false, body, "This session is being continued")
				},
				"from": func(r *rig, w world.World, s *harness.Session) {
					points := s.Prompts()
					_, err := s.RewindTo(w, points[len(points)-1].UUID, harness.SummarizeFrom)
					require.NoError(t, err)
				},
				"up to": func(r *rig, w world.World, s *harness.Session) {
					points := s.Prompts()
					_, err := s.RewindTo(w, points[len(points)-1].UUID, harness.SummarizeUpTo)
					require.NoError(t, err)
					r.prompt(w, s, "and")
					holds(t, true, string(r.requests[len(r.requests)-1].Body), `"text":"three"`)
				},
				"compact": func(r *rig, w world.World, s *harness.Session) { require.NoError(t, s.Compact(w, "")) },
			}
			for name, command := range commands {
				t.Run(fmt.Sprint(model, times, name), func(t *testing.T) {
					r := newRig(t, model, says(text("-")))
					r.cfg.Window = 100_000
					compacted, calls := 0, 0
					r.answer = func() answer {
						n := len(r.requests)
						if r.requests[n-1].Chain == "compact" {
							compacted++
							return summary(fmt.Sprint("plums ", compacted))
						}
						calls++
						switch {
						case calls == 1:
							return says(thinking("t", "c2ln"), text("A."))
						case calls <= 1+times:
							return full(70_000, thinking("t", "c2ln"), use(fmt.Sprint("c", n), "Bash", `{"command":"ls"}`))
						case calls == 2+times:
							return says(thinking("t", "c2ln"), use(fmt.Sprint("c", n), "Bash", `{"command":"ls"}`))
						}
						return says(thinking("t", "c2ln"), text("B."))
					}
					r.session(func(w world.World, s *harness.Session) {
						r.prompt(w, s, "one")
						r.prompt(w, s, "two")
						assert.Equal(t, times, compacted)
						r.prompt(w, s, "three")
						command(r, w, s)
						r.prompt(w, s, "four")
					})
					was := r.requests[len(r.requests)-1].Body
					r.resumed(func(w world.World, s *harness.Session) { r.prompt(w, s, "five") })
					before, after := messages(t, was), messages(t, r.requests[len(r.requests)-1].Body)
					assert.Equal(t, before, after[:len(before)])
					for _, q := range r.requests {
						legal(t, q.Body)
					}
				})
			}
		}
	}
}
