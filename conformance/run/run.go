package run

import (
	"fmt"
	"slices"

	"harnessbench/conformance/invariant"
	"harnessbench/conformance/trace"
	"harnessbench/harness"
	"harnessbench/harness/world"
	"harnessbench/internal/model"
	"harnessbench/scenarios"
)

// Options of one run; the zero value runs the story as written in the simulated world.
type Options struct {
	Engine Engine // nil: Loop{}
	Model  string // overrides the story's
	Seed   uint64
	// Layers stand between the harness and the recorder, the first one nearest to the harness: planted
	// faults. A layer must wrap the worlds it hands to child fibers.
	Layers []func(world.World) world.World
	// Kill, when set, is called with every process's machine before it starts; it may kill it from a layer.
	Kill func(m world.Machine) func(world.World) world.World
	// Listen gets every event as it happens.
	Listen []func(trace.Event)
	// Live, when set, says that the engine's server is the real API.
	Live *Live
	// AllowWait lets the story wait longer than MaxWait of real time.
	AllowWait bool
	// Checks names the invariants to judge; none means all.
	Checks []string
}

// Call is one request of a run as a story names it.
type Call struct {
	Name    string // 4.1: first call of step 4
	Step    int
	Number  int // over the run, from 1
	Status  int
	Refusal string // type and message of a refusal
	Done    bool   // the answer came to its end
	Body    []byte // as sent
	Usage   Usage
	Context int // tokens of the conversation that the answer was made behind, at its end
}

// Usage adds up the token counts of accepted calls. Write counts writes of either life, Write1h those for an hour among
// them.
type Usage struct{ Fresh, Read, Write, Output, Write1h int }

func (u *Usage) add(o Usage) {
	u.Fresh += o.Fresh
	u.Read += o.Read
	u.Write += o.Write
	u.Output += o.Output
	u.Write1h += o.Write1h
}

// Result is what came of a run.
type Result struct {
	Story, Model string
	Seed         uint64
	Checks       []invariant.Result
	// Expect lists the story's expectations that were not met; on another model than the story's those about findings
	// alone (D35).
	Expect []string
	// Faults are what went wrong with the harness as a program: a panic with its stack, a fiber left, a
	// session that is stuck, an error it returned.
	Faults    []string
	NotJudged []string // JSON paths that the server let pass without a rule, over all calls, sorted
	Calls     []Call
	Usage     Usage
	CostUSD   float64  // of the accepted calls, at the model's prices under the cache's policy; 0 where the table knows none
	Notices   []string // what the harness told the user
	Stopped   string   // why a live run ended before its story did, "" when it did not
	Killed    bool
	// Unanswered are the prompts whose turn ended otherwise than with an answer, and how: "step 3: blocking_limit". What
	// follows from them is cheap for no good reason.
	Unanswered []string

	awaited []scenarios.Finding // what the story expects the judge to find on this model
}

// Broken tells whether the run must fail: a violated H invariant, an unmet expectation, a fault. With
// strict, level C findings count too (architecture.md 5.1). A finding that the story expects is no reason to fail; that it
// is missing is an unmet expectation.
func (r *Result) Broken(strict bool) bool {
	if len(r.Expect) > 0 || len(r.Faults) > 0 {
		return true
	}
	return slices.ContainsFunc(r.Checks, func(c invariant.Result) bool {
		return slices.ContainsFunc(c.Findings, func(f invariant.Finding) bool { return (strict || f.Level == invariant.H) && !r.Expects(f) })
	})
}

// Checked tells whether anything was checked (exit code 3 otherwise): some call was answered in full and some
// invariant met an occasion, or the judge found what the story expects. A harness whose every call was refused has shown
// nothing else.
func (r *Result) Checked() bool {
	answered := slices.ContainsFunc(r.Calls, func(c Call) bool { return c.Done })
	return slices.ContainsFunc(r.Checks, func(c invariant.Result) bool {
		return answered && c.Verdict != invariant.Unknown || slices.ContainsFunc(c.Findings, r.Expects)
	})
}

// Story plays a scenario. The error is the bench's own: it could not do its job.
func Story(sc *scenarios.Scenario, opt Options) (*Result, error) {
	if opt.Engine == nil {
		opt.Engine = Loop{}
	}
	if opt.Model == "" {
		opt.Model = sc.Model
	}
	if bad := Unknown(sc); len(bad) > 0 {
		return nil, bad
	}
	m, ok := model.Lookup(opt.Model)
	if !ok {
		return nil, fmt.Errorf("%s: model %q is not in the model table", sc.Name, opt.Model)
	}
	switches, err := harness.ParseSwitches(harnessSwitches(sc))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", sc.File, err)
	}
	if sc, err = filled(sc, m); err != nil {
		return nil, err
	}
	d := newDriver(sc, opt, m, switches)
	if d.cache, err = CachePolicy(sc); err != nil {
		return nil, fmt.Errorf("%s: %w", sc.File, err)
	}
	if _, loop := opt.Engine.(Loop); loop && opt.Kill == nil {
		if d.twins, err = twins(sc, opt); err != nil {
			return nil, err
		}
	}
	if err := d.play(); err != nil {
		return nil, err
	}
	return d.result(), nil
}
