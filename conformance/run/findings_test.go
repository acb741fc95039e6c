package run_test

import (
	"maps"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"harnessbench/conformance/invariant"
	"harnessbench/conformance/run"
	"harnessbench/scenarios"
)

// twoTurns are four calls. In them empty-message is found by PAIR-6 four times, clock-in-system by CACHE-1 three times, and
// by THINK-6 on the bound model alone.
const twoTurns = `story: s
model: claude-sonnet-5
steps:
  - prompt: a
    model: [{thinking: x, text: y, tool_use: {name: Bash, input: {command: z}}}, {text: w}]
    tools: {Bash: {output: v}}
  - prompt: b
    model: [{tool_use: {name: Bash, input: {command: z}}}, {text: w}]
    tools: {Bash: {output: v}}
`

func loaded(t *testing.T, text string) *scenarios.Scenario {
	t.Helper()
	sc, err := scenarios.Load(fstest.MapFS{"s.yaml": {Data: []byte(text)}}, "s.yaml")
	require.NoError(t, err)
	return sc
}

// TestFindingsMustBeExactlyThose: the run holds when the judge finds what the story says and nothing else; each way to
// differ breaks it, and no finding is hidden.
func TestFindingsMustBeExactlyThose(t *testing.T) {
	for _, tc := range []struct {
		name, rest, model string
		missed            []string // unmet expectations
		strict, broken    bool
	}{
		{name: "found", rest: "plant: empty-message\nexpect: {findings: [PAIR-6]}"},
		{name: "found, with its words", rest: "plant: empty-message\nexpect: {findings: [{check: PAIR-6, contains: [says nothing, blanks]}]}"},
		{name: "found on another model", rest: "plant: empty-message\nexpect: {findings: [PAIR-6]}", model: "claude-haiku-4-5"},
		{name: "not expected at all", rest: "plant: empty-message", broken: true},
		{name: "something else expected", rest: "plant: empty-message\nexpect: {findings: [PAIR-1]}", broken: true,
			missed: []string{"s.yaml:11:21: findings: expected PAIR-1 to find something, it held"}},
		{name: "expected on another model alone", rest: "plant: empty-message\nexpect: {findings: [{check: PAIR-6, models: claude-haiku-4-5}]}", broken: true},
		{name: "missing", rest: "expect: {findings: [CACHE-4]}", broken: true, missed: []string{"s.yaml:10:21: findings: expected CACHE-4 to find something, it held"}},
		{name: "missing on another model", rest: "expect: {findings: [CACHE-4]}", model: "claude-haiku-4-5", broken: true,
			missed: []string{"s.yaml:10:21: findings: expected CACHE-4 to find something, it held"}},
		{name: "missing, and not due on this model", rest: "expect: {findings: [{check: CACHE-4, models: claude-haiku-4-5}]}"},
		{name: "without an occasion", rest: "expect: {findings: [REW-1]}", broken: true,
			missed: []string{"s.yaml:10:21: findings: expected REW-1 to find something, it is unknown: no request followed a rewind"}},
		{name: "with other words", rest: "plant: empty-message\nexpect: {findings: [{check: PAIR-6, contains: [says nothing, tab]}]}", broken: true,
			missed: []string{`s.yaml:11:29: findings: expected PAIR-6 to find "says nothing" and "tab", it found something else`}},
		{name: "more often than it may", rest: "plant: empty-message\nexpect: {findings: [{check: PAIR-6, times: 3}]}", broken: true,
			missed: []string{"s.yaml:11:29: findings: expected PAIR-6 to find something 3 times, it did 4 times"}},
		{name: "so often", rest: "plant: empty-message\nexpect: {findings: [{check: PAIR-6, times: 4}]}"},
		{name: "a later finding of the same check is not hidden", rest: "plant: empty-message\nexpect: {findings: [{check: PAIR-6, contains: call 1}]}", broken: true},
		{name: "an earlier one neither", rest: "plant: empty-message\nexpect: {findings: [{check: PAIR-6, contains: call 4}]}", broken: true},
		{name: "a loss is found like a fault", rest: "plant: clock-in-system\nexpect: {findings: [CACHE-1]}", strict: true},
		{name: "a loss that is not expected is none", rest: "plant: clock-in-system\nexpect: {findings: [{check: CACHE-1, contains: tick 2}]}"},
		{name: "but when strict", rest: "plant: clock-in-system\nexpect: {findings: [{check: CACHE-1, contains: tick 2}]}", strict: true, broken: true},
		{name: "a second check is not hidden by the first", rest: "plant: clock-in-system\nexpect: {findings: [CACHE-1]}", model: "claude-sonnet-5-5", broken: true},
		{name: "the first is not hidden by the second", rest: "plant: clock-in-system\nexpect: {findings: [THINK-6]}", model: "claude-sonnet-5-5", broken: true},
		{name: "both", rest: "plant: clock-in-system\nexpect: {findings: [THINK-6, CACHE-1]}", model: "claude-sonnet-5-5"},
		{name: "found where every call is refused", rest: "plant: five-markers\nexpect: {findings: [CACHE-4]}"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			res, err := run.Story(loaded(t, twoTurns+tc.rest+"\n"), run.Options{Model: tc.model, Seed: 1})
			require.NoError(t, err)
			require.Empty(t, res.Faults)
			require.Equal(t, tc.missed, res.Expect)
			require.True(t, res.Checked())
			require.Equal(t, tc.broken, res.Broken(tc.strict), "%+v", findings(res))
		})
	}
}

func findings(res *run.Result) (out []invariant.Finding) {
	for _, c := range res.Checks {
		out = append(out, c.Findings...)
	}
	return out
}

// TestFindingsBeyondTheListAreNotTakenForExpectedOnes: the judge lists fifty of a check; what the others say nobody knows.
func TestFindingsBeyondTheListAreNotTakenForExpectedOnes(t *testing.T) {
	long := "story: s\nmodel: claude-sonnet-5\nplant: clock-in-system\nsteps:\n"
	for range 54 {
		long += "  - prompt: a\n"
	}
	for list, missed := range map[string][]string{
		"CACHE-1":                          nil,
		"{check: CACHE-1, contains: tick}": {`s.yaml:59:29: findings: expected CACHE-1 to find "tick", 3 more findings are not listed`},
	} {
		res, err := run.Story(loaded(t, long+"expect: {findings: ["+list+"]}\n"), run.Options{Seed: 1, Checks: []string{"CACHE-1"}})
		require.NoError(t, err)
		require.Equal(t, missed, res.Expect)
	}
}

// TestAPlantedFaultIsPartOfTheHarness: the trace says so, and the process that did not exit, with which a resume is
// compared, has it too: a resume that repeats the fault is no finding of CACHE-3.
func TestAPlantedFaultIsPartOfTheHarness(t *testing.T) {
	res, events := told(t, "plant: system-edited-on-bound\nsteps:\n  - prompt: a\n    model: [{text: b}]\n  - exit: true\n  - resume: true\n  - prompt: c\n", nil)
	require.Equal(t, "system-edited-on-bound", events[0].Run.Options["plant"])
	for _, c := range res.Checks {
		if c.Check == "CACHE-3" {
			require.Equal(t, invariant.Held, c.Verdict)
		}
	}
}

// TestNamesThatDoNotExistAreNotPlayed: neither a check nor a planted fault.
func TestNamesThatDoNotExistAreNotPlayed(t *testing.T) {
	_, err := run.Story(loaded(t, twoTurns+"plant: five-markers-and-one\nexpect: {findings: [CACHE-44]}\n"), run.Options{})
	require.ErrorContains(t, err, `s.yaml:10:8: there is no planted fault "five-markers-and-one"; known here: clock-in-system, `)
	require.ErrorContains(t, err, `s.yaml:11:21: there is no check "CACHE-44"; did you mean "CACHE-4"? known here: CACHE-1, `)
}

// TestBesideEachFaultStandsTheRightPolicy: of each issue of another harness that needs nothing yet to be built there is a
// story of the fault and one of the right policy, in which the user does the same; that both come out as they say, on the
// models of the matrix, is shown where every story is played (H-CMP-76).
func TestBesideEachFaultStandsTheRightPolicy(t *testing.T) {
	prompts := func(sc *scenarios.Scenario) (out []string) {
		for _, st := range sc.Steps {
			if st.Prompt != nil {
				out = append(out, st.Prompt.Text)
			}
		}
		return out
	}
	stories := map[string]*scenarios.Scenario{}
	for _, sc := range shipped(t) {
		stories[sc.Name] = sc
	}
	for _, issue := range []string{"20826", "4416", "19081", "2945", "21208", "3917"} {
		right, fault := stories["opencode_"+issue], stories["opencode_"+issue+"_fault"]
		require.NotNil(t, right, issue)
		require.NotNil(t, fault, issue)
		require.False(t, right.Faulty(), issue)
		require.NotEmpty(t, fault.Expect.Findings, issue)
		require.Equal(t, prompts(right), prompts(fault), issue)
		require.True(t, fault.Plant != "" || !maps.Equal(right.Set, fault.Set), "%s: the policies differ", issue)
	}
}
