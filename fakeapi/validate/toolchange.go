package validate

import "harnessbench/internal/wire"

var changeOrigin = origin{"tools", "messages-api.md 2.4", "medium"}

const inlineBeta = "inline-tools-2026-09-15"

func change(tag string, tool *union) *object {
	return &object{origin: changeOrigin, name: tag, wrong: notObject, fields: []field{tagField, must("tool", tool), cacheField()}}
}

func changed(name, tag string, fields ...field) arm {
	return arm{tag: tag, shape: &object{origin: changeOrigin, name: name + "." + tag, wrong: notObject, fields: append([]field{tagField}, fields...)}}
}

func changeTool(name string, more ...arm) *union {
	return &union{origin: changeOrigin, name: name, arms: append([]arm{
		changed(name, "mcp_tool_reference", must("server_name", str{}), must("name", str{})),
		changed(name, "mcp_toolset_reference", must("server_name", str{})),
	}, append(more, changed(name, "tool_reference", must("name", str{})))...)}
}

var (
	toolAdditionBlock = change("tool_addition", changeTool("tool_addition.tool", arm{
		tag: "tool_definition", betas: []string{inlineBeta}, strict: true,
		shape: changed("tool_addition.tool", "tool_definition", must("definition", toolEntry)).shape,
	}))
	toolRemovalBlock = change("tool_removal", changeTool("tool_removal.tool"))
)

var (
	changeModel = rule{id: "tool_change.model", area: "tools", source: "messages-api.md 2.4", confidence: "medium", era: "models before 4.8, Sonnet 5",
		text: "tool_addition/tool_removal is not supported on this model"}
	// The code is known, the words are not (messages-api.md 13, item 5).
	changeUnresolved = rule{id: "tool_change.unresolved", area: "tools", source: "messages-api.md 2.4", confidence: "low",
		text: "{path}: tool '{name}' was not found in `tools` or in an earlier `tool_addition`"}
)

// changes takes up the tool changes of a system message: what is defined there can be named later.
func (c *conversation) changes(b wire.Block, k *blockKind) {
	tool := b.Get("tool")
	name, path := tool.Get("name").Text(), blockPath(b.Message, b.Index)+".tool"
	if k.tag == "tool_addition" {
		c.added = true
	}
	switch tool.Get("type").Text() {
	case "tool_definition":
		d := tool.Get("definition")
		name := d.Get("name").Text()
		c.defined = append(c.defined, definedTool{name, path, isCustom(d), len(c.removed)})
	case "tool_reference":
		if k.tag == "tool_removal" {
			c.removed = append(c.removed, name)
		}
		c.named = append(c.named, namedTool{name, path, len(c.defined)})
	}
}

// compacts takes up a compaction block: what was referred to before it is gone, the tool changes it holds are not.
func (c *conversation) compacts(b wire.Block) {
	c.compacted, c.referred = true, nil
	for _, change := range b.Get("tool_changes").Elems() {
		if change.Get("type").Text() != "tool_addition" {
			continue
		}
		c.added = true
		if d := change.Get("tool").Get("definition"); d.Exists() {
			c.defined = append(c.defined, definedTool{name: d.Get("name").Text()})
		}
	}
}

// definedTool is a tool that an addition brought whole; path is "" for one that a compaction block holds.
type definedTool struct {
	name, path string
	custom     bool
	removals   int // removals that came before it
}

// namedTool is a tool that a change names.
type namedTool struct {
	name, path  string
	definitions int // definitions that came before it
}

// judgeChanges refuses tool changes where the model does not take them, and names that nothing defines.
func (r *reading) judgeChanges() *Fault {
	c := &r.conv
	if c.changed && !r.model.ToolChanges {
		return changeModel.fault()
	}
	if len(c.named) == 0 {
		return nil
	}
	offered, defined := r.offeredNames(), map[string]int{}
	for i, d := range c.defined {
		if _, again := defined[d.name]; !again {
			defined[d.name] = i
		}
	}
	for _, n := range c.named {
		if first, ok := defined[n.name]; !offered[n.name] && (!ok || first >= n.definitions) {
			if f := changeUnresolved.fault("path", n.path, "name", n.name).coded("tool_reference_unresolved"); !r.walk.goesOn(f, 0) {
				return f
			}
		}
	}
	return nil
}

// offeredNames are the names of the tools of the request.
func (r *reading) offeredNames() map[string]bool { return namesIn(r.req.Get("tools")) }

// namesIn are the names that the items of a list have.
func namesIn(list wire.Value) map[string]bool {
	names := make(map[string]bool, list.Len())
	for _, e := range list.Elems() {
		names[e.Get("name").Text()] = true
	}
	return names
}
