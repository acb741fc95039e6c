package invariant

import (
	"fmt"
	"strconv"
)

// Numbers of harness.md 10.12 from which the threshold follows.
const (
	summaryReserve = 20_000 // the most tokens kept free for a summary
	compactBuffer  = 13_000
	blockedBuffer  = 3_000 // behind which no call is made at all (H-CMP-40)
	imageEstimate  = 2_000 // tokens an image counts in an estimate (H-CMP-38)
	keptMessages   = 20    // that compact.keepRecent leaves behind a summary (H-CMP-74)
)

// threshold is the size at which the harness has to compact by itself, 0 where it need not or this judge does not know:
// it is off, the server does it, or the profile counts otherwise (H-CMP-35 to H-CMP-40, H-CMP-87).
func (x *compactions) threshold(c *call) int {
	if x.off() || x.options["compact.server"] == "on" {
		return 0
	}
	return x.level(c)
}

// off tells that nothing is to be compacted unasked (H-CMP-40, H-CMP-31).
func (x *compactions) off() bool {
	return x.options["compact.auto"] == "off" || x.options["collapse"] == "on"
}

// level is the threshold of the model in the window of the run, whether or not anything is done at it, 0 where it is not
// known.
func (x *compactions) level(c *call) int {
	o := x.options
	if c.model.Window == 0 || o["profile"] == "teaching" {
		return 0
	}
	window := c.model.Window
	if own, err := strconv.Atoi(o["compact.window"]); err == nil && own > 0 {
		window = min(window, own)
	}
	t := window - min(c.model.MaxOutput, summaryReserve) - compactBuffer
	if p, err := strconv.Atoi(o["compact.percent"]); err == nil && p >= 1 && p <= 100 {
		t = min(t, window*p/100)
	}
	return t
}

// most is the largest estimate a harness can make of a conversation: lines of the log are longer than what they bring.
func most(size, added, images int) int { return size + (added+3)/4 + images*imageEstimate }

// cmp2 compares what was done with the threshold. An estimate lies between the size reported and most: in between both
// are right.
type cmp2 struct {
	tried    *call // newest base behind which a compaction was tried
	failures int   // in a row
	refused  int   // messages of the newest request for a summary, when it was refused for good; 0 otherwise
	spared   *call // newest base behind which the same request was not sent again
}

func (o *cmp2) see(m *moment, t *tally) {
	x := m.reading.compacts
	switch {
	case m.failed != nil && m.failed.trigger == byItself && !m.failed.aborted:
		o.failures++
	case m.commit != nil, m.write != nil && m.write.spans, m.taken:
		o.failures, o.refused = 0, 0
	case m.Op != nil && (m.Op.Name == "resume" || m.Op.Name == "clear" || m.Op.Name == "rewind"),
		m.Fault != nil && m.Fault.Name == "kill":
		o.refused = 0
	}
	switch {
	case m.tried != nil && m.Request != nil:
		o.refused = 0
		o.began(m, x, t)
	case m.Request != nil && m.call != nil && m.call.chain.main():
		o.passed(m, x, t)
	case m.tried != nil && m.Event.Response != nil && stays(m.Event.Response.Status):
		o.refused = len(m.call.chain.conv.msgs)
	}
}

// same tells whether the summary that is due would be asked for in the same words as one that was refused for good, which
// may not be sent again (CMP-4): a tail of messages stays behind each summary (H-CMP-74), and all that came since is
// within it. The harness that sees so has tried and failed.
func (o *cmp2) same(m *moment, x *compactions) bool {
	return o.refused > 0 && x.options["compact.keepRecent"] == strconv.Itoa(keptMessages) &&
		len(m.call.chain.conv.msgs)-o.refused <= keptMessages
}

// began judges a compaction that nobody asked for.
func (o *cmp2) began(m *moment, x *compactions, t *tally) {
	a := m.tried
	if a.requests > 1 || x.base == nil || o.tried == x.base {
		o.tried = x.base
		return
	}
	o.tried = x.base
	limit := x.threshold(x.base)
	if a.trigger != byItself || limit == 0 || x.size == 0 || x.shifted {
		return
	}
	t.occasion()
	if n := most(x.size, x.added, x.images); n < limit {
		t.broken(fmt.Sprintf("early %d", m.call.number), fmt.Sprintf("call %d asks for a summary that no command wants", m.call.number),
			fmt.Sprintf("the answer of call %d reports %d tokens, with all that was logged since %d at most; the threshold is %d", x.base.number, x.size, n, limit))
	}
}

// passed judges a main request that left without a compaction before it.
func (o *cmp2) passed(m *moment, x *compactions, t *tally) {
	if x.base == nil || x.size == 0 || x.shifted || x.base.model.ID != m.call.model.ID || x.base.file != m.call.file || x.refused {
		return
	}
	limit := x.threshold(m.call)
	if limit == 0 || x.size < limit {
		return
	}
	if x.cut && m.call.repeats(x.base) {
		return // the answer was thrown away, and the same is asked for with more room for another (H-LOOP-31)
	}
	t.occasion()
	if o.tried == x.base || o.spared == x.base || o.failures >= maxFailures || m.call.stays(x.first) >= limit {
		return
	}
	if o.same(m, x) {
		o.spared = x.base
		o.failures++
		return
	}
	t.broken(fmt.Sprintf("late %d", m.call.number), fmt.Sprintf("call %d was sent, and no compaction was tried before it", m.call.number),
		fmt.Sprintf("the answer of call %d reports %d tokens, input, cache and output together; the threshold is %d", x.base.number, x.size, limit))
}
