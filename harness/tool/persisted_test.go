package tool

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"

	"harnessbench/harness/sessionlog"
)

// The layout of a spilled result, of the length the rule gives (H-TOOL-2, H-TOOL-70, H-TOOL-73, H-TOOL-30).
func TestPersistedOutput(t *testing.T) {
	var b strings.Builder
	for i := 1; i <= 20_000; i++ {
		fmt.Fprintln(&b, i)
	}
	call := bash("seq 1 20000")
	raw := Raw{Output: b.String()}
	r := call.Result(raw, "b1")
	assert.True(t, call.TooLong(&r))
	call.Persist(&r, raw, r.Full, "/s/b00000001.txt")
	head := b.String()[:strings.LastIndexByte(b.String()[:2000], '\n')]
	assert.Equal(t, "<persisted-output>\nOutput too large (106.3KB). Full output saved to: /s/b00000001.txt\n\nPreview (first 2KB):\n"+
		head+"\n...\n</persisted-output>\n[rerun: b1]", r.Whole())
	assert.False(t, call.Spillable(&r), "not twice")
	assert.Contains(t, string(r.Structured), `{"stdout":`+string(sessionlog.Quote(head))+`,`)
	assert.Contains(t, string(r.Structured), `"persistedOutputPath":"/s/b00000001.txt","persistedOutputSize":108894}`)
}

// Spilled only when the limit is exceeded; Read, images and errors never (H-TOOL-15, H-TOOL-28, H-TOOL-71, H-TOOL-75).
func TestWhatIsTooLong(t *testing.T) {
	long := func(n int) Raw { return Raw{Output: strings.Repeat("ü", n)} }
	web := Full().Check("t", "WebFetch", []byte(`{"url":"u","prompt":"p"}`), none)
	cmd, file := bash("make"), read(`{"file_path":"/a"}`)
	failed := long(60_000)
	failed.IsError = true
	image := Raw{Output: strings.Repeat("x", 60_000), Media: "image/png"}
	for _, c := range []struct {
		call *Call
		raw  Raw
		want bool
	}{
		{&cmd, long(30_000), false}, {&cmd, long(30_001), true},
		{&web, long(50_000), false}, {&web, long(50_001), true},
		{&file, long(60_000), false}, {&file, image, false},
		{&web, failed, false}, {&cmd, failed, false},
	} {
		r := c.call.Result(c.raw, "b1")
		assert.Equal(t, c.want, c.call.TooLong(&r), "%s %d", c.call.Name, len(c.raw.Output))
	}
}

// A preview ends at the last line feed past its half, else at 2,000 bytes or the character before them (H-TOOL-73).
func TestPreview(t *testing.T) {
	for _, c := range []struct {
		text string
		want int
	}{
		{strings.Repeat("x", 1500) + "\n" + strings.Repeat("x", 1500), 1500},
		{strings.Repeat("x", 999) + "\n" + strings.Repeat("x", 2000), 2000},
		{strings.Repeat("x", 1999) + strings.Repeat("ü", 100), 1999},
		{"short", 5},
	} {
		assert.Len(t, preview(c.text), c.want)
	}
}

// One line of a megabyte, a character across the cut at each of its bytes, and bytes that are no text: the preview is
// text within its limit, what is saved is the output as it came (H-TOOL-73; bugs o-preview-unbounded-lines,
// o-surrogate-cut-in-preview, o-surrogate-from-tool, o-nul-truncates-body).
func TestPreviewsOfOddOutput(t *testing.T) {
	call := bash("make")
	for _, out := range []string{
		strings.Repeat("x", 1<<20), strings.Repeat("x", 1997) + strings.Repeat("\U0001F3B8", 30_000),
		strings.Repeat("x", 1998) + strings.Repeat("\U0001F3B8", 30_000), strings.Repeat("x", 1999) + strings.Repeat("\U0001F3B8", 30_000),
		strings.Repeat("\x00\xed\xa0\xbc", 20_000), strings.Repeat("\x80", 40_000),
	} {
		raw := Raw{Output: out}
		r := call.Result(raw, "b1")
		assert.True(t, call.TooLong(&r))
		assert.Equal(t, out, r.Full)
		call.Persist(&r, raw, r.Full, "/f")
		assert.True(t, utf8.ValidString(r.Text))
		assert.Less(t, len(r.Text), 2200)
		assert.True(t, utf8.Valid(r.Structured))
	}
	short := call.Result(Raw{Output: "a\xff\xffb"}, "b1")
	assert.Equal(t, "a\uFFFD\uFFFDb", short.Text)
}
