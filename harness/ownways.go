package harness

import (
	"errors"
	"fmt"
	"io/fs"
	"path"

	"harnessbench/harness/tool"
	"harnessbench/harness/world"
)

// own is the harness's own way to run a call over the ports of the world, nil for tools that have none (H-ARCH-6,
// H-TOOL-31). It is used when the world has no answer of its own.
func (s *Session) own(c *tool.Call) func(world.World) (tool.Raw, error) {
	var run func(world.World, *tool.Call) (tool.Raw, error)
	switch c.Name {
	case tool.BashName:
		run = s.ownBash
	case tool.ReadName:
		run = s.ownRead
	case tool.WriteName:
		run = s.ownWrite
	case tool.EditName:
		run = s.ownEdit
	case tool.SnipName:
		run = s.ownSnip
	default:
		return nil
	}
	return func(w world.World) (tool.Raw, error) { return run(w, c) }
}

// wrong is the outcome of a call that could not do its work.
func wrong(format string, args ...any) (tool.Raw, error) {
	return tool.Raw{Output: tool.Error(fmt.Sprintf(format, args...)), IsError: true}, nil
}

// maxFile is the size of the largest file that Read, Write and Edit take into memory, in bytes.
const maxFile = 64 << 20

// ownRead reads a text or an image (H-TOOL-10, H-TOOL-12).
func (s *Session) ownRead(w world.World, c *tool.Call) (tool.Raw, error) {
	data, fault := fileOf(w, c.Path)
	if fault != "" {
		return wrong("%s", fault)
	}
	if media := tool.MediaType(data); media != "" {
		if fault := tool.ImageFault(c.Path, data); fault != "" {
			return wrong("%s", fault)
		}
		return tool.Raw{Output: string(data), Media: media}, nil
	}
	if fault := tool.Unreadable(c.Path, data); fault != "" {
		return wrong("%s", fault)
	}
	return tool.Raw{Output: tool.Text(data)}, nil
}

// fileOf reads a whole file, through symlinks; fault says why it cannot be.
func fileOf(w world.World, name string) (data []byte, fault string) {
	at, err := w.Resolve(name)
	if err != nil {
		return nil, fmt.Sprintf("%s cannot be read: %v", name, err)
	}
	info, err := w.Stat(at)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, "there is no file " + name
	case err != nil:
		return nil, fmt.Sprintf("%s cannot be read: %v", name, err)
	case info.Kind == world.Directory:
		return nil, name + " is a directory, not a file; list it with Bash"
	case info.Kind != world.Regular:
		return nil, name + " is no regular file"
	case info.Size > maxFile:
		return nil, fmt.Sprintf("%s has %d bytes; at most %d can be read at once: cut it with a command", name, info.Size, maxFile)
	}
	if data, err = w.ReadFile(at); err != nil {
		return nil, fmt.Sprintf("%s cannot be read: %v", name, err)
	}
	return data, ""
}

// ownWrite creates or overwrites a file (H-TOOL-20).
func (s *Session) ownWrite(w world.World, c *tool.Call) (tool.Raw, error) {
	before, err := w.ReadFile(c.Path)
	created := errors.Is(err, fs.ErrNotExist)
	if err != nil && !created {
		return wrong("%s cannot be written: %v", c.Path, err)
	}
	if fault := s.put(w, c.Path, c.Content); fault != "" {
		return wrong("%s", fault)
	}
	return c.WriteRaw(string(before), created), nil
}

// ownEdit replaces a text in a file (H-TOOL-21).
func (s *Session) ownEdit(w world.World, c *tool.Call) (tool.Raw, error) {
	changed, fault, err := s.mayWrite(w, c)
	if err != nil || fault != "" {
		return wrong("%s", faultOf(fault, err))
	}
	data, fault := fileOf(w, c.Path)
	if fault != "" {
		return wrong("%s", fault)
	}
	after, fault := c.Edited(string(data), changed)
	if fault != "" {
		return wrong("%s", fault)
	}
	if fault := s.put(w, c.Path, after); fault != "" {
		return wrong("%s", fault)
	}
	return c.EditRaw(string(data), after, changed), nil
}

func faultOf(fault string, err error) string {
	if err != nil {
		return err.Error()
	}
	return fault
}

// put writes a file after its state before was saved (H-TOOL-22).
func (s *Session) put(w world.World, name, text string) (fault string) {
	if err := s.checkpoint(w, name); err != nil {
		return fmt.Sprintf("%s was not written: its state before could not be saved: %v", name, err)
	}
	if err := w.Write(name, []byte(text)); err != nil {
		return fmt.Sprintf("%s cannot be written: %v", name, err)
	}
	return ""
}

// ownBash runs a command in a fresh shell, in the directory that the one before ended in (H-TOOL-25). One that meets its
// timeout goes on in the background where that is sensible (H-TOOL-29).
func (s *Session) ownBash(w world.World, c *tool.Call) (tool.Raw, error) {
	cmd := world.Command{Line: c.Command, Dir: s.shellDir, Timeout: c.Timeout, Background: c.Background}
	if cmd.Dir == "" {
		cmd.Dir = s.cfg.Cwd
	}
	task := ""
	if c.Background || tool.MovesToBackground(c.Command) {
		task = shortID(w)
		cmd.File = path.Join(s.resultsDir(), task+".output")
	}
	exit, err := w.Exec(cmd)
	if err != nil {
		return tool.Raw{}, err
	}
	raw := tool.Raw{Output: exit.Output, Exit: exit.Code, Stopped: exit.Stopped}
	if exit.Running {
		raw.Task, raw.File = task, cmd.File
		return raw, nil
	}
	switch {
	case exit.Dir == "" || exit.Dir == cmd.Dir:
	case within(exit.Dir, s.cfg.Cwd):
		s.shellDir = exit.Dir
	default:
		s.shellDir = ""
		raw.Note = "Shell cwd was reset to " + s.cfg.Cwd
	}
	return raw, nil
}
