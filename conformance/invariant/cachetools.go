package invariant

import (
	"bytes"
	"fmt"

	"harnessbench/internal/prefix"
	"harnessbench/internal/wire"
)

// cache2 compares the tools of each request with those of the request before it, answered or not: the bytes, which two
// maps may write in another order though they hold the same.
type cache2 struct{ last map[base]*call }

func (o *cache2) see(m *moment, t *tally) {
	c := m.call
	if m.Request == nil || c == nil || c.chain.alone() {
		return
	}
	of := base{c.chain, c.file}
	before := o.last[of]
	o.last[of] = c
	if before == nil || before.breaks != c.breaks || before.model.ID != c.model.ID {
		return
	}
	t.occasion()
	a, b := offered(before), offered(c)
	for i := range min(len(a), len(b)) {
		x, y := unmarked(a[i]), unmarked(b[i])
		if bytes.Equal(x, y) {
			continue
		}
		at := 0
		for at < len(x) && at < len(y) && x[at] == y[at] {
			at++
		}
		o.changed(before, c, t, fmt.Sprintf("call %d, tool %d, byte %d of it: %s", c.number, i, at, excerpt(y, at)), fmt.Sprintf("call %d, tool %d: %s", before.number, i, excerpt(x, at)))
		return
	}
	if len(a) != len(b) {
		o.changed(before, c, t, fmt.Sprintf("call %d offers %d tools", c.number, len(b)), fmt.Sprintf("call %d offered %d", before.number, len(a)))
	}
}

// changed reports at the level of what it costs: a fault where thinking lost its binding.
func (o *cache2) changed(before, c *call, t *tally, fact, other string) {
	level := C
	if i := firstDifference(before.rendered, c.rendered); i < before.rendered.Blocks.Len() && i < c.rendered.Blocks.Len() && loosens(before, c, i) {
		level = H
	}
	t.report(fmt.Sprintf("tools %d", c.number), level, lossFrom(before.rendered, 0), fact, other)
}

// offered are the tools of a request that stand in front of the conversation; those loaded later are no part of it.
func offered(c *call) []wire.Value {
	var out []wire.Value
	for _, v := range c.req.Get("tools").Elems() {
		if later, _ := v.Get("defer_loading").Bool(); !later {
			out = append(out, v)
		}
	}
	return out
}

// cache8 compares the bytes of blocks that say the same in two requests: escapes, numbers, blanks and shape.
type cache8 struct{ bases bases }

func (o *cache8) see(m *moment, t *tally) {
	o.bases.note(m)
	if m.Request == nil || m.call == nil {
		return
	}
	c := m.call
	before := o.bases.of(c)
	if !unbroken(before, c) {
		return
	}
	t.occasion()
	a, b := &before.rendered.Blocks, &c.rendered.Blocks
	for i := a.Shared(b); i < a.Len() && i < b.Len(); i++ {
		x, y := a.At(i), b.At(i)
		if !same(x, y) {
			return // CACHE-1 looks at what differs
		}
		was, is := before.rendered.Value(x), c.rendered.Value(y)
		old, now := unmarked(was), unmarked(is)
		if x.Level == prefix.Tools || bytes.Equal(old, now) {
			continue // CACHE-2 looks at tools
		}
		at := 0
		for at < len(old) && at < len(now) && old[at] == now[at] {
			at++
		}
		t.report(fmt.Sprintf("bytes %d", i), C, 0, fmt.Sprintf("%s: %s", c.place(y, at), excerpt(now, at)), fmt.Sprintf("%s: %s, which says the same", before.place(x, at), excerpt(old, at)))
		return
	}
}
