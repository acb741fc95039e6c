package invariant

import "fmt"

// findingsKept bounds what one check reports: after that many, faults are only counted.
const findingsKept = 50

// tally gathers what one check finds.
type tally struct {
	check      string
	level      Level
	step, call int // of the event at hand

	occasions int
	findings  []Finding
	reported  map[string]bool
	more      int
}

func (t *tally) occasion() { t.occasions++ }

// broken reports a violation at the check's own level. key names the fault: a fault that stays in the
// history of a conversation is reported where it first shows.
func (t *tally) broken(key, fact, other string) { t.report(key, t.level, 0, fact, other) }

func (t *tally) report(key string, level Level, loss int, fact, other string) {
	if t.reported[key] {
		return
	}
	if len(t.findings) == findingsKept {
		t.more++
		return
	}
	if t.reported == nil {
		t.reported = map[string]bool{}
	}
	t.reported[key] = true
	t.findings = append(t.findings, Finding{Check: t.check, Level: level, Call: t.call, Step: t.step, Fact: fact, Other: other, Loss: loss})
}

func (t *tally) note() string {
	if t.more == 0 {
		return ""
	}
	return fmt.Sprintf("%d more findings are not listed", t.more)
}
