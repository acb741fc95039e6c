package validate

import (
	"harnessbench/internal/model"
	"harnessbench/internal/wire"
)

var (
	tooManyMarks = rule{id: "cache.too-many", area: "cache", source: "messages-api.md 5.2", confidence: "high",
		text: "A maximum of {max} blocks with cache_control may be provided. Found {n}."}
	ttlOrder = rule{id: "cache.ttl-order", area: "cache", source: "messages-api.md 5.2", confidence: "high",
		text: "{path}: a ttl='1h' cache_control block must not come after a ttl='5m' cache_control block. Note that blocks are processed in the following order: `tools`, `system`, `messages`."}
	// The refusal is documented, its words are not (messages-api.md 13, item 5).
	automaticTTL = rule{id: "cache.automatic-ttl", area: "cache", source: "messages-api.md 5.5", confidence: "low",
		text: "cache_control: a ttl='{ttl}' cache_control cannot be set for a block with a ttl='{other}' cache_control."}
)

// marks is what the cache marks of the messages so far mean for the whole request.
type marks struct {
	count  int
	short  bool   // a 5m mark was seen
	long   string // path of the first 1h mark
	broken string // path of the first 1h mark behind a 5m mark
	tail   tail   // the last block that could take a mark
}

// tail is a block that automatic caching would mark; ttl is "" when it carries none.
type tail struct {
	exists bool
	ttl    string
}

func (k *marks) add(ttl, path string) {
	k.count++
	switch {
	case ttl != "1h":
		k.short = true
	case k.short && k.broken == "":
		k.broken = path
	}
	if ttl == "1h" && k.long == "" {
		k.long = path
	}
}

func ttlOf(v wire.Value) string {
	if v.Get("cache_control").Get("ttl").Text() == "1h" {
		return "1h"
	}
	return "5m"
}

// mark counts the marks of one block. A mark inside a tool_result counts as one of the whole result. shown is false
// in a message that is not there for good, where automatic caching marks nothing.
func (c *conversation) mark(b wire.Block, k *blockKind, shown bool) {
	ttl := ""
	if !b.Bare && b.Len() > plainMembers {
		if k.tag == "tool_result" {
			for i, inner := range b.Get("content").Elems() {
				if marked(inner) {
					ttl = ttlOf(inner)
					c.marks.add(ttl, blockPath(b.Message, b.Index)+".content."+itoa(i)+".cache_control.ttl")
				}
			}
		}
		if marked(b.Value) {
			ttl = ttlOf(b.Value)
			c.marks.add(ttl, blockPath(b.Message, b.Index)+".cache_control.ttl")
		}
	}
	if shown && !k.thinking() && !(k == textKind && emptyString(b.TextValue())) {
		c.marks.tail = tail{true, ttl}
	}
}

// plainMembers are those of the smallest block, its type and one more: with no third one it carries no mark.
const plainMembers = 2

// judgeCaching counts marks in render order: tools, system, messages, the automatic one last.
func judgeCaching(r *reading) *Fault {
	var all marks
	for _, level := range [...]string{"tools", "system"} {
		v := r.req.Get(level)
		for i, e := range v.Elems() {
			ttl := ""
			if marked(e) {
				ttl = ttlOf(e)
				all.add(ttl, level+"."+itoa(i)+".cache_control.ttl")
			}
			if deferred, _ := e.Get("defer_loading").Bool(); !deferred && !emptyString(e.Get("text")) {
				all.tail = tail{true, ttl}
			}
		}
		if v.Kind() == '"' && !emptyString(v) {
			all.tail = tail{exists: true}
		}
	}
	m := r.conv.marks
	all.count += m.count
	if all.broken == "" {
		if all.broken = m.broken; all.short && m.long != "" {
			all.broken = m.long
		}
	}
	all.short = all.short || m.short
	if m.tail.exists {
		all.tail = m.tail
	}
	return r.automatic(all)
}

// automatic adds the breakpoint of top-level cache_control (messages-api.md 5.5) and judges the sum.
func (r *reading) automatic(all marks) *Fault {
	auto := r.req.Get("cache_control")
	on := present(auto) && all.tail.exists
	ttl := ttlOf(r.req.Root)
	if on && all.tail.ttl == "" {
		all.add(ttl, "cache_control.ttl")
	}
	if all.count > model.MaxBreakpoints {
		return tooManyMarks.fault("max", itoa(model.MaxBreakpoints), "n", itoa(all.count))
	}
	if on && all.tail.ttl != "" && all.tail.ttl != ttl {
		return automaticTTL.fault("ttl", ttl, "other", all.tail.ttl)
	}
	if all.broken != "" {
		return ttlOrder.fault("path", all.broken)
	}
	return nil
}
