package invariant

import (
	"slices"

	"harnessbench/internal/wire"
)

// keeps is what a boundary says of entries that stay (H-LOG-45).
type keeps struct {
	anchor     string // uuid that they stand behind: of the boundary, or of its summary
	head, tail string // of a stretch of the path
	uuids      []string
	entries    []int // what that is, in the order in which it is sent
}

func keepsOf(metadata wire.Value) *keeps {
	segment, list := metadata.Get("preservedSegment"), metadata.Get("preservedMessages")
	if !segment.Exists() && !list.Exists() {
		return nil
	}
	k := &keeps{anchor: segment.Get("anchorUuid").Text(), head: segment.Get("headUuid").Text(), tail: segment.Get("tailUuid").Text()}
	if !segment.Exists() {
		k.anchor = list.Get("anchorUuid").Text()
	}
	for _, u := range list.Get("uuids").Elems() {
		k.uuids = append(k.uuids, u.Text())
	}
	return k
}

// keepAlso takes an entry that the newest boundary named before it stood in the file, as what is brought back behind a
// summary.
func (f *logfile) keepAlso(e *entry) {
	if n := len(f.keepers); n > 0 {
		b := f.entries[f.keepers[n-1]]
		if b.keeps.tail == "" && slices.Contains(b.keeps.uuids, e.uuid) {
			b.keeps.entries = f.keep(b)
		}
	}
}

// keep finds the entries that a boundary keeps, as far as they stand in the file.
func (f *logfile) keep(boundary *entry) (out []int) {
	k := boundary.keeps
	if k.tail == "" {
		for _, uuid := range k.uuids {
			if i, ok := f.byUUID[uuid]; ok {
				out = append(out, i)
			}
		}
		return out
	}
	i, ok := f.byUUID[k.tail]
	if !ok {
		return nil
	}
	for _, n := range slices.Backward(f.way(i, boundary.index)) {
		out = append(out, n)
		if f.entries[n].uuid == k.head {
			break
		}
	}
	slices.Reverse(out)
	return out
}

// way is the path down to an entry, as it was when the line of the index before stood behind it: from the root, or from
// the newest boundary that cuts it off, with what that one keeps.
func (f *logfile) way(i, before int) []int {
	var up []int
	for i >= 0 && len(up) <= len(f.entries) {
		if b, kept := f.keeper(i, before); b != nil {
			for _, n := range slices.Backward(kept) {
				up = append(up, n)
			}
			if s := f.summaryOf(b); s >= 0 && b.keeps.anchor != b.uuid {
				up = append(up, s)
			}
			up = append(up, b.index)
			break
		}
		e := f.entries[i]
		if e.subtype == "compact_boundary" {
			if e.keeps != nil && e.keeps.anchor == e.uuid {
				for _, n := range slices.Backward(e.keeps.entries) {
					up = append(up, n)
				}
			}
			up = append(up, i)
			break
		}
		up = append(up, i)
		before, i = i, e.parent
	}
	slices.Reverse(up)
	return up
}

// keeper is the newest boundary, up to the line before, that keeps the entry at i, with what it keeps up to there; nil
// for none.
func (f *logfile) keeper(i, before int) (*entry, []int) {
	for _, n := range slices.Backward(f.keepers) {
		if b := f.entries[n]; i < n && n < before {
			if at := slices.Index(b.keeps.entries, i); at >= 0 {
				return b, b.keeps.entries[:at+1]
			}
		}
	}
	return nil, nil
}

// summaryOf is the index of the summary behind a boundary, -1 for none.
func (f *logfile) summaryOf(b *entry) int {
	for _, e := range f.entries[b.index+1:] {
		if e.summary && e.parent == b.index {
			return e.index
		}
	}
	return -1
}
