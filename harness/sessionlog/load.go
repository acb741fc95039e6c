package sessionlog

import "harnessbench/internal/wire"

const lastPrompt = "last-prompt"

// Log is a session file in memory.
type Log struct {
	Entries []*Entry // chain entries in file order; of equal uuids only the last (H-LOG-86)
	Report  Report

	State     State
	Snapshots []Snapshot // in file order
	Decisions Decisions

	byID    map[string]*Entry
	calls   map[string]bool // ids of all tool calls, whatever their branch
	pins    []pin
	objects int
}

// pin is a last-prompt record that names a leaf or clears one (H-REB-4).
type pin struct {
	order           int
	leaf            string
	explicit, empty bool
}

// Load reads a file. It never fails: what cannot be read is counted in the report (H-LOG-83).
func Load(data []byte) *Log {
	l := New()
	for v := range objects(data, &l.Report) {
		l.take(v)
	}
	l.compactDuplicates()
	return l
}

// New is the log of a file that does not exist yet.
func New() *Log { return &Log{byID: map[string]*Entry{}, calls: map[string]bool{}} }

func (l *Log) take(v wire.Value) {
	order := l.objects
	l.objects++
	if e, ok := Parse(v); ok {
		e.Order = order
		if _, twice := l.byID[e.UUID]; twice {
			l.Report.Duplicate++
		}
		l.index(e)
		return
	}
	switch v.Get("type").Text() {
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
}

// compactDuplicates leaves of equal uuids the later one, at its later place.
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
	e.Order = l.objects
	l.objects++
	l.index(e)
}

func (l *Log) index(e *Entry) {
	l.byID[e.UUID] = e
	l.Entries = append(l.Entries, e)
	if e.Type != Assistant {
		return
	}
	for i := range e.Message.Blocks {
		if b := &e.Message.Blocks[i]; b.Type == "tool_use" {
			l.calls[b.ID] = true
		}
	}
}

// HasCall tells whether some answer of the file, on whatever branch, made a tool call with this id.
func (l *Log) HasCall(id string) bool { return l.calls[id] }

// Find gives an entry by uuid, nil for none.
func (l *Log) Find(uuid string) *Entry { return l.byID[uuid] }

func parsePin(v wire.Value, order int) (pin, bool) {
	p := pin{order: order, leaf: v.Get("leafUuid").Text(), explicit: flag(v, "explicit"), empty: flag(v, "emptyPath")}
	// A record that names no leaf and is not explicit changes nothing.
	return p, p.explicit || p.leaf != ""
}
