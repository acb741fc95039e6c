package invariant

import (
	"fmt"
	"strconv"

	"harnessbench/internal/prefix"
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
	taught   bool  // teaching profile: a compaction was tried, or one made on command, since the newest answer
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
	case m.Event.Response != nil && m.call != nil && m.call.chain.main() && m.answer.accepted:
		o.taught = false
	case m.commit != nil && m.commit.trigger == byItself && x.off() && (x.options["collapse"] == "on" || m.commit.attempt == nil):
		t.occasion()
		o.unasked(m, m.commit.file.at(m.commit.boundary)+": a compaction that no command wants", t)
	case m.tried != nil && m.Event.Response != nil && m.answer.accepted:
		o.taught = true // whatever asked for it: another one waits for an answer of the conversation (CMP-3)
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
	a, base := m.tried, x.base
	if base == nil && x.past != nil {
		base = x.past.base
	}
	first := a.requests == 1 && (base == nil || o.tried != base)
	o.tried = base
	switch {
	case !first || a.trigger != byItself:
	case x.off():
		if x.options["collapse"] != "on" { // where spans are shown as summaries, the log tells which it is
			t.occasion()
			o.unasked(m, fmt.Sprintf("call %d asks for a summary that no command wants", m.call.number), t)
		}
	case x.options["profile"] == "teaching":
		o.taughtEarly(m, t)
	case x.base != nil && x.threshold(x.base) > 0 && x.size > 0 && !x.shifted:
		t.occasion()
		limit := x.threshold(x.base)
		if n := most(x.size, x.added, x.images); n < limit {
			t.broken(fmt.Sprintf("early %d", m.call.number), fmt.Sprintf("call %d asks for a summary that no command wants", m.call.number),
				fmt.Sprintf("the answer of call %d reports %d tokens, with all that was logged since %d at most; the threshold is %d", x.base.number, x.size, n, limit))
		}
	}
}

// unasked reports a compaction where there is to be none.
func (o *cmp2) unasked(m *moment, fact string, t *tally) {
	x := m.reading.compacts
	if x.words {
		return // a command may have been typed ahead
	}
	off := "compact.auto is off"
	if x.options["compact.auto"] != "off" {
		off = "collapse is on, and takes its place"
	}
	t.broken(fmt.Sprintf("unasked %d", m.Seq), fact, off)
}

// passed judges a main request that left without a compaction before it.
func (o *cmp2) passed(m *moment, x *compactions, t *tally) {
	if x.options["profile"] == "teaching" {
		o.taughtLate(m, x, t)
		return
	}
	base, size, how := o.due(m.call, x)
	limit := x.threshold(m.call)
	if base == nil || limit == 0 || size < limit || x.refused {
		return
	}
	if x.cut && m.call.repeats(base) {
		return // the answer was thrown away, and the same is asked for with more room for another (H-LOOP-31)
	}
	if x.paused {
		return // a call of the server's is open, and a compaction would drop it (CMP-1)
	}
	stays := m.call.stays(x.first)
	if x.options["compact.keepRecent"] == strconv.Itoa(keptMessages) {
		stays += limit / 2 // as much may stay behind a summary besides (H-CMP-74)
	}
	if x.reported() < limit && stays >= limit {
		return // all that carries it over is what stays
	}
	t.occasion()
	if o.tried == base || o.spared == base || o.failures >= maxFailures || stays >= limit {
		return
	}
	if o.same(m, x) {
		o.spared = base
		o.failures++
		return
	}
	t.broken(fmt.Sprintf("late %d", m.call.number), fmt.Sprintf("call %d was sent, and no compaction was tried before it", m.call.number),
		fmt.Sprintf("the answer of call %d reports %d tokens, input, cache and output together%s; the threshold is %d", base.number, x.reported(), how, limit))
}

// due is the answered request that says how large the conversation is, and the least size that this may be: what its answer
// reports, and what has come since. Behind another process or another model both the report and the request itself have to
// say it.
func (o *cmp2) due(c *call, x *compactions) (base *call, size int, how string) {
	if p := x.past; x.base == nil && p != nil {
		if p.base.file != c.file {
			return nil, 0, ""
		}
		now := least(c.size(func(*prefix.Block) bool { return true }))
		return p.base, min(p.size, now), fmt.Sprintf(", and this one has %d", now)
	}
	if x.base == nil || x.size == 0 || x.shifted || x.base.model.ID != c.model.ID || x.base.file != c.file {
		return nil, 0, ""
	}
	came := c.came(x.base)
	if x.size < x.threshold(c) && came > 0 {
		how = fmt.Sprintf(", and what the user and the tools have said since has %d at least", came)
	}
	return x.base, x.size + came, how
}

// reported is the size that the newest answer tells, or told before another process or model took over.
func (x *compactions) reported() int {
	if x.base == nil && x.past != nil {
		return x.past.size
	}
	return x.size
}
