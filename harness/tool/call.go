package tool

import (
	"fmt"

	"harnessbench/internal/wire"
)

// Call is one tool_use of the model after checking.
type Call struct {
	ID, Name string
	Input    []byte // the model's bytes, or those of the command that a rerun repeats
	Command  string // Bash
	Path     string // Read
	From, N  int    // Read: first line from 1, number of lines or 0 for all
	// Refusal is set when the call cannot run: the text of its result (H-LOOP-10, H-TOOL-5).
	Refusal string
}

// Earlier gives the command of an earlier Bash call by its alias (H-TOOL-27).
type Earlier func(alias string) (command string, ok bool)

// Check reads a call: the tool must be known and the input fit its schema (H-LOOP-10). Names are case-sensitive
// (H-TOOL-1).
func Check(id, name string, input []byte, earlier Earlier) Call {
	c := Call{ID: id, Name: name, Input: input}
	d, known := Lookup(name)
	if !known {
		return c.refuse("there is no tool named %s", name)
	}
	v, err := wire.ParseValue(input)
	if err != nil {
		return c.refuse("the input of %s is no JSON: %v", name, err)
	}
	if fault := d.fault(v); fault != "" {
		return c.refuse("%s", fault)
	}
	switch name {
	case BashName:
		return c.bash(v, earlier)
	case ReadName:
		return c.read(v)
	}
	return c
}

func (c Call) refuse(format string, args ...any) Call {
	c.Refusal = Error(fmt.Sprintf(format, args...))
	return c
}

// Error is the text of a call that failed before it ran (H-TOOL-5).
func Error(text string) string { return "<tool_use_error>" + text + "</tool_use_error>" }

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
	return c
}

func (c Call) read(v wire.Value) Call {
	c.Path, c.From = v.Get("file_path").Text(), 1
	if n, ok := whole(v.Get("offset")); ok {
		c.From = n
	}
	c.N, _ = whole(v.Get("limit"))
	return c
}
