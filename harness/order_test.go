package harness_test

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"harnessbench/harness"
	"harnessbench/harness/world"
)

// needless is the check of H-CMP-4: how many summaries are asked for though clearing old results makes enough room.
func needless(t *testing.T, model string, order ...string) (n int) {
	script := loop("a", 8, "Bash", ls)
	script[8].input = 75_000 - 9 // the threshold is 67,000, and three results of 5,000 go
	r := newRig(t, model, append(script, summary("not needed"))...)
	r.long(20_000)
	r.cfg.Window = 100_000
	r.session(func(w world.World, s *harness.Session) {
		r.prompt(w, s, "one")
		r.idle(w, s, time.Hour+time.Millisecond)
		ended, err := s.Layers(w, "two", order...)
		require.NoError(t, err)
		require.Empty(t, ended)
	})
	for _, chain := range r.chains()[9:] {
		if chain == "compact" {
			n++
		}
	}
	return n
}

// Micro and auto do not commute: what clearing makes small enough needs no summary (H-CMP-1, H-CMP-4).
func TestAutoBeforeMicroIsNeedless(t *testing.T) {
	for _, model := range []string{plain, systems, bound, manual} {
		assert.Equal(t, 0, needless(t, model, "micro", "auto"), model)
		assert.Equal(t, 1, needless(t, model, "auto", "micro"), model)
	}
}

// Collapse and auto do not commute: while spans are collapsed the last layer only holds a call that would hardly fit, and
// it may do so only when collapsing has had its turn (H-CMP-1, H-CMP-32, H-CMP-40).
func TestAutoBeforeCollapseEndsTheTurnTooSoon(t *testing.T) {
	ends := func(order ...string) (ended string) {
		r := newRig(t, plain, append(filled(8, 79_000), summary("first"), summary("second"))...)
		r.long(10_000)
		r.cfg.Switches.Collapse, r.cfg.Window = true, 100_000
		r.session(func(w world.World, s *harness.Session) {
			r.prompt(w, s, "one")
			var err error
			ended, err = s.Layers(w, "", order...)
			require.NoError(t, err)
		})
		return ended
	}
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
// among the newest five of what is sent, and the check of H-CMP-22 names it. In the fixed order those are whole, and in
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
			ended, err := s.Layers(w, "two", order...)
			require.NoError(t, err)
			require.Empty(t, ended)
			r.prompt(w, s, "three")
		})
		body := r.requests[len(r.requests)-1].Body
		legal(t, body)
		return notNewest(t, body)
	}
	for _, model := range []string{plain, systems, bound, manual} {
		assert.Empty(t, broken(model, "snip", "micro"), model)
		assert.Equal(t, []string{"a1"}, broken(model, "micro", "snip"), model)
	}
}
