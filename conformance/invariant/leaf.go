package invariant

// pin is an explicit leaf (H-REB-4).
type pin struct {
	on   bool
	top  bool // the pinned path is empty
	leaf int  // index of the pinned entry
}

// path is the active chain of a file, from its root or boundary to its tip.
type path struct {
	tip     int   // newest entry of the chain, -1 for an empty path
	entries []int // indexes, root first; valid when known
	known   bool
	turned  int // how often the path turned to another branch
}

// mark takes a last-prompt record.
func (f *logfile) mark(r lastPrompt) {
	switch {
	case !r.named && !r.top:
		return
	case r.explicit && (r.leaf != "" || r.top):
		i, ok := f.byUUID[r.leaf]
		if !ok && !r.top {
			return // names an entry that is not there: it pins nothing
		}
		f.pin = pin{on: true, top: r.top && r.leaf == "", leaf: i}
		for _, e := range f.entries {
			e.pinned = false
		}
		f.choose()
	case r.explicit:
		f.pin = pin{}
		f.choose()
	case f.pin.on && (f.pin.top || r.leaf != f.entries[f.pin.leaf].uuid):
		f.pin = pin{}
		f.choose()
	}
}

// grow moves the tip over a new entry. What follows the tip directly, in the conversation, is the new
// tip; all else asks for the whole choice.
func (f *logfile) grow(e *entry) {
	if f.pin.on {
		root := f.pin.top && e.parentUUID == ""
		e.pinned = !e.side && (root || !f.pin.top && e.parent == f.pin.leaf || e.parent >= 0 && f.entries[e.parent].pinned)
	}
	follows := e.parent == f.path.tip && (e.parent >= 0 || e.parentUUID == "" && len(f.entries) == 1)
	if follows && !e.side && !e.team && !(e.talks() && e.meta) && (!f.pin.on || e.pinned) && !e.declares() {
		f.path.tip = e.index
		if f.path.known {
			f.path.entries = append(f.path.entries, e.index)
		}
		return
	}
	f.choose()
}

// choose finds the tip anew: of the entries nobody names as parent, the one whose nearest message
// stands last in the file; sidechain, team and meta messages only when there is nothing else (H-REB-2,
// H-REB-3). While a leaf is pinned, only what grew from it since counts, and else the pinned leaf itself.
func (f *logfile) choose() {
	tip, best, spareTip, spare := -1, -1, -1, -1
	bare := -1 // newest end without any message before it
	for i := len(f.entries) - 1; i >= 0; i-- {
		e := f.entries[i]
		if e.child || f.pin.on && !e.pinned {
			continue
		}
		n := f.message(i)
		switch {
		case n < 0:
			bare = max(bare, i)
		case f.entries[n].side || f.entries[n].meta || f.entries[n].team:
			if n > spare {
				spareTip, spare = i, n
			}
		case n > best:
			tip, best = i, n
		}
	}
	if best < 0 {
		tip = spareTip
	}
	if tip < 0 {
		tip = bare // metadata alone
	}
	if tip < 0 && f.pin.on && !f.pin.top {
		tip = f.pin.leaf
	}
	if tip != f.path.tip {
		f.path = path{tip: tip, turned: f.path.turned + 1}
	}
}

// message walks up to the nearest user or assistant entry, -1 for none.
func (f *logfile) message(i int) int {
	for steps := 0; i >= 0 && steps <= len(f.entries); steps++ {
		if f.entries[i].talks() {
			return i
		}
		i = f.entries[i].parent
	}
	return -1
}

// active is the path from its root, or the newest compaction boundary on it, to the tip.
func (f *logfile) active() []int {
	if f.path.known {
		return f.path.entries
	}
	f.path.entries, f.path.known = f.way(f.path.tip, len(f.entries)), true
	return f.path.entries
}

// tip is the uuid the next entry should name as parent, "" for none.
func (f *logfile) tip() string {
	if f.path.tip < 0 {
		return ""
	}
	return f.entries[f.path.tip].uuid
}
