package run_test

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"harnessbench/conformance/run"
	"harnessbench/conformance/trace"
	"harnessbench/scenarios"
)

// storyOf loads a story that is written out.
func storyOf(t *testing.T, text string, files map[string]string) *scenarios.Scenario {
	t.Helper()
	fsys := fstest.MapFS{"s.yaml": {Data: []byte("story: s\nmodel: claude-sonnet-5-5\n" + text)}}
	for name, data := range files {
		fsys[name] = &fstest.MapFile{Data: []byte(data)}
	}
	sc, err := scenarios.Load(fsys, "s.yaml")
	require.NoError(t, err)
	return sc
}

// told plays one.
func told(t *testing.T, text string, files map[string]string) (*run.Result, []trace.Event) {
	t.Helper()
	sc := storyOf(t, text, files)
	var events []trace.Event
	res, err := run.Story(sc, run.Options{Seed: 1, Listen: []func(trace.Event){func(e trace.Event) { events = append(events, e) }}})
	require.NoError(t, err)
	return res, events
}

// TestACommandThatMustFailAndDoesNotIsAFault: in both directions, and for the wrong reason.
func TestACommandThatMustFailAndDoesNotIsAFault(t *testing.T) {
	for _, tc := range []struct{ name, steps, fault string }{
		{"as the story says", "  - compact: {summary: x}\n    fails: Not enough messages\n", ""},
		{"carried out", "  - prompt: a\n  - compact: {summary: x}\n    fails: Not enough messages\n",
			"step 2: compact was carried out; the story says that it fails: Not enough messages"},
		{"for another reason", "  - compact: {summary: x}\n    fails: too late\n",
			`step 1: compact fails with "Not enough messages to compact.", without "too late"`},
		{"without being told", "  - compact: {summary: x}\n", "step 1: compact: Not enough messages to compact."},
		{"a resume of nobody", "  - prompt: a\n  - exit: true\n  - resume: {session: nobody}\n    fails: nobody\n", ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			res, _ := told(t, "steps:\n"+tc.steps, nil)
			if tc.fault == "" {
				require.Empty(t, res.Faults)
				return
			}
			require.Equal(t, []string{tc.fault}, res.Faults)
		})
	}
}

// TestFilesAreComparedWithWhatTheStoryExpects: each way to differ has its words; what fits is silent.
func TestFilesAreComparedWithWhatTheStoryExpects(t *testing.T) {
	const steps = "files: {a.txt: one, /etc/b: two}\nsteps:\n  - prompt: a\n  - file: {path: c, content: three}\n  - file: {path: a.txt, delete: true}\n"
	for _, tc := range []struct{ name, want, miss string }{
		{"all as they are", `{a.txt: {absent: true}, /etc/b: two, c: {contains: [th, ree]}}`, ""},
		{"another content", `{c: four}`, `files.c: expected "four", it holds "three"`},
		{"a text that is not there", `{c: {contains: four}}`, `files.c: expected "four" in it, it holds "three"`},
		{"there against the word", `{c: {absent: true}}`, "files.c: expected no such file, it is there"},
		{"missing", `{a.txt: one}`, "files.a.txt: expected a file: "},
	} {
		t.Run(tc.name, func(t *testing.T) {
			res, _ := told(t, steps+"expect: {files: "+tc.want+"}\n", nil)
			require.Empty(t, res.Faults)
			if tc.miss == "" {
				require.Empty(t, res.Expect)
				return
			}
			require.Len(t, res.Expect, 1)
			require.Contains(t, res.Expect[0], tc.miss)
		})
	}
}

// TestNoticesAreExpectedByTheirText: what was said is found, what was not is missed with what there was.
func TestNoticesAreExpectedByTheirText(t *testing.T) {
	const line = `{"type":"user","uuid":"00000001-0000-4000-8000-000000000000","parentUuid":null,"sessionId":"5e551011-0000-4000-8000-000000000001",` +
		`"timestamp":"2026-11-29T10:00:00.000Z","message":{"role":"user","content":"a"}}` + "\n"
	story := "log: l.jsonl\nsteps:\n  - resume: true\n  - prompt: b\nexpect: {notices: [TEXT]}\n"
	for text, missed := range map[string]bool{"no JSON object": false, "all is well": true} {
		res, _ := told(t, strings.Replace(story, "TEXT", text, 1), map[string]string{"l.jsonl": line + `{"torn`})
		require.Empty(t, res.Faults)
		require.Equal(t, missed, len(res.Expect) > 0, "%v", res.Expect)
		if missed {
			require.Contains(t, res.Expect[0], `notices: the harness never said "all is well"; it said [`)
		}
	}
}

// A request that the server refuses for good breaks a story that says nothing of it; one that says so, and one that plans
// the fault, hold.
func TestARefusalIsSaidOrBreaksTheStory(t *testing.T) {
	const prompt = "steps:\n  - prompt: hi\n    model:\n      - {blocks: [{text: A.}, {server_tool_use: {name: web_search, input: {query: q}}}], stop_reason: pause_turn}\n      - text: B.\n"
	res, _ := told(t, prompt, nil)
	require.Len(t, res.Expect, 1)
	require.Contains(t, res.Expect[0], "refused: the server refused call 1.2, which the story does not say: invalid_request_error: ")
	other, err := run.Story(storyOf(t, prompt, nil), run.Options{Seed: 1, Model: "claude-haiku-4-5"})
	require.NoError(t, err)
	require.Len(t, other.Expect, 1, "on another model too")
	res, _ = told(t, prompt+"expect: {refused: [1.2]}\n", nil)
	require.Empty(t, res.Expect)
	res, _ = told(t, "steps:\n  - prompt: hi\n    model: [{text: A.}]\n    faults: [{call: 1, do: refuse, status: 400}]\n", nil)
	require.Equal(t, 400, res.Calls[0].Status)
	require.Empty(t, res.Expect)
}

// TestAPlannedKillEndsTheProcessAndNotTheStory: the next process goes on, and the trace tells of the kill.
func TestAPlannedKillEndsTheProcessAndNotTheStory(t *testing.T) {
	for _, phase := range []string{"before_answer", "thinking", "text", "tool_input", "tool"} {
		t.Run(phase, func(t *testing.T) {
			res, events := told(t, "steps:\n  - prompt: a\n    model: [{thinking: x, text: y, tool_use: {name: Bash, input: {command: z}}}, {text: w}]\n"+
				"    tools: {Bash: {output: v}}\n    kill: "+phase+"\n  - resume: true\n  - rewind: {to: step 1}\n  - prompt: b\n", nil)
			require.Empty(t, res.Faults)
			require.False(t, res.Killed, "the story's own kill is no kill of the run")
			var ops []string
			for _, e := range events {
				if e.Op != nil {
					ops = append(ops, e.Op.Name)
				}
			}
			require.Equal(t, []string{"prompt", "kill", "resume", "rewind", "prompt"}, ops)
		})
	}
}

// TestPromptsAreFoundInAFork: a rewind names a step, whose entry has another uuid in a copy, and in a copy of a copy.
func TestPromptsAreFoundInAFork(t *testing.T) {
	res, _ := told(t, "steps:\n  - prompt: apple\n  - prompt: banana\n  - title: one\n  - fork: {title: two}\n  - rewind: {to: step 2}\n  - prompt: cherry\n  - fork: {title: three}\n"+
		"  - rewind: {to: step 1}\n  - prompt: damson\n  - exit: true\n  - resume: {session: one}\n  - rewind: {to: step 2}\n  - prompt: elder\nexpect: {present: [apple, elder], absent: [banana, cherry, damson]}\n", nil)
	require.Empty(t, res.Faults)
	require.Empty(t, res.Expect)
}
