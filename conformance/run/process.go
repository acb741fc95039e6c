package run

import (
	"fmt"
	"maps"
	"slices"

	"harnessbench/conformance/trace"
	"harnessbench/harness"
	"harnessbench/harness/sessionlog"
	"harnessbench/harness/world"
	"harnessbench/internal/model"
	"harnessbench/scenarios"
)

// givenSession is the id of the session whose log a story begins with.
const givenSession = "5e551011-0000-4000-8000-000000000001"

// plant puts on the disk what a story begins with, once.
func (d *driver) plant(raw world.World) bool {
	if d.planted {
		return true
	}
	d.planted = true
	put := func(path, text string) {
		if err := raw.Replace(path, []byte(text)); err != nil {
			d.fault("a file that the story begins with could not be written: " + err.Error())
		}
	}
	if d.sc.Memory != "" {
		put(cwd+"/CLAUDE.md", d.sc.Memory)
	}
	for _, path := range slices.Sorted(maps.Keys(d.sc.Files)) {
		put(absolute(path), d.sc.Files[path])
	}
	if d.sc.Log != nil {
		file := sessionlog.File(sessionlog.Dir(configDir, cwd, ""), givenSession)
		put(file, string(d.sc.Log))
		d.rec.given(file, d.sc.Log)
	}
	return len(d.faults) == 0
}

func (d *driver) config() harness.Config {
	key := apiKey
	if d.opt.Live != nil {
		key = d.opt.Live.APIKey
	}
	return harness.Config{
		Model: d.model.ID, ConfigDir: configDir, Cwd: cwd, APIKey: key, Switches: d.switches, Aux: d.sc.Aux,
		Fallback: d.sc.Start.Fallback, MaxRetries: d.sc.Start.MaxRetries, MaxTurns: d.sc.Start.MaxTurns,
		MaxBudgetUSD: d.sc.Start.MaxBudgetUSD, MaxToolConcurrency: d.sc.Start.ToolConcurrency,
		Window: d.sc.Start.Window, CompactPercent: d.sc.Start.CompactPercent,
	}
}

func (d *driver) start(w world.World) bool {
	s, err := harness.Start(w, d.config())
	if !d.check("start", err) {
		return false
	}
	d.session = s
	d.past.began(s.ID(), w.Now())
	return true
}

// redated tells whether a process that resumes now puts another date at the head: a declared break. Bound models keep
// the one that was sent (H-REB-41, H-REB-46, D1); a session goes on with the model that it was switched to.
func (d *driver) redated(w world.World, ref string) bool {
	s := d.past.of(ref)
	bound := d.model.Bound
	if m, ok := model.Lookup(s.uses); ok {
		bound = m.Bound
	}
	return s.nextDay(w.Now()) && !(bound && s.sent)
}

func (d *driver) resume(w world.World, st scenarios.Step) bool {
	r := st.Resume
	op := trace.Op{Name: "resume", Text: r.Session, Copy: r.Fork, Breaks: d.redated(w, r.Session)}
	d.rec.op(op)
	var s *harness.Session
	var err error
	if r.Fork {
		s, err = harness.ForkOf(w, d.config(), r.Session, r.Title)
	} else {
		s, err = harness.Resume(w, d.config(), r.Session)
	}
	if st.Fails != "" {
		d.refused("resume", err, st.Fails)
		return len(d.faults) == 0
	}
	if !d.check("resume", err) {
		return false
	}
	d.session, d.resumed = s, true
	d.past.resumed(s.ID(), w.Now())
	if last := d.lastTyped(); last > 0 && d.prompts[last] == "" { // its process was killed before it could say
		d.prompts[last] = s.LastPrompt()
	}
	d.report()
	d.leaf()
	if r.Rerun {
		d.rec.op(trace.Op{Name: "rerun"})
		_, err := s.Rerun(w)
		d.check("rerun", err)
		d.leaf()
	}
	return len(d.faults) == 0
}

// lastTyped is the step of the newest prompt that was begun, 0 for none.
func (d *driver) lastTyped() int {
	for _, st := range slices.Backward(d.sc.Steps[:d.next]) {
		if st.Prompt != nil {
			return st.Number
		}
	}
	return 0
}

// recover is the process after a kill: resume what is there, type a plain prompt.
func (d *driver) recover(w world.World) {
	d.recovered = true
	d.rec.step++
	d.rec.watch = func(phase, world.World) {}
	d.tools.step(nil)
	d.rec.op(trace.Op{Name: "resume", Breaks: d.redated(w, "")})
	s, err := harness.Resume(w, d.config(), "")
	if err != nil && len(d.rec.sizes) == 0 {
		// Nothing was written before the kill: there is no session yet. A session that was begun must come back.
		s, err = harness.Start(w, d.config())
	}
	if !d.check("resume after kill", err) {
		return
	}
	d.session = s
	d.leaf()
	d.rec.op(trace.Op{Name: "prompt", Text: RecoveryPrompt})
	out, err := s.Prompt(w, RecoveryPrompt)
	if d.check("prompt after kill", err) && out.Reason != "completed" {
		d.fault(fmt.Sprintf("after a kill and a resume a plain prompt ended with %s: %v", out.Reason, out.Err))
	}
	d.leaf()
	d.check("close", s.Close(w))
}
