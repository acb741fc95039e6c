package scenarios

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml/ast"
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
}
