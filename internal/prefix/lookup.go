package prefix

import (
	"iter"
	"time"

	"harnessbench/internal/model"
)

// Hit is what a lookup found: the index of the block whose prefix is stored, -1 for none, and the
// index of the breakpoint block whose window found it.
type Hit struct{ Block, Breakpoint int }

// Marked are the blocks that carry a mark, in render order, the block of automatic caching among them.
func (r *Rendered) Marked() []int { return r.marked }

// Eligible are the breakpoints that take part in the cache, in render order: marks on shown blocks whose
// prefix reaches the model's minimum (messages-api.md 5.4, 5.6).
func (r *Rendered) Eligible() []int {
	var list []int
	for _, i := range r.marked {
		if b := r.Blocks.At(i); b.Shown && r.Model.Cacheable(b.Tokens) {
			list = append(list, i)
		}
	}
	return list
}

// Lookup walks the breakpoints, last first, over at most model.LookbackPositions positions each (5.3).
// stored tells whether an entry with this chain value can be read under this TTL. The first position is
// the breakpoint's own block, even inside a run; earlier ones end at the last block of their run (D30).
func (r *Rendered) Lookup(stored func(chain Hash, ttl time.Duration) bool) Hit {
	for h := range r.Positions() {
		if stored(r.Blocks.At(h.Block).Cache, r.Mark(h.Breakpoint).TTL) {
			return h
		}
	}
	return Hit{-1, -1}
}

// Positions walks what Lookup looks at, in its order: blocks, each with the breakpoint whose window it lies in. A block
// in several windows comes several times.
func (r *Rendered) Positions() iter.Seq[Hit] {
	return func(yield func(Hit) bool) {
		marked := r.Eligible()
		for m := len(marked) - 1; m >= 0; m-- {
			bp := marked[m]
			first := r.Blocks.At(bp).Pos
			for i, at := bp, first; i >= 0; i-- {
				b := r.Blocks.At(i)
				if first-b.Pos >= model.LookbackPositions {
					break
				}
				if !b.Shown || i != bp && b.Pos == at {
					continue
				}
				at = b.Pos
				if !yield(Hit{i, bp}) {
					return
				}
			}
		}
	}
}

// Split is the usage split of 5.4.
type Split struct {
	Read, Write5m, Write1h, Input int
	Writes                        []int // block indexes of eligible breakpoints beyond the hit
}

// Split computes usage for a hit. Breakpoints whose prefix is under the model's minimum are not eligible.
func (r *Rendered) Split(h Hit) Split {
	s := Split{Input: r.Total}
	if h.Block >= 0 {
		s.Read = r.Blocks.At(h.Block).Tokens
	}
	long, end := s.Read, s.Read // tokens(B), tokens(C)
	for _, i := range r.Eligible() {
		if i <= h.Block {
			continue
		}
		end = r.Blocks.At(i).Tokens
		if r.Mark(i).TTL == model.TTLLong {
			long = end
		}
		s.Writes = append(s.Writes, i)
	}
	s.Write1h, s.Write5m, s.Input = long-s.Read, end-long, r.Total-end
	return s
}
