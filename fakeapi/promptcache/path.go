package promptcache

import (
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
	p := &Path{scope: scope, r: r, seen: c.now()}
	shared := 0
	if prev != nil && prev.scope == scope && prev.seen >= c.madeAt {
		shared = sharedBlocks(prev.r, r)
		for _, s := range prev.steps {
			if s.block < shared && !s.rec.gone {
				p.steps = append(p.steps, s)
			}
		}
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
	p.steps = append(p.steps, step{})
	copy(p.steps[i+1:], p.steps[i:])
	p.steps[i] = s
}

// sharedBlocks is the number of leading blocks that end the same prefix in both renderings.
func sharedBlocks(a, b *prefix.Rendered) int {
	n := min(a.Blocks.Len(), b.Blocks.Len())
	return sort.Search(n, func(i int) bool { return a.Blocks.At(i).Cache != b.Blocks.At(i).Cache })
}
