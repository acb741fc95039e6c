package tool

import (
	"fmt"
	"strconv"
	"strings"

	"harnessbench/harness/inject"
)

// Raw is what a run gave, as the world reports it.
type Raw struct {
	Output  string
	Exit    int
	IsError bool
}

// Result is what the model gets.
type Result struct {
	Text    string
	IsError bool
}

// Result words the outcome of a run. alias names a Bash call for reruns (H-TOOL-27).
func (c *Call) Result(raw Raw, alias string) Result {
	if c.Name == BashName {
		return c.bashResult(raw, alias)
	}
	if raw.IsError || c.Name != ReadName {
		return Result{orEmpty(c.Name, raw.Output), raw.IsError}
	}
	return c.readResult(raw.Output)
}

// bashResult is H-TOOL-26: exit code first when it counts as a failure, output, footnote.
func (c *Call) bashResult(raw Raw, alias string) Result {
	text := strings.TrimRight(raw.Output, "\n")
	failed := raw.IsError || raw.Exit != 0 && !(raw.Exit == 1 && answersByExit(c.Command))
	switch {
	case failed && raw.Exit != 0:
		text = strings.TrimRight(fmt.Sprintf("Exit code %d\n%s", raw.Exit, text), "\n")
	default:
		text = orEmpty(BashName, text)
	}
	return Result{text + "\n[rerun: " + alias + "]", failed}
}

// orEmpty words an output that is empty (H-LOOP-13).
func orEmpty(name, text string) string {
	if strings.TrimSpace(text) == "" {
		return "(" + name + " completed with no output)"
	}
	return text
}

// answersByExit tells commands whose exit code 1 is an answer, not a failure (H-TOOL-26).
func answersByExit(command string) bool {
	words := strings.Fields(command)
	if len(words) == 0 {
		return false
	}
	switch words[0] {
	case "grep", "rg", "egrep", "fgrep", "find", "diff", "test", "[":
		return true
	case "git":
		return len(words) > 1 && (words[1] == "diff" || words[1] == "grep")
	}
	return false
}

// readResult numbers the lines asked for (H-TOOL-10, H-TOOL-12).
func (c *Call) readResult(text string) Result {
	if text == "" {
		return Result{inject.EmptyFile, false}
	}
	page, total := c.page(text)
	if len(page) == 0 {
		return Result{inject.Reminder(fmt.Sprintf("Warning: the file has %d lines; line %d is beyond its end.",
			total, c.From)), false}
	}
	var b strings.Builder
	for i, line := range page {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(strconv.Itoa(c.From + i))
		b.WriteByte('\t')
		b.WriteString(line)
	}
	return Result{b.String(), false}
}

// page is the lines asked for, and how many the file has.
func (c *Call) page(text string) (lines []string, total int) {
	all := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	if c.From > len(all) {
		return nil, len(all)
	}
	end := len(all)
	if c.N > 0 && c.N < end-c.From+1 {
		end = c.From - 1 + c.N
	}
	return all[c.From-1 : end], len(all)
}
