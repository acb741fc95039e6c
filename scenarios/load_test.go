package scenarios

import (
	"errors"
	"io/fs"
	"os"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
)

func load(t *testing.T, text string) (*Scenario, error) {
	t.Helper()
	return Load(fstest.MapFS{"x.yaml": {Data: []byte(text)}}, "x.yaml")
}

func TestTheRewindStoryLoadsInFull(t *testing.T) {
	got, err := Load(os.DirFS("."), "rewind.yaml")
	require.NoError(t, err)
	five, two := 5, 2
	want := &Scenario{
		Name: "rewind", File: "rewind.yaml", Model: "claude-sonnet-5-5",
		Story: "Ask, let a tool run, ask again, take the second question back, ask another. " +
			"The abandoned branch must leave the payload, and the shared prefix must still hit.",
		Steps: []Step{
			{Number: 1, Line: 7, Prompt: &Prompt{
				Text: "which test fails?",
				Model: []Answer{
					{Blocks: []Block{
						{Kind: "thinking", Text: "run the tests first"},
						{Kind: "text", Text: "Running the tests."},
						{Kind: "tool_use", Name: "Bash", Input: []byte(`{"command":"make test"}`)},
					}},
					{Blocks: []Block{{Kind: "text", Text: "TestLogin fails."}}},
				},
				Tools: map[string][]ToolResult{"Bash": {{Output: "--- FAIL: TestLogin", Exit: 2}}},
			}},
			{Number: 2, Line: 15, Prompt: &Prompt{Text: "fix it", Model: []Answer{{Blocks: []Block{{Kind: "text", Text: "Fixed."}}}}}},
			{Number: 3, Line: 17, Rewind: &Rewind{To: 2, Restore: "conversation"}},
			{Number: 4, Line: 18, Prompt: &Prompt{Text: "explain it instead", Model: []Answer{{Blocks: []Block{{Kind: "text", Text: "The stub returns the wrong type."}}}}}},
			{Number: 5, Line: 20, Wait: &Wait{Name: "past_cache_life"}},
			{Number: 6, Line: 21, Prompt: &Prompt{Text: "thanks", Model: []Answer{{Blocks: []Block{{Kind: "text", Text: "You are welcome."}}}}}},
		},
		Expect: Expect{Calls: &five, Leaves: &two, ReadsAt: []string{"1.2", "2.1", "4.1"}, ColdAt: []string{"1.1", "6.1"}, CheckAt: map[string]Place{}},
	}
	require.Empty(t, cmp.Diff(want, got))
}

func TestASessionCanBeLeftAndGoneOnWithBehindAClear(t *testing.T) {
	for _, steps := range []string{
		"  - prompt: a\n  - clear: true\n  - exit: true\n  - resume: true\n",
		"  - clear: true\n  - exit: true\n  - resume: true\n",
	} {
		_, err := load(t, "story: s\nmodel: claude-sonnet-5\nsteps:\n"+steps)
		require.NoError(t, err)
	}
}

func TestTextsThatAreFilledToSoManyTokens(t *testing.T) {
	got, err := load(t, `story: s
model: claude-sonnet-5
steps:
  - prompt: go
    fill: {tokens: 379}
    model: [{tool_use: {name: Bash}}, {text: b}]
    tools: {Bash: {output: "", fill: {tokens: 50803}}}
`)
	require.NoError(t, err)
	p := got.Steps[0].Prompt
	require.Equal(t, "", p.Fill)
	require.Equal(t, 379, p.FillTokens)
	require.Equal(t, 50803, p.Tools["Bash"][0].FillTokens)
}

func TestEverythingAStoryCanSayIsRead(t *testing.T) {
	got, err := load(t, `story: all of it
model: claude-sonnet-5
set: {cache.ttl: 5m, volatile.place: tail, inject.time: on, thinking: off}
memory: |
  Use tabs.
steps:
  - prompt: go
    fill: over_window
    interrupt: tool
    model:
      - thinking: [a, b]
        text: [c]
        tool_use:
          - {name: Read, input: {z: 1, a: {y: [1.10, 0x1F, null, true, "<&>"], b: ~}}}
          - {name: Bash}
        stop_reason: tool_use
        latency: 1m30s
    tools:
      Read: [{output: ""}]
      Bash:
        - {output: x, error: true, takes: 250ms}
  - clear: true
  - set: {inject.time: off}
  - wait: 90s
  - exit: true
  - wait: one_day
  - resume: true
expect:
  calls: 0
  refused: [1.1]
  present: [x]
  absent: [y]
  checks: {CACHE-1: held, BILL: unknown}
`)
	require.NoError(t, err)
	require.Equal(t, map[string]string{"cache.ttl": "5m", "volatile.place": "tail", "inject.time": "on", "thinking": "off"}, got.Set)
	require.Equal(t, "Use tabs.\n", got.Memory)
	p := got.Steps[0].Prompt
	require.Equal(t, "over_window", p.Fill)
	require.Equal(t, "tool", p.Interrupt)
	a := p.Model[0]
	require.Equal(t, 90*time.Second, a.Latency)
	require.Equal(t, "tool_use", a.StopReason)
	var kinds, inputs []string
	for _, b := range a.Blocks {
		kinds = append(kinds, b.Kind)
		inputs = append(inputs, string(b.Input))
	}
	require.Equal(t, []string{"thinking", "thinking", "text", "tool_use", "tool_use"}, kinds)
	require.Equal(t, []string{"", "", "", `{"z":1,"a":{"y":[1.10,31,null,true,"<&>"],"b":null}}`, "{}"}, inputs)
	require.Equal(t, []ToolResult{{Output: ""}}, p.Tools["Read"])
	require.Equal(t, []ToolResult{{Output: "x", Error: true, Takes: 250 * time.Millisecond}}, p.Tools["Bash"])
	require.Equal(t, &Clear{}, got.Steps[1].Clear)
	require.Equal(t, map[string]string{"inject.time": "off"}, got.Steps[2].Set)
	require.Equal(t, &Wait{Name: "90s", Duration: 90 * time.Second}, got.Steps[3].Wait)
	require.True(t, got.Steps[4].Exit)
	require.Equal(t, &Wait{Name: "one_day"}, got.Steps[5].Wait)
	require.Equal(t, &Resume{}, got.Steps[6].Resume)
	require.Equal(t, 0, *got.Expect.Calls)
	require.Nil(t, got.Expect.Leaves)
	require.Equal(t, []string{"1.1"}, got.Expect.Refused)
	require.Equal(t, []string{"x"}, got.Expect.Texts)
	require.Equal(t, []string{"y"}, got.Expect.Absent)
	require.Equal(t, map[string]string{"CACHE-1": "held", "BILL": "unknown"}, got.Expect.Checks)
}

func TestACallKeepsItsWrittenDigits(t *testing.T) {
	got, err := load(t, head+"  - {prompt: a}\nexpect: {refused: [1.10]}\n")
	require.NoError(t, err)
	require.Equal(t, []string{"1.10"}, got.Expect.Refused)
}

func TestPatternsNameFilesDirectoriesAndGroups(t *testing.T) {
	ok := []byte(head + "  - {prompt: a}\n")
	fsys := fstest.MapFS{
		"s/b.yaml": {Data: ok}, "s/a.yaml": {Data: ok}, "s/schema.json": {Data: []byte("{}")},
		"t/c.yaml": {Data: ok}, "empty/readme": {Data: nil}, "bad/x.yaml": {Data: []byte("a: 1\n")}, "bad/y.yaml": {Data: []byte("b: 1\n")},
	}
	for _, tc := range []struct {
		name     string
		patterns []string
		want     []string
	}{
		{"a directory, sorted", []string{"s"}, []string{"s/a.yaml", "s/b.yaml"}},
		{"a directory with slash and dot", []string{"./s/"}, []string{"s/a.yaml", "s/b.yaml"}},
		{"a pattern", []string{"*/[bc].yaml"}, []string{"s/b.yaml", "t/c.yaml"}},
		{"a file, then its directory: each once", []string{"s/b.yaml", "s"}, []string{"s/b.yaml", "s/a.yaml"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			all, err := LoadAll(fsys, tc.patterns...)
			require.NoError(t, err)
			var files []string
			for _, s := range all {
				files = append(files, s.File)
			}
			require.Equal(t, tc.want, files)
		})
	}
	for pattern, want := range map[string]string{
		"none":   "none: cannot be read: file does not exist; a story file, a directory of them, or a pattern such as scenarios/*.yaml",
		"empty":  "empty: names no story; a story file, a directory that holds *.yaml files, or a pattern such as scenarios/*.yaml",
		"q*.yam": "q*.yam: names no story; a story file, a directory that holds *.yaml files, or a pattern such as scenarios/*.yaml",
		"[":      "[: is no pattern: syntax error in pattern; a pattern such as scenarios/*.yaml",
	} {
		_, err := LoadAll(fsys, pattern)
		require.EqualError(t, err, want)
	}
	_, err := LoadAll(fsys, "bad")
	require.ErrorContains(t, err, "bad/x.yaml:1:1: ")
	require.ErrorContains(t, err, "bad/y.yaml:1:1: ", "faults of all files come together")
}

func TestAMissingFileIsATypedError(t *testing.T) {
	_, err := Load(fstest.MapFS{}, "no.yaml")
	var one *Error
	require.True(t, errors.As(err, &one))
	require.Equal(t, "no.yaml", one.File)
	require.Zero(t, one.Line)
}

func TestEveryShippedStoryLoadsAndNamesTheSchema(t *testing.T) {
	all, err := LoadAll(os.DirFS("."), ".")
	require.NoError(t, err)
	require.GreaterOrEqual(t, len(all), 8)
	for _, s := range all {
		data, err := fs.ReadFile(os.DirFS("."), s.File)
		require.NoError(t, err)
		require.True(t, strings.HasPrefix(string(data), "# yaml-language-server: $schema=./scenario.schema.json\n"), s.File)
		require.NotEmpty(t, s.Expect.Calls, s.File)
	}
}
