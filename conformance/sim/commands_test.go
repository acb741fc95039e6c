package sim

import (
	"fmt"

	"pgregory.net/rapid"

	"harnessbench/scenarios"
)

// command is one of the user's commands that neither takes back nor types.
func (p *plan) command(t *rapid.T) {
	if len(p.path) == 0 {
		return
	}
	p.asked++
	switch rapid.IntRange(0, 6).Draw(t, "command") {
	case 0:
		p.add(scenarios.Step{Compact: &scenarios.Compact{Instructions: rapid.SampledFrom([]string{"", "names"}).Draw(t, "focus"), Summary: fmt.Sprintf("summary %d", p.asked)}})
		p.behind = len(p.path)
	case 1:
		p.add(scenarios.Step{Fork: &scenarios.Fork{Title: fmt.Sprintf("copy %d", p.asked)}})
		// What stands behind a summary is not in the copy (H-CMD-50): no rewind leads there.
		p.path, p.summed = p.path[p.behind:], p.summed[p.behind:]
		for i := range p.summed {
			p.summed[i] = max(0, p.summed[i]-p.behind)
		}
		p.behind = 0
	case 2:
		p.add(scenarios.Step{Btw: &scenarios.Btw{Question: fmt.Sprintf("aside %d?", p.asked), Answer: "so"}})
		if rapid.Bool().Draw(t, "kept") {
			p.add(scenarios.Step{KeepBtw: true})
			p.kept = true
		}
	case 3:
		model := rapid.SampledFrom(Matrix).Draw(t, "other model")
		p.add(scenarios.Step{Use: &scenarios.Use{Model: model}})
		p.current = model
	case 4:
		p.add(scenarios.Step{Title: fmt.Sprintf("title %d", p.asked)})
	case 5:
		p.add(scenarios.Step{Mode: rapid.SampledFrom([]string{"default", "acceptEdits", "auto"}).Draw(t, "permissions")})
	default:
		p.add(scenarios.Step{Context: true})
	}
}

// meanwhile draws what happens while a turn runs.
func (p *plan) meanwhile(t *rapid.T, pr *scenarios.Prompt) {
	phase := func() string {
		return rapid.SampledFrom([]string{"before_answer", "thinking", "text", "tool_input", "tool"}).Draw(t, "phase")
	}
	p.asked++
	switch rapid.IntRange(0, 11).Draw(t, "meanwhile") {
	case 0, 1, 2:
		pr.Interrupt = phase()
	case 3:
		text := fmt.Sprintf("typed ahead %d", p.asked)
		pr.Queued = []scenarios.Queued{{Text: text, At: phase(), Model: []scenarios.Answer{{Blocks: []scenarios.Block{{Kind: "text", Text: "noted"}}}}}}
	case 4:
		pr.Aside = []scenarios.Aside{{Btw: scenarios.Btw{Question: fmt.Sprintf("aside %d?", p.asked), Answer: "so"}, At: phase()}}
	case 5:
		pr.Approve = map[string]scenarios.Denial{"Bash": {Feedback: rapid.SampledFrom([]string{"", "not that"}).Draw(t, "feedback")}}
	}
}
