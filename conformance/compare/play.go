package compare

import (
	"maps"

	"harnessbench/conformance/invariant"
	"harnessbench/conformance/run"
	"harnessbench/scenarios"
)

// Row is what one policy made of a story. Tokens are those of accepted calls, in parts that do not overlap.
type Row struct {
	Policy  string            `json:"policy"`
	Set     map[string]string `json:"set"`
	Story   string            `json:"story"`
	Model   string            `json:"model"`
	Calls   int               `json:"calls"`
	Refused int               `json:"refused"`
	Fresh   int               `json:"fresh"`
	Read    int               `json:"read"`
	Write5m int               `json:"write_5m"`
	Write1h int               `json:"write_1h"`
	Output  int               `json:"output"`
	CostUSD float64           `json:"cost_usd"`
	// Longest is the longest context behind which an answer stood, its own output included, in tokens.
	Longest int `json:"longest_context"`
	// Unanswered are the prompts whose turn ended without an answer, and how; a policy that has more of them is cheaper
	// for no good reason.
	Unanswered []string  `json:"unanswered,omitempty"`
	Findings   []Finding `json:"findings,omitempty"`
	// Missed are the expectations of the story that were not met; they are judged only where the policy changes nothing.
	Missed []string `json:"expect_missed,omitempty"`
	Faults []string `json:"faults,omitempty"` // of the harness as a program
	Broken bool     `json:"broken"`
	// Checked tells that anything was judged at all.
	Checked bool `json:"checked"`
	// Error is why the story could not be played under this policy, such as a call that it has no answer for; "" when it
	// was, and then the rest of the row counts.
	Error string `json:"error,omitempty"`
}

// Finding is what a check found.
type Finding struct {
	Check string `json:"check"`
	Level string `json:"level"`
	Call  string `json:"call"`
	Fact  string `json:"fact"`
	Other string `json:"other"`
	Loss  int    `json:"loss"`
}

// Play plays a story under each policy, one after the other; opt is the same for all. With strict, level C findings break
// a row too. A policy that the story cannot be played under has a row with an Error.
func Play(sc *scenarios.Scenario, policies []Policy, opt run.Options, strict bool, done func(policy string)) ([]Row, error) {
	if err := Check(policies); err != nil {
		return nil, err
	}
	var rows []Row
	for _, p := range policies {
		changed := *sc
		changed.Set = maps.Clone(sc.Set)
		if changed.Set == nil {
			changed.Set = map[string]string{}
		}
		maps.Copy(changed.Set, p.Set)
		own := maps.Equal(changed.Set, sc.Set)
		if !own { // what a story expects, it expects of itself
			changed.Expect.Findings = nil
		}
		res, err := run.Story(&changed, opt)
		if err != nil {
			rows = append(rows, Row{Policy: p.Name, Set: settings(p), Story: sc.Name, Model: opt.Model, Error: err.Error()})
			done(p.Name)
			continue
		}
		if !own {
			res.Expect = nil
		}
		rows = append(rows, rowOf(p, res, strict))
		done(p.Name)
	}
	return rows, nil
}

// settings are a policy's switches, empty where it has none.
func settings(p Policy) map[string]string {
	if p.Set == nil {
		return map[string]string{}
	}
	return p.Set
}

func rowOf(p Policy, res *run.Result, strict bool) Row {
	row := Row{
		Policy: p.Name, Set: settings(p), Story: res.Story, Model: res.Model, Calls: len(res.Calls), Fresh: res.Usage.Fresh, Read: res.Usage.Read,
		Write5m: res.Usage.Write - res.Usage.Write1h, Write1h: res.Usage.Write1h, Output: res.Usage.Output, CostUSD: res.CostUSD,
		Unanswered: res.Unanswered, Missed: res.Expect, Faults: res.Faults, Broken: res.Broken(strict), Checked: res.Checked(),
	}
	names := map[int]string{}
	for _, c := range res.Calls {
		names[c.Number] = c.Name
		row.Longest = max(row.Longest, c.Context)
		if c.Status >= 400 {
			row.Refused++
		}
	}
	for _, c := range res.Checks {
		for _, f := range c.Findings {
			row.Findings = append(row.Findings, finding(f, names))
		}
	}
	return row
}

func finding(f invariant.Finding, names map[int]string) Finding {
	return Finding{f.Check, string(f.Level), names[f.Call], f.Fact, f.Other, f.Loss}
}
