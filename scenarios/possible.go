package scenarios

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml/ast"
)

// checkPossible finds steps and expectations that cannot happen, whatever the harness does.
func (f *faults) checkPossible(s *Scenario, root ast.Node) {
	nodes := elements(child(root, "steps"))
	exited := 0    // the step after which no process runs, 0 while one does
	begun := false // something was typed or cleared, so there is a session on disk
	var path []int // steps whose prompts are on the current path
	for i := range s.Steps {
		st, n := &s.Steps[i], nodes[i]
		switch {
		case st.Resume && exited == 0:
			f.add(where(n), "resume, but the process still runs", "a step exit: true before it")
		case exited != 0 && !st.Resume && st.Wait == nil:
			f.add(where(n), fmt.Sprintf("%s after the exit in step %d", st.operation(), exited), "a step resume: true before it")
		}
		switch {
		case st.Exit:
			exited = st.Number
			if !begun {
				f.add(where(n), "exit before anything was typed, so there is no session to resume", "a prompt or a clear before it")
			}
		case st.Resume:
			exited = 0
		case st.Clear:
			begun, path = true, nil
		case st.Rewind != nil:
			path = f.checkRewind(s, st, child(child(n, "rewind"), "to"), path)
		case st.Prompt != nil:
			begun, path = true, append(path, st.Number)
			f.checkTurn(st.Prompt, n)
		}
	}
	f.checkExpect(s, child(root, "expect"))
}

// operation names what a step does, as in the file.
func (st *Step) operation() string {
	switch {
	case st.Prompt != nil:
		return "prompt"
	case st.Rewind != nil:
		return "rewind"
	case st.Wait != nil:
		return "wait"
	case st.Clear:
		return "clear"
	case st.Exit:
		return "exit"
	case st.Resume:
		return "resume"
	}
	return "set"
}

// checkRewind checks the target of a rewind and returns the path behind it.
func (f *faults) checkRewind(s *Scenario, st *Step, at ast.Node, path []int) []int {
	to := st.Rewind.To
	if i := slices.Index(path, to); i >= 0 {
		return path[:i:i]
	}
	switch {
	case to > len(s.Steps):
		f.add(where(at), fmt.Sprintf("rewind to %s, but the story has %s", written(at), steps(len(s.Steps))), prompts(path))
	case to >= st.Number:
		f.add(where(at), fmt.Sprintf("step %d rewinds to step %d, which is not before it", st.Number, to), prompts(path))
	case s.Steps[to-1].Prompt == nil:
		f.add(where(at), fmt.Sprintf("rewind to step %d, which is a %s", to, s.Steps[to-1].operation()), prompts(path))
	default:
		for _, between := range s.Steps[to : st.Number-1] {
			switch {
			case between.Clear:
				f.add(where(at), fmt.Sprintf("rewind to step %d, which step %d has cleared away", to, between.Number), prompts(path))
				return path
			case between.Rewind != nil && between.Rewind.To <= to:
				f.add(where(at), fmt.Sprintf("rewind to step %d, which the rewind in step %d has left behind", to, between.Number), prompts(path))
				return path
			}
		}
	}
	return path
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

// checkTurn compares the scripted answers of a turn with its tools and its interrupt. The turn goes on
// exactly while answers call tools (H-LOOP-3) or are cut (H-LOOP-31, H-LOOP-32, H-LOOP-34).
func (f *faults) checkTurn(p *Prompt, n ast.Node) {
	answers := elements(child(n, "model"))
	if strings.TrimSpace(p.Text) == "" {
		f.add(where(child(n, "prompt")), "a prompt without text", "what the user types")
	}
	calls := map[string]int{}
	kinds := map[string]bool{}
	for i, a := range p.Model {
		tools := 0
		for _, b := range a.Blocks {
			kinds[b.Kind] = true
			if b.Kind == "tool_use" {
				calls[b.Name]++
				tools++
			}
		}
		last := i == len(p.Model)-1
		goesOn := tools > 0 || slices.Contains([]string{"max_tokens", "pause_turn", "model_context_window_exceeded"}, a.StopReason)
		switch {
		case p.Interrupt != "", len(p.Faults) > 0: // who can say how the turn goes on
		case !goesOn && !last:
			f.add(where(answers[i+1]), fmt.Sprintf("answer %d, but answer %d calls no tool and ends the turn", i+2, i+1), "a tool_use in the answer before it, or a prompt step of its own")
		case goesOn && last && tools > 0:
			f.add(where(answers[i]), "the last answer calls a tool, so the model is asked once more", "one more answer, without tool_use")
		}
	}
	f.checkTools(p, n, calls)
	needs := map[string]string{"thinking": "thinking", "text": "text", "tool_input": "tool_use", "tool": "tool_use"}[p.Interrupt]
	if needs != "" && !kinds[needs] {
		f.add(where(child(n, "interrupt")), "interrupt in the phase "+p.Interrupt+", which the turn never has", "an answer with "+needs+", or another phase")
	}
}

func (f *faults) checkTools(p *Prompt, n ast.Node, calls map[string]int) {
	listed, _ := pairs(child(n, "tools"))
	for _, t := range listed {
		switch count, results := calls[t.name], len(p.Tools[t.name]); {
		case count == 0:
			f.add(where(t.key), "results for "+t.name+", which the model never calls in this step", "a tool_use of "+t.name+" in model, or no results for it")
		case results > count:
			f.add(where(elements(t.value)[count]), fmt.Sprintf("result %d of %s, but the model calls it %s", count+1, t.name, times(count)), "as many results as calls, or fewer: the last one repeats")
		}
	}
	if p.Interrupt != "" || len(p.Faults) > 0 {
		return
	}
	for _, name := range toolNames() {
		if calls[name] > 0 && len(p.Tools[name]) == 0 {
			f.add(where(child(n, "model")), "the model calls "+name+", but nothing says what it answers", "tools: {"+name+": {output: ...}} in the same step")
		}
	}
}

func steps(n int) string {
	if n == 1 {
		return "one step"
	}
	return fmt.Sprintf("%d steps", n)
}

func times(n int) string {
	if n == 1 {
		return "once"
	}
	return fmt.Sprintf("%d times", n)
}

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
			case s.Steps[step-1].Prompt == nil:
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
