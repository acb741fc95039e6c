package tool

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"harnessbench/internal/wire"
)

func read(input string) Call { return Full().Check("t", ReadName, []byte(input), none) }

// Numbers, ranges, empty files and offsets beyond the end (H-TOOL-10, H-TOOL-12).
func TestReadResults(t *testing.T) {
	for _, c := range []struct {
		input string
		raw   Raw
		want  string
	}{
		{`{"file_path":"/a"}`, Raw{Output: "x\ny\n"}, "1\tx\n2\ty"},
		{`{"file_path":"/a"}`, Raw{Output: "x\ny"}, "1\tx\n2\ty"},
		{`{"file_path":"/a"}`, Raw{Output: "\n"}, "1\t"},
		{`{"file_path":"/a"}`, Raw{Output: "\n\n"}, "1\t\n2\t"},
		{`{"file_path":"/a","offset":2,"limit":2}`, Raw{Output: "a\nb\nc\nd"}, "2\tb\n3\tc"},
		{`{"file_path":"/a","offset":4,"limit":9}`, Raw{Output: "a\nb\nc\nd"}, "4\td"},
		{`{"file_path":"/a","offset":3}`, Raw{Output: "a\nb"}, "<system-reminder>\nWarning: the file has 2 lines; line 3 is beyond its end.\n</system-reminder>"},
		{`{"file_path":"/a"}`, Raw{}, "<system-reminder>Warning: the file exists but the contents are empty.</system-reminder>"},
		{`{"file_path":"/a"}`, Raw{Output: "No such file: /a", IsError: true}, "No such file: /a"},
	} {
		call := read(c.input)
		got := call.Result(c.raw, "")
		assert.Equal(t, c.want, got.Text, c.input)
		assert.Equal(t, c.raw.IsError, got.IsError)
	}
}

// The structured results of Read (H-TOOL-16): lines in the file's own bytes.
func TestReadStructured(t *testing.T) {
	call := read(`{"file_path":"/a","offset":2,"limit":1}`)
	assert.Equal(t, `{"type":"text","file":{"filePath":"/a","content":"b\n","numLines":1,"startLine":2,"totalLines":3}}`,
		string(call.Result(Raw{Output: "a\nb\nc\n"}, "").Structured))
	assert.Equal(t, `{"type":"file_unchanged","file":{"filePath":"/a"}}`, string(call.Unchanged(false).Structured))
	assert.Equal(t, `{"type":"file_unchanged","file":{"filePath":"/a"},"source":"seeded"}`, string(call.Unchanged(true).Structured))
	assert.True(t, strings.HasPrefix(call.Unchanged(false).Text, "File unchanged since last read."))
	image := call.Result(Raw{Output: "\x89PNG", Media: "image/png"}, "")
	assert.Equal(t, `[{"type":"image","source":{"type":"base64","media_type":"image/png","data":"iVBORw=="}}]`, string(image.Content))
	assert.Equal(t, `{"type":"image","file":{"base64":"iVBORw==","type":"image/png","originalSize":4}}`, string(image.Structured))
}

// A whole file above the limit gives its first part and a notice, a range above it an error, one of just as many tokens is
// shown (H-TOOL-11).
func TestLongFilesAreShownInPart(t *testing.T) {
	line := strings.Repeat("x", 97) + "\n" // 100 bytes with number and tab, for numbers of one digit
	var b strings.Builder
	for i := 1; b.Len()+i < 90_000; i++ {
		b.WriteString(line)
	}
	call := read(`{"file_path":"/a"}`)
	assert.NotContains(t, call.Result(Raw{Output: b.String()}, "").Text, "PARTIAL view")
	most := call.Result(Raw{Output: strings.Repeat("x", 4*MaxReadTokens-len("1\t"))}, "")
	assert.NotContains(t, most.Text, "PARTIAL view", "just as many")
	over := call.Result(Raw{Output: strings.Repeat("x", 4*MaxReadTokens-len("1\t")+1)}, "")
	assert.Contains(t, over.Text, "PARTIAL view")
	long := strings.Repeat(line, 3000)
	got := call.Result(Raw{Output: long}, "")
	require.False(t, got.IsError)
	shown, notice, _ := strings.Cut(got.Text, "\n<system-reminder>\n")
	assert.LessOrEqual(t, len(shown), 4*MaxReadTokens)
	assert.Greater(t, len(shown), 4*MaxReadTokens-200)
	last := strings.Count(shown, "\n") + 1
	assert.Equal(t, fmt.Sprintf("PARTIAL view: /a is too long for one Read; these are lines 1 to %d of 3000. "+
		"Go on with offset %d and a limit, or search the file.\n</system-reminder>", last, last+1), notice)
	v, err := wire.ParseValue(got.Structured)
	require.NoError(t, err)
	assert.Equal(t, FirstPart(long), v.Get("file").Get("content").Text())

	ranged := read(`{"file_path":"/a","offset":1,"limit":2000}`)
	got = ranged.Result(Raw{Output: long}, "")
	assert.True(t, got.IsError)
	assert.Contains(t, got.Text, "ask for fewer with offset and limit")
	one := call.Result(Raw{Output: strings.Repeat("ü", 100_000)}, "")
	assert.Contains(t, one.Text, "the first 99998 bytes of line 1 of 1")
}

// Images are told by their bytes; PDF files and binary ones are left to commands (H-TOOL-16).
func TestKindsOfFiles(t *testing.T) {
	for data, want := range map[string]string{
		"\x89PNG\r\n\x1a\nx": "image/png", "\xff\xd8\xff\xe0": "image/jpeg", "GIF89a..": "image/gif", "RIFF1234WEBPx": "image/webp",
		"RIFF": "", "text": "", "": "",
	} {
		assert.Equal(t, want, MediaType([]byte(data)), data)
	}
	assert.Contains(t, Unreadable("/a.pdf", []byte("%PDF-1.7")), "pdftotext")
	assert.Contains(t, Unreadable("/a.o", []byte("a\x00b")), "is no text (o)")
	assert.Empty(t, Unreadable("/a", []byte("caf\xe9")))
	assert.Equal(t, "caf\uFFFD\uFFFD", Text([]byte("caf\xe9\xe9")))
}

func editCall(old, new string, all bool) Call {
	return Full().Check("t", EditName, fmt.Appendf(nil, `{"file_path":"/a","old_string":%q,"new_string":%q,"replace_all":%t}`, old, new, all), none)
}

// Edit: exactly once unless replace_all, exact match, and what a change on disk allows (H-TOOL-21).
func TestEdits(t *testing.T) {
	for _, c := range []struct {
		old, new string
		all      bool
		text     string
		changed  bool
		after    string
		fault    string
	}{
		{"b", "c", false, "a b", false, "a c", ""},
		{"b", "c", false, "b b", false, "", "old_string has 2 matches in /a"},
		{"b", "c", true, "b b", false, "c c", ""},
		{"b", "c", false, "a", false, "", "old_string was not found in /a"},
		{"b\n", "c\n", false, "b\r\n", false, "", "was not found"},
		{"b", "c", false, "a b", true, "a c", ""},
		{"b", "c", true, "b b", true, "", Changed},
		{"b", "c", false, "a", true, "", Changed},
	} {
		call := editCall(c.old, c.new, c.all)
		require.Empty(t, call.Refusal)
		after, fault := call.Edited(c.text, c.changed)
		assert.Equal(t, c.after, after)
		assert.Contains(t, fault, c.fault)
		assert.Equal(t, c.fault == "", fault == "", fault)
	}
	assert.Contains(t, editCall("", "x", false).Refusal, "old_string of Edit is empty")
	assert.Contains(t, editCall("x", "x", false).Refusal, "are the same")
	assert.Contains(t, Full().Check("t", WriteName, []byte(`{"file_path":"a","content":""}`), none).Refusal, "must be an absolute path")
}

// What an Edit tells: the changed lines with their numbers, and the patch (H-TOOL-21).
func TestEditResult(t *testing.T) {
	call := editCall("five", "FIVE\nmore", false)
	before := "one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nnine"
	after, _ := call.Edited(before, false)
	raw := call.EditRaw(before, after, false)
	assert.Equal(t, "Updated /a. The changed lines now read:\n2\ttwo\n3\tthree\n4\tfour\n5\tFIVE\n6\tmore\n7\tsix\n8\tseven\n9\teight", raw.Output)
	assert.Equal(t, `{"filePath":"/a","oldString":"five","newString":"FIVE\nmore","originalFile":"one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nnine",`+
		`"structuredPatch":[{"oldStart":2,"oldLines":7,"newStart":2,"newLines":8,"lines":[" two"," three"," four","-five","+FIVE","+more"," six"," seven"," eight"]}],`+
		`"userModified":false,"replaceAll":false}`, string(raw.Structured))
	assert.Contains(t, call.EditRaw(before, after, true).Output, "had changed on disk since it was read")
}

// What a Write tells (H-TOOL-20).
func TestWriteResult(t *testing.T) {
	call := Full().Check("t", WriteName, []byte(`{"file_path":"/a","content":"x\ny\n"}`), none)
	made := call.WriteRaw("", true)
	assert.Equal(t, "Created /a.", made.Output)
	assert.Equal(t, `{"type":"create","filePath":"/a","content":"x\ny\n","structuredPatch":[],"originalFile":null}`, string(made.Structured))
	over := call.WriteRaw("x\nz", false)
	assert.Equal(t, "Updated /a.", over.Output)
	assert.Equal(t, `{"type":"update","filePath":"/a","content":"x\ny\n","structuredPatch":[{"oldStart":1,"oldLines":2,"newStart":1,"newLines":2,`+
		`"lines":[" x","-z","\\ No newline at end of file","+y"]}],"originalFile":"x\nz"}`, string(over.Structured))
}

// Changes that lie apart are hunks of their own; near ones share one. Applying a patch gives the new text.
func TestHunks(t *testing.T) {
	text := func(changed ...int) string {
		var b strings.Builder
		for i := 1; i <= 40; i++ {
			mark := ""
			for _, c := range changed {
				if c == i {
					mark = "!"
				}
			}
			fmt.Fprintf(&b, "line %d%s\n", i, mark)
		}
		return b.String()
	}
	starts := func(list []hunk) (out []int) {
		for _, h := range list {
			out = append(out, h.oldStart, h.oldLines)
		}
		return out
	}
	assert.Empty(t, hunks(text(), text()))
	assert.Equal(t, []int{1, 4, 17, 7, 37, 4}, starts(hunks(text(), text(1, 20, 40))))
	assert.Equal(t, []int{7, 14}, starts(hunks(text(), text(10, 17))))
	assert.Equal(t, []int{7, 7, 15, 7}, starts(hunks(text(), text(10, 18))))
	for _, after := range []string{"", "a\n", text(1, 2, 3, 20, 40), "line 1\nnew\n" + text(), text(5) + "tail"} {
		assert.Equal(t, after, apply(text(), hunks(text(), after)))
		assert.Equal(t, text(), apply(after, hunks(after, text())))
	}
}

// apply carries a patch out, the way a reader of the log would.
func apply(before string, list []hunk) string {
	old := lines(before)
	var b strings.Builder
	at := 0
	for _, h := range list {
		start := max(h.oldStart-1, 0)
		b.WriteString(strings.Join(old[at:start], ""))
		for i, line := range h.lines {
			if line[0] == '\\' || line[0] == '-' {
				continue
			}
			b.WriteString(line[1:])
			if i+1 == len(h.lines) || h.lines[i+1][0] != '\\' {
				b.WriteByte('\n')
			}
		}
		at = start + h.oldLines
	}
	b.WriteString(strings.Join(old[at:], ""))
	return b.String()
}
