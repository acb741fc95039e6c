package sessionlog

import "harnessbench/internal/wire"

const lastPrompt = "last-prompt"

// Log is a session file in memory.
type Log struct {
	Entries []*Entry // chain entries in file order; of equal uuids only the last (H-LOG-86)
	Records []Record // everything else that is an object, in file order
	Report  Report

	State     State
	Snapshots []Snapshot // in file order
	Decisions Decisions

	// Partial says that only the tail of the file was read (H-LOG-89): entries, records, snapshots and decisions are
	// those of the tail.
	Partial bool

	// Bridge lets a path go on behind a parent that is not there (resume.dangling=bridge, H-LOG-84).
	Bridge bool

	byID     map[string]*Entry
	calls    map[string]bool // ids of tool calls since the last boundary, whatever their branch, and of claimed paths
	pins     []pin
	titles   titles
	segments []segment
	kept     *keeping        // of the segments, nil until it is asked for
	begun    map[string]bool // uuids of boundaries from which an entry hangs; another is what a torn write left, and cuts nothing
	boundary int             // order of the last boundary of the main chain, -1
	parents  bool            // some entry says what its parent is, be it null
	linear   int             // order of the first entry that does
	end      int             // order of the next object
}

// Record is a side record (H-LOG-12), or an object that could not be read as anything: its bytes, kept as they are.
type Record struct {
	Order int    // offset in the file, in bytes
	Type  string // "" where there is none
	Raw   []byte
}

// pin is a last-prompt record that names a leaf or clears one (H-REB-4).
type pin struct {
	order           int
	leaf            string
	explicit, empty bool
}

// Load reads a file. It never fails: what cannot be read is counted in the report (H-LOG-83).
func Load(data []byte) *Log { return loadFrom(data, 0) }

// loadFrom reads the part of a file that begins, with a line, at an offset.
func loadFrom(data []byte, base int) *Log {
	l := New()
	l.end = base + len(data)
	for at, v := range objects(data, &l.Report) {
		l.take(base+at, v)
	}
	l.compactDuplicates()
	l.line()
	return l
}

// New is the log of a file that does not exist yet.
func New() *Log {
	return &Log{byID: map[string]*Entry{}, calls: map[string]bool{}, begun: map[string]bool{}, boundary: -1}
}

func (l *Log) take(order int, v wire.Value) {
	if e, ok := Parse(v); ok {
		e.Order, e.Raw = order, v.Raw()
		if !l.parents && v.Get("parentUuid").Exists() {
			l.parents, l.linear = true, order
		}
		if _, twice := l.byID[e.UUID]; twice {
			l.Report.Duplicate++
		}
		l.index(e)
		return
	}
	r := Record{Order: order, Type: v.Get("type").Text(), Raw: v.Raw()}
	l.Records = append(l.Records, r)
	switch r.Type {
	case lastPrompt:
		if p, ok := parsePin(v, order); ok {
			l.pins = append(l.pins, p)
		}
	case "":
		l.Report.Unreadable++
	default:
		l.state(v)
		l.Decisions.decision(v)
	}
	l.titles.record(v)
}

// line links the entries at the beginning of a file that do not say what their parent is, in the order of the file;
// agents stay apart. Behind them stands what a writer with parents appended.
func (l *Log) line() {
	run := l.Entries
	if l.parents {
		run = l.Entries[:l.before(l.linear)]
	}
	if len(run) < 2 {
		return
	}
	l.Report.Linear = true
	before := ""
	for _, e := range run {
		if e.Sidechain {
			continue
		}
		if !e.Boundary() {
			e.Parent = before
		}
		before = e.UUID
	}
}

// compactDuplicates leaves of equal uuids the later one, at its later place (H-LOG-86).
func (l *Log) compactDuplicates() {
	if l.Report.Duplicate == 0 {
		return
	}
	kept := l.Entries[:0]
	for _, e := range l.Entries {
		if l.byID[e.UUID] == e {
			kept = append(kept, e)
		}
	}
	l.Entries = kept
}

// Add appends an entry that was written by this process.
func (l *Log) Add(e *Entry) {
	e.Order = l.end
	l.end += len(e.Raw) + 1
	l.index(e)
}

func (l *Log) index(e *Entry) {
	if l.kept != nil && (l.byID[e.UUID] != nil || e.Boundary() || l.kept.missing[e.UUID]) {
		l.kept = nil
	}
	l.byID[e.UUID] = e
	l.Entries = append(l.Entries, e)
	l.titles.entry(e)
	if p := l.byID[e.Parent]; p != nil && p.Boundary() {
		l.begun[p.UUID], l.kept = true, nil
	}
	switch {
	case e.Boundary() && !e.Sidechain:
		l.boundary = e.Order
		l.calls = map[string]bool{}
		if s, ok := e.segment(); ok {
			l.segments = append(l.segments, s)
		}
	case e.Type == Assistant:
		l.claim(e)
	}
}

func (l *Log) claim(e *Entry) {
	for i := range e.Message.Blocks {
		if b := &e.Message.Blocks[i]; b.Type == "tool_use" {
			l.calls[b.ID] = true
		}
	}
}

// Claim makes HasCall know the calls of a path, which may begin before the last boundary.
func (l *Log) Claim(path []*Entry) {
	for _, e := range path {
		if e.Type == Assistant {
			l.claim(e)
		}
	}
}

// HasCall tells whether some answer behind the last boundary, on whatever branch, or on a claimed path, made a tool
// call with this id. What no payload can hold beside it is not asked.
func (l *Log) HasCall(id string) bool { return l.calls[id] }

// Title is what the session is called (H-LOG-71), "" for nothing.
func (l *Log) Title() string { return l.titles.best() }

// Find gives an entry by uuid, nil for none.
func (l *Log) Find(uuid string) *Entry { return l.byID[uuid] }

func parsePin(v wire.Value, order int) (pin, bool) {
	p := pin{order: order, leaf: v.Get("leafUuid").Text(), explicit: flag(v, "explicit"), empty: flag(v, "emptyPath")}
	// A record that names no leaf and is not explicit changes nothing.
	return p, p.explicit || p.leaf != ""
}
