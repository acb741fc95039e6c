package main

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"harnessbench/conformance/invariant"
)

// reporter prints runs, for people or for machines, and adds them up.
type reporter struct {
	out                   *results
	json, verbose, strict bool

	runs, broken, unchecked int
	stopped                 bool // a live run ended before its story
}

// results is where the results go; it keeps the first error, since results nobody got are no success.
type results struct {
	w   io.Writer
	err error
}

func (o *results) Write(p []byte) (int, error) {
	if o.err != nil {
		return 0, o.err
	}
	n, err := o.w.Write(p)
	o.err = err
	return n, err
}

// jsonRun is one line of --json.
type jsonRun struct {
	Story     string             `json:"story"`
	Model     string             `json:"model"`
	Seed      uint64             `json:"seed"`
	Calls     int                `json:"calls"`
	Usage     jsonUsage          `json:"usage"`
	Checks    []invariant.Result `json:"checks"`
	Expected  []string           `json:"expected_findings,omitempty"` // checks all of whose findings the story expects
	Expect    []string           `json:"expect_missed,omitempty"`
	Faults    []string           `json:"faults,omitempty"`
	NotJudged []string           `json:"not_judged,omitempty"`
	Golden    string             `json:"golden,omitempty"`
	CostUSD   float64            `json:"cost_usd"`
	Stopped   string             `json:"stopped,omitempty"`
	Broken    bool               `json:"broken"`
}

type jsonUsage struct {
	Fresh  int `json:"fresh"`
	Read   int `json:"read"`
	Write  int `json:"write"`
	Output int `json:"output"`

	Write1h int `json:"write_1h"`
}

func (r *reporter) run(o *outcome) {
	r.runs++
	broken := o.Broken(r.strict) || o.golden == "differs"
	if broken {
		r.broken++
	}
	if !o.Checked() {
		r.unchecked++
	}
	if r.json {
		r.stopped = r.stopped || o.Stopped != ""
		r.line(jsonRun{o.Story, o.Model, o.Seed, len(o.Calls), jsonUsage(o.Usage), o.Checks, o.asExpected(), o.Expect, o.Faults, o.NotJudged, o.golden, o.CostUSD, o.Stopped, broken})
		return
	}
	if r.verbose {
		fmt.Fprintf(r.out, "%s\n", o.text)
	}
	held, unknown := 0, 0
	for _, c := range o.Checks {
		switch c.Verdict {
		case invariant.Held:
			held++
		case invariant.Unknown:
			unknown++
		}
	}
	verdict := "ok"
	if broken {
		verdict = "BROKEN"
	}
	if !broken && !o.Checked() {
		verdict = "NOTHING CHECKED"
	}
	if found := o.asExpected(); len(found) > 0 {
		verdict += ", found as expected: " + strings.Join(found, " ")
	}
	line := fmt.Sprintf("%-22s %-26s %3d calls  read %8d  write %8d  out %6d  checks held %2d unknown %2d  %s",
		o.Story, o.Model, len(o.Calls), o.Usage.Read, o.Usage.Write, o.Usage.Output, held, unknown, verdict)
	if o.golden != "" {
		line += "  golden " + o.golden
	}
	fmt.Fprintln(r.out, line)
	for _, c := range o.Calls {
		if (o.live || !o.Checked()) && c.Refusal != "" {
			fmt.Fprintf(r.out, "  call %s was refused: %d %s\n", c.Name, c.Status, c.Refusal)
		}
	}
	for _, f := range o.Faults {
		fmt.Fprintf(r.out, "  harness: %s\n", f)
	}
	if o.Stopped != "" {
		r.stopped = true
		fmt.Fprintf(r.out, "  stopped: %s\n", o.Stopped)
	}
	if o.live {
		fmt.Fprintf(r.out, "  cost $%.4f; not judged here: the story's expectations%s\n", o.CostUSD, unjudged(o.Checks))
	}
	for _, e := range o.Expect {
		fmt.Fprintf(r.out, "  expected: %s\n", e)
	}
	for _, c := range o.Checks {
		for _, f := range c.Findings {
			loss := ""
			if f.Level == invariant.C {
				loss = fmt.Sprintf(" (cost only: %d tokens)", f.Loss)
			}
			as := ""
			if o.Expects(f) {
				as = "as expected, "
			}
			fmt.Fprintf(r.out, "  %s%s%s: %s\n    but %s\n", as, f.Check, loss, f.Fact, f.Other)
		}
	}
	if o.diff != "" {
		fmt.Fprint(r.out, o.diff)
	}
	if r.verbose && len(o.NotJudged) > 0 {
		fmt.Fprintf(r.out, "  the server passed without judging: %s\n", strings.Join(o.NotJudged, ", "))
	}
}

// asExpected lists the checks that found what the story expects of them, and nothing else.
func (o *outcome) asExpected() []string {
	var out []string
	for _, c := range o.Checks {
		if len(c.Findings) > 0 && !slices.ContainsFunc(c.Findings, func(f invariant.Finding) bool { return !o.Expects(f) }) {
			out = append(out, c.Check)
		}
	}
	return out
}

func (r *reporter) line(v any) {
	enc := json.NewEncoder(r.out)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(v) // the values are plain; what fails to be written, results keeps
}

// end prints the sum and gives the exit code.
func (r *reporter) end() error {
	if !r.json {
		fmt.Fprintf(r.out, "%d runs, %d broken\n", r.runs, r.broken)
	}
	switch {
	case r.out.err != nil:
		return fmt.Errorf("the results could not be written: %w", r.out.err)
	case r.broken > 0:
		return exit(exitBroken)
	case r.stopped:
		return exit(exitBench)
	case r.unchecked == r.runs:
		return exit(exitNothing)
	}
	return nil
}

// unjudged lists the checks that the engine does not allow.
func unjudged(results []invariant.Result) string {
	out := ""
	for _, c := range results {
		if strings.HasPrefix(c.Note, "not judged on engine") {
			out += ", " + c.Check
		}
	}
	return out
}
