package run_test

import (
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"harnessbench/conformance/run"
	"harnessbench/conformance/sim"
	"harnessbench/scenarios"
)

func thinks(s string) scenarios.Block { return scenarios.Block{Kind: "thinking", Text: s} }
func says(s string) scenarios.Block   { return scenarios.Block{Kind: "text", Text: s} }
func calls(command string) scenarios.Block {
	return scenarios.Block{Kind: "tool_use", Name: "Bash", Input: []byte(`{"command":"` + command + `"}`)}
}

// TestAnswersThatCannotComeBackWhole: blank text and thinking at an end are never sent (H-REB-34, H-REB-35). Whatever
// else an answer holds goes on, thinking made behind what is left out stays valid, live and after a resume.
func TestAnswersThatCannotComeBackWhole(t *testing.T) {
	const blank = "\n\n"
	for name, first := range map[string][]scenarios.Block{
		"blank between thinking":              {thinks("a"), says(blank), thinks("b"), calls("make")},
		"blank alone before a call":           {says(blank), calls("make")},
		"blank, then thinking":                {says(blank), thinks("a"), calls("make")},
		"blank between and behind calls":      {thinks("a"), calls("cat a"), says(" "), calls("cat b"), says(blank)},
		"thinking behind the call":            {thinks("a"), calls("make"), thinks("b")},
		"thinking between calls":              {thinks("a"), says("On it."), thinks("b"), calls("cat a"), says("And."), thinks("c"), calls("cat b")},
		"thinking and blank behind the call":  {thinks("a"), calls("make"), thinks("b"), says(blank)},
		"nothing but blank":                   {says(blank)},
		"nothing but thinking":                {thinks("a")},
		"thinking and blank":                  {thinks("a"), says(blank), thinks("b")},
		"text between blanks":                 {says(blank), says("Well."), says(" ")},
		"thinking, text, thinking at its end": {thinks("a"), says("Well."), thinks("b")},
	} {
		loop := false
		for _, b := range first {
			loop = loop || b.Kind == "tool_use"
		}
		answers := []scenarios.Answer{{Blocks: first}}
		if loop {
			answers = append(answers, scenarios.Answer{Blocks: first}, scenarios.Answer{Blocks: []scenarios.Block{says(blank), thinks("c"), says("Done.")}})
		}
		sc := &scenarios.Scenario{Name: "odd", File: "odd.yaml", Story: "odd", Model: "claude-sonnet-5-5", Steps: []scenarios.Step{
			{Prompt: &scenarios.Prompt{Text: "one", Model: answers}},
			{Prompt: &scenarios.Prompt{Text: "two", Model: answers}},
			{Exit: true}, {Resume: &scenarios.Resume{}},
			{Prompt: &scenarios.Prompt{Text: "three", Model: []scenarios.Answer{{Blocks: []scenarios.Block{thinks("d"), says("Three.")}}}}},
			{Prompt: &scenarios.Prompt{Text: "four", Model: []scenarios.Answer{{Blocks: []scenarios.Block{says("Four.")}}}}},
		}}
		for i := range sc.Steps {
			sc.Steps[i].Number = i + 1
		}
		for _, model := range sim.Matrix {
			t.Run(name+"/"+model, func(t *testing.T) { allIsWell(t, sc, model) })
		}
	}
}

// TestAToolStoppedByTheUserAroundASwitchOfThinking: what is said beside results ends the tool loop, so the manual
// mode's rules of an open one do not hold (messages-api.md 6.5).
func TestAToolStoppedByTheUserAroundASwitchOfThinking(t *testing.T) {
	for name, text := range map[string]string{
		"off": `
story: stop the tool, turn thinking off
model: claude-haiku-4-5
steps:
  - prompt: one
    interrupt: tool
    model:
      - thinking: hm
        tool_use: {name: Bash, input: {command: make}}
      - text: A
    tools: {Bash: {output: ok}}
  - set: {thinking: off}
  - prompt: two
    model: [{text: B}]
  - prompt: three
    model: [{text: C}]
`, "on": `
story: stop the tool while thinking is off, then turn it on
model: claude-haiku-4-5
set: {thinking: off}
steps:
  - prompt: one
    interrupt: tool
    model:
      - tool_use: {name: Bash, input: {command: make}}
      - text: A
    tools: {Bash: {output: ok}}
  - set: {thinking: enabled}
  - prompt: two
    model: [{text: B}]
  - prompt: three
    model: [{text: C}]
`,
	} {
		sc, err := scenarios.Load(fstest.MapFS{"x.yaml": {Data: []byte(text)}}, "x.yaml")
		require.NoError(t, err)
		for _, model := range sim.Matrix {
			t.Run(name+"/"+model, func(t *testing.T) { allIsWell(t, sc, model) })
		}
	}
}

// TestNothingFromBeforeAClearComesBack is CLR-1 across processes.
func TestNothingFromBeforeAClearComesBack(t *testing.T) {
	sc, err := scenarios.Load(fstest.MapFS{"x.yaml": {Data: []byte(`
story: clear, leave, come back
model: claude-sonnet-5
steps:
  - prompt: SECRET one
    model: [{thinking: SECRET, text: SECRET}]
  - clear: true
  - exit: true
  - wait: one_day
  - resume: true
  - exit: true
  - resume: true
  - prompt: two
    model: [{thinking: hm, text: B}]
  - prompt: three
    model: [{text: C}]
`)}}, "x.yaml")
	require.NoError(t, err)
	for _, model := range sim.Matrix {
		t.Run(model, func(t *testing.T) {
			res := allIsWell(t, sc, model)
			require.Len(t, res.Calls, 3)
			for _, c := range res.Calls[1:] {
				require.NotContains(t, string(c.Body), "SECRET", "call %s", c.Name)
			}
		})
	}
}

// allIsWell plays a story: every call is accepted, no check finds anything.
func allIsWell(t *testing.T, sc *scenarios.Scenario, model string) *run.Result {
	t.Helper()
	res, err := run.Story(sc, run.Options{Model: model, Seed: 3})
	require.NoError(t, err)
	require.Empty(t, res.Faults)
	for _, c := range res.Calls {
		require.Contains(t, []int{0, 200}, c.Status, "call %s: %s", c.Name, c.Refusal)
	}
	for _, c := range res.Checks {
		for _, f := range c.Findings {
			require.Fail(t, "broken", "%s: %s\nbut %s", c.Check, f.Fact, f.Other)
		}
	}
	return res
}
