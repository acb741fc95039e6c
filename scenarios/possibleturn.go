package scenarios

import (
	"fmt"
	"slices"
	"strings"

	"github.com/goccy/go-yaml/ast"
)

// checkTurn compares the scripted answers of a turn with its tools and its interrupt. The turn goes on
// exactly while answers call tools (H-LOOP-3) or are cut (H-LOOP-31, H-LOOP-32, H-LOOP-34), or
// hold nothing but the summary of a server that waits for what comes behind it.
func (f *faults) checkTurn(s *Scenario, p *Prompt, n ast.Node) {
	answers := elements(child(n, "model"))
	if strings.TrimSpace(p.Text) == "" {
		f.add(where(child(n, "prompt")), "a prompt without text", "what the user types")
	}
	if at := child(n, "notes"); at != nil && !s.Aux {
		f.add(where(at), "notes, but the story makes no auxiliary calls", "aux: on in the story, or no notes")
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
			if b.Kind == "tool_use" && b.Name == compactName && s.Set["profile"] != "teaching" {
				f.add(where(answers[i]), "the model calls compact, which the full profile does not have", "set: {profile: teaching}, or a step compact")
			}
		}
		last := i == len(p.Model)-1
		paused := s.Set["compact.server"] == "on" && a.Pauses() // (H-CMP-83, H-CMP-84)
		goesOn := tools > 0 || paused || slices.Contains([]string{"max_tokens", "pause_turn", "model_context_window_exceeded"}, a.StopReason)
		switch {
		case p.open() || s.Start.MaxTurns > 0: // who can say how the turn goes on
		case !goesOn && !last:
			f.add(where(answers[i+1]), fmt.Sprintf("answer %d, but answer %d calls no tool and ends the turn", i+2, i+1), "a tool_use in the answer before it, or a prompt step of its own")
		case goesOn && last && tools > 0:
			f.add(where(answers[i]), "the last answer calls a tool, so the model is asked once more", "one more answer, without tool_use")
		}
	}
	for _, s := range p.Summaries {
		for _, a := range s.Model {
			for _, b := range a.Blocks {
				kinds[b.Kind] = true
				if b.Kind == "tool_use" {
					calls[b.Name]++
				}
			}
		}
	}
	f.checkTools(p, n, calls)
	f.checkPhases(p, n, kinds)
}

// open tells a turn that may end before its answers do, or go on behind them.
func (p *Prompt) open() bool {
	return p.Interrupt != "" || p.Kill != "" || len(p.Faults) > 0 || len(p.Approve) > 0 || len(p.Queued) > 0 || len(p.Summaries) > 0
}

// checkPhases finds what is to happen in a phase that the turn never has.
func (f *faults) checkPhases(p *Prompt, n ast.Node, kinds map[string]bool) {
	check := func(what string, at ast.Node) {
		if at == nil {
			return
		}
		needs := map[string]string{"thinking": "thinking", "text": "text", "tool_input": "tool_use", "tool": "tool_use"}[str(at)]
		if needs != "" && !kinds[needs] {
			f.add(where(at), what+" in the phase "+str(at)+", which the turn never has", "an answer with "+needs+", or another phase")
		}
	}
	check("interrupt", child(n, "interrupt"))
	check("kill", child(n, "kill"))
	for _, q := range elements(child(n, "queued")) {
		check("a queued text", child(q, "at"))
	}
	for _, a := range elements(child(n, "aside")) {
		check("an aside", child(a, "at"))
	}
	if at := child(n, "kill"); at != nil && p.Interrupt != "" {
		f.add(where(at), "kill beside interrupt", "one of the two")
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
	if calls["Bash"] > 0 && len(p.Tools["Bash"]) == 0 && !p.open() { // the other tools really run
		f.add(where(child(n, "model")), "the model calls Bash, but nothing says what it answers", "tools: {Bash: {output: ...}} in the same step")
	}
}

func times(n int) string {
	if n == 1 {
		return "once"
	}
	return fmt.Sprintf("%d times", n)
}
