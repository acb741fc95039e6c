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

// blocksOf are the earlier blocks of a message both requests have.
func (c comparison) blocksOf(message int) []Block {
	if c.prev == nil || message >= c.messages {
		return nil
	}
	from := c.prev.firstOf(message)
	to := from
	for to < len(c.prev.Blocks) && c.prev.Blocks[to].Message == message {
		to++
	}
	return c.prev.Blocks[from:to]
}

// firstOf is the index of the first block at or behind the start of a message.
func (r *Rendered) firstOf(message int) int {
	return sort.Search(len(r.Blocks), func(i int) bool {
		return r.Blocks[i].Level == Messages && r.Blocks[i].Message >= message
	})
}

// readFacts finds out, ahead of the walk, what single blocks say about the whole request.
func (f *fold) readFacts(old comparison) {
	if old.prev != nil && old.messages > 0 {
		if k := old.prev.firstOf(old.messages); k > 0 {
			f.set.facts = old.prev.Blocks[k-1].facts
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
	if p == nil || p.set != f.set || !sameHead(p.Request, f.Request) {
		return -1
	}
	keep := old.messages
	if p.auto >= 0 { // its mark is not the block's own
		if p.Blocks[p.auto].Level != Messages {
			return -1
		}
		keep = min(keep, p.Blocks[p.auto].Message)
	}
	if !f.Model.KeepsThinking && p.turn.open != f.turn.open {
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
	f.Blocks = make([]Block, n, n+16)
	copy(f.Blocks, p.Blocks[:n])
	f.rebase()
	k, _ := slices.BinarySearch(p.marked, n)
	f.marked = slices.Clone(p.marked[:k])
	if f.Blocks[n-1].Level != Messages {
		return 0
	}
	return f.Blocks[n-1].Message + 1 // messages without blocks are walked again
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

// rebase points the blocks that were taken over into the request at hand, so that nothing keeps the
// bytes of the earlier one. Blocks stand in the order of their messages.
func (f *fold) rebase() {
	system, message := f.Request.Get("system"), -1
	tools := f.Request.Get("tools")
	var content wire.Value
	for i := range f.Blocks {
		b := &f.Blocks[i]
		switch b.Level {
		case Tools:
			b.Value = tools.At(b.Message)
		case System:
			b.Value = element(system, b.Message)
		case Messages:
			if b.Message != message {
				message = b.Message
				content = f.Request.Message(message).Get("content")
			}
			b.Value = element(content, b.Index)
		}
	}
}

// element is a block of content; string content is one block.
func element(content wire.Value, i int) wire.Value {
	if content.Kind() == '[' {
		return content.At(i)
	}
	return content
}
