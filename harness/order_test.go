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
		ended, err := s.Layers(w, order...)
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
	for _, model := range []string{plain, systems, manual} { // a bound one clears nothing while a turn with thinking is open, as here
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
			ended, err = s.Layers(w, order...)
			require.NoError(t, err)
		})
		return ended
	}
	assert.Empty(t, ends("collapse", "auto"))
	assert.Equal(t, harness.BlockingLimit, ends("auto", "collapse"))
}

// In the full profile the newest results stay whole whichever of snip and micro comes first, and what is sent is legal
// (H-CMP-1, H-CMP-5, H-CMP-21).
func TestSnipAndMicroKeepTheNewestInEitherOrder(t *testing.T) {
	for _, order := range [][]string{{"snip", "micro"}, {"micro", "snip"}} {
		r := newRig(t, plain, append(loop("a", 30, "Bash", ls), says(text("B.")))...)
		r.long(400)
		r.cfg.Switches.Snip = true
		r.session(func(w world.World, s *harness.Session) {
			r.prompt(w, s, "one")
			r.idle(w, s, time.Hour+time.Millisecond)
			_, err := s.Layers(w, order...)
			require.NoError(t, err)
			r.prompt(w, s, "two")
		})
		gone := cleared(t, r.requests[31].Body)
		for _, id := range []string{"a26", "a27", "a28", "a29", "a30"} {
			assert.False(t, slices.Contains(gone, id), "%v: %s", order, id)
		}
		legal(t, r.requests[31].Body)
	}
}
