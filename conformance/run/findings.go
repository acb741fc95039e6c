package run

import (
	"fmt"
	"slices"
	"strings"

	"harnessbench/conformance/invariant"
	"harnessbench/conformance/mutant"
	"harnessbench/harness/world"
	"harnessbench/scenarios"
)

// Unknown are the faults of names of checks and of planted faults in a story that do not exist: the loader of stories
// knows neither the catalogue nor the table.
func Unknown(sc *scenarios.Scenario) scenarios.Errors {
	var checks, plants []string
	for _, info := range invariant.Catalogue() {
		checks = append(checks, info.ID)
	}
	for _, m := range mutant.All() {
		plants = append(plants, m.Name)
	}
	return sc.Unknown(checks, plants)
}

// planted is the layer of a story's own fault, with fresh state; none for a story without.
func planted(sc *scenarios.Scenario) []func(world.World) world.World {
	for _, m := range mutant.All() {
		if m.Name == sc.Plant {
			return []func(world.World) world.World{m.Plant()}
		}
	}
	return nil
}

// awaited are the findings that a story expects on a model.
func awaited(sc *scenarios.Scenario, model string) []scenarios.Finding {
	return slices.DeleteFunc(slices.Clone(sc.Expect.Findings), func(one scenarios.Finding) bool { return !one.On(model) })
}

// Expects tells whether the story accounts for a finding.
func (r *Result) Expects(f invariant.Finding) bool {
	return slices.ContainsFunc(r.awaited, func(one scenarios.Finding) bool { return accounts(one, f) })
}

func accounts(one scenarios.Finding, f invariant.Finding) bool {
	return one.Check == f.Check && !slices.ContainsFunc(one.Contains, func(text string) bool {
		return !strings.Contains(f.Fact, text) && !strings.Contains(f.Other, text)
	})
}

// unfound says which expected findings were not made, or not as often as they must be. A check that was not asked for says
// nothing.
func unfound(sc *scenarios.Scenario, res *Result) []string {
	var out []string
	for _, one := range res.awaited {
		i := slices.IndexFunc(res.Checks, func(c invariant.Result) bool { return c.Check == one.Check })
		if i < 0 {
			continue
		}
		check, n := res.Checks[i], 0
		for _, f := range check.Findings {
			if accounts(one, f) {
				n++
			}
		}
		var got string
		switch {
		case check.Verdict != invariant.Broken && check.Note != "":
			got = fmt.Sprintf("it is %s: %s", check.Verdict, check.Note)
		case check.Verdict != invariant.Broken:
			got = "it " + string(check.Verdict)
		case n == 0:
			got = "it found something else"
		case one.Times > 0 && n != one.Times:
			got = fmt.Sprintf("it did %d times", n)
		case check.Note != "" && (one.Times > 0 || one.Contains != nil): // those beyond the list were compared with nothing
			got = check.Note
		default:
			continue
		}
		out = append(out, fmt.Sprintf("%s:%d:%d: findings: expected %s to find %s, %s", sc.File, one.At.Line, one.At.Column, one.Check, wanted(one), got))
	}
	return out
}

// wanted says in words what an expected finding is.
func wanted(one scenarios.Finding) string {
	out := "something"
	for i, text := range one.Contains {
		if i == 0 {
			out = fmt.Sprintf("%q", text)
		} else {
			out += fmt.Sprintf(" and %q", text)
		}
	}
	if one.Times == 1 {
		out += " once"
	} else if one.Times > 1 {
		out += fmt.Sprintf(" %d times", one.Times)
	}
	return out
}
