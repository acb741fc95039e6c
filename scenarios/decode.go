package scenarios

import (
	"path"
	"strconv"
	"strings"
	"time"

	"github.com/goccy/go-yaml/ast"
)

// story turns a file that has the right shape into a Scenario.
func (f *faults) story(root ast.Node) *Scenario {
	s := &Scenario{
		Name:   strings.TrimSuffix(path.Base(f.file), path.Ext(f.file)),
		File:   f.file,
		Story:  strings.TrimSpace(str(child(root, "story"))),
		Model:  str(child(root, "model")),
		Set:    strs(child(root, "set")),
		Memory: str(child(root, "memory")),
		Files:  strs(child(root, "files")),
		Aux:    str(child(root, "aux")) == "on",
		Start:  start(child(root, "start")),
		Plant:  str(child(root, "plant")),
		Expect: expectation(child(root, "expect")),
	}
	if n := child(root, "plant"); n != nil {
		s.PlantAt = standing(n)
	}
	for i, n := range elements(child(root, "steps")) {
		s.Steps = append(s.Steps, f.step(n, i+1))
	}
	return s
}

func expectation(n ast.Node) Expect {
	e := Expect{
		ReadsAt: texts(child(child(n, "cache"), "reads_at")),
		ColdAt:  texts(child(child(n, "cache"), "cold_at")),
		Refused: texts(child(n, "refused")),
		Texts:   texts(child(n, "present")),
		Absent:  texts(child(n, "absent")),
		Notices: texts(child(n, "notices")),
		Files:   fileStates(child(n, "files")),
		Checks:  strs(child(n, "checks")),
		CheckAt: places(child(n, "checks")),

		Findings: findings(child(n, "findings")),
	}
	if c := child(n, "calls"); c != nil {
		v := whole(c)
		e.Calls = &v
	}
	if l := child(child(n, "log"), "leaves"); l != nil {
		v := whole(l)
		e.Leaves = &v
	}
	return e
}

// findings reads what the judge must find: a check alone, or a map that says more.
func findings(n ast.Node) []Finding {
	var out []Finding
	for _, one := range elements(n) {
		if _, isMap := pairs(one); !isMap {
			out = append(out, Finding{Check: str(one), At: standing(one)})
			continue
		}
		check := child(one, "check")
		out = append(out, Finding{Check: str(check), Contains: texts(child(one, "contains")), Times: whole(child(one, "times")),
			Models: texts(child(one, "models")), At: standing(check)})
	}
	return out
}

// fillTokens reads {tokens: N}; 0 when there is none.
func fillTokens(n ast.Node) int { return whole(child(n, "tokens")) }

// span reads a duration; its form is checked, its size is not yet.
func (f *faults) span(n ast.Node, label string) (d time.Duration, ok bool) {
	if n == nil {
		return 0, true
	}
	d, err := time.ParseDuration(str(n))
	if err != nil {
		f.add(where(n), label+" is "+strconv.Quote(str(n)), "a duration of less than 290 years")
	}
	return d, err == nil
}

func str(n ast.Node) string {
	if n == nil {
		return ""
	}
	return written(n)
}

func whole(n ast.Node) int {
	v, _ := strconv.Atoi(str(n)) // the shape lets nine digits through, which always fit
	return v
}

func isTrue(n ast.Node) bool {
	b, ok := n.(*ast.BoolNode)
	return ok && b.Value
}

func texts(n ast.Node) []string {
	var out []string
	for _, e := range elements(n) {
		out = append(out, str(e))
	}
	return out
}

func strs(n ast.Node) map[string]string {
	if n == nil {
		return nil
	}
	out := map[string]string{}
	all, _ := pairs(n)
	for _, p := range all {
		out[p.name] = written(p.value)
	}
	return out
}

// places tells where the keys of a map stand.
func places(n ast.Node) map[string]Place {
	out := map[string]Place{}
	listed, _ := pairs(n)
	for _, p := range listed {
		out[p.name] = standing(p.key)
	}
	return out
}

// standing is the place of a node for those who read a loaded story.
func standing(n ast.Node) Place {
	at := where(n)
	return Place{at.line, at.column}
}
