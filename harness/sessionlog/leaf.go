package sessionlog

import (
	"cmp"
	"slices"
)

// Leaf chooses where a resumed session stands: the uuid the next entry takes as its parent, "" for an
// empty path (H-REB-2, H-REB-3, H-REB-4).
//
// An explicit last-prompt record pins the leaf. Entries written after the record that grow from the
// pinned leaf move it along, so that a process that died between its prompt and the record that ends
// the pin loses nothing.
func (l *Log) Leaf() string {
	p := l.pinInForce()
	if p == nil {
		return l.last(l.keptBehind(l.newest()))
	}
	grown := l.grownFrom(p)
	if len(grown) == 0 {
		return p.leaf
	}
	best, any := l.candidates(l.Entries[l.before(p.order):], grown, 0)
	return cmp.Or(best, any)
}

// keptBehind is where a path ends that a compaction wrote last and nothing followed: what was kept behind the summary is
// its end, though it stands before it in the file (H-LOG-45). A pin says so too, unless it was lost with the last bytes of
// the write. Any other leaf is itself.
func (l *Log) keptBehind(leaf string) string {
	e, k := l.byID[leaf], l.keeping()
	for i := len(k.segments) - 1; i >= 0 && e != nil; i-- {
		s := &k.segments[i]
		if s.anchor == s.boundary.UUID || e.Order < s.boundary.Order {
			continue
		}
		if leaf == s.anchor || slices.Contains(s.uuids, leaf) {
			return s.kept[len(s.kept)-1].UUID
		}
	}
	return leaf
}

// Pinned tells whether a pin is in force.
func (l *Log) Pinned() bool { return l.pinInForce() != nil }

// pinInForce walks pins and boundaries in file order.
func (l *Log) pinInForce() *pin {
	var in *pin
	for i := range l.pins {
		p := &l.pins[i]
		switch {
		case p.explicit && p.leaf != "":
			in = nil
			if l.byID[p.leaf] != nil {
				in = p
			}
		case p.explicit && p.empty:
			in = p
		case p.explicit, in != nil && p.leaf != in.leaf:
			in = nil
		}
	}
	if in == nil {
		return nil
	}
	for i := len(l.Entries) - 1; i >= 0 && l.Entries[i].Order > in.order; i-- {
		if e := l.Entries[i]; e.Boundary() && !e.Sidechain && l.begun[e.UUID] {
			return nil
		}
	}
	return in
}

// grownFrom is the set of entries behind the pin in the file that descend from its leaf, or from a new
// root when it pins an empty path.
func (l *Log) grownFrom(p *pin) map[string]bool {
	grown := map[string]bool{}
	for _, e := range l.Entries {
		if e.Order < p.order || e.Sidechain {
			continue
		}
		if grown[e.Parent] || e.Parent == p.leaf {
			grown[e.UUID] = true
		}
	}
	return grown
}

// newest applies the file-order rule of H-REB-2 and gives the terminal that led to the chosen candidate (H-REB-3). What
// stands behind the last boundary in the file decides alone where it can: lines before it that name an entry behind it
// take no leaf from it.
func (l *Log) newest() string {
	if l.boundary >= 0 {
		if best, _ := l.candidates(l.Entries[l.before(l.boundary):], nil, l.boundary); best != "" {
			return best
		}
	}
	best, any := l.candidates(l.Entries, nil, 0)
	return cmp.Or(best, any, l.lastSpeech())
}

// lastSpeech is the latest message of the main chain: where a session stands whose entries all have children, in a cycle.
func (l *Log) lastSpeech() string {
	for i := len(l.Entries) - 1; i >= 0; i-- {
		if e := l.Entries[i]; e.Speech() && !e.Sidechain && !e.Team && !e.Meta {
			return e.UUID
		}
	}
	return ""
}

// candidates gives the terminal of the latest candidate among entries, or those of a set, whose message stands at an
// order or behind it, "" for none; any counts those too that the rule drops.
func (l *Log) candidates(entries []*Entry, among map[string]bool, from int) (best, any string) {
	named := make(map[string]bool, len(entries))
	for _, e := range entries {
		if !e.Sidechain { // an agent's first entry may hang from the trunk (H-LOG-35); it takes no leaf from it
			named[e.Parent] = true
		}
	}
	type choice struct{ speech, terminal *Entry }
	var good, all choice
	later := func(a, b choice) bool {
		return b.speech == nil || a.speech.Order > b.speech.Order ||
			a.speech == b.speech && a.terminal.Order > b.terminal.Order
	}
	above := map[string]*Entry{}
	for _, e := range entries {
		if named[e.UUID] || among != nil && !among[e.UUID] {
			continue
		}
		s := l.speechAbove(e, above)
		if s == nil || s.Order < from {
			continue
		}
		c := choice{s, e}
		if later(c, all) {
			all = c
		}
		if !s.Sidechain && !s.Team && !s.Meta && later(c, good) {
			good = c
		}
	}
	if good.terminal != nil {
		best = good.terminal.UUID
	}
	if all.terminal != nil {
		any = all.terminal.UUID
	}
	return best, any
}

// speechAbove is the nearest user or assistant entry from e upwards, e included; nil for none. known keeps what was
// found, so that many terminals of one long strand cost no more than one.
func (l *Log) speechAbove(e *Entry, known map[string]*Entry) *Entry {
	var strand []string
	seen := map[string]bool{}
	var found *Entry
	for e != nil && !seen[e.UUID] {
		if e.Speech() {
			found = e
			break
		}
		if s, ok := known[e.UUID]; ok {
			found = s
			break
		}
		seen[e.UUID] = true
		strand = append(strand, e.UUID)
		e = l.byID[e.Parent]
	}
	for _, uuid := range strand {
		known[uuid] = found
	}
	return found
}
