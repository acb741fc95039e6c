package sessionlog

import (
	"cmp"
	"iter"
	"math"
	"slices"
)

// Path walks from an entry back to a root or a compact boundary and gives the entries from there on in
// order (H-REB-1, H-REB-6), what a boundary kept put behind it (H-LOG-45). A missing parent or a cycle ends the walk
// there; cut says so (H-LOG-84, resume.dangling=stop). Files whose results hang from their own calls are completed
// (H-REB-5).
func (l *Log) Path(leaf string) (path []*Entry, cut bool) { return l.pathTo(leaf, math.MaxInt) }

// pathTo is Path with only what boundaries before an order kept.
func (l *Log) pathTo(leaf string, order int) (path []*Entry, cut bool) {
	w := l.walk(leaf, order)
	path = make([]*Entry, len(w.steps))
	for i, s := range w.steps {
		path[len(path)-1-i] = s.stood()
	}
	return l.complete(path, w.seen), w.cut
}

// bridge is where a walk goes on behind an entry whose parent is not there: the nearest user or assistant entry of the
// main chain before it in the file (H-LOG-84).
func (l *Log) bridge(from *Entry, seen map[string]bool) *Entry {
	for i := l.before(from.Order) - 1; i >= 0; i-- {
		e := l.Entries[i]
		if e.Boundary() && !e.Sidechain {
			return e
		}
		if e.Speech() && !e.Sidechain && !e.Team && !seen[e.UUID] {
			return e
		}
	}
	return nil
}

// before is how many entries stand before an order in the file.
func (l *Log) before(order int) int {
	n, _ := slices.BinarySearchFunc(l.Entries, order, func(e *Entry, o int) int { return e.Order - o })
	return n
}

// Cut is where a path ends at a parent that is not there (H-LOG-84).
type Cut struct {
	Entry   string // uuid of the first entry of the path
	Missing string // the parent it names
	Lost    int    // entries of the main chain before it that the path does not reach
}

// CutOf tells where the path of a leaf is cut; ok is false for one that begins as it should.
func (l *Log) CutOf(leaf string) (c Cut, ok bool) {
	path, cut := l.Path(leaf)
	if !cut {
		return c, false
	}
	c.Missing = leaf
	at := l.end
	if len(path) > 0 {
		c.Entry, c.Missing, at = path[0].UUID, path[0].Parent, path[0].Order
	}
	on := make(map[string]bool, len(path))
	for _, e := range path {
		on[e.UUID] = true
	}
	for _, e := range l.Entries[:l.before(at)] {
		if !e.Sidechain && !e.Team && !on[e.UUID] {
			c.Lost++
		}
	}
	return c, true
}

// Whole is the path beyond compact boundaries, along their logical parents: what /rewind lists (H-CMD-30). What a
// boundary kept stands in it once, where it stood first.
func (l *Log) Whole(leaf string) []*Entry {
	var whole []*Entry
	for path := range l.beyond(leaf) {
		whole = joined(path, whole)
	}
	return whole
}

// beyond gives the path of a leaf, then the one its boundary cut off, and so on, each by itself.
func (l *Log) beyond(leaf string) iter.Seq[[]*Entry] {
	return func(yield func([]*Entry) bool) {
		path, cut := l.Path(leaf)
		seen := map[string]bool{}
		for len(path) > 0 && len(seen) < maxBoundaries && yield(path) {
			b := path[0]
			if cut || !b.Boundary() || seen[b.UUID] {
				return
			}
			seen[b.UUID] = true
			path, cut = l.pathTo(cmp.Or(b.Logical, b.Parent), b.Order)
		}
	}
}

// maxBoundaries is how many boundaries a path is followed across, so that a hostile file costs no more than a bounded
// number of walks.
const maxBoundaries = 1000

// joined puts two paths one behind the other, each entry once.
func joined(earlier, path []*Entry) []*Entry {
	there := make(map[string]bool, len(earlier))
	for _, e := range earlier {
		there[e.UUID] = true
	}
	out := slices.Clone(earlier)
	for _, e := range path {
		if !there[e.UUID] {
			out = append(out, e)
		}
	}
	return out
}

// complete adds what stands beside the path (H-REB-5): blocks of answers on the path, and results of
// calls on the path that are not on it, in both cases only where they hang from the path. In a linear
// log there is none.
func (l *Log) complete(path []*Entry, on map[string]bool) []*Entry {
	answers, open := map[string]bool{}, map[string]bool{}
	for _, e := range path {
		note(e, answers, open)
	}
	var beside []*Entry
	for _, e := range l.Entries {
		if on[e.UUID] || e.Sidechain || e.Notice {
			continue
		}
		if (e.Type == Assistant && answers[e.Message.ID] || answersOne(e, open)) && l.hangs(e, on) {
			on[e.UUID] = true
			note(e, answers, open)
			beside = append(beside, e)
		}
	}
	return merge(path, beside)
}

// hangs tells whether an entry stands right beside the path, or behind entries there that are no messages: progress,
// attachments, entries of the system (H-LOG-34). A child that stands before its parent in the file does not count.
func (l *Log) hangs(e *Entry, on map[string]bool) bool {
	for steps := 0; steps < longestStrand; steps++ {
		p := l.byID[e.Parent]
		if p == nil || p.Order > e.Order || p.Boundary() && !on[p.UUID] {
			return false
		}
		if on[p.UUID] {
			return true
		}
		if p.Speech() {
			return false
		}
		e = p
	}
	return false
}

// longestStrand bounds how many entries that are no messages may stand between a result and its call.
const longestStrand = 1000

// note keeps the answers met and the calls still without a result.
func note(e *Entry, answers, open map[string]bool) {
	if e.Type == Assistant && e.Message.ID != "" && !e.Notice {
		answers[e.Message.ID] = true
	}
	for i := range e.Message.Blocks {
		switch b := &e.Message.Blocks[i]; {
		case e.Type == Assistant && b.Type == "tool_use":
			open[b.ID] = true
		case e.Type == User && b.Type == "tool_result":
			delete(open, b.ID)
		}
	}
}

// answersOne tells a user entry that holds the result of an open call.
func answersOne(e *Entry, open map[string]bool) bool {
	if e.Type != User {
		return false
	}
	for i := range e.Message.Blocks {
		if b := &e.Message.Blocks[i]; b.Type == "tool_result" && open[b.ID] {
			return true
		}
	}
	return false
}

// merge puts each entry beside a path before the entries of the path's end that stand later in the file. beside is in
// the order of the file; the path need not be.
func merge(path, beside []*Entry) []*Entry {
	if len(beside) == 0 {
		return path
	}
	// least[i] is the least order from path[i] on: the last entry of the path not behind an order is the last i of
	// which it is not greater.
	least := make([]int, len(path)+1)
	least[len(path)] = math.MaxInt
	for i := len(path) - 1; i >= 0; i-- {
		least[i] = min(path[i].Order, least[i+1])
	}
	out := make([]*Entry, 0, len(path)+len(beside))
	at := 0
	for _, e := range beside {
		for at < len(path) && least[at] <= e.Order {
			out = append(out, path[at])
			at++
		}
		out = append(out, e)
	}
	return append(out, path[at:]...)
}
