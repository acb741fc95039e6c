package harness_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"harnessbench/harness"
	"harnessbench/harness/world"
)

// asksToCompact tells for each main request whether it asks the server to compact: y, -.
func (r *rig) asksToCompact() string {
	var b strings.Builder
	for _, q := range r.requests {
		switch {
		case q.Chain != "main":
		case strings.Contains(managed(r.t, q.Body), "compact_20260112"):
			b.WriteByte('y')
		default:
			b.WriteByte('-')
		}
	}
	return b.String()
}

// Behind a summary of its own the server is not asked for another one before there is an answer, so that a prompt over the
// trigger is answered; a process that was resumed knows it too (H-CMP-39, H-CMP-82). From the answer on it is asked again.
func TestTheServerIsAskedAgainBehindAnAnswer(t *testing.T) {
	for model, want := range map[string]string{plain: "y-yy", systems: "y-yy", bound: "y-yy", manual: "----"} {
		for _, dies := range []bool{false, true} {
			r := newRig(t, model, condensed(`"All of it."`), says(use("a", "Bash", ls)), says(text("A.")), says(text("B.")))
			if model == manual { // whose server writes no summary
				r.script[0] = says(use("z", "Bash", ls))
			}
			r.cfg.Switches.CompactServer = true
			r.session(func(w world.World, s *harness.Session) {
				if dies {
					r.check = func(world.Request) {
						if len(r.requests) == 2 {
							r.m.Kill()
						}
					}
				}
				r.prompt(w, s, "one")
				if !dies {
					r.prompt(w, s, "two")
				}
			})
			if r.check = nil; dies {
				r.next = 1
				r.resumed(func(w world.World, s *harness.Session) {
					_, err := s.Rerun(w)
					require.NoError(t, err)
				})
				assert.Equal(t, want[:2]+want[1:3], r.asksToCompact(), "%s: the request that was lost, and made again", model)
				continue
			}
			assert.Equal(t, want, r.asksToCompact(), model)
			holds(t, model != manual, string(r.requests[1].Body), "All of it.")
			assert.Equal(t, 1, strings.Count(string(r.requests[1].Body), `"text":"one"`))
		}
	}
}

// Where front and newest prompt alone have the size from which the server would compact, no summary gets below it: it is
// asked from the client's own threshold on, and not at all where they have that size too (H-CMP-82). One that is a little
// smaller is asked for as always.
func TestTheServerIsNotAskedForWhatNoSummaryCanGive(t *testing.T) {
	for _, c := range []struct {
		tokens, window int
		want           string
	}{
		{100_000, 0, `[` + compactsAt(150_000) + `]`}, {150_000, 0, `[` + compactsAt(967_000) + `]`},
		{50_000, 100_000, `[` + compactsAt(67_000) + `]`}, {67_000, 100_000, `[]`},
	} {
		for _, model := range []string{plain, systems, bound} {
			r := newRig(t, model, says(text("A.")))
			r.cfg.Switches.CompactServer, r.cfg.Window = true, c.window
			r.session(func(w world.World, s *harness.Session) {
				r.prompt(w, s, strings.Repeat("word", c.tokens))
				r.prompt(w, s, "two")
			})
			assert.Equal(t, `{"edits":`+c.want+`}`, managed(t, r.requests[0].Body), "%s, %d tokens", model, c.tokens)
			assert.Contains(t, managed(t, r.requests[1].Body), "compact_20260112", "it is not the newest any more")
		}
	}
}

// An answer between two summaries of the server's has it asked again, and where each round of tools brings the size back at
// once the turn ends at the third time; the next one has the prompt of both (H-CMP-64, H-CMP-78).
func TestRoundsThatRefillEndTheTurnAndKeepThePrompt(t *testing.T) {
	for _, model := range []string{plain, systems, bound} {
		var script []answer
		for i := range 4 {
			script = append(script, condensed(fmt.Sprintf(`"Part %d."`, i)), says(use(fmt.Sprint("c", i), "Bash", ls)))
		}
		r := newRig(t, model, append(script[:7], says(text("Done.")))...)
		r.cfg.Switches.CompactServer = true
		r.session(func(w world.World, s *harness.Session) {
			out := r.prompt(w, s, "one")
			assert.Equal(t, harness.RapidRefill, out.Reason)
			assert.ErrorContains(t, out.Err, "3 times in a row the conversation was back at 150000 tokens")
			r.prompt(w, s, "two")
			r.prompt(w, s, "three")
		})
		assert.Equal(t, "y-y-y-y-y", r.asksToCompact(), model)
		last := string(r.requests[8].Body)
		for _, want := range []string{`"text":"one"`, `"text":"two"`, `"text":"three"`, "Part 3."} {
			assert.Equal(t, 1, strings.Count(last, want), "%s: %s", model, want)
		}
		legal(t, r.requests[8].Body)
	}
}

// A turn that ends at a summary of the server's, because the size comes back again and again or somebody stops it, leaves
// its prompt on the path: the next turn brings it back before its own, and a summary that the user wants next is made of
// it too (H-CMP-64, H-CMP-78, H-CMP-84). A prompt that was answered is not said again.
func TestAStopAtAServersSummaryKeepsThePrompt(t *testing.T) {
	const thrashing, stopped = "rapid_refill_breaker", "interrupted"
	for _, model := range []string{plain, systems, bound} {
		for _, why := range []string{thrashing, stopped} {
			for _, next := range []string{"prompt", "resume", "compact"} {
				r := newRig(t, model, condensed(`"S"`))
				r.cfg.Switches.CompactServer = true
				after := func(w world.World, s *harness.Session) {
					r.answer = func() answer { return says(text("<summary>T</summary>")) }
					if next == "compact" {
						require.NoError(t, s.Compact(w, ""))
					}
					r.prompt(w, s, "two")
					r.prompt(w, s, "three")
				}
				r.session(func(w world.World, s *harness.Session) {
					if why == stopped {
						r.check = func(world.Request) {
							if len(r.requests) == 2 {
								s.Interrupt()
							}
						}
					}
					assert.Equal(t, why, r.prompt(w, s, "one").Reason)
					if r.check = nil; next != "resume" {
						after(w, s)
					}
				})
				n := len(r.requests)
				if next == "resume" {
					r.resumed(after)
				} else {
					n -= map[string]int{"prompt": 2, "compact": 3}[next]
				}
				asked := string(r.requests[n].Body)
				assert.Equal(t, 1, strings.Count(asked, `"text":"one"`), "%s %s %s", model, why, next)
				last := string(r.requests[len(r.requests)-1].Body)
				assert.Equal(t, next != "compact", strings.Count(last, `"text":"one"`) == 1, "%s %s %s", model, why, next)
				for _, q := range r.requests {
					legal(t, q.Body)
				}
			}
		}
		r := newRig(t, model, condensed(`"S"`), says(text("A.")))
		r.cfg.Switches.CompactServer = true
		r.session(func(w world.World, s *harness.Session) {
			r.prompt(w, s, "one")
			r.prompt(w, s, "two")
			require.NoError(t, s.Compact(w, ""))
		})
		assert.Equal(t, 1, strings.Count(string(r.requests[3].Body), `"text":"one"`), "said once, behind the summary")
	}
}
