package sessionlog

import (
	"math"
	"slices"
)

// Above is where a rewind to before an entry stands: at its parent, or, where that is the anchor of what a boundary kept,
// behind what was kept (H-CMD-31, H-LOG-45). The first entry kept has its own parent: a rewind to it makes the path
// before the boundary the current one (H-CMD-33). In a fork's copy that hangs from the boundary itself: nothing stands
// before it, so the path is empty.
func (l *Log) Above(e *Entry) string {
	for i := range l.segments {
		if s := &l.segments[i]; s.head == e.UUID && s.anchor == e.Parent && s.anchor == s.boundary.UUID {
			return ""
		}
	}
	return l.behind(e.Parent, e.Order)
}

// behind is the end of what a boundary before an order kept behind an anchor; uuid itself when it is the anchor of
// nothing.
func (l *Log) behind(uuid string, order int) string {
	for i := len(l.segments) - 1; i >= 0; i-- {
		s := l.segments[i]
		if s.anchor != uuid || s.boundary.Order >= order {
			continue
		}
		head, tail := s.head, s.tail
		for _, u := range s.uuids {
			if l.byID[u] == nil {
				continue
			}
			if head == "" {
				head = u
			}
			tail = u
		}
		path, _ := l.Path(tail)
		if slices.ContainsFunc(path, func(e *Entry) bool { return e.UUID == head }) {
			return tail
		}
	}
	return uuid
}

// last is a terminal as the leaf: a summary with nothing of its own behind it stands before what was kept (H-LOG-45).
func (l *Log) last(terminal string) string { return l.behind(terminal, math.MaxInt) }
