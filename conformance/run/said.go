package run

import (
	"cmp"
	"strings"

	"harnessbench/fakeapi/script"
	"harnessbench/harness"
	"harnessbench/harness/compact"
	"harnessbench/harness/inject"
	"harnessbench/internal/model"
	"harnessbench/internal/tokens"
	"harnessbench/scenarios"
)

// Script is what the fake model says in a story. The recovery prompt of kill sweeps is part of every script. Answers
// that ask for a number of tokens and were not filled yet are counted by the story's own model; one that cannot be
// filled is said as it is written.
func Script(sc *scenarios.Scenario) script.Script {
	out := script.Script{Summary: compact.Head, Condensed: inject.Condensed, Span: compact.SpanHead}
	own, _ := model.Lookup(sc.Model)
	for _, st := range sc.Steps {
		if st.Prompt == nil {
			continue
		}
		answers := sayable(st.Prompt.Model, own)
		turn := script.Turn{Prompt: st.Prompt.Text, Prefix: st.Prompt.Fill != "" || st.Prompt.FillTokens > 0, Answers: saidAll(answers)}
		if whole, err := filledAnswers(tokens.Generation(own), answers); err == nil {
			turn.Answers = saidAll(whole)
		}
		if len(turn.Answers) == 0 { // a story need not say what does not matter to it
			turn.Answers = says("Done.")
		}
		out.Turns = append(out.Turns, turn)
		for _, q := range st.Prompt.Queued {
			if len(q.Model) > 0 {
				out.Turns = append(out.Turns, script.Turn{Prompt: q.Text, Answers: saidAll(q.Model)})
			}
		}
	}
	if sc.Set["profile"] == harness.ProfileTeaching {
		out.Turns = append(out.Turns, behindTaught(sc, own)...)
	} else {
		out.Turns = append(out.Turns, behindSummaries(sc, own)...)
	}
	out.Turns = append(out.Turns, script.Turn{Prompt: RecoveryPrompt, Answers: says("Yes, going on.")})
	out.Lanes = lanes(sc)
	return out
}

// behindSummaries are what the model says where a turn goes on behind a summary, which stands in the message of the prompt.
func behindSummaries(sc *scenarios.Scenario, own model.Model) (out []script.Turn) {
	for _, st := range sc.Steps {
		if st.Prompt == nil {
			continue
		}
		prefix := st.Prompt.Fill != "" || st.Prompt.FillTokens > 0
		for _, s := range st.Prompt.Summaries {
			answers := s.Model
			if whole, err := filledAnswers(tokens.Generation(own), answers); err == nil {
				answers = whole
			}
			if len(answers) == 0 {
				continue
			}
			out = append(out, script.Turn{Prompt: st.Prompt.Text, Prefix: prefix,
				Behind: compact.Head + "\n\nSummary:\n" + s.Text, Answers: saidAll(answers)})
		}
	}
	return out
}

// lanes answer the requests beside the conversation: questions asked aside and auxiliary calls.
func lanes(sc *scenarios.Scenario) (out []script.Lane) {
	if sc.Aux {
		out = append(out, notes(sc))
	}
	for _, b := range asides(sc) {
		is := script.Match{Text: script.Text{Contains: b.Question}}
		out = append(out, script.Lane{Name: "btw", When: is, Rules: []script.Rule{{Answers: says(b.Answer), Repeat: true}}})
	}
	first, _, _ := strings.Cut(compact.Instructions(compact.Part{}), "\n") // what every request for a summary begins with
	summary := script.Lane{Name: "summary", When: script.Match{Text: script.Text{Contains: first}}}
	for _, text := range summaries(sc) {
		summary.Rules = append(summary.Rules, script.Rule{Answers: summarized(text)})
	}
	summary.Default = &summarized(defaultSummary)[0]
	out = append(out, summary)
	if sc.Aux {
		out = append(out, script.Lane{Name: "aux", When: script.Match{NoTools: true}, Rules: []script.Rule{{Answers: says("ok"), Repeat: true}}})
	}
	return out
}

// asides are the questions that a story asks beside its conversation.
func asides(sc *scenarios.Scenario) (out []scenarios.Btw) {
	for _, st := range sc.Steps {
		switch {
		case st.Btw != nil:
			out = append(out, *st.Btw)
		case st.Prompt != nil:
			for _, a := range st.Prompt.Aside {
				out = append(out, a.Btw)
			}
		}
	}
	return out
}

// summaries are what the model writes of the conversation, in order.
func summaries(sc *scenarios.Scenario) (out []string) {
	for _, st := range sc.Steps {
		switch {
		case st.Fails != "": // it is never asked for
		case st.Prompt != nil:
			for _, s := range st.Prompt.Summaries {
				out = append(out, s.Text)
			}
		case st.Compact != nil:
			out = append(out, cmp.Or(st.Compact.Summary, defaultSummary))
		case st.Rewind != nil && strings.HasPrefix(st.Rewind.Restore, "summarize"):
			out = append(out, cmp.Or(st.Rewind.Summary, defaultSummary))
		}
	}
	return out
}

// defaultSummary is for stories to which it does not matter.
const defaultSummary = "What was said so far."

func summarized(text string) []script.Answer {
	return says("<analysis>What was said.</analysis>\n\n<summary>\n" + text + "\n</summary>")
}

func saidAll(answers []scenarios.Answer) (out []script.Answer) {
	for _, a := range answers {
		out = append(out, said(a))
	}
	return out
}

// says is one answer of one text.
func says(text string) []script.Answer {
	return []script.Answer{{Blocks: []script.Block{{Kind: "text", Text: text}}}}
}
