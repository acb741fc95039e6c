package scenarios

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Unknown are the faults of names that loading cannot know: checks, and planted faults of the harness, that are not among
// those given. Each says where the name stands, which one is nearest, and which there are.
func (s *Scenario) Unknown(checks, plants []string) Errors {
	f := &faults{file: s.File}
	compare := func(what, name string, at Place, known []string) {
		if slices.Contains(known, name) {
			return
		}
		want := "known here: " + strings.Join(known, ", ")
		if near := nearest(name, known); near != "" {
			want = fmt.Sprintf("did you mean %q? %s", near, want)
		}
		f.add(place{at.Line, at.Column}, fmt.Sprintf("there is no %s %q", what, name), want)
	}
	for _, id := range slices.Sorted(maps.Keys(s.Expect.Checks)) {
		compare("check", id, s.Expect.CheckAt[id], checks)
	}
	for _, one := range s.Expect.Findings {
		compare("check", one.Check, one.At, checks)
	}
	if s.Plant != "" {
		compare("planted fault", s.Plant, s.PlantAt, plants)
	}
	_ = f.err() // puts them in order
	return f.list
}
