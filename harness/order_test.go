package harness_test

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"harnessbench/harness"
	"harnessbench/harness/world"
)

// layers runs layers behind a prompt in an order, or where none is given a turn with that prompt: the pipeline's own order.
func (r *rig) layers(w world.World, s *harness.Session, prompt string, order []string) (ended string) {
	if len(order) == 0 {
		return r.prompt(w, s, prompt).Reason
	}
	ended, err := s.Layers(w, prompt, order...)
	require.NoError(r.t, err)
	return ended
}

// needless is the check of H-CMP-4: how many summaries are asked for though clearing old results makes enough room.
func needless(t *testing.T, model string, order ...string) (n int) {
	script := loop("a", 8, "Bash", ls)
	script[8].input = 75_000 - 9 // the threshold is 67,000, and three results of 5,000 go
	r := newRig(t, model, append(script, summary("not needed"), says(text("B.")))...)
	r.long(20_000)
	r.cfg.Window = 100_000
	r.session(func(w world.World, s *harness.Session) {
		r.prompt(w, s, "one")
		r.idle(w, s, time.Hour+time.Millisecond)
		r.layers(w, s, "two", order)
	})
	for _, chain := range r.chains()[9:] {
		if chain == "compact" {
			n++
		}
	}
	return n
}

// Micro and auto do not commute: what clearing makes small enough needs no summary, and the pipeline asks for none (H-CMP-1,
// H-CMP-4).
func TestAutoBeforeMicroIsNeedless(t *testing.T) {
	for _, model := range []string{plain, systems, bound, manual} {
		assert.Equal(t, 0, needless(t, model), model)
		assert.Equal(t, 0, needless(t, model, "micro", "auto"), model)
		assert.Equal(t, 1, needless(t, model, "auto", "micro"), model)
	}
}

// Collapse and auto do not commute: while spans are collapsed the last layer only holds a call that would hardly fit, and
// it may do so only when collapsing has had its turn (H-CMP-1, H-CMP-32, H-CMP-40).
func TestAutoBeforeCollapseEndsTheTurnTooSoon(t *testing.T) {
	ends := func(order ...string) (ended string) {
		r := newRig(t, plain, append(filled(8, 79_000), summary("first"), summary("second"), says(text("B.")))...)
		r.long(10_000)
		r.cfg.Switches.Collapse, r.cfg.Window = true, 100_000
		r.session(func(w world.World, s *harness.Session) {
			r.prompt(w, s, "one")
			ended = r.layers(w, s, "two", order)
		})
		return ended
	}
	assert.Equal(t, harness.Completed, ends())
	assert.Empty(t, ends("collapse", "auto"))
	assert.Equal(t, harness.BlockingLimit, ends("auto", "collapse"))
}

// notNewest is the check of H-CMP-22 on a request: the newest five results that it sends are whole. It names those that
// are not.
func notNewest(t *testing.T, body []byte) (broken []string) {
	results := resultsWith(t, body, "")
	gone := cleared(t, body)
	for _, id := range results[max(0, len(results)-5):] {
		if slices.Contains(gone, id) {
			broken = append(broken, id)
		}
	}
	return broken
}

// Snip and micro do not commute: micro first counts results that the snip then takes away, so that what is cleared is
// among the newest five of what is sent, and the check of H-CMP-22 names it. In the pipeline's order those are whole, and in
// either one the request is legal (H-CMP-1, H-CMP-5).
func TestMicroBeforeSnipClearsWhatIsNewestHereToo(t *testing.T) {
	broken := func(model string, order ...string) []string {
		script := append(loop("a", 1, "Bash", ls), loop("b", 6, "Bash", ls)...)
		for range 20 {
			script = append(script, says(thinking("n", "bmV3"), text("B.")))
		}
		r := newRig(t, model, script...)
		r.long(400)
		r.cfg.Switches.Snip = true
		r.session(func(w world.World, s *harness.Session) {
			for range 18 { // so many prompts make 50 messages
				r.prompt(w, s, "one")
			}
			r.idle(w, s, time.Hour+time.Millisecond)
			r.layers(w, s, "two", order)
			r.prompt(w, s, "three")
		})
		body := r.requests[len(r.requests)-1].Body
		legal(t, body)
		return notNewest(t, body)
	}
	for _, model := range []string{plain, systems, bound, manual} {
		assert.Empty(t, broken(model), model)
		assert.Empty(t, broken(model, "snip", "micro"), model)
		assert.Equal(t, []string{"a1"}, broken(model, "micro", "snip"), model)
	}
}

// The pipeline of the teaching profile saves what is over the budget before it clears it, counts the newest results of what
// the snip leaves, and asks for a summary only when clearing was not enough: the same checks, on what it sends (H-CMP-1,
// H-CMP-2, H-CMP-4, H-CMP-20).
func TestTheTeachingPipelineKeepsTheOrder(t *testing.T) {
	for _, model := range everyModel {
		t.Run(model+" budget before micro", func(t *testing.T) {
			var uses []string
			for i := range 5 {
				uses = append(uses, use(fmt.Sprint("c", i+1), "bash", ls))
			}
			r := taughtRig(t, model, 60_000, says(uses...), says(text("B.")))
			r.session(func(w world.World, s *harness.Session) { r.prompt(w, s, "one") })
			saved := map[string]int{}
			for _, f := range r.disk.Files() {
				if strings.Contains(f, "tool-results/") {
					saved[path.Base(f)] = len(r.read(f))
				}
			}
			assert.Equal(t, map[string]int{"c1.txt": 60_000, "c2.txt": 60_000}, saved)
		})
		t.Run(model+" snip before micro", func(t *testing.T) {
			if model == bound {
				return // it keeps the profile that it began with, in which both layers have come before each call
			}
			script := append(loop("a", 1, "Bash", ls), loop("b", 3, "Bash", ls)...)
			for range 24 {
				script = append(script, says(text("B.")))
			}
			r := newRig(t, model, script...)
			r.long(600)
			r.session(func(w world.World, s *harness.Session) { // no layer comes in
				for range 25 {
					r.prompt(w, s, "one")
				}
			})
			r.cfg.Switches.Profile = harness.ProfileTeaching
			r.resumed(func(w world.World, s *harness.Session) { r.prompt(w, s, "two") })
			body := r.requests[len(r.requests)-1].Body
			holds(t, true, string(body), "[snipped ")
			results := resultsWith(t, body, "")
			assert.Equal(t, []string{"a1"}, results)
			assert.Empty(t, resultsWith(t, body, "[Earlier tool result"))
		})
		t.Run(model+" micro before auto", func(t *testing.T) {
			r := taughtRig(t, model, 60_000, rounds(6)...) // three are 45,000 tokens, four are 60,000, and 50,000 is the limit
			r.session(func(w world.World, s *harness.Session) { r.prompt(w, s, "one") })
			// On a model that checks, the clearing waits for the end of the loop, and no turn can (H-LOOP-52).
			assert.Equal(t, model == bound, slices.Contains(r.chains(), "compact"))
		})
	}
}
