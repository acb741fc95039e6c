package run

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"harnessbench/conformance/invariant"
	"harnessbench/conformance/trace"
	"harnessbench/fakeapi/fault"
	"harnessbench/fakeapi/promptcache"
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
	layers   []func(world.World) world.World // the story's own fault, then those of the options
	model    model.Model
	settings map[string]string // switches in force, by name
	switches harness.Switches
	cache    promptcache.Policy

	place   Place
	rec     *recorder
	tools   *toolbox
	judge   *invariant.Judge
	session *harness.Session
	raw     world.World // the first fiber's undecorated handle

	next      int            // index of the next step
	planted   bool           // the files that the story begins with are on the disk
	prompts   map[int]string // step number -> uuid of its prompt entry
	past      past           // what is known of the sessions so far
	crash     bool           // the story itself kills the process
	felled    bool           // somebody else did
	killed    bool           // so the run ends with a recovery
	recovered bool
	longTTL   bool // a 1h marker was sent
	faults    []string
	calls     []Call
	resumed   bool              // the next call is the first after a resume
	twins     map[string][]byte // live bodies by call name, nil without twin
	live      []int             // this run is a twin: the exit and the resume at these indexes do nothing
	until     int               // steps to play
	leaves    leaves
	notices   []string // what the harness told the user
	leftOpen  []string // turns without an answer, and how they ended
	// unanswered: a fault of the story kept the newest question of /btw from its answer.
	unanswered bool
	misfiled   []string // files that are not as the story expects them at the end
	notJudged  []string
	cost       float64 // USD, so far
	answers    int     // that the story has
	most       int     // calls that the run may make
	endless    bool    // it made them
	stopped    string  // why a live run ends early

	planned     []fault.Fault // what the story wants to go wrong
	struckSoFar int
	missed      []string // faults that found no place in their answer
	unscripted  []string // requests that the story has no answer for: a fault of the bench, not of the harness
	unexpected  []string // expectations of a rule script that a request did not meet
}

func newDriver(sc *scenarios.Scenario, opt Options, m model.Model, sw harness.Switches) *driver {
	settings := map[string]string{}
	maps.Copy(settings, harnessSwitches(sc))
	return &driver{sc: sc, opt: opt, layers: slices.Concat(planted(sc), opt.Layers), model: m, settings: settings, switches: sw, tools: newToolbox(), prompts: map[int]string{}, past: newPast(), until: len(sc.Steps), judge: invariant.New(opt.Checks...)}
}

func (d *driver) play() error {
	var err error
	if d.planned, err = Faults(d.sc); err != nil {
		return err
	}
	said := Script(d.sc)
	d.bound(said)
	place, err := d.opt.Engine.Open(Setup{Seed: d.opt.Seed, Script: said, Faults: d.planned, Cache: d.cache, Tool: d.tools.run, Exec: d.tools.exec, Approve: d.tools.approve})
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
		watch:    func(phase, world.World) {},
		answered: d.tools.called,
		finished: d.finish,
		allow:    d.afford,
	}
	d.rec.event(trace.Event{Kind: trace.KindRun, Run: &trace.Run{
		Version: trace.Version, Story: d.sc.Name, Text: d.sc.Story, Engine: d.opt.Engine.Name(), Lane: "quiet",
		Model: d.model.ID, Seed: d.opt.Seed, Options: options(d.sc),
	}})
	for !d.finished() {
		out := place.Machine.Run(d.process)
		d.rec.abandon()
		d.after(out)
		if len(d.faults) > 0 {
			break
		}
	}
	if len(d.faults) == 0 && !d.killed {
		d.inspect()
	}
	d.rec.event(trace.Event{Kind: trace.KindEnd, End: &trace.End{}})
	if len(d.unscripted) > 0 {
		return fmt.Errorf("%s: %s", d.sc.File, d.unscripted[0])
	}
	return nil
}

// options are the switches of a story and what else its processes are started with that a judge has to know, or a reader:
// that the harness has a planted fault.
func options(sc *scenarios.Scenario) map[string]string {
	if sc.Start.Window == 0 && sc.Start.CompactPercent == 0 && sc.Plant == "" {
		return sc.Set
	}
	out := map[string]string{}
	maps.Copy(out, sc.Set)
	if n := sc.Start.Window; n > 0 {
		out["compact.window"] = strconv.Itoa(n)
	}
	if n := sc.Start.CompactPercent; n > 0 {
		out["compact.percent"] = strconv.Itoa(n)
	}
	if sc.Plant != "" {
		out["plant"] = sc.Plant
	}
	return out
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
	case out.Killed && d.crash && !d.felled:
		d.crash = false
		d.rec.op(trace.Op{Name: "kill"})
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
	w := d.layered(raw)
	if d.killed {
		d.recover(w)
		return
	}
	if !d.plant(raw) {
		return
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

// fellable is the machine as who kills from outside has it.
type fellable struct {
	world.Machine
	d *driver
}

func (f fellable) Kill() {
	f.d.felled = true
	f.Machine.Kill()
}

// layered puts what records, breaks and kills between a raw handle and the harness.
func (d *driver) layered(raw world.World) world.World {
	w := d.rec.wrap(raw)
	for _, layer := range slices.Backward(d.layers) {
		w = layer(w)
	}
	if d.opt.Kill != nil && !d.killed {
		w = d.opt.Kill(fellable{d.place.Machine, d})(w)
	}
	return w
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
