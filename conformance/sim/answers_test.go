package sim

import (
	"fmt"

	"pgregory.net/rapid"

	"harnessbench/internal/model"
	"harnessbench/scenarios"
)

// answers are what the model says in a turn: up to three rounds of calls, then an answer without.
func (p *plan) answers(t *rapid.T) []scenarios.Answer {
	var out []scenarios.Answer
	for r := range rapid.IntRange(0, 3).Draw(t, "tool rounds") {
		out = append(out, scenarios.Answer{Blocks: p.calls(t, r)})
	}
	end := p.speech(t, true)
	if rapid.IntRange(0, 7).Draw(t, "says nothing") > 0 { // else only thinking, blanks or nothing may be left
		end = append(end, scenarios.Block{Kind: "text", Text: rapid.SampledFrom([]string{"done", fmt.Sprintf("answer %d", p.prompts)}).Draw(t, "last")})
		end = append(end, p.trailing(t)...)
	}
	if len(end) == 0 {
		end = []scenarios.Block{{Kind: "text", Text: "\n\n"}}
	}
	stop := rapid.SampledFrom([]string{"", "", "", "", "max_tokens", "refusal", "stop_sequence", "model_context_window_exceeded"}).Draw(t, "stop")
	out = append(out, scenarios.Answer{Blocks: end, StopReason: stop})
	if stop == "max_tokens" {
		out = append(out, p.afterLimit(t, end)...)
	}
	return out
}

// afterLimit is what follows an answer that met the output limit: it is asked for again with a higher one, and then to
// go on, up to three times (H-LOOP-31).
func (p *plan) afterLimit(t *rapid.T, first []scenarios.Block) []scenarios.Answer {
	n := rapid.IntRange(1, 4).Draw(t, "answers behind the limit")
	out := []scenarios.Answer{{Blocks: first}}
	for len(out) < n {
		out[len(out)-1].StopReason = "max_tokens"
		out = append(out, scenarios.Answer{Blocks: []scenarios.Block{{Kind: "text", Text: fmt.Sprintf("part %d", len(out))}}})
	}
	return out
}

// calls is an answer of one to three calls, with speech before, between and behind them.
func (p *plan) calls(t *rapid.T, round int) []scenarios.Block {
	out := p.speech(t, true)
	for c := range rapid.IntRange(1, 3).Draw(t, "parallel calls") {
		if c > 0 && rapid.IntRange(0, 3).Draw(t, "speech between") == 0 {
			out = append(out, p.speech(t, p.interleaves())...)
		}
		name, input := "Bash", fmt.Sprintf(`{"command":"make target-%d-%d", "n": 1.50}`, round, c)
		switch rapid.IntRange(0, 3).Draw(t, "tool") {
		case 0:
			input = fmt.Sprintf(`{"command":"cat file-%d"}`, c)
		case 1:
			name, input = "Read", fmt.Sprintf(`{"file_path":"/w/app/f%d.go"}`, c)
		case 2:
			input = `{"command":"make"}`
		}
		out = append(out, scenarios.Block{Kind: "tool_use", Name: name, Input: []byte(input)})
	}
	return append(out, p.trailing(t)...)
}

// speech is thinking and text in any order, blank text among it; thinking only where the model may think.
func (p *plan) speech(t *rapid.T, thinks bool) []scenarios.Block {
	var out []scenarios.Block
	for range rapid.IntRange(0, 3).Draw(t, "blocks") {
		switch rapid.IntRange(0, 4).Draw(t, "block") {
		case 0, 1:
			if thinks {
				out = append(out, scenarios.Block{
					Kind: rapid.SampledFrom([]string{"thinking", "thinking", "thinking", "redacted_thinking"}).Draw(t, "kind"),
					Text: rapid.SampledFrom([]string{"let me see", "hm", "größer"}).Draw(t, "thought"),
				})
			}
		case 2:
			out = append(out, scenarios.Block{Kind: "text", Text: rapid.SampledFrom([]string{"\n\n", " ", "\u00a0"}).Draw(t, "blank")})
		default:
			out = append(out, scenarios.Block{Kind: "text", Text: rapid.SampledFrom([]string{"Looking.", "done", "\n\nWell."}).Draw(t, "words")})
		}
	}
	return out
}

// trailing is what a model seldom says behind its last call or word.
func (p *plan) trailing(t *rapid.T) []scenarios.Block {
	if rapid.IntRange(0, 7).Draw(t, "trails") > 0 {
		return nil
	}
	return p.speech(t, p.interleaves())
}

// interleaves tells models that think between the blocks of an answer (messages-api.md 6.4).
func (p *plan) interleaves() bool {
	m, _ := model.Lookup(p.current)
	return m.ThinkingAdaptive == "yes"
}
