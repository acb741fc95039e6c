package run

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"time"

	"harnessbench/conformance/trace"
	"harnessbench/harness"
	"harnessbench/harness/world"
	"harnessbench/internal/model"
	"harnessbench/scenarios"
)

// step plays one step; false ends the process.
func (d *driver) step(w world.World, st scenarios.Step) bool {
	d.tools.step(nil)
	d.rec.watch = func(phase, world.World) {}
	live := slices.Contains(d.live, d.next)
	if st.Resume != nil && !live {
		d.next++
		return d.resume(w, st)
	}
	if d.session == nil && st.Wait == nil && st.File == nil && !d.start(w) { // the world goes on while no process runs
		return false
	}
	// A process killed inside a step does not play it again.
	d.next++
	switch {
	case st.Prompt != nil:
		d.prompt(w, st)
	case st.Wait != nil:
		d.rec.op(trace.Op{Name: "wait", Wait: st.Wait.Name})
		d.check("wait", d.place.Advance(d.raw, d.duration(st.Wait)))
	case st.Set != nil:
		d.set(st.Set)
	case st.File != nil:
		d.outside(st.File)
	case st.Exit && !live:
		d.rec.op(trace.Op{Name: "exit"})
		d.check("exit", d.session.Close(w))
		d.session = nil
		return false
	case st.Exit, st.Resume != nil: // this run is a twin
	default:
		d.command(w, st)
	}
	d.report()
	d.leaf()
	return len(d.faults) == 0
}

func (d *driver) set(set map[string]string) {
	for _, name := range slices.Sorted(maps.Keys(set)) {
		d.rec.op(trace.Op{Name: "set", Text: name + "=" + set[name], Breaks: name == "volatile.place" || name == "thinking"})
		d.check("set", d.session.Set(name, set[name]))
		d.settings[name] = set[name]
	}
	// A setting outlives the process: the next one starts with it.
	var err error
	d.switches, err = harness.ParseSwitches(d.settings)
	d.check("set", err)
}

// outside changes a file as somebody else than the harness does.
func (d *driver) outside(f *scenarios.File) {
	op := trace.Op{Name: "file", Text: f.Path + " written"}
	if f.Absent {
		op.Text = f.Path + " deleted"
	}
	d.rec.op(op)
	path := absolute(f.Path)
	if d.session != nil {
		path = strings.ReplaceAll(path, scenarios.SessionPart, d.session.ID())
	}
	if f.Absent {
		d.check("file", d.raw.Remove(path))
		return
	}
	d.check("file", d.raw.Write(path, []byte(f.Content)))
}

// absolute is the path of a file that a story names.
func absolute(path string) string {
	if strings.HasPrefix(path, "/") {
		return path
	}
	return cwd + "/" + path
}

// inspect compares the files that are there now with what the story expects, in a process of its own.
func (d *driver) inspect() {
	if len(d.sc.Expect.Files) == 0 {
		return
	}
	d.place.Machine.Run(func(w world.World) {
		for _, name := range slices.Sorted(maps.Keys(d.sc.Expect.Files)) {
			if miss := differs(w, d.sc.Expect.Files[name]); miss != "" {
				d.misfiled = append(d.misfiled, "files."+name+": "+miss)
			}
		}
	})
}

// differs says how a file is not what is wanted, "" when it is.
func differs(w world.World, want scenarios.File) string {
	data, err := w.ReadFile(absolute(want.Path))
	switch {
	case want.Absent && errors.Is(err, fs.ErrNotExist):
		return ""
	case want.Absent && err == nil:
		return "expected no such file, it is there"
	case err != nil:
		return "expected a file: " + err.Error()
	case want.Contains == nil && string(data) != want.Content:
		return fmt.Sprintf("expected %q, it holds %q", want.Content, data)
	}
	for _, text := range want.Contains {
		if !strings.Contains(string(data), text) {
			return fmt.Sprintf("expected %q in it, it holds %q", text, data)
		}
	}
	return ""
}

// report passes on what the harness has told the user since it was last asked.
func (d *driver) report() {
	if d.session == nil {
		return
	}
	for _, text := range d.session.Report() {
		d.say(text)
	}
}

// say puts down what the user is told.
func (d *driver) say(text string) {
	d.notices = append(d.notices, text)
	d.rec.event(trace.Event{Kind: trace.KindNotice, Notice: &trace.Notice{Text: text}})
}

// duration resolves a named wait (simulation.md 3.2).
func (d *driver) duration(w *scenarios.Wait) time.Duration {
	switch w.Name {
	case "past_cache_life":
		if d.longTTL {
			return model.TTLLong + time.Millisecond
		}
		return model.TTLShort + time.Millisecond
	case "one_day":
		return 24 * time.Hour
	}
	return w.Duration
}
