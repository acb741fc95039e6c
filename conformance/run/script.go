package run

import (
	"fmt"
	"regexp"

	"harnessbench/fakeapi/fault"
	"harnessbench/fakeapi/script"
	"harnessbench/scenarios"
)

// Served is what a script file makes a server say, and what goes wrong there on purpose.
func Served(f *scenarios.Script) (script.Script, []fault.Fault, error) {
	out := script.Script{Rules: rulesOf(f.Rules), Default: optional(f.Default)}
	for _, l := range f.Lanes {
		out.Lanes = append(out.Lanes, script.Lane{Name: l.Name, When: matchOf(l.When), Rules: rulesOf(l.Rules), Default: optional(l.Default)})
	}
	if f.Autopilot != nil {
		out.Autopilot = &script.Autopilot{Seed: *f.Autopilot}
	}
	var faults []fault.Fault
	for _, p := range f.Faults {
		one := fault.Fault{Do: p.Do}
		one.When.Call = p.Call
		for _, s := range append(append([]scenarios.Setting(nil), p.With...), p.Match...) {
			if err := one.Set(s.Name, s.Value); err != nil {
				return out, nil, fmt.Errorf("%s:%d: %w", f.File, p.Line, err)
			}
		}
		if err := one.Check(); err != nil {
			return out, nil, fmt.Errorf("%s:%d: %w", f.File, p.Line, err)
		}
		faults = append(faults, one)
	}
	return out, faults, nil
}

func rulesOf(rules []scenarios.Rule) (out []script.Rule) {
	for _, r := range rules {
		rule := script.Rule{Name: r.Name, When: matchOf(r.When), Expect: matchOf(r.Expect), Repeat: r.Repeat}
		for _, a := range r.Answers {
			rule.Answers = append(rule.Answers, said(a))
		}
		out = append(out, rule)
	}
	return out
}

func matchOf(m scenarios.Match) script.Match {
	out := script.Match{
		Model: m.Model, Text: textOf(m.Text), System: textOf(m.System), Tools: m.Tools, NoTools: m.NoTools,
		Call: m.Call, Round: m.Round, MaxTokensFrom: m.MaxTokensFrom, MaxTokensTo: m.MaxTokensTo, Stream: m.Stream,
	}
	if r := m.Result; r != nil {
		out.Result = &script.Result{Of: r.Of, ID: r.ID, Text: textOf(r.Text), Error: r.Error}
	}
	if m.Not != nil {
		not := matchOf(*m.Not)
		out.Not = &not
	}
	return out
}

func textOf(t scenarios.TextMatch) script.Text {
	out := script.Text{Equals: t.Equals, Contains: t.Contains}
	if t.Matches != "" {
		out.Matches = regexp.MustCompile(t.Matches) // the loader has compiled it
	}
	return out
}

func optional(a *scenarios.Answer) *script.Answer {
	if a == nil {
		return nil
	}
	out := said(*a)
	return &out
}

// said is an answer as the server's script has it.
func said(a scenarios.Answer) script.Answer {
	out := script.Answer{StopReason: a.StopReason, Latency: a.Latency, StopSequence: a.StopSequence, Cut: a.Cut}
	if a.Refusal != nil {
		out.Refusal = &script.Refusal{Category: a.Refusal.Category, Explanation: a.Refusal.Explanation}
	}
	for _, b := range a.Blocks {
		out.Blocks = append(out.Blocks, script.Block{Kind: b.Kind, Text: b.Text, Name: b.Name, Input: b.Input, Content: b.Content, Citations: b.Citations})
	}
	return out
}
