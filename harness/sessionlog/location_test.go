package sessionlog

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestSlugs(t *testing.T) {
	for cwd, want := range map[string]string{
		"/Users/foo/myapp": "-Users-foo-myapp",
		"/w/a_b.c d":       "-w-a-b-c-d",
		"/w/größe":         "-w-gr--e",
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
	assert.Equal(t, "/c/projects/-w/x/frozen.json", FrozenFile(Dir("/c", "/w"), "x"))
}
