package run_test

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"harnessbench/conformance/run"
	"harnessbench/scenarios"
)

// between plays two prompts, something, and a third prompt; the calls before and behind it come back.
func between(t *testing.T, what string) (before, after run.Call, notices []string) {
	t.Helper()
	story := "story: s\nmodel: claude-sonnet-5\nmemory: Use tabs.\nfiles: {main.go: package main}\nsteps:\n" +
		"  - prompt: one\n    model: [{text: A first answer., fill: {tokens: 3000}}]\n" +
		"  - prompt: two\n    model: [{text: A second answer.}]\n" + what +
		"  - prompt: three\n    model: [{text: A third answer.}]\n"
	sc, err := scenarios.Load(fstest.MapFS{"s.yaml": {Data: []byte(story)}}, "s.yaml")
	require.NoError(t, err)
	res, err := run.Story(sc, run.Options{Seed: 1})
	require.NoError(t, err)
	require.Empty(t, res.Faults)
	return res.Calls[1], res.Calls[len(res.Calls)-1], res.Notices
}

// Edits of files and of the memory file, the permission mode and what belongs beside the conversation keep the whole
// prefix (H-CACHE-23).
func TestWhatKeepsTheCache(t *testing.T) {
	for name, what := range map[string]string{
		"nothing":          "",
		"a file edited":    "  - file: {path: main.go, content: package other}\n",
		"CLAUDE.md edited": "  - file: {path: CLAUDE.md, content: Use blanks.}\n",
		"permission mode":  "  - mode: acceptEdits\n",
		"plan mode":        "  - mode: plan\n",
		"a question aside": "  - btw: {question: what is it?, answer: That.}\n",
		"a report":         "  - context: true\n",
		"a title":          "  - title: work\n",
		"a pause":          "  - wait: 50m\n",
		"exit and resume":  "  - exit: true\n  - resume: true\n",
		"another life":     "  - set: {cache.ttl: 5m}\n", // latched: it changes with the next session
	} {
		t.Run(name, func(t *testing.T) {
			before, after, notices := between(t, what)
			assert.GreaterOrEqual(t, after.Usage.Read, before.Usage.Read+before.Usage.Write) // a question aside may write more
			assert.NotContains(t, strings.Join(notices, "\n"), "Cache break")
		})
	}
}

// A rewind keeps what stands before the prompt taken back (H-CACHE-23, H-CACHE-3).
func TestARewindKeepsTheSharedPrefix(t *testing.T) {
	before, after, notices := between(t, "  - rewind: {to: step 2}\n")
	assert.Positive(t, after.Usage.Read)
	assert.Equal(t, before.Usage.Read, after.Usage.Read, "all but the prompt")
	assert.Empty(t, notices, "nothing was lost that was there")
}

// The model, the effort, other thinking, a compaction and the pause that is too long cost the prefix, down to the level
// that hangs on them (H-CACHE-23, H-CACHE-2).
func TestWhatBreaksTheCache(t *testing.T) {
	for name, c := range map[string]struct {
		what   string
		all    bool   // system and tools too
		notice string // "" for a drop that was to be expected
	}{
		"model":      {"  - use: {model: claude-sonnet-4-6}\n", true, ""},
		"effort":     {"  - use: {model: claude-sonnet-5, effort: low}\n", true, ""}, // on this model (messages-api.md 5.7)
		"thinking":   {"  - set: {thinking: off}\n", true, "Changed: effort or thinking"},
		"compaction": {"  - compact: {summary: They said two things.}\n", false, ""},
		"a pause":    {"  - wait: 61m\n", true, ""},
		"clear":      {"  - clear: true\n", false, ""},
	} {
		t.Run(name, func(t *testing.T) {
			before, after, notices := between(t, c.what)
			assert.Less(t, after.Usage.Read, before.Usage.Read+before.Usage.Write)
			assert.Equal(t, c.all, after.Usage.Read == 0)
			told := strings.Join(notices, "\n")
			if c.notice == "" {
				assert.NotContains(t, told, "Cache break")
			} else {
				assert.Contains(t, told, c.notice)
			}
		})
	}
}
