package prefix

import (
	"math"
	"slices"
	"sort"

	"harnessbench/internal/wire"
)

// comparison is what an earlier rendering has in common with the request at hand.
type comparison struct {
	prev     *Rendered // nil when nothing can be used
	messages int       // leading messages of equal bytes, as wire.Parse found them
}

func compare(prev, r *Rendered) comparison {
	if prev == nil || prev.Model.ID != r.Model.ID {
		return comparison{}
	}
	n := r.Request.SharedMessages()
	if prev.Request == r.Request {
		n = r.Request.MessageCount()
	}
	n = min(n, prev.Request.MessageCount())
	return comparison{prev, n}
}

func (c comparison) turns() *turns {
	if c.prev == nil {
		return nil
	}
	return &c.prev.turn
}

// blocksOf tells how many blocks a message that both requests have has in the earlier rendering, and where
// they begin there.
func (c comparison) blocksOf(message int) (n, from int) {
	if c.prev == nil || message >= c.messages {
		return 0, 0
	}
	from = c.prev.firstOf(message)
	for from+n < c.prev.Blocks.Len() && c.prev.Blocks.At(from+n).Message == message {
		n++
	}
	return n, from
}

// firstOf is the index of the first block at or behind the start of a message.
func (r *Rendered) firstOf(message int) int {
	return sort.Search(r.Blocks.Len(), func(i int) bool {
		b := r.Blocks.At(i)
		return b.Level == Messages && b.Message >= message
	})
}

// readFacts finds out, ahead of the walk, what single blocks say about the whole request.
func (f *fold) readFacts(old comparison) {
	if old.prev != nil && old.messages > 0 {
		if k := old.prev.firstOf(old.messages); k > 0 {
			f.set.facts = old.prev.Blocks.At(k - 1).facts
		}
	}
	for i := old.messages; i < f.Request.MessageCount(); i++ {
		for _, b := range f.Request.Message(i).Get("content").Elems() {
			f.set.facts = f.set.facts.or(factsOf(b))
		}
	}
}

// factsOf reads the facts of a block without reading its texts.
func factsOf(b wire.Value) (f facts) {
	switch b.Get("type").Text() {
	case "image":
		f.image = true
	case "document":
		f.cited, _ = b.Get("citations").Get("enabled").Bool()
	case "search_result":
		f.cited, _ = b.Get("citations").Get("enabled").Bool()
	case "tool_addition":
		f.added = true
	case "tool_result":
		for _, inner := range b.Get("content").Elems() {
			f = f.or(factsOf(inner))
		}
	}
	return f
}

// takeOver copies the blocks that a cold rendering would make the same and returns the first message that
// is to be rendered, -1 when not even tools and system stay.
func (f *fold) takeOver(old comparison) int {
	p := old.prev
	if p == nil || p.set != f.set || !sameHead(p.Request, f.Request) || p.opt.Adopted != f.opt.Adopted {
		return -1
	}
	keep := old.messages
	if !f.Model.KeepsThinking && !f.set.stays && p.turn.open != f.turn.open {
		keep = min(keep, p.turn.open, f.turn.open)
	}
	if p.ThinkingLost() || f.ThinkingLost() {
		keep = min(keep, p.turn.open, f.turn.open)
	}
	for i := max(0, min(p.turn.lastUser, f.turn.lastUser)); i < keep; i++ {
		if turnScoped(f.Request.Message(i)) {
			keep = i
		}
	}
	keep = min(keep, firstDrop(p.opt.Dropped, f.opt.Dropped), firstDrop(f.opt.Dropped, p.opt.Dropped))
	n := p.firstOf(keep)
	if n == 0 {
		return 0
	}
	f.Blocks = p.Blocks.beginning(n)
	k, _ := slices.BinarySearch(p.marked, n)
	f.marked, f.marks = slices.Clone(p.marked[:k]), slices.Clone(p.marks[:k])
	if a, ok := slices.BinarySearch(f.marked, p.auto); ok { // that mark is not the block's own
		f.marked, f.marks = slices.Delete(f.marked, a, a+1), slices.Delete(f.marks, a, a+1)
	}
	last := f.Blocks.last()
	if last.Level != Messages {
		return 0
	}
	return last.Message + 1 // messages without blocks are walked again
}

// firstDrop is the first message in which a names a block that b does not name alike.
func firstDrop(a, b map[Place]string) int {
	first := math.MaxInt
	for place, why := range a { // any order: the least message is the same
		if other, ok := b[place]; !ok || other != why {
			first = min(first, place.Message)
		}
	}
	return first
}

func sameHead(a, b *wire.Request) bool {
	return a.Get("tools").Same(b.Get("tools")) && a.Get("system").Same(b.Get("system"))
}
