package invariant

import (
	"fmt"
	"strings"
)

// cmp1 looks at what a boundary cuts off.
type cmp1 struct{}

func (cmp1) see(m *moment, t *tally) {
	c := m.commit
	if c == nil {
		return
	}
	t.occasion()
	f, here := c.file, c.file.at(c.boundary)
	answered, stays := map[string]bool{}, map[string]bool{}
	for _, e := range f.entries[:c.boundary.index] {
		for _, b := range e.blocks {
			switch b.kind {
			case "tool_result": // may stand beside the path (H-REB-5)
				answered[b.tool] = true
			case "tool_use":
				if c.kept[e.uuid] {
					stays[b.tool] = true
				}
			}
		}
	}
	made := map[string]*entry{}
	for _, e := range c.path {
		for _, b := range e.blocks {
			if b.kind != "tool_use" {
				continue
			}
			made[b.tool] = e
			if !answered[b.tool] && !c.kept[e.uuid] {
				t.broken("open "+b.tool, fmt.Sprintf("%s: a boundary behind tool_use %s, which has no result yet", here, b.tool), f.at(e)+" holds the call, and it does not stay")
			}
		}
	}
	openNewest(c, answered, t)
	for _, e := range c.path {
		if !c.kept[e.uuid] {
			continue
		}
		for _, b := range e.blocks {
			if b.kind == "tool_result" && made[b.tool] != nil && !stays[b.tool] {
				t.broken("orphan "+b.tool, fmt.Sprintf("%s: a boundary that keeps the result of %s, %s", here, b.tool, e.uuid), f.at(made[b.tool])+" holds the call, and it does not stay")
			}
		}
	}
}

// openNewest looks at what was said last before a boundary, wherever that says it cuts: an answer whose calls nobody has
// answered is open, and so is one in which the server's own call waits, unless the user has spoken since (H-REB-33).
func openNewest(c *commit, answered map[string]bool, t *tally) {
	if c.base == nil || c.shifted {
		return
	}
	f := c.file
	e := f.messageBefore(c.boundary)
	if e == nil || e.kind != "assistant" || e.role == "" {
		return
	}
	waiting := 0
	for _, part := range f.entries[:c.boundary.index] {
		if part.side || part.kind != "assistant" || part.message != e.message || part.message == "" || c.kept[part.uuid] {
			continue
		}
		for _, b := range part.blocks {
			switch {
			case b.kind == "tool_use" && !answered[b.tool]:
				t.broken("open "+b.tool, fmt.Sprintf("%s: a boundary behind tool_use %s, which has no result yet", f.at(c.boundary), b.tool), f.at(part)+" holds the call, and it does not stay")
			case b.kind == "server_tool_use":
				waiting++
			case strings.HasSuffix(b.kind, "_tool_result"):
				waiting--
			}
		}
	}
	if c.paused && waiting > 0 {
		t.broken("open server "+e.uuid, f.at(c.boundary)+": a boundary behind a call that the server has not answered yet", f.at(e)+" is of the answer it paused in, and it does not stay")
	}
}
