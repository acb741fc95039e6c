package sim

import (
	"slices"
	"time"

	"harnessbench/harness/world"
)

// Exec runs a scripted command on virtual time. One that goes on in the background writes what it printed to its file
// when it ends; it ends with its process at the latest, and then writes nothing.
func (h handle) Exec(cmd world.Command) (world.Exit, error) {
	if h.enter(world.OpExec, cmd.Line, true) {
		return world.Exit{}, world.ErrInterrupted
	}
	p := h.f.p
	p.flush()
	exit, takes := p.m.cfg.Shell.Exec(p.m.Now(), cmd)
	ends := p.m.now + takes
	if cmd.Background {
		return world.Exit{Running: true}, p.background(cmd.File, ends, exit.Output)
	}
	if cmd.Timeout <= 0 || takes <= cmd.Timeout {
		if h.until(takes) {
			return world.Exit{}, world.ErrInterrupted
		}
		return exit, nil
	}
	if h.until(cmd.Timeout) {
		return world.Exit{}, world.ErrInterrupted
	}
	if cmd.File != "" {
		return world.Exit{Running: true}, p.background(cmd.File, ends, exit.Output)
	}
	return world.Exit{Output: exit.Output, Code: exit.Code, Stopped: true}, nil
}

// output is what a background command will have printed at its end.
type output struct {
	at   time.Duration
	file string
	text string
}

// background begins the file of a background command and plans its end.
func (p *process) background(file string, ends time.Duration, text string) error {
	if err := p.m.cfg.Disk.append(file, nil, p.m.Now()); err != nil {
		return err
	}
	at, _ := slices.BinarySearchFunc(p.outputs, ends, func(o output, t time.Duration) int {
		if o.at <= t { // behind those of the same instant
			return -1
		}
		return 1
	})
	p.outputs = slices.Insert(p.outputs, at, output{ends, file, text})
	return nil
}

// disk begins a disk call and gives the disk as it is then: background commands that have ended have written.
func (h handle) disk(op, path string) *Disk {
	h.enter(op, path, false)
	h.f.p.flush()
	return h.f.p.m.cfg.Disk
}

// flush writes what background commands that have ended by now printed. A file that is in the way is theirs to lose.
func (p *process) flush() {
	for len(p.outputs) > 0 && p.outputs[0].at <= p.m.now {
		o := p.outputs[0]
		p.outputs = p.outputs[1:]
		_ = p.m.cfg.Disk.append(o.file, []byte(o.text), p.m.cfg.Start.Add(o.at))
	}
}
