package run

import (
	"bytes"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"

	"harnessbench/conformance/invariant"
	"harnessbench/conformance/trace"
	"harnessbench/fakeapi"
	"harnessbench/fakeapi/fault"
	"harnessbench/harness"
	"harnessbench/harness/world"
	"harnessbench/internal/model"
	"harnessbench/scenarios"
)

// Where the reference harness lives on the machine of a run.
const (
	configDir = "/home/dev/.claude"
	cwd       = "/w/app"
	apiKey    = "sk-bench-not-a-secret"
)

// RecoveryPrompt is typed after a kill, once the session was resumed: from any state a plain prompt must
// get an answer (REC-1).
const RecoveryPrompt = "are you still there?"

// driver plays the steps of a story, over as many processes as it takes.
type driver struct {
	sc       *scenarios.Scenario
	opt      Options
	model    model.Model
	settings map[string]string // switches in force, by name
	switches harness.Switches

	place   Place
	rec     *recorder
	tools   *toolbox
	judge   *invariant.Judge
	session *harness.Session
	raw     world.World // the first fiber's undecorated handle

	next      int            // index of the next step
	prompts   map[int]string // step number -> uuid of its prompt entry
	born      time.Time      // when the session's head was made
	sent      bool           // a request of the session went out
	killed    bool
	recovered bool
	longTTL   bool // a 1h marker was sent
	faults    []string
	calls     []Call
	resumed   bool              // the next call is the first after a resume
	twins     map[string][]byte // live bodies by call name, nil without twin
	live      []int             // this run is a twin: the exit and the resume at these indexes do nothing
	until     int               // steps to play
	leaves    leaves
	notJudged []string
	cost      float64 // USD, so far
	stopped   string  // why a live run ends early

	planned     []fault.Fault // what the story wants to go wrong
	struckSoFar int
	missed      []string // faults that found no place in their answer
	unscripted  []string // requests that the story has no answer for: a fault of the bench, not of the harness
	unexpected  []string // expectations of a rule script that a request did not meet
}

func newDriver(sc *scenarios.Scenario, opt Options, m model.Model, sw harness.Switches) *driver {
	settings := map[string]string{}
	maps.Copy(settings, sc.Set)
	return &driver{sc: sc, opt: opt, model: m, settings: settings, switches: sw, tools: newToolbox(), prompts: map[int]string{}, until: len(sc.Steps), judge: invariant.New(opt.Checks...)}
}

func (d *driver) play() error {
	var err error
	if d.planned, err = Faults(d.sc); err != nil {
		return err
	}
	place, err := d.opt.Engine.Open(Setup{Seed: d.opt.Seed, Script: Script(d.sc), Faults: d.planned, Tool: d.tools.run})
	if err != nil {
		return fmt.Errorf("%s: the place to run in did not open: %w", d.sc.Name, err)
	}
	d.place = place
	if err := d.opt.patient(d.sc, place.RealTime); err != nil {
		return err
	}
	d.rec = &recorder{
		start: place.Machine.Now(), now: place.Machine.Now, sizes: map[string]int64{},
		view:     func(id string) []byte { return place.View(id) },
		struck:   d.struck,
		emit:     d.emit,
		watch:    func(phase) {},
		answered: d.tools.called,
		finished: d.finish,
		allow:    d.afford,
	}
	d.rec.event(trace.Event{Kind: trace.KindRun, Run: &trace.Run{
		Version: trace.Version, Story: d.sc.Name, Text: d.sc.Story, Engine: d.opt.Engine.Name(), Lane: "quiet",
		Model: d.model.ID, Seed: d.opt.Seed, Options: d.sc.Set,
	}})
	for !d.finished() {
		out := place.Machine.Run(d.process)
		d.rec.abandon()
		d.after(out)
		if len(d.faults) > 0 {
			break
		}
	}
	d.rec.event(trace.Event{Kind: trace.KindEnd, End: &trace.End{}})
	if len(d.unscripted) > 0 {
		return fmt.Errorf("%s: %s", d.sc.File, d.unscripted[0])
	}
	return nil
}

func (d *driver) finished() bool {
	if d.stopped != "" {
		return true
	}
	if d.killed {
		return d.recovered
	}
	return d.next >= d.until
}

// after reads how a process ended.
func (d *driver) after(out world.Outcome) {
	d.session = nil
	switch {
	case out.Panic != "":
		d.fault("the harness panicked: " + out.Panic)
	case out.Killed && d.killed:
		d.fault("a second kill ended the recovery")
	case out.Killed:
		d.killed = true
		d.rec.op(trace.Op{Name: "kill"})
	case len(out.Stuck) > 0:
		d.fault("nothing can go on: " + strings.Join(out.Stuck, "; "))
	case len(out.Left) > 0:
		d.fault("fibers left when the process ended: " + strings.Join(out.Left, ", "))
	}
}

func (d *driver) fault(s string) { d.faults = append(d.faults, s) }

// process is the first fiber of each process.
func (d *driver) process(raw world.World) {
	d.raw = raw
	w := d.rec.wrap(raw)
	for _, layer := range slices.Backward(d.opt.Layers) {
		w = layer(w)
	}
	if d.opt.Kill != nil && !d.killed {
		w = d.opt.Kill(d.place.Machine)(w)
	}
	if d.killed {
		d.recover(w)
		return
	}
	if d.next == 0 && d.sc.Memory != "" {
		if err := raw.Replace(cwd+"/CLAUDE.md", []byte(d.sc.Memory)); err != nil {
			d.fault("the memory file could not be written: " + err.Error())
			return
		}
	}
	for d.next < d.until && len(d.faults) == 0 && d.stopped == "" {
		st := d.sc.Steps[d.next]
		d.rec.step = st.Number
		if !d.step(w, st) {
			return
		}
	}
	if d.session != nil {
		d.check("close", d.session.Close(w))
	}
}

// step plays one step; false ends the process.
func (d *driver) step(w world.World, st scenarios.Step) bool {
	d.tools.step(nil)
	d.rec.watch = func(phase) {}
	live := slices.Contains(d.live, d.next)
	if st.Resume && !live {
		d.next++
		return d.resume(w)
	}
	if d.session == nil && st.Wait == nil && !d.start(w) { // time also passes while no process runs
		return false
	}
	// A process killed inside a step does not play it again.
	d.next++
	switch {
	case st.Prompt != nil:
		d.prompt(w, st)
	case st.Rewind != nil:
		target := d.prompts[st.Rewind.To]
		d.rec.op(trace.Op{Name: "rewind", Target: target, To: st.Rewind.To, Breaks: true})
		d.check("rewind", d.session.Rewind(w, target))
	case st.Clear:
		d.rec.op(trace.Op{Name: "clear", Breaks: true})
		d.check("clear", d.session.Clear(w))
		d.born, d.sent = w.Now(), false
	case st.Wait != nil:
		d.rec.op(trace.Op{Name: "wait", Wait: st.Wait.Name})
		d.check("wait", d.place.Advance(d.raw, d.duration(st.Wait)))
	case st.Set != nil:
		d.set(st.Set)
	case st.Exit && !live:
		d.rec.op(trace.Op{Name: "exit"})
		d.check("exit", d.session.Close(w))
		d.session = nil
		return false
	}
	d.leaf()
	return len(d.faults) == 0
}

func (d *driver) set(set map[string]string) {
	names := make([]string, 0, len(set))
	for name := range set { // any order: sorted below
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		d.rec.op(trace.Op{Name: "set", Text: name + "=" + set[name], Breaks: name == "volatile.place" || name == "thinking"})
		d.check("set", d.session.Set(name, set[name]))
		d.settings[name] = set[name]
	}
	// A setting outlives the process: the next one starts with it.
	var err error
	d.switches, err = harness.ParseSwitches(d.settings)
	d.check("set", err)
}

func (d *driver) config() harness.Config {
	key := apiKey
	if d.opt.Live != nil {
		key = d.opt.Live.APIKey
	}
	return harness.Config{Model: d.model.ID, ConfigDir: configDir, Cwd: cwd, APIKey: key, Switches: d.switches}
}

func (d *driver) start(w world.World) bool {
	s, err := harness.Start(w, d.config())
	d.session, d.born, d.sent = s, w.Now(), false
	return d.check("start", err)
}

// nextDay tells whether a process that starts now sees another date than the one before it.
func (d *driver) nextDay(w world.World) bool {
	return w.Now().UTC().Format(time.DateOnly) != d.born.UTC().Format(time.DateOnly)
}

// redated tells whether a process that resumes now puts another date at the head: a declared break. Bound models keep
// the one that was sent (H-REB-41, H-REB-46, D1).
func (d *driver) redated(w world.World) bool {
	return d.nextDay(w) && !(d.model.Bound && d.sent)
}

func (d *driver) resume(w world.World) bool {
	nextDay := d.nextDay(w)
	d.rec.op(trace.Op{Name: "resume", Breaks: d.redated(w)})
	s, err := harness.Resume(w, d.config(), "")
	if !d.check("resume", err) {
		return false
	}
	d.session, d.resumed = s, true
	if nextDay {
		d.born = w.Now()
	}
	d.leaf()
	return true
}

// recover is the process after a kill: resume what is there, type a plain prompt.
func (d *driver) recover(w world.World) {
	d.recovered = true
	d.rec.step++
	d.rec.watch = func(phase) {}
	d.tools.step(nil)
	d.rec.op(trace.Op{Name: "resume", Breaks: d.redated(w)})
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

func (d *driver) prompt(w world.World, st scenarios.Step) {
	p := st.Prompt
	d.tools.step(p.Tools)
	text := p.Text
	if p.Fill != "" {
		text = overWindow(text, d.model)
	}
	if p.Interrupt != "" {
		done := false
		d.rec.watch = func(ph phase) {
			if !done && ph == phase(p.Interrupt) {
				done = true
				d.rec.op(trace.Op{Name: "interrupt", Text: p.Interrupt})
				d.session.Interrupt()
			}
		}
	}
	d.rec.op(trace.Op{Name: "prompt", Text: text})
	_, err := d.session.Prompt(w, text)
	d.prompts[st.Number] = d.session.LastPrompt()
	d.check("prompt", err)
}

// check notes an error the harness returned; it tells whether there was none.
func (d *driver) check(what string, err error) bool {
	if err != nil {
		d.fault(fmt.Sprintf("step %d: %s: %v", d.rec.step, what, err))
	}
	return err == nil
}

func (d *driver) leaf() {
	if d.session != nil {
		d.rec.leaf(trace.Leaf{Session: d.session.ID(), File: d.session.File(), Leaf: d.session.Leaf()})
	}
}

var oneHour = regexp.MustCompile(`"ttl"\s*:\s*"1h"`)

// emit hands an event on and keeps what the story itself is judged by.
func (d *driver) emit(e trace.Event) {
	d.judge.Event(e)
	for _, l := range d.opt.Listen {
		l(e)
	}
	switch e.Kind {
	case trace.KindRequest:
		d.sent = true
		d.longTTL = d.longTTL || oneHour.Match(e.Request.Body)
		k := 1
		for i := len(d.calls) - 1; i >= 0 && d.calls[i].Step == e.Step; i-- {
			k++
		}
		c := Call{Name: fmt.Sprintf("%d.%d", e.Step, k), Step: e.Step, Number: e.Request.Call, Body: bytes.Clone(e.Request.Body)}
		d.calls = append(d.calls, c)
		if d.resumed && d.twins != nil {
			if live, ok := d.twins[c.Name]; ok {
				d.rec.event(trace.Event{Kind: trace.KindTwin, Twin: &trace.Twin{Call: c.Number, Body: live}})
			}
		}
		d.resumed = false
	case trace.KindResponse:
		d.notJudged = append(d.notJudged, unjudged(e.Response.View)...)
		d.unexpected = append(d.unexpected, refusedBy(e.Response, fakeapi.RuleExpectation)...)
		d.unscripted = append(d.unscripted, refusedBy(e.Response, fakeapi.RuleNoAnswer)...)
	case trace.KindLog:
		d.leaves.log(e.Log)
	}
}

// duration resolves a named wait (simulation.md 3.2).
func (d *driver) duration(w *scenarios.Wait) time.Duration {
	switch w.Name {
	case "past_cache_life":
		if d.longTTL {
			return model.TTLLong + time.Millisecond
		}
		return model.TTLShort + time.Millisecond
	case "one_day":
		return 24 * time.Hour
	}
	return w.Duration
}
