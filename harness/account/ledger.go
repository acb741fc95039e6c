package account

import (
	"slices"
	"strings"
	"time"

	"harnessbench/internal/model"
)

// Source says whose call it was.
type Source int

const (
	Main      Source = iota // the conversation, and calls about it such as a summary
	Agent                   // a subagent: kept apart, included in the cost (H-ACC-11)
	Auxiliary               // a call beside the conversation: it changes the cost alone (H-ARCH-32)
)

// Totals are what a session used, since its first entry or since /clear made it (H-ACC-14).
type Totals struct {
	CostUSD float64
	API     time.Duration // spent in calls by this process
	Wall    time.Duration // from when this process took up the session to its newest entry or answer
	// LinesAdded and LinesRemoved are what Write and Edit changed.
	LinesAdded, LinesRemoved int
	Models                   []ModelTotal // the conversation's, by model id
	Agents                   []ModelTotal // those of subagents, by model id
}

// ModelTotal is what one model used. Tokens do not count auxiliary calls; the cost does (H-ARCH-32).
type ModelTotal struct {
	Model   string
	Calls   int
	Usage   Usage
	CostUSD float64
}

// Ledger collects what a session uses; New makes one.
type Ledger struct {
	began    time.Time
	newest   time.Time
	api      time.Duration
	added    int
	removed  int
	records  []record
	answers  map[answer]int // index in records
	model    string         // of the newest answer
	totals   Totals         // sums of records[:summed]
	summed   int
	mistaken bool // a summed record was replaced
}

type answer struct{ id, request string }

type record struct {
	source Source
	model  string
	call   Call
}

// New is an empty ledger of a process that takes up its session now.
func New(now time.Time) *Ledger { return &Ledger{began: now, newest: now, answers: map[answer]int{}} }

// Answer books one entry of an answer. The entries of one answer count once, as the one with the greatest output
// says, the last of equal ones (H-LOG-26, H-LOG-27, H-ACC-11). An answer without an id counts by itself.
func (l *Ledger) Answer(source Source, id, request, model string, usage []byte) {
	r := record{source, model, Read(usage)}
	if source == Main {
		l.model = model
	}
	key := answer{id, request}
	i, known := l.answers[key]
	switch {
	case !known || id == "":
		l.answers[key] = len(l.records)
		l.records = append(l.records, r)
	case r.call.Output() >= l.records[i].call.Output():
		l.mistaken = l.mistaken || i < l.summed && !slices.Equal(r.call.steps, l.records[i].call.steps)
		l.records[i] = r
	}
}

// Call books a call that left no answer in the log: a summary, an aside, an auxiliary call (H-ACC-13, H-ARCH-32).
// model "" is that of the newest answer.
func (l *Ledger) Call(source Source, model string, usage []byte) {
	if model == "" {
		model = l.model
	}
	l.records = append(l.records, record{source, model, Read(usage)})
}

// At says that it is now so late; wall time reaches up to here.
func (l *Ledger) At(now time.Time) { l.newest = now }

// Took adds one API call, from its request to the end of its answer.
func (l *Ledger) Took(from, to time.Time) {
	l.api += to.Sub(from)
	l.At(to)
}

// Lines adds what a tool changed in a file.
func (l *Ledger) Lines(added, removed int) { l.added, l.removed = l.added+added, l.removed+removed }

// Totals are the sums so far.
func (l *Ledger) Totals() Totals {
	if l.mistaken {
		l.totals, l.summed, l.mistaken = Totals{}, 0, false
	}
	for _, r := range l.records[l.summed:] {
		l.totals.add(r)
	}
	l.summed = len(l.records)
	t := l.totals
	t.Models, t.Agents = slices.Clone(t.Models), slices.Clone(t.Agents)
	t.API, t.Wall = l.api, l.newest.Sub(l.began)
	t.LinesAdded, t.LinesRemoved = l.added, l.removed
	return t
}

func (t *Totals) add(r record) {
	rows := &t.Models
	if r.source == Agent {
		rows = &t.Agents
	}
	for i, s := range r.call.steps {
		name := r.model
		if s.model != "" {
			name = s.model
		}
		row := rowOf(rows, name)
		cost := Cost(name, s.Usage)
		row.CostUSD += cost
		t.CostUSD += cost
		if r.source == Auxiliary {
			continue
		}
		row.Usage = row.Usage.plus(s.Usage)
		if i == 0 {
			row.Calls++
		}
	}
}

// rowOf finds or makes the row of a model; rows stand in the order of their names.
func rowOf(rows *[]ModelTotal, name string) *ModelTotal {
	i, found := slices.BinarySearchFunc(*rows, name, func(m ModelTotal, n string) int { return strings.Compare(m.Model, n) })
	if !found {
		*rows = slices.Insert(*rows, i, ModelTotal{Model: name})
	}
	return &(*rows)[i]
}

// Cost is the price of one step in USD by the model's own five prices (H-ACC-12); 0 for a model that the table
// does not know.
func Cost(name string, u Usage) float64 {
	m, _ := model.Lookup(name)
	return m.Cost(model.Spent{Input: u.Input, Write5m: u.Write5m, Write1h: u.Write1h, Read: u.Read, Output: u.Output})
}
