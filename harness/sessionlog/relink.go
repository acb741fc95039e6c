package sessionlog

import "harnessbench/internal/wire"

// segment is what a compaction kept of the conversation, and the entry it stands behind (H-LOG-43). It is named by its
// ends or entry by entry.
type segment struct {
	boundary           *Entry
	head, anchor, tail string
	uuids              []string // nil: by its ends
}

// segment reads what a boundary kept; ok is false when it kept nothing.
func (e *Entry) segment() (s segment, ok bool) {
	v, err := wire.ParseValue(e.Compact)
	if err != nil {
		return s, false
	}
	s.boundary = e
	kept := v.Get("preservedSegment")
	s.head, s.anchor, s.tail = kept.Get("headUuid").Text(), kept.Get("anchorUuid").Text(), kept.Get("tailUuid").Text()
	if s.head != "" && s.anchor != "" && s.tail != "" {
		return s, true
	}
	list := v.Get("preservedMessages")
	for _, u := range list.Get("uuids").Elems() {
		s.uuids = append(s.uuids, u.Text())
	}
	s.anchor = list.Get("anchorUuid").Text()
	return s, s.anchor != "" && len(s.uuids) > 0
}

// step is one entry of a walk.
type step struct {
	entry *Entry
	// kept tells an entry that a boundary kept.
	kept bool
}

// walker goes up from a leaf. At each entry those boundaries count that stand before the entry it came from: what a later
// one says is of another path, even where that keeps entries of this one. Of those that keep the entry the newest tells
// where it stands, whatever the earlier ones said about it (H-LOG-45).
type walker struct {
	l     *Log
	k     *keeping
	steps []step // leaf first
	seen  map[string]bool
	cut   bool
}

// walk goes up from a leaf to a root or a boundary, with what boundaries before an order kept.
func (l *Log) walk(leaf string, order int) *walker {
	w := &walker{l: l, k: l.keeping(), seen: map[string]bool{}}
	w.climb(leaf, order, "")
	return w
}

// climb goes up to a root, a boundary or an entry.
func (w *walker) climb(at string, order int, to string) {
	for at != "" {
		e := w.l.byID[at]
		if e == nil && w.l.Bridge && len(w.steps) > 0 {
			e = w.l.bridge(w.steps[len(w.steps)-1].entry, w.seen)
		}
		if e == nil || w.seen[e.UUID] {
			w.cut = true
			return
		}
		if s, n := w.k.keeper(e.UUID, order); s != nil && w.take(s.kept[:n+1]) {
			at, order = s.anchor, s.boundary.Order
		} else {
			w.add(e, false)
			if e.Boundary() {
				return
			}
			at, order = e.Parent, min(order, e.Order)
			if s := w.k.behind(at, order); s != nil && w.take(s.kept) {
				order = s.boundary.Order
			}
		}
		if to != "" && w.seen[to] {
			return
		}
	}
}

func (w *walker) add(e *Entry, kept bool) {
	w.seen[e.UUID] = true
	w.steps = append(w.steps, step{e, kept})
}

// take goes up along entries that a boundary kept, unless the walk has met one of them.
func (w *walker) take(kept []*Entry) bool {
	for _, e := range kept {
		if w.seen[e.UUID] {
			return false
		}
	}
	for i := len(kept) - 1; i >= 0; i-- {
		w.add(kept[i], true)
	}
	return true
}

// zeroUsage stands for the usage of a kept answer: it counted a payload that is no more (H-LOG-45).
const zeroUsage = `{"input_tokens":0,"cache_creation_input_tokens":0,"cache_read_input_tokens":0,"output_tokens":0}`

// stood is the entry as it stands on a path: a kept answer without its usage.
func (s step) stood() *Entry {
	if !s.kept || s.entry.Type != Assistant {
		return s.entry
	}
	c := *s.entry
	c.Message.Usage = []byte(zeroUsage)
	return &c
}
