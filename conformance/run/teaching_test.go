package run_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"harnessbench/conformance/invariant"
)

// TestTheTeachingProfileShowsItsFaults plays one story of so many reads in both profiles. The layers of the teaching
// profile change a list in memory alone, so that requests hold what no entry does and each one breaks the cache of the one
// before: findings, by name. The full profile is silent on the same story (H-CMP-3, H-CMP-16, H-CMP-20).
func TestTheTeachingProfileShowsItsFaults(t *testing.T) {
	const words = "one plum, two pears, three apples, four quinces, five cherries, six figs, seven melons, eight medlars, nine limes"
	for _, tc := range []struct {
		name, says string
		reads      int
	}{
		{"results are cleared before each call", "[Earlier tool result com", 8},
		{"the middle is taken out before each call", "[snipped ", 28},
	} {
		t.Run(tc.name, func(t *testing.T) {
			var files, reads strings.Builder
			for i := range tc.reads {
				fmt.Fprintf(&files, "  list-%d.txt: basket %d has %s\n", i, i, words)
				fmt.Fprintf(&reads, "      - tool_use: {name: Read, input: {file_path: /w/app/list-%d.txt}}\n", i)
			}
			story := "files:\n" + files.String() + "steps:\n  - prompt: read all lists\n    model:\n" + reads.String() + "      - text: Read.\n"
			broken := func(set string) map[string]string {
				res, _ := told(t, set+story, nil)
				out := map[string]string{}
				for _, c := range res.Checks {
					for _, f := range c.Findings {
						require.Equal(t, invariant.Broken, c.Verdict)
						out[c.Check] += f.Fact + "\n" + f.Other + "\n"
					}
				}
				return out
			}
			found := broken("set: {profile: teaching}\n")
			require.Contains(t, found["CACHE-1"], tc.says)
			require.Contains(t, found, "LOG-6")
			require.Empty(t, broken(""))
		})
	}
}

// TestScriptedResultsReachTheTeachingProfile: a story names tools as the full profile does, whatever the profile calls
// them; its results, their times and the user's No reach the calls (H-TOOL-6).
func TestScriptedResultsReachTheTeachingProfile(t *testing.T) {
	const story = `set: {profile: PROFILE}
steps:
  - prompt: go
    model:
      - {tool_use: {name: Bash, input: {command: make}}}
      - {tool_use: [{name: Bash, input: {command: make}}, {name: Read, input: {file_path: /w/app/a}}]}
      - {tool_use: {name: Bash, input: {command: sleep 200}}}
      - {tool_use: {name: Write, input: {file_path: /w/app/a, content: x}}}
      - text: Done.
    tools:
      Bash: [{output: one plum, exit: 2}, {output: two plums}, {output: never printed, takes: 200s}]
      Read: {output: three plums}
    approve: {Write: {deny: no plums}}
`
	for profile, names := range map[string]string{"full": "Bash Bash Read Bash", "teaching": "bash bash read_file bash"} {
		t.Run(profile, func(t *testing.T) {
			res, events := told(t, strings.Replace(story, "PROFILE", profile, 1), nil)
			require.Empty(t, res.Faults)
			var called []string
			results := ""
			for _, e := range events {
				switch {
				case e.Tool != nil && e.Tool.Phase == "start":
					called = append(called, e.Tool.Name)
				case e.Log != nil:
					results += string(e.Log.Data)
				}
			}
			require.Equal(t, names, strings.Join(called, " "))
			for _, text := range []string{`Exit code 2\none plum`, "two plums", "three plums", "took longer than 2m0s", "no plums"} {
				require.True(t, strings.Contains(results, text), text)
			}
			require.False(t, strings.Contains(results, "command not found"))
		})
	}
}

// TestATranscriptIsNoSessionLog: what the teaching profile keeps of a list that it has summarised lies in the project and
// is no write of the log (H-CMP-51).
func TestATranscriptIsNoSessionLog(t *testing.T) {
	res, events := told(t, `set: {profile: teaching}
steps:
  - prompt: look
    summaries: [{text: All was looked at.}]
    model:
      - {tool_use: {name: compact}}
      - text: Done.
  - prompt: thanks
`, nil)
	require.Empty(t, res.Faults)
	require.Len(t, res.Calls, 4)
	var answers []string
	for _, e := range events {
		if e.Log != nil {
			require.NotContains(t, e.Log.File, ".transcripts")
			require.False(t, e.Log.Replaced)
		}
		if e.Response != nil {
			answers = append(answers, string(e.Response.Body))
		}
	}
	require.Contains(t, answers[2], "Done.", "behind the call that stays the turn goes on with its next answer")
}

// TestATurnGoesOnBehindASummaryOfTheTeachingProfile: with the answers that the story names for it, else with those of the
// turn, and behind each call of the tool compact with the answer that follows it.
func TestATurnGoesOnBehindASummaryOfTheTeachingProfile(t *testing.T) {
	const long = "    fill: {tokens: 48000}\n"
	for name, tc := range map[string]struct {
		step  string
		said  []string
		calls int
	}{
		"its own answers": {long + "    summaries: [{text: S, model: [{text: plums}]}]\n    model: [{text: pears}]\n", []string{"plums"}, 2},
		"those of the turn": {long + "    summaries: [{text: S}]\n    model: [{tool_use: {name: Bash, input: {command: ls}}}, {text: pears}]\n" +
			"    tools: {Bash: {output: ok}}\n", []string{"pears"}, 3},
		"behind the tool, twice": {"    summaries: [{text: S}, {text: T}]\n    model: [{tool_use: {name: compact}}, {text: plums, tool_use: {name: compact}}, {text: pears}]\n",
			[]string{"plums", "pears"}, 5},
	} {
		t.Run(name, func(t *testing.T) {
			res, events := told(t, "set: {profile: teaching}\nsteps:\n  - prompt: go\n"+tc.step, nil)
			require.Empty(t, res.Faults)
			require.Len(t, res.Calls, tc.calls)
			answers := ""
			for _, e := range events {
				if e.Log != nil {
					answers += string(e.Log.Data)
				}
			}
			for _, text := range []string{"plums", "pears"} {
				require.Equal(t, slices.Contains(tc.said, text), strings.Contains(answers, `"text":"`+text+`"`), text)
			}
		})
	}
}
