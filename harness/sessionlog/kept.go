package sessionlog

import "slices"

// kept is a segment with its entries, in the order in which they are sent.
type kept struct {
	*segment
	kept []*Entry
}

// keeping is what all boundaries of a log kept, oldest boundary first. A segment that does not hang together keeps
// nothing: the path is then cut at its boundary.
type keeping struct {
	bridge   bool
	segments []kept
	by       map[string][]place // by entry
	anchors  map[string][]int   // numbers of the segments behind an anchor
	missing  map[string]bool    // named, but not in the log
}

// place is where a boundary put an entry that it kept.
type place struct{ segment, at int }

// Bounds on how many entries are asked for stretches, so that a hostile file of many long ones costs no more than a
// bounded number of steps: for all together, and for those that do not hang together, which no writer makes.
const (
	maxKept = 1 << 18
	maxBad  = 1 << 14
)

// keeping is made when it is asked for first, and again when a boundary has come.
func (l *Log) keeping() *keeping {
	if l.kept != nil && l.kept.bridge == l.Bridge {
		return l.kept
	}
	k := &keeping{bridge: l.Bridge, by: map[string][]place{}, anchors: map[string][]int{}, missing: map[string]bool{}}
	steps, bad := 0, 0
	for i := range l.segments {
		s := &l.segments[i]
		for _, uuid := range append(s.uuids[:len(s.uuids):len(s.uuids)], s.anchor, s.head, s.tail) {
			if l.byID[uuid] == nil {
				k.missing[uuid] = true
			}
		}
		if !l.begun[s.boundary.UUID] || k.missing[s.anchor] || l.byID[s.boundary.UUID] != s.boundary {
			continue
		}
		var entries []*Entry
		if s.uuids != nil {
			entries = l.listed(s)
		} else if steps < maxKept && bad < maxBad {
			var n int
			if entries, n = l.stretch(s, k); entries == nil {
				bad += n
			}
			steps += n
		}
		if len(entries) == 0 {
			continue
		}
		n := len(k.segments)
		k.segments = append(k.segments, kept{s, entries})
		k.anchors[s.anchor] = append(k.anchors[s.anchor], n)
		for at, e := range entries {
			k.by[e.UUID] = append(k.by[e.UUID], place{n, at})
		}
	}
	l.kept = k
	return k
}

// listed are the entries of a list that are there, each once, but for boundaries, at which a path ends.
func (l *Log) listed(s *segment) (out []*Entry) {
	seen := map[string]bool{s.anchor: true}
	for _, uuid := range s.uuids {
		if e := l.byID[uuid]; e != nil && !seen[uuid] && !e.Boundary() {
			seen[uuid] = true
			out = append(out, e)
		}
	}
	return out
}

// stretch is the path from the head of a segment to its tail, as it was when the boundary was written: a part of the path
// of what stood before the boundary, or, where the boundary does not name that, of the tail's. It is nil where the tail
// does not lead to the head. steps is how many entries were asked.
func (l *Log) stretch(s *segment, earlier *keeping) (out []*Entry, steps int) {
	if l.byID[s.head] == nil || s.head == s.anchor || s.tail == s.anchor {
		return nil, 0
	}
	for _, leaf := range [...]string{s.boundary.Logical, s.tail} {
		if l.byID[leaf] == nil {
			continue
		}
		w := &walker{l: l, k: earlier, seen: map[string]bool{}}
		w.climb(leaf, s.boundary.Order, s.head)
		steps += len(w.steps)
		if out = w.between(s.head, s.tail); out != nil && !slices.Contains(out, l.byID[s.anchor]) {
			return out, steps
		}
	}
	return nil, steps
}

// between are the entries that the walk met from a tail up to a head, the head first; nil where it met no such.
func (w *walker) between(head, tail string) (out []*Entry) {
	for i := len(w.steps) - 1; i >= 0; i-- {
		e := w.steps[i].entry
		if out == nil && e.UUID != head {
			continue
		}
		if out = append(out, e); e.UUID == tail {
			return out
		}
	}
	return nil
}

// keeper is the newest segment of a boundary before an order that keeps an entry, and the entry's place in it; nil for
// none.
func (k *keeping) keeper(uuid string, order int) (*kept, int) {
	places := k.by[uuid]
	for i := len(places) - 1; i >= 0; i-- {
		if s := &k.segments[places[i].segment]; s.boundary.Order < order {
			return s, places[i].at
		}
	}
	return nil, 0
}

// behind is the newest segment of a boundary before an order behind which stands what else hangs from an anchor, nil for
// none, and where a later one kept the anchor itself.
func (k *keeping) behind(anchor string, order int) *kept {
	of := k.anchors[anchor]
	for i := len(of) - 1; i >= 0; i-- {
		s := &k.segments[of[i]]
		if s.boundary.Order >= order || s.again() {
			continue
		}
		if later, _ := k.keeper(anchor, order); later != nil && later.boundary.Order > s.boundary.Order {
			return nil
		}
		return s
	}
	return nil
}

// again tells a segment whose entries stand in the file again, behind the summary they hang from, as in a fork. What
// hangs beside them there is another branch.
func (s *kept) again() bool {
	first := s.kept[0]
	return first.Parent == s.anchor && s.anchor != s.boundary.UUID && first.Order > s.boundary.Order
}
