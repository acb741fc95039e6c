package sessionlog

import (
	"bytes"
	"slices"

	"harnessbench/internal/wire"
)

// LargeFile is the size in bytes above which a log is read from its tail, and above which a compaction restates the
// records of state (H-LOG-89).
const LargeFile = 5 << 20

// stateRestated is the record that ends a restatement: all records of state that held before the boundary it names
// stand again between that boundary and it.
const stateRestated = "state-restated"

// Restated repeats the records of state behind a boundary, so that a reader of the tail need not look for them before
// it. The bytes end with the record that says so.
func Restated(state State, boundary, session string) []byte {
	return append(state.Encode(session), record(stateRestated, session, "boundary", boundary)...)
}

// ReadAt reads n bytes of a file from an offset, fewer only at its end.
type ReadAt func(offset int64, n int) ([]byte, error)

// firstBlock is how much of the tail is read first, in bytes.
const firstBlock = 1 << 20

// LoadTail reads of a large file what stands behind its last boundary (H-LOG-89). Leaf, path, state, pin, calls and the
// newest prompt of the path are those of a full load; Partial says that earlier entries and records were not read. What
// the tail alone does not settle, such as a path that goes on before the boundary, a kept segment, or state that no
// record restates, makes it read the whole file.
func LoadTail(read ReadAt, size int64, bridge bool) (*Log, error) {
	return loadTail(read, size, bridge, LargeFile, firstBlock)
}

func loadTail(read ReadAt, size int64, bridge bool, large, block int64) (*Log, error) {
	if size > large {
		t := tail{read: read, size: size, start: size, block: block}
		for {
			l, err := t.next(bridge)
			if err != nil {
				return nil, err
			}
			if l != nil {
				return l, nil
			}
			if t.hopeless || t.start == 0 {
				break
			}
		}
	}
	data, err := read(0, int(size))
	if err != nil {
		return nil, err
	}
	l := Load(data)
	l.Bridge = bridge
	return l, nil
}

// tail is the part of a file that was read so far.
type tail struct {
	read     ReadAt
	size     int64
	block    int64 // how much is read first
	start    int64 // offset of data
	data     []byte
	boundary int64 // offset of the line of the last boundary, 0 while it is not found
	hopeless bool  // no tail short of the whole file settles everything
}

// next reads more, and gives the log when the tail settles it.
func (t *tail) next(bridge bool) (*Log, error) {
	if err := t.grow(); err != nil {
		return nil, err
	}
	if t.boundary == 0 {
		if t.boundary = t.lastBoundary(); t.boundary == 0 {
			return nil, nil
		}
		// The lines before it were read to find it; they are parsed only when it does not do alone.
		l := loadFrom(t.data[t.boundary-t.start:], int(t.boundary))
		l.Bridge = bridge
		return t.settled(l), nil
	}
	if t.start == 0 {
		return nil, nil
	}
	cut := bytes.IndexByte(t.data, '\n') + 1 // a line that begins before the part
	l := loadFrom(t.data[cut:], int(t.start)+cut)
	l.Bridge = bridge
	return t.settled(l), nil
}

// grow doubles the part.
func (t *tail) grow() error {
	n := min(max(t.block, t.size-t.start), t.start)
	block, err := t.read(t.start-n, int(n))
	if err != nil {
		return err
	}
	t.start -= n
	t.data = slices.Concat(block, t.data)
	return nil
}

// lastBoundary finds the line of the last boundary of the main chain in the part, 0 for none. Lines are told by their
// bytes first: inside a string of JSON the quotes around the word would be escaped.
func (t *tail) lastBoundary() int64 {
	for end := len(t.data); ; {
		at := bytes.LastIndex(t.data[:end], []byte(`"compact_boundary"`))
		if at < 0 {
			return 0
		}
		from := bytes.LastIndexByte(t.data[:at], '\n') + 1
		if from == 0 { // the line may begin before the part
			return 0
		}
		to := len(t.data)
		if i := bytes.IndexByte(t.data[at:], '\n'); i >= 0 {
			to = at + i
		}
		var rep Report
		for _, v := range objects(t.data[from:to], &rep) {
			if e, ok := Parse(v); ok && e.Boundary() && !e.Sidechain {
				return t.start + int64(from)
			}
		}
		end = from
	}
}

// settled gives the log when everything a full load tells of is in it, nil when more must be read.
func (t *tail) settled(l *Log) *Log {
	l.Partial = true
	leaf := l.Leaf()
	path, cut := l.Path(leaf)
	switch {
	case !l.leafHolds() || !l.restated() || !l.pinsHold() || l.Report.Linear || cut || len(path) == 0 || !path[0].Boundary():
		t.hopeless = true
		return nil
	case slices.ContainsFunc(l.segments, func(s segment) bool { return s.boundary.Order >= l.boundary }):
		t.hopeless = true // what it kept, and records about that, may stand anywhere before
		return nil
	case slices.ContainsFunc(path, func(e *Entry) bool { return e.Order < l.boundary }):
		t.hopeless = true
		return nil
	case l.LastPrompt(leaf) == "":
		return nil
	}
	return l
}

// leafHolds tells whether the leaf does not depend on what stands before the last boundary.
func (l *Log) leafHolds() bool {
	if l.pinInForce() != nil {
		return true
	}
	best, _ := l.candidates(l.Entries[l.before(l.boundary):], nil, l.boundary)
	return best != ""
}

// restated tells whether the state of before the last boundary stands behind it.
func (l *Log) restated() bool {
	b := -1
	for i, e := range l.Entries {
		if e.Order == l.boundary && l.begun[e.UUID] {
			b = i
		}
	}
	if b < 0 {
		return false
	}
	for i := range l.Records {
		r := &l.Records[i]
		if r.Type != stateRestated || r.Order < l.boundary {
			continue
		}
		if v, err := wire.ParseValue(r.Raw); err == nil && v.Get("boundary").Text() == l.Entries[b].UUID {
			return true
		}
	}
	return false
}

// pinsHold tells whether all entries that pins name are there.
func (l *Log) pinsHold() bool {
	for i := range l.pins {
		if p := &l.pins[i]; p.order > l.boundary && p.leaf != "" && l.byID[p.leaf] == nil {
			return false
		}
	}
	return true
}

// LastPrompt is the uuid of the newest prompt on the path of a leaf or, where it has none, on what its boundaries cut
// off; "" for none.
func (l *Log) LastPrompt(leaf string) string {
	for path := range l.beyond(leaf) {
		if last := lastTyped(path); last != "" {
			return last
		}
	}
	return ""
}

func lastTyped(path []*Entry) string {
	for i := len(path) - 1; i >= 0; i-- {
		if path[i].Typed {
			return path[i].UUID
		}
	}
	return ""
}
