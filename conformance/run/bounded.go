package run

import (
	"fmt"

	"harnessbench/fakeapi/script"
	"harnessbench/harness/world"
)

// A run may make so many calls for each scripted answer and so many besides: retries, recoveries and summaries are
// within it, a loop without end is not.
const (
	callsPerAnswer = 10
	callsBesides   = 50
)

// errEndless is what the harness gets in place of an answer; it need not try again.
var errEndless = fmt.Errorf("the run has made far more calls than its story has answers: %w", world.ErrPermanent)

// bounded refuses the call that shows that a run would not end, which is a fault of the run.
func (d *driver) bounded() error {
	if d.rec.calls < d.most {
		return nil
	}
	if !d.endless {
		d.endless = true
		d.fault(fmt.Sprintf("step %d: the run does not end: the story has %d answers, and after %d calls the harness makes another", d.rec.step, d.answers, d.most))
	}
	return errEndless
}

// bound sets the most calls of the run from what the model has to say in it.
func (d *driver) bound(s script.Script) {
	d.answers = 0
	for _, t := range s.Turns {
		d.answers += len(t.Answers)
	}
	for _, l := range s.Lanes {
		for _, r := range l.Rules {
			d.answers += len(r.Answers)
		}
		if l.Default != nil {
			d.answers++
		}
	}
	d.most = callsPerAnswer*d.answers + callsBesides
}
