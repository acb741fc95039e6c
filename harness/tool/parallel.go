package tool

import (
	"slices"
	"strings"
)

// MaxParallel is how many calls run side by side unless the configuration says otherwise (H-LOOP-11).
const MaxParallel = 10

// Parallel tells calls that may run beside others: those of tools that say so, of Bash only commands that read
// (H-LOOP-11).
func (c *Call) Parallel() bool {
	d, _ := Full().Lookup(c.Name)
	return d.Parallel && (c.Name != BashName || readOnly(c.Command))
}

// readOnly tells a single command that changes nothing. Whatever the shell would interpret makes it
// unsafe; so does an option by which a reading command writes or runs something.
func readOnly(command string) bool {
	if strings.ContainsAny(command, ";&|<>$`()\n\\") {
		return false
	}
	words := strings.Fields(command)
	if len(words) == 0 {
		return false
	}
	switch words[0] {
	case "ls", "cat", "head", "tail", "grep", "wc", "pwd":
		return true
	case "rg":
		return !has(words, "--pre", "--search-zip")
	case "find":
		return !has(words, "-delete", "-exec", "-execdir", "-ok", "-okdir", "-fprint", "-fprint0", "-fprintf", "-fls")
	case "git":
		return len(words) > 1 && slices.Contains([]string{"status", "diff", "log"}, words[1]) && !has(words, "--output", "--ext-diff")
	}
	return false
}

// has tells one of the options among the words, alone or with a value behind '='.
func has(words []string, options ...string) bool {
	return slices.ContainsFunc(words, func(w string) bool {
		name, _, _ := strings.Cut(strings.Trim(w, `"'`), "=")
		return slices.Contains(options, name)
	})
}

// Batches splits the calls of one answer: neighbours that may run side by side form a batch of at most
// limit, every other call is alone (H-LOOP-11). The order of calls is kept.
func Batches(calls []Call, limit int) [][]Call {
	var out [][]Call
	for i := 0; i < len(calls); {
		n := 1
		for calls[i].Parallel() && n < limit && i+n < len(calls) && calls[i+n].Parallel() {
			n++
		}
		out = append(out, calls[i:i+n])
		i += n
	}
	return out
}
