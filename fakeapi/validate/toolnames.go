package validate

import (
	"slices"
	"strings"

	"harnessbench/internal/wire"
)

var (
	// A report has the words (claude-code#81863), of a tool whose server had gone.
	referenceUnknown = rule{id: "tool_reference.unknown", area: "tools", source: "SDK BetaToolReferenceBlockParam, public reports", confidence: "medium", era: "2026",
		text: "Tool reference '{name}' not found in available tools"}
	// The code is known, the words are not (messages-api.md 13, item 5).
	changeConflict = rule{id: "tool_change.conflict", area: "tools", source: "messages-api.md 2.4", confidence: "low", era: "models with tool changes",
		text: "{path}: the name '{name}' is held by an available tool of another kind"}
	citationsMixed = rule{id: "search_result.citations-mixed", area: "content", source: "api-verdicts-notes.md 8.3, documentation of search results", confidence: "low",
		text: "{path}: citations must be enabled for all search results of a request or for none"}
	typeUnsupported = rule{id: "tools.type-model", area: "tools", source: "messages-api.md 10, api-verdicts-notes.md 5", confidence: "medium", era: "Opus 5.5, Fable 5.2, Mythos 5.2",
		text: "'{model}' does not support tool types: {types}. Did you mean one of {others}?"}
)

// offered are the tool types of messages-api.md 2.7 that a refusal of another one names, sorted.
var offered = []string{
	"advisor_20260301", "bash_20250124", "browser_toolset_20260801", "code_execution_20250522", "code_execution_20250825",
	"code_execution_20260120", "code_execution_20260521", "computer_20251124", "computer_toolset_20260801", "custom", "mcp_toolset",
	"memory_20250818", "text_editor_20250728", "tool_search_tool_bm25_20251119", "tool_search_tool_regex_20251119",
	"web_fetch_20250910", "web_fetch_20260209", "web_fetch_20260309", "web_fetch_20260318",
	"web_search_20250305", "web_search_20260209", "web_search_20260318",
}

// judgeTypes refuses tools of a type that the model does not take.
func (r *reading) judgeTypes() *Fault {
	refused := r.model.RefusedTools
	if len(refused) == 0 {
		return nil
	}
	var sent []string
	for _, t := range r.req.Get("tools").Elems() {
		if typ := t.Get("type").Text(); slices.Contains(refused, typ) {
			sent = append(sent, typ)
		}
	}
	if len(sent) == 0 {
		return nil
	}
	others := slices.DeleteFunc(slices.Clone(offered), func(t string) bool { return slices.Contains(refused, t) })
	return typeUnsupported.fault("model", r.model.ID, "types", strings.Join(sortedUnique(sent), ", "), "others", strings.Join(others, ", "))
}

// refer notes the tools that a result brings into play, and the search results in it.
func (c *conversation) refer(result wire.Block) {
	path := blockPath(result.Message, result.Index)
	for i, b := range result.Get("content").Elems() {
		c.searches(b, path+".content."+itoa(i))
		if b.Get("type").Text() != "tool_reference" {
			continue
		}
		c.referred = append(c.referred, b.Get("tool_name").Text())
	}
}

// judgeReferences refuses results that bring tools nobody has. The tools of a set go by names not seen here.
func (r *reading) judgeReferences() *Fault {
	if len(r.conv.referred) == 0 {
		return nil
	}
	for _, t := range r.req.Get("tools").Elems() {
		if strings.Contains(t.Get("type").Text(), "toolset") {
			return nil
		}
	}
	known := r.offeredNames()
	for _, d := range r.conv.defined {
		known[d.name] = true
	}
	for _, name := range r.conv.referred {
		if known[name] {
			continue
		}
		known[name] = true // it is refused once
		if f := referenceUnknown.fault("name", name); !r.walk.goesOn(f, 0) {
			return f
		}
	}
	return nil
}

// searches takes up a search result: whether it is to be cited has to agree with the others (the documentation of
// search results; its words are not known).
func (c *conversation) searches(v wire.Value, path string) {
	if v.Get("type").Text() != "search_result" {
		return
	}
	on := cites(v)
	c.cited, c.uncited = c.cited || on, c.uncited || !on
	if c.cited && c.uncited {
		c.report(rankMedia, citationsMixed.fault("path", path))
	}
}

// judgeConflicts refuses a definition under the name of a tool of another kind that is available there: custom ones
// against those that the API defines.
func (r *reading) judgeConflicts() *Fault {
	if len(r.conv.defined) == 0 {
		return nil
	}
	type kind struct {
		name   string
		custom bool
	}
	available, removed := map[kind]bool{}, map[string]int{}
	for _, t := range r.req.Get("tools").Elems() {
		if deferred, _ := t.Get("defer_loading").Bool(); !deferred {
			available[kind{t.Get("name").Text(), isCustom(t)}] = true
		}
	}
	for i, name := range r.conv.removed {
		if _, again := removed[name]; !again {
			removed[name] = i
		}
	}
	for _, d := range r.conv.defined {
		if first, ok := removed[d.name]; d.path == "" || ok && first < d.removals || !available[kind{d.name, !d.custom}] {
			continue
		}
		if f := changeConflict.fault("path", d.path, "name", d.name).coded("tool_name_conflict"); !r.walk.goesOn(f, 0) {
			return f
		}
	}
	return nil
}

func isCustom(tool wire.Value) bool {
	typ := tool.Get("type").Text()
	return typ == "" || typ == "custom"
}
