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

// links are the parents of a walk where they differ from those in the lines: what boundaries kept is put behind its
// anchor, and what else hangs from the anchor behind that (H-LOG-45).
type links struct {
	heads   map[string]*segment // by the first entry kept
	anchors map[string]*segment
	tails   map[string]*segment
	listed  map[string]string // parent of an entry of a list
}

// linksTo takes in what the boundaries before an order kept, the later over the earlier; not the bad ones.
func (l *Log) linksTo(order int, bad map[*Entry]bool) *links {
	k := &links{map[string]*segment{}, map[string]*segment{}, map[string]*segment{}, map[string]string{}}
	for i := range l.segments {
		s := l.segments[i]
		if !l.begun[s.boundary.UUID] || l.byID[s.anchor] == nil {
			continue
		}
		if s.boundary.Order >= order || bad[s.boundary] || l.byID[s.boundary.UUID] != s.boundary {
			continue
		}
		if s.uuids != nil {
			k.list(l, &s)
		}
		if l.byID[s.head] == nil || l.byID[s.tail] == nil || s.head == s.anchor || s.tail == s.anchor {
			continue
		}
		k.heads[s.head], k.anchors[s.anchor], k.tails[s.tail] = &s, &s, &s
	}
	return k
}

// list chains the listed entries that are there.
func (k *links) list(l *Log, s *segment) {
	seen := map[string]bool{s.anchor: true}
	for _, uuid := range s.uuids {
		if l.byID[uuid] == nil || seen[uuid] {
			continue
		}
		seen[uuid] = true
		if s.head == "" {
			s.head = uuid
		} else {
			k.listed[uuid] = s.tail
		}
		s.tail = uuid
	}
}

// step is one entry of a walk.
type step struct {
	entry *Entry
	// kept tells an entry that a boundary kept.
	kept bool
}

// walker goes up from a leaf.
type walker struct {
	l       *Log
	k       *links
	steps   []step // leaf first
	seen    map[string]bool
	cut     bool
	tails   map[*Entry]int // by boundary: where the walk met the segment's tail
	pending map[*Entry]bool
}

// walk goes up from a leaf to a root or a boundary. A segment whose tail does not lead to its head is left out, and the
// walk made again: the path is then cut at the boundary.
func (l *Log) walk(leaf string, order int) *walker {
	bad := map[*Entry]bool{}
	for range maxBadSegments {
		w := &walker{l: l, k: l.linksTo(order, bad), seen: map[string]bool{}, tails: map[*Entry]int{}, pending: map[*Entry]bool{}}
		w.climb(leaf)
		if len(w.pending) == 0 {
			return w
		}
		for b := range w.pending { // any order: a set
			bad[b] = true
		}
	}
	w := &walker{l: l, k: l.linksTo(0, nil), seen: map[string]bool{}, tails: map[*Entry]int{}, pending: map[*Entry]bool{}}
	w.climb(leaf)
	return w
}

// maxBadSegments bounds how often one walk is made again.
const maxBadSegments = 8

func (w *walker) climb(leaf string) {
	for at := leaf; at != ""; {
		e := w.l.byID[at]
		if e == nil && w.l.Bridge && len(w.steps) > 0 {
			e = w.l.bridge(w.steps[len(w.steps)-1].entry, w.seen)
		}
		if e == nil || w.seen[e.UUID] {
			w.cut = true
			return
		}
		w.seen[e.UUID] = true
		w.steps = append(w.steps, step{entry: e})
		if e.Boundary() {
			return
		}
		at = w.up(e)
	}
}

// up is the parent of an entry as it is walked.
func (w *walker) up(e *Entry) string {
	here := len(w.steps) - 1
	if s := w.k.tails[e.UUID]; s != nil {
		w.tails[s.boundary] = here
	}
	if s := w.k.heads[e.UUID]; s != nil {
		w.keep(s, here)
		return s.anchor
	}
	if p, ok := w.k.listed[e.UUID]; ok {
		return p
	}
	if s := w.k.anchors[e.Parent]; s != nil && e.Order > s.boundary.Order && !w.seen[s.tail] {
		w.pending[s.boundary] = true
		return s.tail
	}
	return e.Parent
}

// keep marks the steps of a segment whose head is reached. A leaf inside it has no tail below: then those count that
// stand before the boundary in the file.
func (w *walker) keep(s *segment, head int) {
	for b := range w.pending { // any order: it thins a set
		if b.Order <= s.boundary.Order { // what the later boundary kept may begin inside what an earlier one kept
			delete(w.pending, b)
		}
	}
	tail, whole := w.tails[s.boundary]
	for i := tail; i <= head; i++ {
		w.steps[i].kept = whole || w.steps[i].entry.Order < s.boundary.Order
	}
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
