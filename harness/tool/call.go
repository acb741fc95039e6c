package tool

import (
	"fmt"
	"path"
	"strings"
	"time"

	"harnessbench/internal/wire"
)

// Call is one tool_use of the model after checking.
type Call struct {
	ID     string
	Name   string // of the tool of the full profile that runs
	Called string // as the model calls it
	Plain  bool   // teaching profile: no footnote (H-TOOL-6)
	Input  []byte // the model's bytes, or those of the command that a rerun repeats

	Command    string        // Bash
	Timeout    time.Duration // Bash: how long to wait for the end
	Background bool          // Bash: do not wait at all

	Path     string // Read, Write, Edit: absolute and clean
	From, N  int    // Read: first line from 1, number of lines or 0 for all
	Content  string // Write
	Old, New string // Edit
	All      bool   // Edit: every occurrence

	// Refusal is set when the call cannot run: the text of its result (H-LOOP-10, H-TOOL-5).
	Refusal string
}

// Timeouts of Bash (H-TOOL-25).
const (
	DefaultTimeout = 120 * time.Second
	MaxTimeout     = 600 * time.Second
)

// Earlier gives the command of an earlier Bash call by its alias (H-TOOL-27).
type Earlier func(alias string) (command string, ok bool)

// Check reads a call: the tool must be known and the input fit its schema, and what the schema cannot say must hold
// (H-LOOP-10). Names are case-sensitive (H-TOOL-1).
func (s Set) Check(id, name string, input []byte, earlier Earlier) Call {
	c := Call{ID: id, Name: name, Called: name, Input: input}
	d, known := s.Lookup(name)
	if !known {
		return c.refuse("there is no tool named %s", name)
	}
	c.Name = d.Name
	v, err := wire.ParseValue(input)
	if err != nil {
		return c.refuse("the input of %s is no JSON: %v", name, err)
	}
	if fault := d.fault(v); fault != "" {
		return c.refuse("%s", fault)
	}
	if d.runs != "" {
		c.Name, c.Plain, v = d.runs, true, d.translate(v)
	}
	switch c.Name {
	case BashName:
		return c.bash(v, earlier)
	case ReadName, WriteName, EditName:
		return c.file(v)
	}
	return c
}

func (c Call) refuse(format string, args ...any) Call {
	c.Refusal = Error(fmt.Sprintf(format, args...))
	return c
}

const (
	errorOpen  = "<tool_use_error>"
	errorClose = "</tool_use_error>"
)

// Error is the text of a call that failed before it ran (H-TOOL-5).
func Error(text string) string { return errorOpen + text + errorClose }

// bash reads a command, or the earlier one that it repeats (H-TOOL-25, H-TOOL-27).
func (c Call) bash(v wire.Value, earlier Earlier) Call {
	command, rerun := v.Get("command"), v.Get("rerun")
	switch {
	case rerun.Kind() == '"':
		text, ok := earlier(rerun.Text())
		if !ok {
			return c.refuse("no Bash call is named %s", rerun.Text())
		}
		c.Command = text
		c.Input = rerunInput(text)
	case command.Kind() != '"':
		return c.refuse("Bash needs command, a string")
	default:
		c.Command = command.Text()
	}
	c.Timeout = DefaultTimeout
	if ms, ok := whole(v.Get("timeout")); ok {
		c.Timeout = min(time.Duration(ms)*time.Millisecond, MaxTimeout)
	}
	c.Background, _ = v.Get("run_in_background").Bool()
	return c
}

// file reads what Read, Write and Edit are asked to do.
func (c Call) file(v wire.Value) Call {
	c.Path, c.From = v.Get("file_path").Text(), 1
	if !strings.HasPrefix(c.Path, "/") || strings.ContainsRune(c.Path, 0) {
		return c.refuse("file_path of %s must be an absolute path, it is %q", c.Name, c.Path)
	}
	c.Path = path.Clean(c.Path)
	if n, ok := whole(v.Get("offset")); ok {
		c.From = n
	}
	c.N, _ = whole(v.Get("limit"))
	c.Content, c.Old, c.New = v.Get("content").Text(), v.Get("old_string").Text(), v.Get("new_string").Text()
	c.All, _ = v.Get("replace_all").Bool()
	if c.Name != EditName {
		return c
	}
	switch c.Old {
	case "":
		return c.refuse("old_string of Edit is empty: give the text to replace, or use Write for a new file")
	case c.New:
		return c.refuse("old_string and new_string of Edit are the same: nothing would change")
	}
	return c
}
