package tool

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"harnessbench/harness/sessionlog"
)

// MaxMessageChars is how many characters the results of one answer may have together (H-TOOL-71).
const MaxMessageChars = 200_000

// previewBytes is how much of a spilled result is shown (H-TOOL-73).
const previewBytes = 2000

const (
	persistedTag = "<persisted-output>"
	savedTo      = "). Full output saved to: "
)

// SavedTo is the file that the text of a spilled result names, "" for any other text (H-TOOL-70).
func SavedTo(text string) string {
	head, rest, ok := strings.Cut(text, savedTo)
	if !ok || !strings.HasPrefix(head, persistedTag) || strings.Count(head, "\n") != 1 {
		return ""
	}
	file, _, _ := strings.Cut(rest, "\n")
	return file
}

// Chars is the length of a result in characters.
func (r *Result) Chars() int { return utf8.RuneCountInString(r.Whole()) }

// Spillable tells a result that may be spilled: not one of Read, no image, no error, none that is spilled already
// (H-TOOL-15, H-TOOL-75).
func (c *Call) Spillable(r *Result) bool {
	return c.limit() > 0 && r.Content == nil && !r.IsError && !strings.HasPrefix(r.Text, persistedTag)
}

// TooLong tells a result that is longer than its tool's limit (H-TOOL-28, H-TOOL-71).
func (c *Call) TooLong(r *Result) bool {
	return c.Spillable(r) && utf8.RuneCountInString(r.Text) > c.limit()
}

// limit is the tool's MaxResultChars; a tool outside of the full profile has that of most.
func (c *Call) limit() int {
	if d, ok := Full().Lookup(c.Name); ok {
		return d.MaxResultChars
	}
	return otherChars
}

// Persisted is the text that stands for a text of so many bytes which was saved at file, with its beginning (H-TOOL-70).
func Persisted(size int, file, head string) string {
	return fmt.Sprintf("%s\nOutput too large (%.1fKB%s%s\n\nPreview (first 2KB):\n%s\n...\n</persisted-output>",
		persistedTag, float64(size)/1024, savedTo, file, head)
}

// Persist puts the place of a spilled result's text in the text's stead (H-TOOL-70). full is what was saved at file. The
// structured result of a command then holds no more of its output than the model sees, and the place (H-TOOL-30).
func (c *Call) Persist(r *Result, raw Raw, full, file string) {
	head := preview(Text([]byte(full)))
	r.Text = Persisted(len(full), file, head)
	if c.Name != BashName {
		return
	}
	raw.Output = head
	b := c.bashStructured(raw, false, "")
	b = append(append(b[:len(b)-1], `,"persistedOutputPath":`...), sessionlog.Quote(file)...)
	r.Structured = fmt.Appendf(b, `,"persistedOutputSize":%d}`, len(full))
}

// preview is the beginning of a text: its first bytes, cut at the last line feed among them if that is past their half,
// and never inside a character (H-TOOL-73).
func preview(text string) string {
	if len(text) <= previewBytes {
		return text
	}
	head := text[:previewBytes]
	if i := strings.LastIndexByte(head, '\n'); i > previewBytes/2 {
		return head[:i]
	}
	for !utf8.RuneStart(text[len(head)]) {
		head = head[:len(head)-1]
	}
	return head
}
