package scenarios

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml/ast"

	"harnessbench/internal/model"
)

// checkExpect finds expectations about calls that no step makes, and such that exclude each other.
func (f *faults) checkExpect(s *Scenario, expect ast.Node) {
	cache := child(expect, "cache")
	reads := child(cache, "reads_at")
	for _, list := range []ast.Node{reads, child(cache, "cold_at"), child(expect, "refused")} {
		seen := map[string]bool{}
		for _, c := range elements(list) {
			name := written(c)
			step, err := strconv.Atoi(name[:strings.IndexByte(name, '.')])
			switch {
			case err != nil || step > len(s.Steps):
				f.add(where(c), fmt.Sprintf("call %s, but the story has %s", name, steps(len(s.Steps))), "a call of a prompt step, as STEP.N")
			case !s.Steps[step-1].calls():
				f.add(where(c), fmt.Sprintf("call %s, but step %d is a %s and calls nothing", name, step, s.Steps[step-1].operation()), "a call of a prompt step, as STEP.N")
			case seen[name]:
				f.add(where(c), "call "+name+" twice in one list", "each call once")
			}
			seen[name] = true
		}
	}
	for _, c := range elements(child(cache, "cold_at")) {
		if slices.Contains(texts(reads), written(c)) {
			f.add(where(c), "call "+written(c)+" both in reads_at and in cold_at", "one of the two")
		}
	}
	for _, c := range elements(child(expect, "absent")) {
		if slices.Contains(s.Expect.Texts, written(c)) {
			f.add(where(c), fmt.Sprintf("%q both present and absent", written(c)), "one of the two")
		}
	}
	f.checkFindings(s)
}

// checkFindings finds expected findings that stand twice, and such whose check must not be broken.
func (f *faults) checkFindings(s *Scenario) {
	for i, one := range s.Expect.Findings {
		at := place{one.At.Line, one.At.Column}
		if v := s.Expect.Checks[one.Check]; (v == "held" || v == "unknown") && one.On(s.Model) {
			f.add(at, fmt.Sprintf("%s finds something, and is %s among the checks", one.Check, v), "one of the two")
		}
		for _, before := range s.Expect.Findings[:i] {
			if before.Check == one.Check && slices.Equal(before.Contains, one.Contains) && before.meets(one) {
				f.add(at, "the same finding of "+one.Check+" twice on one model", "each once; times: 2 says that there are two")
				break
			}
		}
	}
}

// On tells whether the finding is expected on a model.
func (one Finding) On(id string) bool {
	return len(one.Models) == 0 || slices.ContainsFunc(one.Models, func(m string) bool { return sameModel(m, id) })
}

// meets tells whether there is a model on which both are expected.
func (one Finding) meets(other Finding) bool {
	return len(one.Models) == 0 || len(other.Models) == 0 || slices.ContainsFunc(one.Models, other.On)
}

// sameModel tells whether two names of models are names of one.
func sameModel(a, b string) bool {
	x, knownX := model.Lookup(a)
	y, knownY := model.Lookup(b)
	return knownX && knownY && x.ID == y.ID
}
