package run

import (
	"fmt"
	"slices"
	"strings"

	"harnessbench/internal/model"
	"harnessbench/internal/tokens"
	"harnessbench/scenarios"
)

// filled is a story as a model meets it: every text that asks for a number of tokens is filled up, counted by
// the model's own tokenizer (D35). The story itself is left alone.
func filled(sc *scenarios.Scenario, m model.Model) (*scenarios.Scenario, error) {
	count := tokens.Generation(m)
	out := *sc
	out.Steps = append([]scenarios.Step(nil), sc.Steps...)
	var err error
	for i := range out.Steps {
		if out.Steps[i].Prompt == nil {
			continue
		}
		p := *out.Steps[i].Prompt
		out.Steps[i].Prompt = &p
		if p.FillTokens > 0 {
			text, err := tokens.Fill(count, p.Text, p.FillTokens)
			if err != nil {
				return nil, fillFault(sc, i, "the prompt", err)
			}
			p.Text = text
		}
		if p.Model, err = filledAnswers(count, p.Model); err != nil {
			return nil, fillFault(sc, i, "an answer", err)
		}
		p.Model = sayable(p.Model, m)
		p.Summaries = append([]scenarios.Summary(nil), p.Summaries...)
		for k := range p.Summaries {
			if p.Summaries[k].Model, err = filledAnswers(count, p.Summaries[k].Model); err != nil {
				return nil, fillFault(sc, i, "an answer behind a summary", err)
			}
		}
		tools := make(map[string][]scenarios.ToolResult, len(p.Tools))
		for name, results := range p.Tools { // any order: each is filled by itself
			results = append([]scenarios.ToolResult(nil), results...)
			for k := range results {
				if results[k].FillTokens == 0 {
					continue
				}
				text, err := tokens.Fill(count, results[k].Output, results[k].FillTokens)
				if err != nil {
					return nil, fillFault(sc, i, "the output of "+name, err)
				}
				results[k].Output = text
			}
			tools[name] = results
		}
		p.Tools = tools
	}
	return &out, nil
}

// sayable are the answers that the model's server can give: one that does not compact never pauses with a summary.
func sayable(answers []scenarios.Answer, m model.Model) []scenarios.Answer {
	if m.ThresholdCompaction {
		return answers
	}
	return slices.DeleteFunc(slices.Clone(answers), scenarios.Answer.Pauses)
}

// filledAnswers are the answers with the last text of each filled up where it asks for it.
func filledAnswers(count *tokens.Linear, answers []scenarios.Answer) ([]scenarios.Answer, error) {
	out := append([]scenarios.Answer(nil), answers...)
	for i, a := range out {
		if a.FillTokens == 0 {
			continue
		}
		out[i].Blocks = append([]scenarios.Block(nil), a.Blocks...)
		for k := len(a.Blocks) - 1; k >= 0; k-- {
			if a.Blocks[k].Kind != "text" {
				continue
			}
			text, err := tokens.Fill(count, a.Blocks[k].Text, a.FillTokens)
			if err != nil {
				return nil, err
			}
			out[i].Blocks[k].Text, out[i].FillTokens = text, 0
			break
		}
	}
	return out, nil
}

func fillFault(sc *scenarios.Scenario, step int, what string, err error) error {
	return fmt.Errorf("%s:%d: %s of step %d: %w", sc.File, sc.Steps[step].Line, what, step+1, err)
}

// overWindow is a prompt that cannot fit the model's window whatever stands before it: short words cost
// at least 0.96 tokens each on every tokenizer generation (messages-api.md 9.1).
func overWindow(text string, m model.Model) string {
	return text + "\n" + strings.Repeat("so ", m.Window*21/20)
}
