package golden

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Check is the verdict of one check, as the judge gave it.
type Check struct {
	ID        string
	Verdict   string // held, broken, unknown
	Occasions int
	Note      string // why unknown, or a summary
	Findings  []Finding
}

// Finding is one violation: two facts that cannot both be true.
type Finding struct {
	Call  int // number of the call over the run, 0 for none
	Step  int // 0 for none
	Fact  string
	Other string
	Loss  int // tokens it costs, 0 when nothing is measured

	Expected bool // by the story
}

// maxFindings bounds the findings printed of one check.
const maxFindings = 5

// checkLines renders the verdicts, sorted by id. Ids of the run stand in them under their names.
func (r *Renderer) checkLines(checks []Check) []string {
	checks = slices.Clone(checks)
	slices.SortStableFunc(checks, func(a, b Check) int { return strings.Compare(a.ID, b.ID) })
	var out []string
	for _, c := range checks {
		line := func(what string) { out = append(out, pair("check", fmt.Sprintf("%-9s %s", c.ID, r.local(what)))) }
		note := func(what, sep string) string {
			if c.Note != "" {
				what += sep + c.Note
			}
			return what
		}
		switch c.Verdict {
		case "held":
			line(note(fmt.Sprintf("held %d", c.Occasions), ", "))
		case "unknown":
			line("unknown: " + orElse(c.Note, "no occasion"))
		case "broken":
			for _, f := range c.Findings[:min(len(c.Findings), maxFindings)] {
				as := ""
				if f.Expected {
					as = " as expected"
				}
				line("BROKEN" + as + r.finding(f))
			}
			if more := len(c.Findings) - maxFindings; more > 0 {
				line(fmt.Sprintf("BROKEN and %d more", more))
			}
			if len(c.Findings) == 0 {
				line(note("BROKEN", ": "))
			}
		default:
			line(note(c.Verdict, ": "))
		}
	}
	return out
}

func (r *Renderer) finding(f Finding) string {
	at := ""
	if c := r.calls[f.Call]; c != nil {
		at = " at " + c.name
	} else if f.Step > 0 {
		at = fmt.Sprintf(" in step %d", f.Step)
	}
	at += ": " + strings.TrimSpace(f.Fact)
	if f.Other != "" {
		at += "; " + strings.TrimSpace(f.Other)
	}
	if f.Loss > 0 {
		at += fmt.Sprintf("; costs %d tokens", f.Loss)
	}
	return at
}

var idForm = regexp.MustCompile(`"[^"]*"|\bcalls? \d+\b|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|\b(toolu|msg|req)_[0-9A-Za-z]+`)

// local puts the names of this text in the place of ids and call numbers of the run. Quoted text stays,
// unless it is an id as a whole.
func (r *Renderer) local(text string) string {
	return idForm.ReplaceAllStringFunc(text, func(id string) string {
		if bare := strings.Trim(id, `"`); bare != id {
			if name := r.nameOfID(bare); name != "" && !strings.Contains(bare, " ") {
				return name
			}
			return id
		}
		return orElse(r.nameOfID(id), id)
	})
}

func (r *Renderer) nameOfID(id string) string {
	if _, number, ok := strings.Cut(id, " "); ok {
		if n, err := strconv.Atoi(number); err == nil && r.calls[n] != nil {
			return r.calls[n].name
		}
		return ""
	}
	if e := r.store.byUUID[id]; e != nil {
		return e.group.name
	}
	for _, file := range r.store.files {
		if g := r.store.byMsg[answerID{file, id}]; g != nil {
			return g.name
		}
	}
	if t, ok := r.store.runs[id]; ok {
		return t.in(t.step) + " of step " + strconv.Itoa(t.step)
	}
	if c := r.byID[id]; c != nil {
		return c.name
	}
	return ""
}

func orElse(s, other string) string {
	if s == "" {
		return other
	}
	return s
}
