package tool

import (
	"strings"

	"harnessbench/harness/sessionlog"
)

// Raw is what a run gave: as the world reports it, or as the harness's own way does.
type Raw struct {
	// Output is what Bash printed, the whole text of the file for Read, the result's text for any other tool.
	Output  string
	Exit    int // Bash
	IsError bool

	// Of the own ways alone.
	Note       string // Bash: what the harness has to say beside the output
	Stopped    bool   // Bash: it met its timeout and was stopped
	Task, File string // Bash: it goes on in the background, with this id and this file for its output
	Media      string // Read: Output is the bytes of an image of this media type
	Structured []byte // Write, Edit
}

// Result is what the model gets, and what the log keeps beside it. Its text is plain, or names the file of a spilled one
// (H-TOOL-2).
type Result struct {
	Text string
	// Content is the content array of the tool_result in place of Text; nil for text.
	Content []byte
	IsError bool
	// Structured is the toolUseResult of the log (H-TOOL-3): an object by tool (H-TOOL-16, H-TOOL-30), a string for
	// errors and for tools without one.
	Structured []byte
	// Behind follows the text on a line of its own, also when the text is spilled: the footnote of a Bash call.
	Behind string
	// Full is what a spill saves; "" when that is Text.
	Full string
}

// Whole is the text with what stands behind it.
func (r *Result) Whole() string {
	if r.Behind == "" {
		return r.Text
	}
	return r.Text + "\n" + r.Behind
}

// Result words the outcome of a run. alias names a Bash call for reruns (H-TOOL-27). A result of Read that was refused
// for its length is an error like any other. Bytes that are no text become U+FFFD here, once, so that log and requests
// agree; what a spill saves keeps them.
func (c *Call) Result(raw Raw, alias string) Result {
	switch {
	case c.Name == BashName:
		return c.bashResult(raw, alias)
	case raw.IsError:
		return Failed(orEmpty(c.Name, Text([]byte(raw.Output))))
	case c.Name == ReadName && raw.Media != "":
		return imageResult(raw)
	case c.Name == ReadName:
		return c.readResult(Text([]byte(raw.Output)))
	}
	r := Result{Text: orEmpty(c.Name, Text([]byte(raw.Output))), Structured: raw.Structured, Full: raw.Output}
	if r.Structured == nil {
		r.Structured = sessionlog.Quote(r.Text)
	}
	return r
}

// Failed is the result of a call that failed.
func Failed(text string) Result {
	plain := strings.TrimSuffix(strings.TrimPrefix(text, errorOpen), errorClose)
	return Result{Text: text, IsError: true, Structured: sessionlog.Quote("Error: " + plain)}
}

// orEmpty words an output that is empty (H-LOOP-13).
func orEmpty(name, text string) string {
	if strings.TrimSpace(text) == "" {
		return "(" + name + " completed with no output)"
	}
	return text
}
