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

// Three failed attempts in a row end them for the session; each leaves the payload as it was and the call is made
// (H-CMP-63, H-CMP-65). A success in between counts them anew; /compact may be asked for all the while and closes the
// breaker, as does the time of compact.cooldown, for one attempt (H-CMP-63). A process begins without failures. bug
// c-failed-compaction-resent-unchanged.
func TestTheBreaker(t *testing.T) {
	setup := func(cooldown string) *rig {
		r := newRig(t, manual, says(text("-")))
		r.cfg.Window, r.cfg.Switches.Cooldown = 100_000, cooldown
		return r
	}
	play := func(r *rig, w world.World, s *harness.Session, ok bool, size int) (attempts int) {
		before := len(r.requests)
		r.answer = func() answer {
			if r.requests[len(r.requests)-1].Chain != "compact" {
				return full(size, text(fmt.Sprint("A", len(r.requests))))
			}
			attempts++
			if ok {
				return summary("s")
			}
			return broken
		}
		out := r.prompt(w, s, fmt.Sprint("p", len(r.requests)))
		assert.Equal(t, harness.Completed, out.Reason)
		assert.Len(t, r.requests, before+attempts+1)
		return attempts
	}
	r := setup("")
	r.session(func(w world.World, s *harness.Session) {
		assert.Zero(t, play(r, w, s, false, 70_000))
		for i := range 3 {
			assert.Equal(t, 1, play(r, w, s, false, 70_000), i)
			notes := strings.Join(s.Report(), "\n")
			assert.Contains(t, notes, "could not be compacted")
			assert.Equal(t, i == 2, strings.Contains(notes, "After 3 failures in a row it is not tried again"), notes)
		}
		require.NoError(t, w.Sleep(48*time.Hour))
		assert.Zero(t, play(r, w, s, false, 70_000), "the breaker is open")
		assert.Len(t, r.boundaries(s.File()), 0)
		r.answer = func() answer { return summary("s") }
		require.NoError(t, s.Compact(w, ""))
		assert.Zero(t, play(r, w, s, false, 70_000), "it is short now")
		assert.Equal(t, 1, play(r, w, s, false, 70_000), "and the breaker closed")
		assert.Equal(t, 1, play(r, w, s, false, 70_000))
		assert.Equal(t, 1, play(r, w, s, true, 70_000), "a success")
		assert.Equal(t, 1, play(r, w, s, false, 70_000))
		assert.Equal(t, 1, play(r, w, s, false, 70_000))
		assert.Equal(t, 1, play(r, w, s, false, 70_000), "counted anew")
		assert.Zero(t, play(r, w, s, false, 70_000))
	})
	r.resumed(func(w world.World, s *harness.Session) { assert.Equal(t, 1, play(r, w, s, false, 70_000)) })

	r = setup("30m")
	r.session(func(w world.World, s *harness.Session) {
		play(r, w, s, false, 70_000)
		for range 3 {
			assert.Equal(t, 1, play(r, w, s, false, 70_000))
		}
		assert.Zero(t, play(r, w, s, false, 70_000))
		require.NoError(t, w.Sleep(30*time.Minute))
		assert.Equal(t, 1, play(r, w, s, false, 70_000), "one attempt is let through")
		assert.Zero(t, play(r, w, s, true, 70_000), "it failed")
		require.NoError(t, w.Sleep(29*time.Minute))
		assert.Zero(t, play(r, w, s, true, 70_000))
		require.NoError(t, w.Sleep(time.Minute))
		assert.Equal(t, 1, play(r, w, s, true, 70_000))
		assert.Equal(t, 1, play(r, w, s, false, 70_000), "closed")
		assert.Equal(t, 1, play(r, w, s, false, 70_000))
	})
}

// With the breaker open the turn ends where the next call would hardly fit (H-CMP-40, H-CMP-63).
func TestTheBreakerBlocks(t *testing.T) {
	r := newRig(t, manual, says(text("-")))
	r.cfg.Window = 100_000
	r.answer = func() answer {
		if r.requests[len(r.requests)-1].Chain == "compact" {
			return broken
		}
		return full(77_000, text("A"+fmt.Sprint(len(r.requests))))
	}
	r.session(func(w world.World, s *harness.Session) {
		for range 4 {
			assert.Equal(t, harness.Completed, r.prompt(w, s, "p").Reason)
		}
		calls := len(r.requests)
		assert.Equal(t, harness.BlockingLimit, r.prompt(w, s, "p").Reason)
		assert.Len(t, r.requests, calls)
	})
}

// When the threshold is reached again within two calls after a compaction, three times in a row, the turn ends without
// a further call (H-CMP-64); a third call in between makes it no row. bug c-thrash-refill.
func TestThrashing(t *testing.T) {
	for calls, ends := range map[int]bool{1: true, 2: true, 3: false} {
		r := newRig(t, plain, says(text("-")))
		r.cfg.Window = 100_000
		compactions, since := 0, 0
		r.answer = func() answer {
			if r.requests[len(r.requests)-1].Chain == "compact" {
				compactions, since = compactions+1, 0
				return summary(fmt.Sprint("s", compactions))
			}
			since++
			if compactions == 5 && since == 2 {
				return says(text("Done."))
			}
			size := 1_000
			if since == calls {
				size = 70_000
			}
			return full(size, use(fmt.Sprintf("c%d", len(r.requests)), "Bash", `{"command":"ls"}`))
		}
		r.session(func(w world.World, s *harness.Session) {
			out := r.prompt(w, s, "one")
			if !ends {
				assert.Equal(t, harness.Completed, out.Reason)
				assert.Equal(t, 5, compactions)
				return
			}
			assert.Equal(t, harness.RapidRefill, out.Reason)
			require.Error(t, out.Err)
			assert.True(t, strings.HasPrefix(out.Err.Error(), "Autocompact is thrashing"), out.Err)
			assert.Equal(t, 3, compactions)
			assert.Len(t, r.requests, 3+4*calls)
			assert.Len(t, r.boundaries(s.File()), 3)
			r.answer = func() answer {
				if r.requests[len(r.requests)-1].Chain == "compact" {
					return summary("t")
				}
				return says(text("B."))
			}
			assert.Equal(t, "B.", r.prompt(w, s, "two").Text, "the next prompt has its chance")
		})
	}
}
