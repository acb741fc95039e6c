package invariant

import "fmt"

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
