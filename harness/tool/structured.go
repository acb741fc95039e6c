package tool

import (
	"strconv"
	"strings"

	"harnessbench/harness/sessionlog"
)

// Structured is the toolUseResult of the log (H-TOOL-3): an object by tool (H-TOOL-16, H-TOOL-30), a
// string for errors.
func (c *Call) Structured(raw Raw, r Result) []byte {
	switch {
	case r.IsError:
		return sessionlog.Quote("Error: " + r.Text)
	case c.Name == BashName:
		b := append([]byte(`{"stdout":`), sessionlog.Quote(raw.Output)...)
		return append(b, `,"stderr":"","interrupted":false,"isImage":false}`...)
	case c.Name != ReadName:
		return sessionlog.Quote(r.Text)
	}
	page, total := c.page(raw.Output)
	b := append([]byte(`{"type":"text","filePath":`), sessionlog.Quote(c.Path)...)
	b = append(append(b, `,"content":`...), sessionlog.Quote(strings.Join(page, "\n"))...)
	b = strconv.AppendInt(append(b, `,"numLines":`...), int64(len(page)), 10)
	b = strconv.AppendInt(append(b, `,"startLine":`...), int64(c.From), 10)
	b = strconv.AppendInt(append(b, `,"totalLines":`...), int64(total), 10)
	return append(b, '}')
}

// rerunInput is the input of a repeated command.
func rerunInput(command string) []byte {
	return append(append([]byte(`{"command":`), sessionlog.Quote(command)...), '}')
}

// Alias is the name of the k-th Bash call.
func Alias(k int) string { return "b" + strconv.Itoa(k) }

// AliasOf finds the footnote of a Bash result's text: its running number, 0 for none (H-TOOL-27).
func AliasOf(text string) int {
	i := strings.LastIndexByte(text, '\n')
	note, ok := strings.CutPrefix(text[i+1:], "[rerun: b")
	if !ok {
		return 0
	}
	note, ok = strings.CutSuffix(note, "]")
	k, err := strconv.Atoi(note)
	if !ok || err != nil || k < 1 {
		return 0
	}
	return k
}
