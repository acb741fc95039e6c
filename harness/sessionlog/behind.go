package sessionlog

import "math"

// Above is where a rewind to before an entry stands: at its parent, or, where that is the anchor of what a boundary kept,
// behind what was kept (H-CMD-31, H-LOG-45). The first entry kept has its own parent: a rewind to it makes the path
// before the boundary the current one (H-CMD-33). In a fork's copy that hangs from the anchor: nothing of what was kept
// stands before it, and where the anchor is the boundary itself nothing at all, so the path is empty.
func (l *Log) Above(e *Entry) string {
	for _, n := range l.keeping().anchors[e.Parent] {
		s := &l.keeping().segments[n]
		if s.kept[0].UUID != e.UUID {
			continue
		}
		if s.anchor == s.boundary.UUID {
			return ""
		}
		return s.anchor
	}
	return l.behind(e.Parent, e.Order)
}

// behind is the end of what a boundary before an order kept behind an anchor; uuid itself when it is the anchor of
// nothing.
func (l *Log) behind(uuid string, order int) string {
	if s := l.keeping().behind(uuid, order); s != nil {
		return s.kept[len(s.kept)-1].UUID
	}
	return uuid
}

// last is a terminal as the leaf: a summary with nothing of its own behind it stands before what was kept (H-LOG-45).
func (l *Log) last(terminal string) string { return l.behind(terminal, math.MaxInt) }
