package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"harnessbench/conformance/run"
	"harnessbench/conformance/sim"
	"harnessbench/conformance/trace"
	"harnessbench/golden"
	"harnessbench/internal/model"
	"harnessbench/scenarios"
)

// defaultSeed is the seed of goldens.
const defaultSeed = 1

// runFlags are the flags of bench run.
type runFlags struct {
	update, json, verbose, strict bool
	api, model, trace, baseURL    string
	seed                          uint64
	budget                        float64
	allowWait                     bool
}

func runCommand() *cobra.Command {
	var f runFlags
	cmd := &cobra.Command{
		Use:   "run PATH...",
		Short: "play stories, judge them, compare with their goldens",
		Long: "Plays scenario files (or every *.yaml of a directory) with the reference harness, judges every call,\n" +
			"and compares the trace with golden/NAME.trace beside the scenarios' folder.\n\n" + exitCodes,
		Example: "  bench run scenarios/rewind.yaml -v\n  bench run --model matrix scenarios/\n  bench run scenarios/rewind.yaml --api http://127.0.0.1:8402",
		Args:    cobra.MinimumNArgs(1),
		RunE:    func(cmd *cobra.Command, args []string) error { return runStories(cmd, args, f) },
	}
	fl := cmd.Flags()
	fl.BoolVar(&f.update, "update", false, "rewrite the goldens from this run")
	fl.StringVar(&f.api, "api", "fake", "where the harness talks to: fake (inside this process), the URL of a `server` (one of ours is reset before each run), or real (key from ANTHROPIC_API_KEY)")
	fl.StringVar(&f.baseURL, "base-url", "", "with --api real: another `URL` of the real API")
	fl.Float64Var(&f.budget, "budget-usd", 1, "with --api real: what all runs together may cost, in `USD`")
	fl.BoolVar(&f.allowWait, "allow-wait", false, "really wait where a story waits over 10 s and the server's clock cannot be moved")
	fl.StringVar(&f.model, "model", "", "run on this `model` instead of the story's; matrix: on the four of the model matrix")
	fl.Uint64Var(&f.seed, "seed", defaultSeed, "seed of ids, signatures and ties")
	fl.StringVar(&f.trace, "trace", "", "write the event stream to this `file` as JSON Lines (several runs: a directory)")
	fl.BoolVar(&f.json, "json", false, "one JSON object a line for each run")
	fl.BoolVarP(&f.verbose, "verbose", "v", false, "show the trace of each run")
	fl.BoolVar(&f.strict, "strict", false, "level C findings fail the run too")
	return cmd
}

func runStories(cmd *cobra.Command, paths []string, f runFlags) (err error) {
	stories, err := loadStories(paths)
	if err != nil {
		return err
	}
	engine, live, closeEngine, err := openEngine(f)
	if err != nil {
		return err
	}
	defer func() {
		if closeErr := closeEngine(); err == nil {
			err = closeErr
		}
	}()
	say := reporter{out: &results{w: cmd.OutOrStdout()}, json: f.json, verbose: f.verbose, strict: f.strict}
	var jobs []job
	for _, sc := range stories {
		models, err := modelsFor(f.model, sc)
		if err != nil {
			return err
		}
		for _, m := range models {
			jobs = append(jobs, job{sc, m})
		}
	}
	if err := f.checkOutputs(jobs); err != nil {
		return err
	}
	if live != nil {
		if err := estimate(cmd, jobs, f.budget); err != nil {
			return err
		}
	}
	progress := newProgress(cmd.ErrOrStderr(), len(jobs))
	defer progress.done()
	for _, j := range jobs {
		one, err := j.run(engine, live, tracePath(f.trace, j, len(jobs)), f)
		if err != nil {
			return err
		}
		if live != nil {
			live.BudgetUSD -= one.CostUSD
		}
		progress.clear()
		say.run(one)
		progress.step(j.sc.Name)
	}
	return say.end()
}

// checkOutputs refuses what would write nothing, write two things to one place, or write over a story.
func (f runFlags) checkOutputs(jobs []job) error {
	if f.update && (f.api != "fake" || f.seed != defaultSeed || f.model != "" && f.model != "matrix") {
		return fmt.Errorf("--update: goldens are of the story's own model, seed %d and the fake; leave --api, --seed and --model out", defaultSeed)
	}
	if f.trace == "" {
		return nil
	}
	seen := map[string]string{}
	for _, j := range jobs {
		path := tracePath(f.trace, j, len(jobs))
		if other, twice := seen[path]; twice {
			return fmt.Errorf("--trace: %s and %s would both be written to %s; run them apart", other, j.sc.File, path)
		}
		seen[path] = j.sc.File
		for _, story := range jobs {
			a, errA := os.Stat(path)
			b, errB := os.Stat(story.sc.File)
			if errA == nil && errB == nil && os.SameFile(a, b) {
				return fmt.Errorf("--trace: %s is a story; name another file", path)
			}
		}
	}
	return nil
}

// modelsFor resolves --model for a story.
func modelsFor(flag string, sc *scenarios.Scenario) ([]string, error) {
	switch flag {
	case "":
		return []string{sc.Model}, nil
	case "matrix":
		if slices.Contains(sim.Matrix, sc.Model) {
			return sim.Matrix, nil
		}
		return append([]string{sc.Model}, sim.Matrix...), nil
	}
	if _, ok := model.Lookup(flag); !ok {
		return nil, fmt.Errorf("--model: %q is not in the model table; the matrix is %v", flag, sim.Matrix)
	}
	return []string{flag}, nil
}

// outcome is one run and what became of its golden.
type outcome struct {
	*run.Result
	text   []byte // the rendered trace
	golden string // ok, differs, none, updated, "" when not compared
	diff   string
	live   bool
}

// estimate prints what the runs would cost if the model said what the stories have it say, and refuses what
// the budget cannot cover.
func estimate(cmd *cobra.Command, jobs []job, budget float64) error {
	sum := 0.0
	for _, j := range jobs {
		cost, err := run.Estimate(j.sc, j.model)
		if err != nil {
			return err
		}
		sum += cost
	}
	fmt.Fprintf(cmd.ErrOrStderr(), "estimated cost: $%.4f of a budget of $%.4f\n", sum, budget)
	if sum > budget {
		return fmt.Errorf("--budget-usd: the estimate of $%.4f is over the budget of $%.4f", sum, budget)
	}
	return nil
}

// job is one story on one model.
type job struct {
	sc    *scenarios.Scenario
	model string
}

// tracePath is where a job's event stream goes: --trace names the file of a single run, and a directory
// for several.
func tracePath(flag string, j job, jobs int) string {
	if flag == "" || jobs == 1 {
		return flag
	}
	return filepath.Join(flag, j.sc.Name+"."+j.model+".jsonl")
}

func (j job) run(engine run.Engine, live *run.Live, traceFile string, f runFlags) (one *outcome, err error) {
	var text bytes.Buffer
	render := golden.New(&text)
	listen := []func(trace.Event){render.Event}
	if traceFile != "" {
		file, openErr := openTrace(traceFile)
		if openErr != nil {
			return nil, openErr
		}
		listen = append(listen, file.event)
		defer func() {
			if closeErr := file.close(); err == nil {
				err = closeErr
			}
		}()
	}
	res, err := run.Story(j.sc, run.Options{Engine: engine, Model: j.model, Seed: f.seed, Listen: listen, Live: live, AllowWait: f.allowWait})
	if err != nil {
		return nil, err
	}
	if err := render.End(checkLines(res)); err != nil {
		return nil, err
	}
	one = &outcome{Result: res, text: text.Bytes(), live: live != nil}
	own, _ := model.Lookup(j.sc.Model)
	if f.api != "fake" || res.Model != own.ID || f.seed != defaultSeed {
		return one, nil // goldens are of the story's own model, the default seed, the simulated world
	}
	return one, one.compare(goldenPath(j.sc), f.update)
}

// goldenPath is golden/NAME.trace beside the folder of the scenario.
func goldenPath(sc *scenarios.Scenario) string {
	return filepath.Join(filepath.Dir(sc.File), "..", "golden", sc.Name+".trace")
}

// compare holds the trace against its golden. A story without one is not compared; --update makes it.
func (o *outcome) compare(path string, update bool) error {
	files := golden.Files{
		Read: os.ReadFile,
		Write: func(path string, data []byte) error {
			o.golden = "updated"
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				return err
			}
			return os.WriteFile(path, data, 0o644)
		},
	}
	o.golden = "ok"
	if _, err := os.Stat(path); os.IsNotExist(err) && !update {
		o.golden = "none"
		return nil
	}
	diff, err := files.Compare(filepath.ToSlash(path), o.text, update)
	if diff != "" {
		o.golden, o.diff = "differs", diff
	}
	return err
}

// checkLines hands the judge's verdicts to the renderer, which computes none (law 4).
func checkLines(res *run.Result) []golden.Check {
	var out []golden.Check
	for _, r := range res.Checks {
		c := golden.Check{ID: r.Check, Verdict: string(r.Verdict), Occasions: r.Occasions, Note: r.Note}
		for _, f := range r.Findings {
			c.Findings = append(c.Findings, golden.Finding{Call: f.Call, Step: f.Step, Fact: f.Fact, Other: f.Other, Loss: f.Loss, Expected: res.Expects(f)})
		}
		out = append(out, c)
	}
	return out
}
