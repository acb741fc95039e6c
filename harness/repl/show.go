package repl

import (
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"
	"unicode"

	"harnessbench/harness"
	"harnessbench/harness/sessionlog"
	"harnessbench/harness/world"
	"harnessbench/internal/wire"
)

// Most of a result, and of a call's input, that a person is shown.
const (
	shownLines = 10
	shownInput = 120 // characters
)

// show writes what a session tells, as text.
type show struct {
	out io.Writer
	err error // the first one of out
}

var _ harness.Listener = (*show)(nil)

// line writes one or more lines. What a terminal would take for an order to itself is left out.
func (o *show) line(format string, args ...any) {
	if o.err == nil {
		_, o.err = io.WriteString(o.out, visible(fmt.Sprintf(format, args...))+"\n")
	}
}

// orders are sequences that a terminal takes for an order: colours, movements of the cursor, its title.
var orders = regexp.MustCompile("\x1b(?:\\[[0-?]*[ -/]*[@-~]|\\][^\x07\x1b]*(?:\x07|\x1b\\\\)?)")

// visible is a text without orders to a terminal, and without control characters other than line feeds and tabs.
func visible(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && r != '\n' && r != '\t' {
			return -1
		}
		return r
	}, orders.ReplaceAllString(text, ""))
}

// Logged shows the model's text, its calls, and the beginning of their results. What was typed stands there already.
func (o *show) Logged(e *sessionlog.Entry) {
	if e.Sidechain || e.Notice {
		return
	}
	switch {
	case e.Boundary():
		o.line("[the conversation so far is summarised]")
	case e.Type == sessionlog.Assistant:
		for _, b := range e.Message.Blocks {
			o.block(b)
		}
	case e.Type == sessionlog.User:
		for _, b := range e.Message.Blocks {
			if b.Type == "tool_result" { // the rest is what was typed, or what the harness says to the model
				o.block(b)
			}
		}
	}
}

func (o *show) block(b sessionlog.Block) {
	v, err := wire.ParseValue(b.Raw)
	if err != nil {
		return // the session itself reads back each line it wrote, and fails on one that is no JSON
	}
	switch b.Type {
	case "text":
		if !b.Blank {
			o.line("%s", v.Get("text").Text())
		}
	case "tool_use", "server_tool_use":
		o.line("* %s", Call(b.Name, v.Get("input").Raw()))
	case "tool_result":
		o.result(v.Get("content"))
	}
}

// result shows the first lines of a result.
func (o *show) result(content wire.Value) {
	text := content.Text()
	if content.Kind() == '[' {
		var parts []string
		for _, b := range content.Elems() {
			if b.Get("type").Text() == "text" {
				parts = append(parts, b.Get("text").Text())
			} else {
				parts = append(parts, "["+b.Get("type").Text()+"]")
			}
		}
		text = strings.Join(parts, "\n")
	}
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	more := len(lines) - shownLines
	for _, l := range lines[:min(len(lines), shownLines)] {
		o.line("  | %s", l)
	}
	if more > 0 {
		o.line("  | ... %d more lines", more)
	}
}

// Retrying tells of a failed try.
func (o *show) Retrying(r harness.Retry) {
	why := r.Type
	if why == "" {
		why = r.Message
	}
	o.line("[%s; retry %d of %d in %s]", why, r.Attempt, r.Max, r.Delay)
}

// Streamed shows nothing: a person sees what stands in the log.
func (o *show) Streamed([]byte) {}

// Ended tells a turn that did not end by itself.
func (o *show) Ended(r harness.Result) {
	switch {
	case r.Fault != nil: // Prompt returns it
	case r.Reason == harness.WasInterrupted:
		o.line("[interrupted]")
	case r.Err != nil:
		o.line("Error: %s", r.Err)
	}
}

// fault tells an error.
func (o *show) fault(err error) {
	if errors.Is(err, world.ErrInterrupted) {
		o.line("[interrupted]")
		return
	}
	o.line("Error: %s", err)
}

// Call is a tool call on one line: its name and the beginning of its input.
func Call(name string, input []byte) string {
	text := strings.Join(strings.Fields(string(input)), " ")
	if v, err := wire.ParseValue(input); err == nil {
		for _, key := range []string{"command", "file_path", "pattern", "url"} {
			if said := v.Get(key).Text(); said != "" {
				text = strings.Join(strings.Fields(said), " ")
				break
			}
		}
	}
	if r := []rune(text); len(r) > shownInput {
		text = string(r[:shownInput]) + "..."
	}
	return visible(name + ": " + text)
}

// Question is what a person is asked before a call runs.
func Question(call world.ToolCall) string {
	return "? " + Call(call.Name, call.Input) + "\n"
}

// AnswerPrompt says what can be answered to a Question.
const AnswerPrompt = "  allow? y, n, or what to do instead> "

// AnswerOf reads the answer to a Question; what is neither yes nor no is a no with that as the reason (H-LOOP-23). ok is
// false for a blank line, which answers nothing.
func AnswerOf(line string) (a world.Approval, ok bool) {
	switch line = strings.TrimSpace(line); strings.ToLower(line) {
	case "":
		return world.Approval{}, false
	case "y", "yes":
		return world.Approval{Allow: true}, true
	case "n", "no":
		return world.Approval{}, true
	}
	return world.Approval{Feedback: line}, true
}
