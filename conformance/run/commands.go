package run

import (
	"fmt"
	"strings"

	"harnessbench/conformance/trace"
	"harnessbench/harness/world"
	"harnessbench/scenarios"
)

// command plays a command that the user gives the session.
func (d *driver) command(w world.World, st scenarios.Step) {
	s := d.session
	var name string
	var err error
	switch {
	case st.Rewind != nil:
		name, err = "rewind", d.rewind(w, st)
	case st.Clear != nil:
		name, err = "clear", d.clear(w, st)
	case st.Btw != nil:
		d.rec.op(trace.Op{Name: "btw", Text: st.Btw.Question})
		name = "btw"
		_, err = s.Btw(w, st.Btw.Question)
	case st.ForgetBtw:
		d.rec.op(trace.Op{Name: "forget_btw"})
		s.ForgetBtw()
	case st.Context:
		d.rec.op(trace.Op{Name: "context"})
		name, err = "context", s.Local(w, "context", "", s.ContextReport(w))
	default:
		d.fault(fmt.Sprintf("step %d: nothing plays this step", st.Number))
		return
	}
	if st.Fails != "" {
		d.refused(name, err, st.Fails)
		return
	}
	d.check(name, err)
}

// refused notes a command that was to be refused and was not, or not for the reason that the story gives.
func (d *driver) refused(name string, err error, why string) {
	switch {
	case err == nil:
		d.fault(fmt.Sprintf("step %d: %s was carried out; the story says that it fails: %s", d.rec.step, name, why))
	case !strings.Contains(err.Error(), why):
		d.fault(fmt.Sprintf("step %d: %s fails with %q, without %q", d.rec.step, name, err, why))
	}
}

func (d *driver) rewind(w world.World, st scenarios.Step) error {
	target := d.prompts[st.Rewind.To]
	d.rec.op(trace.Op{Name: "rewind", Target: target, To: st.Rewind.To, Breaks: true})
	return d.session.Rewind(w, target)
}

func (d *driver) clear(w world.World, st scenarios.Step) error {
	d.rec.op(trace.Op{Name: "clear", Text: st.Clear.Title, Breaks: true})
	err := d.session.Clear(w)
	if err == nil {
		d.past.began(d.session.ID(), w.Now())
	}
	return err
}
