package run

import (
	"cmp"
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
	before := d.struckSoFar
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
	case st.Title != "":
		d.rec.op(trace.Op{Name: "title", Text: st.Title})
		name, err = "title", s.SetTitle(w, st.Title)
	case st.Mode != "":
		d.rec.op(trace.Op{Name: "mode", Text: st.Mode})
		name, err = "mode", s.SetMode(w, st.Mode)
	case st.Use != nil:
		d.rec.op(trace.Op{Name: "use", Text: strings.TrimSpace(st.Use.Model + " " + st.Use.Effort), Breaks: true})
		name, err = "use", s.SetModel(w, st.Use.Model, st.Use.Effort)
		d.past.of("").uses = cmp.Or(st.Use.Model, d.past.of("").uses)
	case st.Compact != nil:
		d.rec.op(trace.Op{Name: "compact", Text: st.Compact.Instructions, Breaks: true})
		name, err = "compact", s.Compact(w, st.Compact.Instructions)
	case st.Fork != nil:
		d.rec.op(trace.Op{Name: "fork", Text: st.Fork.Title})
		name, err = "fork", s.Fork(w, st.Fork.Title)
		d.past.newest = s.ID()
	case st.KeepBtw:
		d.rec.op(trace.Op{Name: "keep_btw"})
		name, err = "keep_btw", s.KeepBtw(w)
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
	d.carriedOut(name, err, before)
}

// carriedOut checks a command that began when so many faults had struck. One that a fault of the story struck may be
// refused, and so may one that keeps the answer of a refused question: that it says so is what is wanted.
func (d *driver) carriedOut(name string, err error, before int) {
	excused := d.struckSoFar > before || name == "keep_btw" && d.unanswered
	if name == "btw" {
		d.unanswered = err != nil
	}
	if err == nil || !excused {
		d.check(name, err)
		return
	}
	d.say(err.Error())
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

// rewind goes back; code alone leaves the conversation, and with it the prefix, as it is.
func (d *driver) rewind(w world.World, st scenarios.Step) error {
	r := st.Rewind
	target := d.past.in(d.session.ID(), d.prompts[r.To])
	op := trace.Op{Name: "rewind", Target: target, To: r.To, Breaks: true}
	switch r.Restore {
	case "code":
		op.Name, op.Breaks = "restore", false
	case "summarize_from", "summarize_up_to":
		op.Name, op.Text = "summarize", strings.TrimPrefix(r.Restore, "summarize_")
	case "both":
		op.Text = "with code before"
	}
	d.rec.op(op)
	_, err := d.session.RewindTo(w, target, r.Restore)
	return err
}

func (d *driver) clear(w world.World, st scenarios.Step) error {
	d.rec.op(trace.Op{Name: "clear", Text: st.Clear.Title, Breaks: true})
	if err := d.session.ClearAs(w, st.Clear.Title); err != nil {
		return err
	}
	d.past.began(d.session.ID(), w.Now())
	return nil
}
