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
	name := tool.Get("name").Text()
	switch tool.Get("type").Text() {
	case "tool_definition":
		c.defined = append(c.defined, tool.Get("definition").Get("name").Text())
	case "tool_reference":
		for _, n := range c.defined {
			if n == name {
				return
			}
		}
		c.named = append(c.named, namedTool{name, blockPath(b.Message, b.Index) + ".tool"})
	}
}

// namedTool is a tool that a change names and no earlier change defines.
type namedTool struct{ name, path string }

// judgeChanges refuses tool changes where the model does not take them, and names that nothing defines.
func (r *reading) judgeChanges() *Fault {
	c := &r.conv
	if c.changed && !r.model.ToolChanges {
		return changeModel.fault()
	}
	for _, n := range c.named {
		if !r.offersTool(n.name) {
			if f := changeUnresolved.fault("path", n.path, "name", n.name).coded("tool_reference_unresolved"); !r.walk.goesOn(f, 0) {
				return f
			}
		}
	}
	return nil
}

func (r *reading) offersTool(name string) bool {
	for _, t := range r.req.Get("tools").Elems() {
		if t.Get("name").Text() == name {
			return true
		}
	}
	return false
}
