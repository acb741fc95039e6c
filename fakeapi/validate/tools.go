package validate

import (
	"slices"

	"harnessbench/internal/wire"
)

var toolOrigin = origin{"tools", "messages-api.md 2.7", "high"}

const toolNamePattern = "^[a-zA-Z0-9_-]{1,128}$"

var customTool = &object{
	origin: toolOrigin, name: "tools.custom", wrong: notObject,
	fields: []field{
		{name: "type", check: anything{}},
		{name: "name", required: true, check: str{nonEmpty: true, max: 128, pattern: toolNamePattern, match: isToolID}},
		{name: "description", check: str{}},
		{name: "input_schema", required: true, check: inputSchema{}},
		cacheField(),
		{name: "defer_loading", null: true, check: boolean},
		{name: "eager_input_streaming", null: true, check: boolean},
		{name: "strict", null: true, check: passed{boolean}},
		{name: "allowed_callers", null: true},
		{name: "input_examples", null: true},
	},
}

// passed checks the JSON kind of a field and lists it as not judged: its meaning is a later rule.
type passed struct{ check }

func (p passed) judge(w *walk, o owner, v wire.Value) *Fault {
	f := p.check.judge(w, o, v)
	if f == nil {
		w.pass()
	}
	return f
}

// otherTools are the types whose rules are not built (messages-api.md 2.7, and older ones of the recordings).
func otherTools() []string {
	return []string{
		"advisor_20260301",
		"bash_20241022", "bash_20250124",
		"browser_toolset_20260801",
		"code_execution_20250522", "code_execution_20250825", "code_execution_20260120", "code_execution_20260521",
		"computer_20241022", "computer_20250124", "computer_20251124", "computer_toolset_20260801",
		"mcp_toolset",
		"memory_20250818",
		"text_editor_20241022", "text_editor_20250124", "text_editor_20250429", "text_editor_20250728",
		"tool_search_tool_bm25", "tool_search_tool_bm25_20251119",
		"tool_search_tool_regex", "tool_search_tool_regex_20251119",
		"web_fetch_20250910", "web_fetch_20260209", "web_fetch_20260309", "web_fetch_20260318",
		"web_search_20250305", "web_search_20260209", "web_search_20260318",
	}
}

var toolEntry = func() *union {
	tags := append(otherTools(), "custom")
	slices.Sort(tags)
	u := &union{origin: toolOrigin, name: "tools.item", fallback: "custom"}
	for _, t := range tags {
		a := arm{tag: t}
		if t == "custom" {
			a.shape = customTool
		}
		u.arms = append(u.arms, a)
	}
	return u
}()

var toolsField = list{of: toolEntry}

var (
	namesUnique = rule{id: "tools.unique", area: "tools", source: "messages-api.md 2.7", confidence: "high",
		text: "tools: Tool names must be unique."}
	allDeferred = rule{id: "tools.all-deferred", area: "tools", source: "messages-api.md 2.7", confidence: "medium",
		text: "At least one tool must have defer_loading=false"}
	deferredMark = rule{id: "tools.deferred-cache", area: "tools", source: "messages-api.md 5.2", confidence: "medium",
		text: "Tool '{name}' cannot have both defer_loading=true and cache_control set. Tools with defer_loading cannot use prompt caching."}
)

// judgeTools holds the rules that relate tools to each other.
func judgeTools(r *reading) *Fault {
	tools := r.req.Get("tools")
	seen := make(map[string]bool, tools.Len())
	loaded := tools.Len() == 0
	for _, t := range tools.Elems() {
		if name := t.Get("name"); name.Exists() {
			n := name.Text()
			if seen[n] {
				return namesUnique.fault()
			}
			seen[n] = true
		}
		deferred, _ := t.Get("defer_loading").Bool()
		if deferred && marked(t) {
			return deferredMark.fault("name", t.Get("name").Text())
		}
		loaded = loaded || !deferred
	}
	if !loaded {
		return allDeferred.fault()
	}
	return nil
}
