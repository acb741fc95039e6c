package scenarios

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml/ast"
)

// life is what a story has come to at one of its steps: whether a process runs, and where a rewind can go.
type life struct {
	ended   int    // the step after which no process runs, 0 while one does, -1 before the first
	how     string // what ended it
	begun   bool   // something was typed or cleared, so there is a session on disk
	path    []int  // steps whose prompts are on the current path
	before  map[int][]int
	session int         // counts sessions; prompts of another one are out of reach
	typed   map[int]int // prompt step -> its session
	cleared []int       // steps that began a session
	loose   bool        // a session was picked by name, or began before the story: what is on its path is not known here
}

// checkPossible finds steps and expectations that cannot happen, whatever the harness does.
func (f *faults) checkPossible(s *Scenario, root ast.Node) {
	nodes := elements(child(root, "steps"))
	l := &life{before: map[int][]int{}, typed: map[int]int{}}
	if child(root, "log") != nil {
		l.ended, l.begun, l.loose = -1, true, true
	}
	for i := range s.Steps {
		st, n := &s.Steps[i], nodes[i]
		f.checkProcess(st, n, l)
		f.checkCommand(st, n)
		f.live(s, st, n, l)
	}
	f.checkExpect(s, child(root, "expect"))
}

// checkProcess finds steps that need a process where none runs, and a resume where one does.
func (f *faults) checkProcess(st *Step, n ast.Node, l *life) {
	switch {
	case st.Resume != nil && l.ended == 0:
		f.add(where(n), "resume, but the process still runs", "a step exit: true before it")
	case l.ended < 0 && st.needsProcess():
		f.add(where(n), st.operation()+" before the session that the story begins with is resumed", "a step resume: true before it")
	case l.ended > 0 && st.needsProcess():
		f.add(where(n), fmt.Sprintf("%s after the %s in step %d", st.operation(), l.how, l.ended), "a step resume: true before it")
	}
}

// needsProcess tells steps that something other than a new process or the world does.
func (st *Step) needsProcess() bool { return st.Resume == nil && st.Wait == nil && st.File == nil }

// live takes the step's effect on what can follow.
func (f *faults) live(s *Scenario, st *Step, n ast.Node, l *life) {
	switch {
	case st.Exit:
		l.ended, l.how = st.Number, "exit"
		if !l.begun {
			f.add(where(n), "exit before anything was typed, so there is no session to resume", "a prompt or a clear before it")
		}
	case st.Resume != nil:
		l.ended = 0
		l.loose = l.loose || st.Resume.Session != ""
	case st.Clear != nil:
		l.begun, l.path = true, nil
		l.session++
		l.cleared = append(l.cleared, st.Number)
	case st.Rewind != nil:
		f.checkRewind(s, st, child(child(n, "rewind"), "to"), l)
	case st.Prompt != nil:
		l.begun = true
		l.before[st.Number] = l.path
		l.typed[st.Number] = l.session
		l.path = append(l.path[:len(l.path):len(l.path)], st.Number)
		if st.Prompt.Kill != "" {
			l.ended, l.how = st.Number, "kill"
		}
		f.checkTurn(s, st.Prompt, n)
	}
}

// operation names what a step does, as in the file.
func (st *Step) operation() string {
	for _, op := range []struct {
		name string
		is   bool
	}{
		{"prompt", st.Prompt != nil}, {"rewind", st.Rewind != nil}, {"wait", st.Wait != nil}, {"clear", st.Clear != nil},
		{"exit", st.Exit}, {"resume", st.Resume != nil}, {"compact", st.Compact != nil}, {"fork", st.Fork != nil},
		{"btw", st.Btw != nil}, {"keep_btw", st.KeepBtw}, {"forget_btw", st.ForgetBtw}, {"title", st.Title != ""},
		{"mode", st.Mode != ""}, {"use", st.Use != nil}, {"context", st.Context}, {"file", st.File != nil},
	} {
		if op.is {
			return op.name
		}
	}
	return "set"
}

// calls tells whether a step can make a call to the API.
func (st *Step) calls() bool {
	return st.Prompt != nil || st.Compact != nil || st.Btw != nil || st.summarizes() || st.Resume != nil && st.Resume.Rerun
}

func (st *Step) summarizes() bool {
	return st.Rewind != nil && strings.HasPrefix(st.Rewind.Restore, "summarize")
}

// checkCommand finds keys that mean nothing beside what the step does.
func (f *faults) checkCommand(st *Step, n ast.Node) {
	if at := child(child(n, "rewind"), "summary"); at != nil && !st.summarizes() {
		f.add(where(at), "a summary for restore: "+st.Rewind.Restore+", which writes none", "restore: summarize_from or summarize_up_to, or no summary")
	}
	if at := child(child(n, "file"), "delete"); at != nil && child(child(n, "file"), "content") != nil {
		f.add(where(at), "delete: true beside content", "one of the two")
	}
	canFail := []string{"rewind", "compact", "fork", "btw", "keep_btw", "clear", "title", "mode", "use", "resume"}
	if at := child(n, "fails"); at != nil && !slices.Contains(canFail, st.operation()) {
		f.add(where(at), "fails beside "+st.operation()+", which is no command", "a step of "+strings.Join(canFail, ", ")+", or no fails")
	}
}

// checkRewind checks the target of a rewind and moves the path before it. A prompt that an earlier rewind left behind
// can be gone back to as well: its branch is then the path again.
func (f *faults) checkRewind(s *Scenario, st *Step, at ast.Node, l *life) {
	to := st.Rewind.To
	switch {
	case st.Fails != "":
		return
	case to > len(s.Steps):
		f.add(where(at), fmt.Sprintf("rewind to %s, but the story has %s", written(at), steps(len(s.Steps))), prompts(l.path))
	case to >= st.Number:
		f.add(where(at), fmt.Sprintf("step %d rewinds to step %d, which is not before it", st.Number, to), prompts(l.path))
	case s.Steps[to-1].Prompt == nil:
		f.add(where(at), fmt.Sprintf("rewind to step %d, which is a %s", to, s.Steps[to-1].operation()), prompts(l.path))
	case !l.loose && l.typed[to] != l.session:
		f.add(where(at), fmt.Sprintf("rewind to step %d, which step %d has cleared away", to, l.cleared[l.typed[to]]), prompts(l.path))
	case st.Rewind.Restore != "code" && st.Rewind.Restore != "summarize_up_to":
		l.path = l.before[to]
	}
}

// prompts lists the steps that a rewind can go back to.
func prompts(path []int) string {
	var out []string
	for _, n := range path {
		out = append(out, strconv.Itoa(n))
	}
	switch len(out) {
	case 0:
		return "an earlier prompt is needed, and there is none"
	case 1:
		return "step " + out[0] + " is the only prompt to go back to"
	}
	return "prompts to go back to are the steps " + strings.Join(out, ", ")
}

func steps(n int) string {
	if n == 1 {
		return "one step"
	}
	return fmt.Sprintf("%d steps", n)
}
