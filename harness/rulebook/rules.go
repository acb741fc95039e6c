package rulebook

import (
	_ "embed"
	"fmt"
	"strings"
)

//go:embed rules.txt
var table string

// Classes of rules.
const (
	Behaviour = "behaviour" // something runs: a symbol implements it, a test shows it
	Statement = "statement" // nothing to run
	Later     = "later"     // not built yet, with the reason
)

// Rule is one line of the table.
type Rule struct {
	ID     string
	Seed   bool // one of the source articles carries it
	Class  string
	Reason string // of a later one
	Text   string
}

// Rules reads the table; an error names the line.
func Rules() ([]Rule, error) {
	var rules []Rule
	seen := map[string]bool{}
	for i, line := range strings.Split(strings.TrimSpace(table), "\n") {
		if strings.HasPrefix(line, "#") {
			continue
		}
		r, err := parse(line)
		if err == nil && seen[r.ID] {
			err = fmt.Errorf("%s stands twice", r.ID)
		}
		if err != nil {
			return nil, fmt.Errorf("rules.txt:%d: %w", i+1, err)
		}
		seen[r.ID] = true
		rules = append(rules, r)
	}
	return rules, nil
}

func parse(line string) (Rule, error) {
	part := strings.Split(line, " | ")
	if len(part) != 4 {
		return Rule{}, fmt.Errorf("%d fields, want 4: id | seed | class | text", len(part))
	}
	r := Rule{ID: part[0], Seed: part[1] == "seed", Text: part[3]}
	r.Class, r.Reason, _ = strings.Cut(part[2], ": ")
	switch {
	case !ids.MatchString(r.ID):
		return Rule{}, fmt.Errorf("%q is no rule id", r.ID)
	case part[1] != "seed" && part[1] != "-":
		return Rule{}, fmt.Errorf("%s: %q, want seed or -", r.ID, part[1])
	case r.Class != Behaviour && r.Class != Statement && r.Class != Later:
		return Rule{}, fmt.Errorf("%s: class %q, want %s, %s or %s", r.ID, r.Class, Behaviour, Statement, Later)
	case (r.Class == Later) != (r.Reason != ""):
		return Rule{}, fmt.Errorf("%s: a reason belongs to a later rule, and to no other", r.ID)
	}
	return r, nil
}
