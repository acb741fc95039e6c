package invariant

import (
	"fmt"

	"harnessbench/internal/prefix"
)

// cmp6 looks at what must survive a compaction: at the boundary, whether the summary was made of all it replaces, and
// at the first main request behind it, whether the rest is there.
type cmp6 struct{}

func (cmp6) see(m *moment, t *tally) {
	switch {
	case m.commit != nil:
		covered(m.commit, t)
		asAnswered(m.commit, t)
	case m.resumes != nil:
		t.occasion()
		m.resumes.survived(m, t)
	case m.behind != nil:
		t.occasion()
		asAnswered(m.behind, t)
		survived(m, t)
	}
}

// covered looks for the words of the path in the first request for the summary. One that a refusal caused may have been
// cut before it was sent (H-CMP-54); what records have left out before is none of the summary's; and a file whose payload
// is changed by records that this judge does not follow says nothing.
func covered(c *commit, t *tally) {
	a := c.attempt
	if a == nil || a.trigger == byRefuse || c.file.gap || c.file.hidden() {
		return
	}
	before := map[string]bool{}
	for _, e := range c.path {
		before[e.uuid] = true
	}
	gone := c.file.omitted.on(before)
	results := c.resultsSent()
	for _, e := range c.sent {
		if c.kept[e.uuid] || e == c.prompt && c.trigger != byUser || e.side || !e.talks() || e.role == "" || gone[e.uuid] != nil {
			continue
		}
		for _, b := range e.blocks {
			if (b.kind == "text" && !b.blank && !b.reminder || b.kind == "tool_result" && results[b.digest]) && !a.said[b.digest] {
				t.broken("covered "+e.uuid, fmt.Sprintf("call %d, the first for the summary in %s, does not say what %s says", a.first.number, c.file.at(c.boundary), c.file.at(e)),
					"that entry stands behind the boundary no more, and is not kept")
			}
		}
	}
}

// resultsSent are the results that the newest main request held, and that nothing was to stand for since.
func (c *commit) resultsSent() map[prefix.Hash]bool {
	out := map[prefix.Hash]bool{}
	if c.base == nil || c.shifted || c.base.model.ID != c.attempt.first.model.ID {
		return out
	}
	gone := map[string]bool{}
	for _, e := range c.file.entries {
		if e.clears == nil {
			continue
		}
		for _, id := range e.clears.results {
			gone[id] = true
		}
		for _, uuid := range e.clears.images {
			if i, ok := c.file.byUUID[uuid]; ok {
				for _, b := range c.file.entries[i].blocks {
					gone[b.tool] = true
				}
			}
		}
	}
	for _, msg := range c.base.chain.conv.msgs {
		for _, b := range msg.blocks {
			if b.kind == "tool_result" && !gone[b.tool] && !c.file.swapped[b.tool] {
				out[b.digest] = true
			}
		}
	}
	return out
}

// hidden tells whether parts of the path may be missing from the payload by records that this judge does not follow.
func (f *logfile) hidden() bool { return f.beyond == "snip" || f.beyond == "collapse-commit" }

// survived looks at the first main request behind a boundary.
func survived(m *moment, t *tally) {
	c, call := m.behind, m.call
	said := map[prefix.Hash]int{}
	for _, msg := range call.chain.conv.msgs {
		for _, b := range msg.blocks {
			said[b.digest]++
		}
	}
	if p := c.prompt; p != nil && c.trigger != byUser && m.reading.compacts.options["profile"] != "teaching" {
		for _, b := range p.blocks {
			if b.kind != "text" || b.blank {
				continue
			}
			switch n := said[b.digest]; {
			case n == 0:
				t.broken("prompt "+p.uuid, fmt.Sprintf("call %d, the first behind %s, does not say what %s says", call.number, c.file.at(c.boundary), c.file.at(p)),
					"that is the newest prompt, and nobody asked for the summary")
			case n > c.file.times(b.digest):
				t.broken("twice "+p.uuid, fmt.Sprintf("call %d, the first behind %s, says %d times what %s says", call.number, c.file.at(c.boundary), n, c.file.at(p)),
					fmt.Sprintf("%s holds it %d times", c.file.base(), c.file.times(b.digest)))
			}
		}
	}
	for _, e := range c.stays {
		if !e.talks() || e.role == "" || c.file.removed(e) {
			continue
		}
		for _, b := range e.blocks {
			if (b.kind == "text" && !b.blank && !b.reminder || b.kind == "tool_use") && said[b.digest] == 0 {
				t.broken("kept "+e.uuid, fmt.Sprintf("call %d, the first behind %s, does not say what %s says", call.number, c.file.at(c.boundary), c.file.at(e)),
					"the boundary keeps that entry")
			}
		}
	}
	if c.base == nil || c.shifted || c.base.model.ID != call.model.ID {
		return
	}
	front(c.boundary.uuid, c.base, call, t)
}

// times is how many blocks of the file say this.
func (f *logfile) times(h prefix.Hash) int {
	n := 0
	for _, e := range f.entries {
		for _, b := range e.blocks {
			if b.digest == h {
				n++
			}
		}
	}
	return n
}

// front compares tools and system before and behind a compaction; tools that are not loaded yet are no part of it.
func front(key string, base, call *call, t *tally) {
	a, b := &base.rendered.Blocks, &call.rendered.Blocks
	i, k := nextOfFront(a, 0), nextOfFront(b, 0)
	for i >= 0 && k >= 0 {
		if x, y := a.At(i), b.At(k); !same(x, y) {
			t.broken("front "+key, fmt.Sprintf("%s, behind a compaction: not the same any more", call.place(y, 0)), base.place(x, 0))
			return
		}
		i, k = nextOfFront(a, i+1), nextOfFront(b, k+1)
	}
	switch {
	case i >= 0:
		t.broken("front "+key, fmt.Sprintf("call %d, behind a compaction, ends its %s before it", call.number, a.At(i).Level), base.place(a.At(i), 0))
	case k >= 0:
		t.broken("front "+key, call.place(b.At(k), 0)+", behind a compaction", fmt.Sprintf("call %d ends its %s before it", base.number, b.At(k).Level))
	}
}

// nextOfFront is the first shown block of tools and system from i on, -1 for none.
func nextOfFront(blocks *prefix.Blocks, i int) int {
	for ; i < blocks.Len() && blocks.At(i).Level != prefix.Messages; i++ {
		if blocks.At(i).Shown {
			return i
		}
	}
	return -1
}
