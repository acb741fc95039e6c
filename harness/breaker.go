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

	refills         // after compactions
	spans   refills // after spans were collapsed

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
	a.failures = 0
	a.made()
}

// answered takes in an answer of the main conversation.
func (a *automatic) answered() {
	a.answers++
	a.spans.answers++
}

// refills tells how soon, and how often in a row, a conversation that was made shorter was back at the threshold
// (H-CMP-64).
type refills struct {
	committed bool // it was made shorter
	answers   int  // of the main conversation since
	again     int  // times in a row that it was made shorter anew soon after
}

// made takes in that the conversation was made shorter.
func (r *refills) made() { r.committed, r.answers = true, 0 }

// fresh tells that nothing was answered since the newest time: another one would only summarise its summary.
func (r *refills) fresh() bool { return r.committed && r.answers == 0 }

// refill tells, when the threshold is reached, whether that is soon after the last time, and whether it happened so often
// in a row that another time would be in vain. It then begins to count anew, so that the next prompt has its chance.
func (r *refills) refill(l *compact.AutoLimits) (soon, thrashing bool) {
	soon = r.committed && r.answers <= l.RefillCalls
	if soon && r.again+1 >= l.Refills {
		r.again = 0
		return true, true
	}
	return soon, false
}

// count takes in that the conversation was made shorter by itself, soon after the last time or not. A try that came to
// nothing is not counted.
func (r *refills) count(soon bool) {
	r.again++
	if !soon {
		r.again = 0
	}
}

// cooldown is the value of compact.cooldown, 0 for none.
func (s *Session) cooldown() time.Duration {
	d, _ := time.ParseDuration(s.cfg.Switches.Cooldown) // checked when it was set
	return d
}
