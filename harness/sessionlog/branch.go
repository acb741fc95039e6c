package sessionlog

import "harnessbench/internal/wire"

// Branches are the children of an entry where the conversation really parted (H-LOG-34): typed prompts of different
// times. Attachments, progress and system entries, results of the entry's own calls, further blocks of its answer and
// repeated copies are ways of recording, and belong to one path. Nothing for fewer than two.
func (l *Log) Branches(uuid string) []*Entry {
	var out []*Entry
	for _, e := range l.Entries {
		if e.Parent != uuid || e.Sidechain || !e.Typed {
			continue
		}
		if copyOf(out, e) {
			continue
		}
		out = append(out, e)
	}
	if len(out) < 2 {
		return nil
	}
	return out
}

// copyOf tells an entry that repeats another in time and content.
func copyOf(among []*Entry, e *Entry) bool {
	for _, o := range among {
		if e.Time != "" && o.Time == e.Time && o.Message.plainText() == e.Message.plainText() {
			return true
		}
	}
	return false
}

// Interleaved finds two branches that grew side by side, as when two processes append to one file (H-LOG-87): the uuid
// of an entry behind which a prompt was typed while another message had that parent already, and grew on after the
// prompt came. A rewind is none: it pins the leaf first (H-REB-4). "" for no such entry.
func (l *Log) Interleaved() string {
	// owner is the number of an entry's branch, 0 for the first one.
	owner := map[string]int{}
	child := map[string]*Entry{}
	var roots []*Entry // first entry of each branch that began beside another, by its number from 1
	last := map[int]int{}
	for _, e := range l.Entries {
		if e.Sidechain || !e.Speech() && e.Type != System && e.Type != Attachment {
			continue
		}
		own := owner[e.Parent]
		if first := child[e.Parent]; first != nil && e.Typed && first.Speech() && e.Parent != "" && !copyOf([]*Entry{first}, e) && !l.pinnedAt(e) {
			roots = append(roots, e)
			own = len(roots)
		} else if first == nil {
			child[e.Parent] = e
		}
		owner[e.UUID] = own
		if e.Speech() {
			last[own] = e.Order
		}
	}
	for _, r := range roots {
		if beside := owner[child[r.Parent].UUID]; last[beside] > r.Order {
			return r.Parent
		}
	}
	return ""
}

// pinnedAt tells a prompt whose parent a record had named before it: a rewind.
func (l *Log) pinnedAt(e *Entry) bool {
	for i := range l.pins {
		if p := &l.pins[i]; p.order < e.Order && p.leaf == e.Parent {
			return true
		}
	}
	return false
}

// Entrypoint is how the process was started that wrote the first entry, "" where it does not say (harness.md 2.3).
func (l *Log) Entrypoint() string {
	if len(l.Entries) == 0 {
		return ""
	}
	v, err := wire.ParseValue(l.Entries[0].Raw)
	if err != nil {
		return ""
	}
	return v.Get("entrypoint").Text()
}
