package fault

import (
	"fmt"
	"slices"
	"time"
)

// Fault is one thing that goes wrong.
type Fault struct {
	When Match
	At   Position // zero: the default of what it does
	Do   string   // a name of Kinds

	// Parameters; what a kind does not use must stay zero (Check).
	Status      int           // of a refusal or page
	RetryAfter  string        // of a refusal: a duration such as 2s or 500ms, or date, none, absurd, junk
	ShouldRetry string        // of a refusal: true, false, or "" as the status has it
	Body        string        // of a refusal: "" for the API's envelope, text, html, empty, edge, unnamed (1.2, 1.5)
	Type        string        // of a refusal or error event; "" as the status has it
	Message     string        // of a refusal or error event; "" as the type has it
	For         time.Duration // how long a slow fault lasts
	Every       time.Duration // between the pieces of a slow fault
}

// Match says which calls of POST /v1/messages a fault strikes. Everything given must hold. It looks at a request as it
// was sent: the continue of a thread shows neither the turn nor the text that stand in what the server kept.
type Match struct {
	Turn   int     // number of the turn of the script that is being answered, from 1; 0: any
	Call   int     // number among the calls that match otherwise, from 1, retries counted; 0: every one
	Model  string  // of the request; "" any
	Text   string  // stands in the newest user text; "" any
	Chance float64 // drawn from the seed for each call that matches otherwise; 0: always
}

// kind is one thing a fault can do.
type kind struct {
	name   string
	doc    string
	at     string   // default position
	params []string // parameters it takes, besides at and the match
	fixed  bool     // it takes no position
	stream bool     // it needs a streamed answer
	do     func(*context) bool
}

// context is one fault at work on one answer. A kind's function returns false when the answer has no place for it.
type context struct {
	Fault
	pos    Position // in force
	a      *Answer
	events []event // of a.Frames
	memory *memory
}

// Kinds lists what a fault can do, in the order of the documentation, with a sentence each.
func Kinds() []string {
	out := make([]string, len(kinds))
	for i, k := range kinds {
		out[i] = k.name
	}
	return out
}

// Describe is what a kind does, its default position and its parameters.
func Describe(name string) (doc, at string, params []string) {
	k := kindOf(name)
	if k == nil {
		return "", "", nil
	}
	return k.doc, k.at, slices.Clone(k.params)
}

func kindOf(name string) *kind {
	for i := range kinds {
		if kinds[i].name == name {
			return &kinds[i]
		}
	}
	return nil
}

// Check tells what is wrong with a fault, nil when it can strike.
func (f Fault) Check() error {
	k := kindOf(f.Do)
	if k == nil {
		return fmt.Errorf("%q is no fault; there are %s", f.Do, list(Kinds()))
	}
	if k.fixed && f.At.word != "" && f.At.word != k.at {
		return fmt.Errorf("%s has no position, it strikes %s", f.Do, k.at)
	}
	for _, p := range []struct {
		name string
		set  bool
	}{
		{"status", f.Status != 0}, {"retry_after", f.RetryAfter != ""}, {"should_retry", f.ShouldRetry != ""},
		{"body", f.Body != ""}, {"type", f.Type != ""}, {"message", f.Message != ""}, {"for", f.For != 0}, {"every", f.Every != 0},
	} {
		if p.set && !slices.Contains(k.params, p.name) {
			return fmt.Errorf("%s takes no %s; it takes %s", f.Do, p.name, list(append(slices.Clone(k.params), "at")))
		}
	}
	if f.Do == "refuse" && f.Status == 0 {
		return fmt.Errorf("refuse needs a status, 400 to 599")
	}
	if f.Status != 0 && f.Status != 200 && (f.Status < 400 || f.Status > 599) || f.Status == 200 && f.Do != "gateway_page" {
		return fmt.Errorf("status %d is no refusal; 400 to 599 are", f.Status)
	}
	if _, err := retryAfter(f.RetryAfter, time.Time{}); err != nil {
		return err
	}
	if f.When.Chance < 0 || f.When.Chance > 1 {
		return fmt.Errorf("chance %g is no probability, 0 to 1", f.When.Chance)
	}
	if f.For < 0 || f.Every < 0 || f.For > maxWait || f.Every > maxWait {
		return fmt.Errorf("a time of a fault is 0 to %s", maxWait)
	}
	return nil
}

// maxWait bounds the times of a fault.
const maxWait = 24 * time.Hour

// at is the position in force.
func (f Fault) at() Position {
	if f.At.word != "" {
		return f.At
	}
	p, err := ParsePosition(kindOf(f.Do).at)
	if err != nil {
		return Position{word: "after_headers"}
	}
	return p
}

// String names the fault and its place, as traces print it.
func (f Fault) String() string { return f.Do + " at " + f.at().String() }

// Place is the position in force, as written.
func (f Fault) Place() string { return f.at().String() }

// Unprocessed tells whether the request never gets to the machine: it is neither answered nor billed.
func (f Fault) Unprocessed() bool {
	switch f.Do {
	case "refused", "unreachable", "timeout", "refuse", "overloaded", "rate_limit", "spend_limit", "server_error", "unavailable", "gateway_timeout", "gateway_page", "not_json":
		return true
	case "reset":
		return f.at().word == "before_headers"
	}
	return false
}

// Delivers tells whether the client still gets the whole answer, however oddly; otherwise it will ask again.
func (f Fault) Delivers() bool {
	switch f.Do {
	case "reset", "lost", "end", "error_event":
		return false
	}
	return !f.Unprocessed()
}

// Twice tells whether the request is processed twice.
func (f Fault) Twice() bool { return f.Do == "twice" }

func list(words []string) string {
	out := ""
	for i, w := range words {
		if i > 0 {
			out += ", "
		}
		out += w
	}
	return out
}
