package golden

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"harnessbench/conformance/trace"
	"harnessbench/internal/wire"
)

// tool renders the start or end of a tool run.
func (r *Renderer) tool(at time.Duration, t *trace.Tool) {
	what := t.Name
	switch t.Phase {
	case "start":
		if v, err := wire.ParseValue(t.Input); err == nil {
			what += firstString(v)
		}
	case "denied":
		if t.Output != "" {
			what += ": " + quote(t.Output)
		}
	case "end":
		what = sized(t.Output)
		if t.Exit != 0 {
			what = fmt.Sprintf("exit %d, %s", t.Exit, what)
		}
		if t.IsError {
			what = "error, " + what
		}
	}
	r.add(at, "tool", fmt.Sprintf("%-21s %s", r.run(t.ID)+" "+t.Phase, what))
}

// file renders a change of a file of the user's.
func (r *Renderer) file(at time.Duration, f *trace.File) {
	what := fmt.Sprintf("written, %d bytes", f.Bytes)
	if f.Removed {
		what = "deleted"
	}
	r.add(at, "file", fmt.Sprintf("%-21s %s", path.Base(f.Path), what))
}

// firstString is the first member of an input that is text, which says best what a tool is to do.
func firstString(input wire.Value) string {
	for _, v := range input.Members() {
		if v.Kind() == '"' {
			return " " + quote(v.Text())
		}
	}
	return ""
}

// leaf renders where the session stands when it does not stand at its newest entry, and what it left.
func (r *Renderer) leaf(at time.Duration, l *trace.Leaf) {
	if l.Session == "" { // no process runs, so nothing stands anywhere
		return
	}
	s := r.store
	var now *entry
	if l.Leaf != "" {
		if now = s.byUUID[l.Leaf]; now == nil {
			r.add(at, "leaf", fmt.Sprintf("%-21s", "unknown"))
			return
		}
	}
	if now == s.leaf {
		return
	}
	if now != nil && s.leaf != nil && now.group.file != s.leaf.group.file {
		r.add(at, "leaf", fmt.Sprintf("%-21s of tree %d", s.nameOf(l.Leaf), slices.Index(s.files, now.group.file)+1))
		s.leaf = now
		return
	}
	kept := now.chain()
	var left []string
	for _, g := range s.leaf.chain() {
		if !slices.Contains(kept, g) {
			left = append(left, g.name)
		}
	}
	what := ""
	if len(left) > 0 {
		what = "leaves " + strings.Join(left, " ")
		s.leaf.group.left = r.step
	}
	r.add(at, "leaf", fmt.Sprintf("%-21s %s", s.nameOf(l.Leaf), what))
	s.leaf = now
}
