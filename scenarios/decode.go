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
		Expect: expectation(child(root, "expect")),
	}
	for i, n := range elements(child(root, "steps")) {
		s.Steps = append(s.Steps, f.step(n, i+1))
	}
	return s
}

func (f *faults) step(n ast.Node, number int) Step {
	st := Step{Number: number, Line: where(n).line}
	st.Clear = child(n, "clear") != nil
	st.Exit = child(n, "exit") != nil
	st.Resume = child(n, "resume") != nil
	st.Set = strs(child(n, "set"))
	if p := child(n, "prompt"); p != nil {
		st.Prompt = f.prompt(n, str(p))
	}
	if r := child(n, "rewind"); r != nil {
		to, err := strconv.Atoi(strings.TrimPrefix(str(child(r, "to")), "step "))
		if err != nil { // more digits than a number has: surely beyond the last step
			to = int(^uint(0) >> 1)
		}
		st.Rewind = &Rewind{To: to, Restore: "conversation"}
	}
	if w := child(n, "wait"); w != nil {
		st.Wait = &Wait{Name: str(w)}
		if st.Wait.Name != "past_cache_life" && st.Wait.Name != "one_day" {
			d, ok := f.span(w, "wait")
			st.Wait.Duration = d
			if ok && d == 0 {
				f.add(where(w), "wait is "+strconv.Quote(str(w)), "a time longer than nothing, such as 90s")
			}
		}
	}
	return st
}

func (f *faults) prompt(n ast.Node, text string) *Prompt {
	p := &Prompt{Text: text, Interrupt: str(child(n, "interrupt"))}
	if fill := child(n, "fill"); fill != nil {
		if p.FillTokens = fillTokens(fill); p.FillTokens == 0 {
			p.Fill = str(fill)
		}
	}
	for _, a := range elements(child(n, "model")) {
		p.Model = append(p.Model, f.answer(a))
	}
	p.Faults = faultsOf(child(n, "faults"))
	if tools := child(n, "tools"); tools != nil {
		p.Tools = map[string][]ToolResult{}
		all, _ := pairs(tools)
		for _, t := range all {
			for _, r := range elements(t.value) {
				takes, _ := f.span(child(r, "takes"), "takes")
				p.Tools[t.name] = append(p.Tools[t.name], ToolResult{
					Output: str(child(r, "output")),
					Exit:   whole(child(r, "exit")),
					Error:  isTrue(child(r, "error")),
					Takes:  takes,

					FillTokens: fillTokens(child(r, "fill")),
				})
			}
		}
	}
	return p
}

func expectation(n ast.Node) Expect {
	e := Expect{
		ReadsAt: texts(child(child(n, "cache"), "reads_at")),
		ColdAt:  texts(child(child(n, "cache"), "cold_at")),
		Refused: texts(child(n, "refused")),
		Texts:   texts(child(n, "present")),
		Absent:  texts(child(n, "absent")),
		Checks:  strs(child(n, "checks")),
		CheckAt: places(child(n, "checks")),
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
		at := where(p.key)
		out[p.name] = Place{at.line, at.column}
	}
	return out
}
