package validate

import (
	"harnessbench/internal/model"
	"harnessbench/internal/wire"
)

// Fault is one refusal.
type Fault struct {
	Rule    string // rule id, as Rules lists it
	Status  int
	Type    string // error.type
	Message string
}

// Rule describes one rule.
type Rule struct {
	ID, Area, Source, Confidence string
}

// Rules lists every rule in the order of checking.
func Rules() []Rule { panic("unbuilt") }

// Headers are what the outer checks read. Get returns the values of a header field joined by ", ".
type Headers interface{ Get(name string) string }

// CheckHeaders runs the checks that come before the body: authentication, version. keys, when not
// empty, are the only API keys taken.
func CheckHeaders(h Headers, keys []string) *Fault { panic("unbuilt") }

// SyntaxFault words a body that is not JSON or no object.
func SyntaxFault(err error) *Fault { panic("unbuilt") }

// Checked is a request that passed: what a later request of the same conversation need not check again.
type Checked struct {
	Request *wire.Request
	Model   model.Model
	// NotJudged lists JSON paths of fields and blocks whose rules are not built (they passed through), sorted.
	NotJudged []string
}

// Check validates a body. prev, which may be nil, is an earlier accepted request of the conversation
// under the same headers; messages shared with it are not walked again.
func Check(prev *Checked, req *wire.Request, h Headers) (*Checked, *Fault) { panic("unbuilt") }
