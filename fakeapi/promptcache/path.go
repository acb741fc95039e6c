package promptcache

import (
	"slices"
	"sort"

	"harnessbench/internal/prefix"
)

// Path remembers which prefixes of one rendering are marked, so that the next request of the conversation
// looks up only what is new in it.
type Path struct {
	scope string
	r     *prefix.Rendered
	steps []step // in render order
	seen  uint64 // sequence number up to which made records are taken into account
	drops uint64 // of the cache, when the steps were found

	group   *group    // of its conversation
	taken   int       // leading steps that the group took in
	between []*record // that came between those since
	from    *Path     // the newest path of the conversation so far, until this one is
	left    []step    // steps of from that the group took in and this path does not have
}

// step is a marked prefix: it ends at a block of the rendering.
type step struct {
	block int
	rec   *record
}

// keepMade is how many new records are listed for paths that come back later; a path that missed more is
// walked anew.
const keepMade = 1 << 12

func (c *Cache) remember(r *record) {
	c.made = append(c.made, r)
	if len(c.made) >= 2*keepMade {
		c.madeAt += uint64(len(c.made) - keepMade)
		c.made = append(c.made[:0:0], c.made[len(c.made)-keepMade:]...)
	}
}

func (c *Cache) now() uint64 { return c.madeAt + uint64(len(c.made)) }

// path finds the marked prefixes of a rendering. The result does not depend on prev.
func (c *Cache) path(prev *Path, scope string, r *prefix.Rendered) *Path {
	p := &Path{scope: scope, r: r, seen: c.now(), drops: c.drops}
	shared := 0
	if prev != nil && prev.scope == scope && prev.seen >= c.madeAt {
		shared = sharedBlocks(prev.r, r)
		p.copySteps(prev, shared)
		for _, rec := range c.made[prev.seen-c.madeAt:] {
			if b := p.find(rec, shared); b >= 0 {
				p.add(step{b, rec})
			}
		}
	}
	if len(c.records) == 0 {
		return p
	}
	for b := shared; b < r.Blocks.Len(); b++ {
		if b > 0 && r.Blocks.At(b).Cache == r.Blocks.At(b-1).Cache {
			continue // a block that is not shown ends the same prefix
		}
		if rec := c.records[scoped(scope, r.Blocks.At(b).Cache)]; rec != nil {
			p.steps = append(p.steps, step{b, rec})
		}
	}
	return p
}

// copySteps takes over the steps of an earlier path that end in the shared blocks, and its group when it is the
// newest of its conversation.
func (p *Path) copySteps(prev *Path, shared int) {
	n := sort.Search(len(prev.steps), func(i int) bool { return prev.steps[i].block >= shared })
	taken := 0
	if g := prev.group; g != nil && g.head == prev {
		p.group, p.from, taken = g, prev, prev.taken
	}
	if taken > n {
		p.left = prev.steps[n:taken]
	}
	p.steps = make([]step, 0, n+4)
	if prev.drops == p.drops {
		p.steps, p.taken = append(p.steps, prev.steps[:n]...), min(taken, n)
		return
	}
	for i, s := range prev.steps[:n] {
		if s.rec.gone {
			continue
		}
		p.steps = append(p.steps, s)
		if i < taken {
			p.taken++
		}
	}
}

// find is the block below limit that ends the record's prefix, -1 when it lies on another path. Equal prefixes
// have equal token counts, and those never fall along a rendering.
func (p *Path) find(rec *record, limit int) int {
	if rec.gone {
		return -1
	}
	blocks := &p.r.Blocks
	b := sort.Search(limit, func(i int) bool { return blocks.At(i).Tokens >= rec.tokens })
	for ; b < limit && blocks.At(b).Tokens == rec.tokens; b++ {
		if scoped(p.scope, blocks.At(b).Cache) == rec.key {
			return b
		}
	}
	return -1
}

// add puts a step in its place.
func (p *Path) add(s step) {
	i := sort.Search(len(p.steps), func(i int) bool { return p.steps[i].block >= s.block })
	if i < len(p.steps) && p.steps[i].rec == s.rec {
		return
	}
	p.steps = slices.Insert(p.steps, i, s)
	if i < p.taken {
		p.taken++
		p.between = append(p.between, s.rec)
	}
}

// index is the step that a record is, -1 when it is none. Token counts never fall along a path.
func (p *Path) index(r *record) int {
	i := sort.Search(len(p.steps), func(i int) bool { return p.steps[i].rec.tokens >= r.tokens })
	for ; i < len(p.steps) && p.steps[i].rec.tokens == r.tokens; i++ {
		if p.steps[i].rec == r {
			return i
		}
	}
	return -1
}

// adopt makes the path the newest of its conversation, or the first of a new one.
func (p *Path) adopt(l lives) {
	if p.group != nil && p.group.head == p.from {
		for _, s := range p.left {
			p.group.release(s.rec)
		}
	} else {
		p.group, p.taken, p.between = &group{lives: l}, 0, nil
	}
	p.group.head, p.from, p.left = p, nil, nil
	p.settle()
}

// settle has the records that came between those the group took in restarted by themselves.
func (p *Path) settle() {
	for _, r := range p.between {
		if r.group != nil {
			r.group.setApart(r)
		}
		r.common = true
		p.group.apart = append(p.group.apart, r)
	}
	p.between = nil
}

// sharedBlocks is the number of leading blocks that end the same prefix in both renderings.
func sharedBlocks(a, b *prefix.Rendered) int {
	n := min(a.Blocks.Len(), b.Blocks.Len())
	return sort.Search(n, func(i int) bool { return a.Blocks.At(i).Cache != b.Blocks.At(i).Cache })
}
