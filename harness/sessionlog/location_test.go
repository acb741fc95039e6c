package sessionlog

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestSlugs(t *testing.T) {
	for cwd, want := range map[string]string{
		"/Users/foo/myapp":    "-Users-foo-myapp",
		"/w/a_b.c d":          "-w-a-b-c-d",
		"/w/größe":            "-w-gr--e",
		"/w/gro\u0308\u00dfe": "-w-gr--e", // the same name decomposed
	} {
		assert.Equal(t, want, Slug(cwd))
	}
	long := "/" + strings.Repeat("a", 199)
	assert.Equal(t, "-"+strings.Repeat("a", 199), Slug(long), "200 characters stay")
	cut := Slug(long + "b")
	assert.True(t, strings.HasPrefix(cut, "-"+strings.Repeat("a", 199)+"-"))
	assert.Regexp(t, `^[0-9a-z]+$`, cut[201:])
	assert.Equal(t, "to5x38", pathHash("hello world"))
	assert.Equal(t, "zik0zk", pathHash("polygenelubricants"), "the smallest 32-bit number")
}

func TestSessionFilesAreNamedByUUID(t *testing.T) {
	for name, ok := range map[string]bool{
		"0794013f-1111-4111-8111-0123456789ab.jsonl": true,
		"0794013F-1111-4111-8111-0123456789AB.jsonl": true,
		"0794013f-1111-4111-8111-0123456789ab.json":  false,
		"0794013f-1111-4111-8111-0123456789a.jsonl":  false,
		"agent-a6d2dff4694d3c661.jsonl":              false,
		"0794013f-1111-4111-8111-0123456789ag.jsonl": false,
		"0794013f-1111-4111-8111_0123456789ab.jsonl": false,
	} {
		_, got := SessionOf(name)
		assert.Equal(t, ok, got, name)
	}
	assert.Equal(t, "/c/projects/-w/x/frozen.json", FrozenFile(Dir("/c", "/w", ""), "x"))
}

// Where sessions and what lies beside them are kept (H-LOG-1, H-LOG-4, H-LOG-6, H-LOG-36).
func TestLocations(t *testing.T) {
	env := map[string]string{"CLAUDE_CODE_PROJECT_DIR_NAME": "mine"}
	get := func(name string) string { return env[name] }
	config, name := Locate(get, "/home/u")
	assert.Equal(t, []string{"/home/u/.claude", ""}, []string{config, name}, "the name needs a directory set on purpose")
	env["CLAUDE_CONFIG_DIR"] = "/c"
	config, name = Locate(get, "/home/u")
	assert.Equal(t, []string{"/c", "mine"}, []string{config, name})
	dir := Dir(config, "/w", name)
	assert.Equal(t, "/c/projects/mine", dir)
	assert.Equal(t, "/c/projects/mine/s/tool-results", ToolResults(dir, "s"))
	assert.Equal(t, "/c/projects/mine/s/subagents/agent-a1.jsonl", AgentFile(dir, "s", "a1"))
	assert.Equal(t, "/c/projects/mine/s/subagents/agent-a1.meta.json", AgentMeta(dir, "s", "a1"))
	assert.Equal(t, "/c/projects/mine/memory", Memory(dir))
	assert.Equal(t, "/c/file-history/s", FileHistory(config, "s"))
	assert.Equal(t, "/c/plans", Plans(config))

	for name, ok := range map[string]bool{"": true, "a-B_9": true, strings.Repeat("x", 64): true, strings.Repeat("x", 65): false, "a/b": false, "a.b": false, "\u00e9": false} {
		assert.Equal(t, ok, CheckDirName(name) == nil, name)
	}
}
