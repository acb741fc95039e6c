package invariant

import (
	"cmp"
	"fmt"
	"slices"

	"harnessbench/conformance/trace"
)

// Level says what a broken invariant means: H breaks the run, C is a loss that is measured.
type Level string

const (
	H Level = "H"
	C Level = "C"
)

// Verdict of one check over a run.
type Verdict string

const (
	Held    Verdict = "held"
	Broken  Verdict = "broken"
	Unknown Verdict = "unknown"
)

// Finding is one violation: two facts that cannot both be true, and where each stands.
type Finding struct {
	Check string `json:"check"`
	Level Level  `json:"level"`
	Call  int    `json:"call,omitempty"` // call at which it showed
	Step  int    `json:"step,omitempty"`
	Fact  string `json:"fact"`  // what was seen, with its place
	Other string `json:"other"` // the fact it contradicts, with its place
	Loss  int    `json:"loss_tokens,omitempty"`
}

// Result of one check.
type Result struct {
	Check     string    `json:"check"`
	Verdict   Verdict   `json:"verdict"`
	Occasions int       `json:"occasions"`
	Note      string    `json:"note,omitempty"` // why unknown, or a summary such as "cold 2 (call 1 first, call 5 expired)"
	Findings  []Finding `json:"findings,omitempty"`
}

// Judge folds a stream through every check of the catalogue. Memory is bounded by the newest request
// of each chain, the signatures issued and some words for each log entry, not by the stream.
type Judge struct {
	reading *reading
	running []*running
	engine  string
}

// running is one check at work on one stream.
type running struct {
	check    check
	observer observer
	tally    tally
}

// New makes a judge. only names the checks to run; none means all. A name the catalogue does not hold
// gives a result that is unknown and says so.
func New(only ...string) *Judge {
	j := &Judge{reading: newReading()}
	for _, c := range catalogue() {
		if len(only) == 0 || slices.Contains(only, c.ID) {
			j.running = append(j.running, &running{check: c, observer: c.begin(), tally: tally{check: c.ID, level: c.Level}})
		}
	}
	for _, id := range only {
		if !slices.ContainsFunc(j.running, func(r *running) bool { return r.check.ID == id }) {
			j.running = append(j.running, &running{check: check{Info: Info{ID: id}, idle: fmt.Sprintf("the catalogue has no check %q", id)}})
		}
	}
	return j
}

// Event takes the next event.
func (j *Judge) Event(e trace.Event) {
	if e.Run != nil {
		j.engine = e.Run.Engine
	}
	m := j.reading.take(e)
	for _, r := range j.running {
		if r.observer == nil || !r.sound(j.engine) {
			continue
		}
		r.tally.step, r.tally.call = e.Step, 0
		if m.call != nil {
			r.tally.call = m.call.number
		}
		r.observer.see(m, &r.tally)
	}
}

// sound tells whether the check may judge this engine; a stream that names none may be judged.
func (r *running) sound(engine string) bool {
	return engine == "" || len(r.check.Engines) == 0 || slices.Contains(r.check.Engines, engine)
}

// Results ends the run: one result per check, sorted by id.
func (j *Judge) Results() []Result {
	out := make([]Result, 0, len(j.running))
	for _, r := range j.running {
		if e, ok := r.observer.(ender); ok {
			e.end(&r.tally)
		}
		res := Result{Check: r.check.ID, Verdict: Held, Occasions: r.tally.occasions, Findings: r.tally.findings, Note: r.tally.note()}
		switch {
		case !r.sound(j.engine):
			res.Verdict, res.Note = Unknown, "not judged on engine "+j.engine
		case len(r.tally.findings) > 0:
			res.Verdict = Broken
		case r.tally.occasions == 0:
			res.Verdict, res.Note = Unknown, r.check.idle
		}
		out = append(out, res)
	}
	slices.SortFunc(out, func(a, b Result) int { return cmp.Compare(a.Check, b.Check) })
	return out
}

// Info describes a check.
type Info struct {
	ID, Sentence, Source string
	Level                Level
	Engines              []string // engines on which it is sound
	Mutants              []string // names in conformance/mutant that it must catch
	Foreign              bool     // what it looks at the reference harness never does, and others do
}

// Catalogue lists every check, sorted by id.
func Catalogue() []Info {
	var out []Info
	for _, c := range catalogue() {
		out = append(out, c.Info)
	}
	return out
}

// check is a row of the catalogue.
type check struct {
	Info
	idle  string // what the stream did not hold when there was no occasion
	begin func() observer
}

// observer is a check at work: it sees every event once, in order, as read by reading.
type observer interface {
	see(m *moment, t *tally)
}

// ender is an observer that may hold a judgement back for an event that never came.
type ender interface {
	end(t *tally)
}

// catalogue puts the families together.
func catalogue() []check {
	all := slices.Concat(pairChecks(), cacheChecks(), compactChecks(), thinkingChecks(), logChecks(), rewindChecks())
	slices.SortFunc(all, func(a, b check) int { return cmp.Compare(a.ID, b.ID) })
	return all
}

// Engines by what a check needs: wire bytes alone can be judged anywhere; the order of log writes and
// requests, and the meaning of log records, only where the bench runs the reference harness.
var (
	anyEngine  = []string{"loop", "real", "process"}
	ownHarness = []string{"loop", "real"}
)
