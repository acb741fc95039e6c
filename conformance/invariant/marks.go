package invariant

import (
	"fmt"
	"strings"
	"time"

	"harnessbench/internal/model"
	"harnessbench/internal/wire"
)

// cache4 judges the breakpoints of each request by itself.
type cache4 struct{}

// breakpoint is a cache_control mark of a request.
type breakpoint struct {
	place string
	kind  string
	bare  bool // on a text without characters
	ttl   time.Duration
}

func (cache4) see(m *moment, t *tally) {
	if m.Request == nil || m.call == nil {
		return
	}
	marks := m.call.breakpoints()
	if len(marks) == 0 {
		return
	}
	t.occasion()
	if len(marks) > model.MaxBreakpoints {
		t.broken(fmt.Sprintf("count %d", m.call.number), fmt.Sprintf("%s: breakpoint %d of %d", marks[model.MaxBreakpoints].place, model.MaxBreakpoints+1, len(marks)),
			fmt.Sprintf("a request may hold %d breakpoints", model.MaxBreakpoints))
	}
	shortest := -1
	for i, b := range marks {
		switch {
		case b.kind == "thinking" || b.kind == "redacted_thinking":
			t.broken("thinking "+b.place, b.place+": a breakpoint on a "+b.kind+" block", "breakpoints never stand on thinking")
		case b.bare:
			t.broken("text "+b.place, b.place+": a breakpoint on an empty text block", "breakpoints never stand on empty text")
		}
		if shortest >= 0 && b.ttl > marks[shortest].ttl {
			t.broken(fmt.Sprintf("ttl %d", m.call.number), fmt.Sprintf("%s: a breakpoint that lives %s", b.place, b.ttl),
				fmt.Sprintf("%s: one that lives %s stands before it", marks[shortest].place, marks[shortest].ttl))
		}
		if shortest < 0 || b.ttl < marks[shortest].ttl {
			shortest = i
		}
	}
}

// breakpoints lists the marks in render order: tools, system, messages, and last the one at the top
// level, which stands for the last block.
func (c *call) breakpoints() []breakpoint {
	var out []breakpoint
	outside := func(v wire.Value, path, kind string) {
		if found, ok := markOf(v, kind); ok {
			found.place = fmt.Sprintf("call %d, %s, byte %d", c.number, path, v.Offset())
			out = append(out, found)
		}
	}
	for i, v := range c.req.Get("tools").Elems() {
		outside(v, fmt.Sprintf("tools.%d", i), "tool")
	}
	for i, v := range c.req.Get("system").Elems() {
		outside(v, fmt.Sprintf("system.%d", i), v.Get("type").Text())
	}
	for i := range c.chain.conv.msgs {
		for _, mk := range c.chain.conv.msgs[i].marks {
			found := mk.breakpoint
			found.place = c.at(i, mk.index)
			if mk.inner >= 0 {
				found.place += fmt.Sprintf(", content.%d of it", mk.inner)
			}
			out = append(out, found)
		}
	}
	if !c.marksItself() {
		outside(c.req.Root, "cache_control", "")
	}
	return out
}

// marksItself tells that the last block carries the mark which one at the top level would put there, so that
// the latter has no effect and takes no slot (messages-api.md 5.5).
func (c *call) marksItself() bool {
	top, ok := markOf(c.req.Root, "")
	msgs := c.chain.conv.msgs
	if !ok || len(msgs) == 0 {
		return false
	}
	last := msgs[len(msgs)-1]
	for _, mk := range last.marks {
		if mk.inner < 0 && mk.index == len(last.blocks)-1 && mk.ttl == top.ttl {
			return true
		}
	}
	return false
}

// innerMark is a breakpoint in a message.
type innerMark struct {
	breakpoint
	index, inner int // block, and block inside a tool result, -1 for none
}

// marksOf finds the breakpoints of a block: its own and those inside the content of a tool result.
// Members of tool input that happen to have the name are data.
func marksOf(v wire.Value, index int) []innerMark {
	var out []innerMark
	kind := v.Get("type").Text()
	if strings.HasSuffix(kind, "tool_result") {
		for n, part := range v.Get("content").Elems() {
			if found, ok := markOf(part, part.Get("type").Text()); ok {
				out = append(out, innerMark{found, index, n})
			}
		}
	}
	if found, ok := markOf(v, kind); ok {
		out = append(out, innerMark{found, index, -1})
	}
	return out
}

func markOf(v wire.Value, kind string) (breakpoint, bool) {
	mark := v.Get("cache_control")
	if !mark.Exists() || mark.IsNull() {
		return breakpoint{}, false
	}
	ttl := model.TTLShort
	if mark.Get("ttl").Text() == "1h" {
		ttl = model.TTLLong
	}
	return breakpoint{kind: kind, bare: kind == "text" && v.Get("text").Text() == "", ttl: ttl}, true
}
