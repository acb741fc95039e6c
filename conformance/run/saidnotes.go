package run

import (
	"slices"

	"harnessbench/fakeapi/script"
	"harnessbench/harness/inject"
	"harnessbench/scenarios"
)

// defaultNotes is for stories to which it does not matter.
const defaultNotes = "- What was said so far."

// notes is the lane of the requests for a session's memory file (H-CMP-80): each gets what the story says of the newest turn
// that it shows.
func notes(sc *scenarios.Scenario) script.Lane {
	lane := script.Lane{Name: "notes", When: script.Match{NoTools: true, System: script.Text{Equals: inject.Notes}}}
	for _, st := range slices.Backward(sc.Steps) {
		if st.Prompt == nil || st.Prompt.Notes == "" {
			continue
		}
		shown := script.Match{Text: script.Text{Contains: "[user]\n" + st.Prompt.Text}}
		lane.Rules = append(lane.Rules, script.Rule{When: shown, Answers: says(st.Prompt.Notes), Repeat: true})
	}
	lane.Default = &says(defaultNotes)[0]
	return lane
}
