package invariant

import (
	"fmt"

	"harnessbench/internal/prefix"
)

// cmp3 looks at compactions that follow each other, and at what one leaves.
type cmp3 struct{ last *commit }

func (o *cmp3) see(m *moment, t *tally) {
	switch {
	case m.Op != nil && (m.Op.Name == "clear" || m.Op.Name == "resume" || m.Op.Name == "rewind" || m.Op.Name == "fork"):
		o.last = nil
	case m.tried != nil && m.Request != nil:
		t.occasion()
		if m.overlap {
			t.broken(fmt.Sprintf("inside %d", m.call.number), fmt.Sprintf("call %d asks for a summary", m.call.number),
				fmt.Sprintf("call %d asked for one, and has no answer yet", m.earlier.number))
		}
	case m.commit != nil:
		c, last := m.commit, o.last
		o.last = c
		if last != nil && c.trigger != byUser && c.accepted == last.accepted {
			t.broken("again "+c.boundary.uuid, fmt.Sprintf("%s: a compaction that nobody asked for", c.file.at(c.boundary)),
				fmt.Sprintf("%s is one, and no main request was answered since", last.file.at(last.boundary)))
		}
	case m.condensed != nil:
		t.occasion()
		m.condensed.again(t)
	case m.behind != nil:
		o.gain(m, t)
	}
}

// gain compares the first request behind a boundary with what there was, and with the threshold. Where count and estimate
// differ, both have to say it. What the user said newest is no part of what a summary takes the place of, and one that the
// user asked for may come early, when it is longer than the little there was.
func (o *cmp3) gain(m *moment, t *tally) {
	c, x := m.behind, m.reading.compacts
	if c.base == nil || c.size == 0 || c.shifted || c.base.model.ID != m.call.model.ID {
		return
	}
	said := c.newestInput()
	total := least(m.call.size(func(*prefix.Block) bool { return true }))
	rest := least(m.call.size(func(b *prefix.Block) bool {
		own := m.call.block(b)
		return own == nil || !said[own.digest]
	}))
	more, weight := c.since(x)
	before := max(most(c.size, c.added+more, 0), c.size+int(c.weight+weight))
	level := x.level(m.call)
	there := fmt.Sprintf("the answer of call %d reported %d tokens before %s", c.base.number, c.size, c.file.at(c.boundary))
	if total >= before && (c.trigger != byUser || level > 0 && rest >= level) {
		t.broken("gain "+c.boundary.uuid, fmt.Sprintf("call %d has %d tokens", m.call.number, m.call.rendered.Total), there)
		return
	}
	limit := x.threshold(m.call)
	if c.trigger == byRefuse {
		limit += compactBuffer - blockedBuffer // as much as can be sent at all is the aim then
	}
	if c.trigger != byUser && x.threshold(m.call) > 0 && rest >= limit {
		t.broken("room "+c.boundary.uuid, fmt.Sprintf("call %d has %d tokens without what the user said newest, behind a compaction", m.call.number, rest),
			fmt.Sprintf("%s; the threshold is %d", there, limit))
	}
}

// block is the judge's own reading of a rendered block of the messages, nil for another.
func (c *call) block(b *prefix.Block) *block {
	if msgs := c.chain.conv.msgs; b.Level == prefix.Messages && b.Message < len(msgs) && b.Index >= 0 && b.Index < len(msgs[b.Message].blocks) {
		return &msgs[b.Message].blocks[b.Index]
	}
	return nil
}

// least is the smaller of count and estimate.
func least(counted, guessed int) int { return min(counted, guessed) }

// newestInput are the blocks that the user said and that stand behind the boundary word for word: kept by it, or newer.
func (c *commit) newestInput() map[prefix.Hash]bool {
	out := map[prefix.Hash]bool{}
	for _, e := range c.file.entries {
		newer := e.index > c.boundary.index && e.kind == "user" && e.prompt && !e.summary
		kept := e.index < c.boundary.index && c.kept[e.uuid] && (e.prompt || e.kind == "attachment")
		if newer || kept {
			for _, b := range e.blocks {
				out[b.digest] = true
			}
		}
	}
	return out
}

// since is what was logged behind the compaction, before the request that follows it: by operations of the user's.
func (c *commit) since(x *compactions) (bytes int, weight float64) {
	if c.done == 0 {
		return 0, 0
	}
	return x.added - c.done, x.weight - c.doneWeight
}
