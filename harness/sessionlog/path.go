package sessionlog

import "slices"

// Path walks from an entry back to a root or a compact boundary and gives the entries from there on in
// order (H-REB-1, H-REB-6). A missing parent or a cycle ends the walk there; cut says so (H-LOG-84,
// resume.dangling=stop). Files whose results hang from their own calls are completed (H-REB-5).
func (l *Log) Path(leaf string) (path []*Entry, cut bool) {
	seen := map[string]bool{}
	for at := leaf; at != ""; {
		e := l.byID[at]
		if e == nil || seen[at] {
			cut = true
			break
		}
		seen[at] = true
		path = append(path, e)
		if e.Boundary() {
			break
		}
		at = e.Parent
	}
	slices.Reverse(path)
	return l.complete(path, seen), cut
}

// Whole is the path beyond compact boundaries, along their logical parents: what /rewind lists (H-CMD-30).
func (l *Log) Whole(leaf string) []*Entry {
	path, cut := l.Path(leaf)
	seen := map[string]bool{}
	for !cut && len(path) > 0 && path[0].Boundary() && !seen[path[0].UUID] {
		seen[path[0].UUID] = true
		above := path[0].Logical
		if above == "" {
			above = path[0].Parent
		}
		earlier, c := l.Path(above)
		if len(earlier) == 0 {
			break
		}
		path, cut = append(earlier, path...), c
	}
	return path
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
		if on[e.UUID] || !on[e.Parent] || e.Sidechain || e.Notice {
			continue
		}
		if e.Type == Assistant && answers[e.Message.ID] || answersOne(e, open) {
			on[e.UUID] = true
			note(e, answers, open)
			beside = append(beside, e)
		}
	}
	for _, e := range beside {
		path = insert(path, e)
	}
	return path
}

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

// insert puts an entry before the entries of the path's end that stand later in the file.
func insert(path []*Entry, e *Entry) []*Entry {
	at := len(path)
	for at > 0 && path[at-1].Order > e.Order {
		at--
	}
	return slices.Insert(path, at, e)
}
