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

// What is asked beside the conversation of the teaching profile goes on from the list that main requests send, results
// cleared and thinking left out as there, so that a model that checks takes it and its cache is read: /btw, also while tools
// run, and /compact (H-CMP-46, H-CMD-60, H-CMD-63, CACHE-6, D1). What a part is summarised of holds no thinking there.
func TestWhatIsAskedBesideTheList(t *testing.T) {
	for _, model := range everyModel {
		t.Run(model, func(t *testing.T) {
			r := taughtRig(t, model, 200, append(append(rounds(6), loop("b", 2, "bash", ls)...), says(text("-")))...)
			r.answer = func() answer {
				switch q := r.requests[len(r.requests)-1]; q.Chain {
				case "btw":
					return says(text("Aside."))
				case "compact":
					return summary("plums")
				}
				return r.script[min(strings.Count(strings.Join(r.chains(), " "), "main"), len(r.script))-1]
			}
			var lists [][]string // of main requests
			beside := func(after int) {
				q := r.requests[len(r.requests)-1]
				legal(t, q.Body)
				main := lists[len(lists)-1]
				now := messages(t, q.Body)
				require.Greater(t, len(now), len(main)-1)
				assert.Equal(t, main[:len(main)-after], now[:len(main)-after], q.Chain)
			}
			r.check = func(q world.Request) {
				if q.Chain == "main" {
					legal(t, q.Body)
					lists = append(lists, messages(t, q.Body))
				}
			}
			ask := func(w world.World, s *harness.Session, after int) {
				_, err := s.Btw(w, "where are we?")
				require.NoError(t, err)
				beside(after)
			}
			r.session(func(w world.World, s *harness.Session) {
				r.prompt(w, s, "one")
				ask(w, s, 0)
				aside := w.Go("aside", func(w world.World) {
					for calls := len(r.ran) + 2; len(r.ran) < calls; {
						require.NoError(t, w.Sleep(50*time.Millisecond))
					}
					ask(w, s, 1)
				})
				r.prompt(w, s, "two")
				require.NoError(t, w.Wait(aside))
				ask(w, s, 0)
				holds(t, true, string(r.requests[len(r.requests)-1].Body), "[Earlier tool result compacted.")
				p := s.LastPrompt()
				require.NoError(t, s.Compact(w, ""))
				beside(0)
				require.NoError(t, s.Rewind(w, p))
				r.prompt(w, s, "three")
				_, err := s.RewindTo(w, s.LastPrompt(), harness.SummarizeUpTo)
				require.NoError(t, err)
				part := string(r.requests[len(r.requests)-1].Body)
				assert.Equal(t, model != bound, strings.Contains(part, `"type":"thinking",`))
			})
			r.resumed(func(w world.World, s *harness.Session) { ask2(t, r, w, s) })
		})
	}
}

// ask2 asks in another process, which has sent no list yet: on a model that checks, no thinking is sent.
func ask2(t *testing.T, r *rig, w world.World, s *harness.Session) {
	_, err := s.Btw(w, "where are we?")
	require.NoError(t, err)
	last := r.requests[len(r.requests)-1].Body
	legal(t, last)
	assert.False(t, modelOf(t, last) == bound && strings.Contains(string(last), `"type":"thinking",`))
}

// Behind a compaction of the teaching profile another one waits for an answer, by itself and for a refusal alike
// (CMP-3, H-CMP-60). The nearest right case has an answer between.
func TestACompactionWaitsForAnAnswerInTheTeachingProfile(t *testing.T) {
	for _, model := range everyModel {
		for refused, want := range map[int][]string{
			2: {"main", "compact", "main", "main"},                    // the call behind the compaction, then a long prompt
			3: {"main", "compact", "main", "main", "compact", "main"}, // the next one
		} {
			r := taughtRig(t, model, 10, says(text("-")))
			r.answer = func() answer {
				switch main := strings.Count(strings.Join(r.chains(), " "), "main"); {
				case r.requests[len(r.requests)-1].Chain == "compact":
					return says(text("plums"))
				case main == refused:
					return refusesAsTooLong()
				default:
					return says(text(fmt.Sprint("A", main)))
				}
			}
			r.session(func(w world.World, s *harness.Session) {
				r.prompt(w, s, "one")
				out := r.prompt(w, s, strings.Repeat("word ", 45_000))
				assert.Equal(t, refused == 2, out.Reason == harness.PromptTooLong)
				if refused == 3 {
					r.prompt(w, s, "three")
				} else {
					assert.Equal(t, harness.Completed, r.prompt(w, s, strings.Repeat("more ", 45_000)).Reason)
				}
			})
			assert.Equal(t, want, r.chains(), model)
		}
	}
}

// Failures in a row end compaction by itself in the teaching profile too; after compact.cooldown one attempt is let through;
// a rewind changes nothing about that; a summary that comes on another way closes the breaker (H-CMP-63).
func TestTheBreakerOfTheTeachingProfile(t *testing.T) {
	for _, model := range everyModel {
		for name, c := range map[string]struct {
			cooldown string
			then     func(r *rig, w world.World, s *harness.Session)
			tries    int // behind the third failure
		}{
			"shut":        {"", func(r *rig, w world.World, s *harness.Session) { require.NoError(r.t, w.Sleep(time.Hour)) }, 0},
			"not yet":     {"10m", func(r *rig, w world.World, s *harness.Session) { require.NoError(r.t, w.Sleep(8*time.Minute)) }, 0},
			"cooled down": {"10m", func(r *rig, w world.World, s *harness.Session) { require.NoError(r.t, w.Sleep(11*time.Minute)) }, 1},
			"behind a rewind": {"", func(r *rig, w world.World, s *harness.Session) {
				require.NoError(r.t, s.Rewind(w, s.LastPrompt()))
			}, 0},
		} {
			t.Run(name+" "+model, func(t *testing.T) {
				r := taughtRig(t, model, 10, says(text("-")))
				r.answer = func() answer {
					if r.requests[len(r.requests)-1].Chain == "compact" {
						return says(text(""))
					}
					return says(text("A."))
				}
				r.cfg.Switches.Cooldown = c.cooldown
				tries := func() int { return strings.Count(strings.Join(r.chains(), " "), "compact") }
				r.session(func(w world.World, s *harness.Session) {
					r.prompt(w, s, strings.Repeat("word ", 45_000))
					for range 4 {
						r.prompt(w, s, "x")
					}
					before := tries()
					assert.Contains(t, strings.Join(s.Report(), "\n"), "After 3 failures in a row it is not tried again")
					c.then(r, w, s)
					r.prompt(w, s, "y")
					r.prompt(w, s, "z")
					assert.Equal(t, c.tries, tries()-before)
				})
			})
		}
	}
}
