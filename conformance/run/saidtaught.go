package run

import (
	"slices"

	"harnessbench/fakeapi/script"
	"harnessbench/harness/compact"
	"harnessbench/harness/tool"
	"harnessbench/internal/model"
	"harnessbench/internal/tokens"
	"harnessbench/scenarios"
)

// behindTaught are what the model says where a turn goes on behind a summary in the teaching profile, in which the summary
// alone is left, the prompt of the turn gone too. Where the model itself asked for it the message that did stands behind the
// summary, so the turn goes on with the answer behind that one; else with the answers that the story names, or anew. Behind
// a refusal the newest messages are left, and the calls in them tell how far the turn has come.
func behindTaught(sc *scenarios.Scenario, own model.Model) (out []script.Turn) {
	for _, st := range sc.Steps {
		if st.Prompt == nil {
			continue
		}
		asked := asksToCompact(st.Prompt.Model)
		for i, s := range st.Prompt.Summaries {
			answers := st.Prompt.Model
			switch {
			case i < len(asked):
				answers = answers[asked[i]:]
			case len(s.Model) > 0:
				answers = s.Model
			}
			if whole, err := filledAnswers(tokens.Generation(own), answers); err == nil {
				answers = whole
			}
			out = append(out, script.Turn{Prompt: compact.CompactedText(s.Text), Answers: saidAll(answers)})
		}
	}
	return out
}

// asksToCompact are the indexes of the answers that call the tool compact.
func asksToCompact(answers []scenarios.Answer) (at []int) {
	for i, a := range answers {
		if slices.ContainsFunc(a.Blocks, func(b scenarios.Block) bool { return b.Kind == "tool_use" && b.Name == tool.CompactName }) {
			at = append(at, i)
		}
	}
	return at
}
