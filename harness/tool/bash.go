package tool

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"harnessbench/harness/sessionlog"
)

// maxFailure is how much of a failing command's output is shown, in characters (H-TOOL-28).
const maxFailure = 10_000

// stoppedCode is the exit code told of a command that was stopped and has none of its own.
const stoppedCode = 143

// bashResult is the text of a command: its exit code first when it counts as a failure, what it printed, what the
// harness has to say, the footnote (H-TOOL-26 to H-TOOL-29).
func (c *Call) bashResult(raw Raw, alias string) Result {
	full := raw.Output
	raw.Output = Text([]byte(full))
	text := strings.TrimRight(raw.Output, "\n")
	if raw.Stopped {
		text = strings.TrimRight(fmt.Sprintf("The command was stopped: it took longer than %s.\n%s", c.Timeout, text), "\n")
		if raw.Exit == 0 {
			raw.Exit = stoppedCode
		}
	}
	failed := raw.IsError || raw.Exit != 0 && !(raw.Exit == 1 && answersByExit(c.Command))
	r := Result{IsError: failed}
	switch {
	case failed:
		text = middleOut(text)
		if raw.Exit != 0 {
			text = strings.TrimRight(fmt.Sprintf("Exit code %d\n%s", raw.Exit, text), "\n")
		}
		text = orEmpty(BashName, text)
	case raw.Task != "":
		text = strings.TrimLeft(text+"\n"+c.movedAway(raw), "\n")
	default:
		text = orEmpty(BashName, text)
		r.Full = full
	}
	behind := []string{raw.Note, "[rerun: " + alias + "]"}
	if c.Plain {
		behind[1] = ""
	}
	behind = slices.DeleteFunc(behind, func(s string) bool { return s == "" })
	r.Behind = strings.Join(behind, "\n")
	r.Text, r.Structured = text, c.bashStructured(raw, failed, text)
	return r
}

// movedAway says where a command goes on (H-TOOL-29).
func (c *Call) movedAway(raw Raw) string {
	why := fmt.Sprintf("The command took longer than %s and goes on", c.Timeout)
	if c.Background {
		why = "The command runs"
	}
	return why + " in the background as task " + raw.Task + ". Its output goes to " + raw.File + "; look there with Read."
}

// middleOut cuts the middle out of a long failing output (H-TOOL-28).
func middleOut(text string) string {
	n := utf8.RuneCountInString(text)
	if n <= maxFailure {
		return text
	}
	head, tail := 0, len(text)
	for range maxFailure / 2 {
		_, size := utf8.DecodeRuneInString(text[head:])
		head += size
		_, size = utf8.DecodeLastRuneInString(text[:tail])
		tail -= size
	}
	return fmt.Sprintf("%s\n\n... [%d characters truncated] ...\n\n%s", text[:head], n-maxFailure, text[tail:])
}

// bashStructured is H-TOOL-30; errors are strings, as everywhere.
func (c *Call) bashStructured(raw Raw, failed bool, text string) []byte {
	if failed {
		return sessionlog.Quote("Error: " + text)
	}
	b := append([]byte(`{"stdout":`), sessionlog.Quote(raw.Output)...)
	b = append(append(b, `,"stderr":`...), sessionlog.Quote(raw.Note)...)
	b = append(b, `,"interrupted":false,"isImage":false`...)
	if raw.Task != "" {
		b = append(append(b, `,"backgroundTaskId":`...), sessionlog.Quote(raw.Task)...)
	}
	if raw.Exit != 0 {
		b = append(append(b, `,"returnCodeInterpretation":`...), sessionlog.Quote(exitMeaning(c.Command))...)
	}
	if silent(c.Command) {
		b = append(b, `,"noOutputExpected":true`...)
	}
	return append(b, '}')
}

// exitCodes are the commands whose exit code 1 is an answer, not a failure, and what it says (H-TOOL-26).
var exitCodes = [...]struct{ command, means string }{
	{"grep", "nothing matched"}, {"rg", "nothing matched"}, {"egrep", "nothing matched"}, {"fgrep", "nothing matched"},
	{"find", "some places could not be searched"},
	{"diff", "there are differences"},
	{"test", "the condition does not hold"}, {"[", "the condition does not hold"},
	{"git diff", "there are differences"}, {"git grep", "nothing matched"},
}

// answersByExit tells commands whose exit code 1 is an answer (H-TOOL-26).
func answersByExit(command string) bool { return exitMeaning(command) != "" }

func exitMeaning(command string) string {
	words := strings.Fields(command)
	if len(words) == 0 {
		return ""
	}
	name := words[0]
	if name == "git" && len(words) > 1 {
		name += " " + words[1]
	}
	for _, c := range exitCodes {
		if c.command == name {
			return c.means
		}
	}
	return ""
}

// silent tells single commands that print nothing when all goes well.
func silent(command string) bool {
	words := strings.Fields(command)
	if len(words) == 0 || strings.ContainsAny(command, ";&|\n`$(") {
		return false
	}
	return slices.Contains([]string{"mkdir", "mv", "cp", "rm", "rmdir", "touch", "chmod", "chown", "ln", "cd", "export", "unset"},
		words[0])
}

var gitWord = regexp.MustCompile(`\bgit\b`)

// MovesToBackground tells whether a command that meets its timeout may go on in the background: not one that begins
// with sleep, names git, or cannot be parsed (H-TOOL-29).
func MovesToBackground(command string) bool {
	words := strings.Fields(command)
	return len(words) > 0 && words[0] != "sleep" && !gitWord.MatchString(command) && closed(command)
}

// closed tells a command line whose quotes are closed.
func closed(command string) bool {
	quote := byte(0)
	for i := 0; i < len(command); i++ {
		switch c := command[i]; {
		case c == '\\' && quote != '\'':
			i++
		case quote != 0 && c == quote:
			quote = 0
		case quote == 0 && (c == '\'' || c == '"' || c == '`'):
			quote = c
		}
	}
	return quote == 0
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
