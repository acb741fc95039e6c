package invariant

import (
	"bytes"

	"harnessbench/internal/prefix"
	"harnessbench/internal/wire"
)

// A process can die when all of a line but its line feed is in the file. Readers may leave such a line
// out until it is whole (H-LOG-82), or take it for the entry it is; both are right, and what was never
// acknowledged may survive. The first word of the next process decides: the leaf at which it stands, or
// else its first request. From then on the line is held to be what it was taken for.

// torn line as it may be read.
const (
	lineWhole   = iota // the last line is whole, or its writer lives on
	lineOpen           // a complete object without its line feed, whose writer is gone: not decided
	lineDecided        // taken for an entry or left out
)

// orphan notes that no process writes to the file now.
func (f *logfile) orphan() {
	if f.last == lineWhole && f.whole().Kind() == '{' {
		f.last = lineOpen
	}
}

// whole is the object of the last line when only its line feed is missing.
func (f *logfile) whole() wire.Value {
	v, err := wire.ParseValue(f.torn)
	if err != nil {
		return wire.Value{}
	}
	return v
}

// decide takes the open line for an entry or leaves it out.
func (f *logfile) decide(adopt bool) {
	f.last, f.decided = lineDecided, len(f.torn)
	if !adopt {
		return
	}
	f.lines++ // its number; it counts once it is whole
	w := &write{file: f}
	f.readLine(f.torn, w)
	f.lines--
	f.adopted = w.entries
}

// finish takes the rest of a line that was decided before it was whole.
func (f *logfile) finish(line []byte, w *write) {
	w.entries = append(w.entries, f.adopted...)
	rest := line[f.decided:]
	f.last, f.decided, f.adopted = lineWhole, 0, nil
	if len(bytes.TrimSpace(rest)) > 0 {
		f.readLine(rest, w)
	}
}

// forget notes that the last line is not what it was.
func (f *logfile) forget() { f.torn, f.last, f.decided, f.adopted = nil, lineWhole, 0, nil }

// sayings tells whether a conversation says what the open line holds, beyond what the path says.
func (f *logfile) sayings(conv *conversation) bool {
	e := &entry{kind: f.whole().Get("type").Text()}
	e.read(f.whole())
	if len(e.blocks) == 0 {
		return false
	}
	count := func(blocks []block, h prefix.Hash) (n int) {
		for _, b := range blocks {
			if b.digest == h {
				n++
			}
		}
		return n
	}
	h, surplus := e.blocks[0].digest, 0
	for _, m := range conv.msgs {
		surplus += count(m.blocks, h)
	}
	for _, i := range f.active() {
		if e := f.entries[i]; !f.removed(e) {
			surplus -= count(e.blocks, h)
		}
	}
	return surplus > 0
}
