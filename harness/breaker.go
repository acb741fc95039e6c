package harness

import (
	"crypto/sha256"
	"time"

	"harnessbench/harness/compact"
)

// automatic is what a process remembers of its compactions. A resume begins with none of it (H-CMP-63).
type automatic struct {
	failures int       // of those by itself, in a row
	opened   time.Time // when the last of them opened the breaker, or opened it again

	committed bool // there was a compaction
	answers   int  // of the main conversation since
	refills   int  // times in a row that the threshold was reached again soon after

	refused [sha256.Size]byte // the newest request for a summary that would be refused again, by its bytes
}

// open tells that no attempt is made: too many have failed in a row. With a cooldown one is let through when it has
// passed since the breaker opened (H-CMP-63).
func (a *automatic) open(now time.Time, l *compact.AutoLimits, cooldown time.Duration) bool {
	return a.failures >= l.Failures && (cooldown == 0 || now.Sub(a.opened) < cooldown)
}

// failed counts an attempt that failed; it reports whether that opened the breaker, anew or again.
func (a *automatic) failed(now time.Time, l *compact.AutoLimits) bool {
	a.failures++
	if a.failures < l.Failures {
		return false
	}
	a.opened = now
	return true
}

// succeeded takes in a compaction, of whatever cause: the breaker closes.
func (a *automatic) succeeded() {
	a.failures, a.committed, a.answers = 0, true, 0
}

// answered takes in an answer of the main conversation.
func (a *automatic) answered() { a.answers++ }

// fresh tells that nothing was answered since the newest compaction: another one would only summarise its summary.
func (a *automatic) fresh() bool { return a.committed && a.answers == 0 }

// refill takes in that the threshold was reached, and tells whether that happened so often in a row, and each time so
// soon after a compaction, that another one would be in vain (H-CMP-64). It then begins to count anew, so that the next
// prompt has its chance.
func (a *automatic) refill(l *compact.AutoLimits) (thrashing bool) {
	if !a.committed || a.answers > l.RefillCalls {
		a.refills = 0
		return false
	}
	a.refills++
	if a.refills < l.Refills {
		return false
	}
	a.refills = 0
	return true
}

// cooldown is the value of compact.cooldown, 0 for none.
func (s *Session) cooldown() time.Duration {
	d, _ := time.ParseDuration(s.cfg.Switches.Cooldown) // checked when it was set
	return d
}
