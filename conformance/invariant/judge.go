package invariant

import "harnessbench/conformance/trace"

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

// Judge folds a stream through every check of the catalogue.
type Judge struct{}

// New makes a judge. only names the checks to run; none means all.
func New(only ...string) *Judge { panic("unbuilt") }

// Event takes the next event.
func (j *Judge) Event(e trace.Event) { panic("unbuilt") }

// Results ends the run: one result per check, sorted by id.
func (j *Judge) Results() []Result { panic("unbuilt") }

// Info describes a check.
type Info struct {
	ID, Sentence, Source string
	Level                Level
	Engines              []string // engines on which it is sound
	Mutants              []string // names in conformance/mutant that it must catch
}

// Catalogue lists every check, sorted by id.
func Catalogue() []Info { panic("unbuilt") }
