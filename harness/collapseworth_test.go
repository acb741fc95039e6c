package harness_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"harnessbench/harness"
	"harnessbench/harness/compact"
	"harnessbench/harness/world"
)

// A span is collapsed when it has the least tokens that are worth its call, and not one token below; the conversation goes
// on beyond the threshold until then (H-CMP-32).
func TestCollapseIsWorthItsCall(t *testing.T) {
	limits := compact.Full().Collapse
	least := limits.Least(67_000)
	for _, model := range []string{plain, systems, bound, manual} {
		t.Run(model, func(t *testing.T) {
			freed := func(chars int) (tokens int, fired bool) {
				r := newRig(t, model, append(filled(6, 70_000), says(text("B.")))...)
				r.long(chars)
				r.answer = func() answer {
					if r.requests[len(r.requests)-1].Chain == "compact" {
						return summary("plums")
					}
					return r.script[min(strings.Count(strings.Join(r.chains(), " "), "main"), len(r.script))-1]
				}
				r.cfg.Switches.Collapse, r.cfg.Window = true, 100_000
				r.session(func(w world.World, s *harness.Session) {
					r.prompt(w, s, "one")
					require.Equal(t, harness.Completed, r.prompt(w, s, "two").Reason)
					for _, span := range r.records(s.File(), "collapse-commit") {
						fired = true
						tokens = int(span["tokensFreed"].(float64)) + len(fmt.Sprintf("%q", span["summary"]))/4
					}
				})
				return tokens, fired
			}
			below, above := 100, 10_000
			for above-below > 1 {
				if _, fired := freed((below + above) / 2); fired {
					above = (below + above) / 2
				} else {
					below = (below + above) / 2
				}
			}
			tokens, fired := freed(above)
			require.True(t, fired)
			assert.GreaterOrEqual(t, tokens, least)
			assert.Less(t, tokens, least+4, "one character less in each of three results is too little")
		})
	}
}

// Where each answer brings the size back after a span was collapsed, the turn ends at the third time in a row, without a
// further call; with a third call in between it goes on. The next prompt has its chance (H-CMP-64, H-CMP-32).
func TestCollapseThrashes(t *testing.T) {
	for _, model := range []string{plain, systems, bound, manual} {
		for _, every := range []int{1, 2, 3} { // calls from one span to the next
			t.Run(fmt.Sprintf("%s, each %d calls", model, every), func(t *testing.T) {
				r := newRig(t, model, says(text("-")))
				r.long(20_000)
				r.cfg.Switches.Collapse, r.cfg.Window = true, 100_000
				main := 0
				r.answer = func() answer {
					if r.requests[len(r.requests)-1].Chain == "compact" {
						return summary("plums")
					}
					main++
					size := 10_000
					if main >= 12 && main%every == 0 {
						size = 70_000
					}
					if main == 12+8*every {
						return full(size, text("Done."))
					}
					return full(size, use(fmt.Sprint("c", main), "Agent", helper))
				}
				r.session(func(w world.World, s *harness.Session) {
					out := r.prompt(w, s, "one")
					spans := len(r.records(s.File(), "collapse-commit"))
					if every == 3 {
						assert.Equal(t, harness.Completed, out.Reason)
						assert.Greater(t, spans, 4)
						return
					}
					assert.Equal(t, harness.RapidRefill, out.Reason)
					assert.ErrorContains(t, out.Err, "Autocompact is thrashing: 3 times in a row")
					assert.Equal(t, 3, spans)
					before := len(r.requests)
					assert.NotEqual(t, "compact", r.chains()[before-1])
					r.prompt(w, s, "two")
					assert.Equal(t, "compact", r.chains()[before], "it begins to count anew")
				})
				for _, q := range r.requests {
					legal(t, q.Body)
				}
			})
		}
	}
}

// A try that came to nothing is no compaction: of three in a row that the size came back soon after, only those count that
// were made (H-CMP-64, H-CMP-63).
func TestAFailedTryIsNoRefill(t *testing.T) {
	for _, model := range []string{plain, systems, bound, manual} {
		t.Run(model, func(t *testing.T) {
			r := newRig(t, model, says(text("-")))
			r.cfg.Window = 100_000
			asked := 0
			r.answer = func() answer {
				if r.requests[len(r.requests)-1].Chain != "compact" {
					return full(70_000, text("A."))
				}
				if asked++; asked == 3 {
					return says(text("<summary> </summary>"))
				}
				return summary("plums")
			}
			r.session(func(w world.World, s *harness.Session) {
				r.prompt(w, s, "p1")
				for i, boundaries := range []int{1, 2, 2, 3} {
					require.Equal(t, harness.Completed, r.prompt(w, s, fmt.Sprint("p", i+2)).Reason)
					require.Len(t, r.boundaries(s.File()), boundaries)
				}
				out := r.prompt(w, s, "p6")
				assert.Equal(t, harness.RapidRefill, out.Reason)
				assert.Equal(t, 4, asked, "no further call")
			})
		})
	}
}

// Where no call may be made any more, spans of whatever size are collapsed if together they bring the size below the
// threshold; if they do not, none is paid for, and the turn ends (H-CMP-32, H-CMP-40).
func TestARequestIsHeldWhereSpansHelp(t *testing.T) {
	for _, model := range []string{plain, systems, bound, manual} {
		for calls, helps := range map[int]bool{2: true, 1: false} {
			r := newRig(t, model, says(text("small")))
			r.long(40_000)
			var first []string
			for i := range calls {
				first = append(first, use(fmt.Sprint("a", i), "Agent", helper))
			}
			r.script = append(r.script, says(first...), full(70_000, use("b", "Agent", helper)))
			r.answer = func() answer {
				n := len(r.requests)
				switch {
				case r.requests[n-1].Chain == "compact":
					return summary("plums")
				case n <= len(r.script):
					return r.script[n-1]
				}
				return says(text("Done."))
			}
			r.cfg.Switches.Collapse, r.cfg.Window = true, 100_000
			r.session(func(w world.World, s *harness.Session) {
				r.prompt(w, s, "one")
				out := r.prompt(w, s, "two")
				if helps {
					assert.Equal(t, harness.Completed, out.Reason)
					assert.Equal(t, []string{"compact", "compact", "main"}, r.chains()[3:])
					return
				}
				assert.Equal(t, harness.BlockingLimit, out.Reason)
				assert.Len(t, r.requests, 3)
			})
			for _, q := range r.requests {
				legal(t, q.Body)
			}
		}
	}
}
