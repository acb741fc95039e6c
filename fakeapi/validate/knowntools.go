package validate

import (
	"slices"

	"harnessbench/internal/wire"
)

var knownOrigin = origin{"tools", "messages-api.md 2.7, SDK BetaToolUnionParam", "medium"}

var callers = list{of: word("direct", "code_execution_20250825", "code_execution_20260120", "code_execution_20260521")}

// toolFields are what every tool takes beside what it is; examples of input only those that a client runs.
func toolFields(more ...field) []field {
	return append([]field{
		tagField,
		cacheField(),
		may("defer_loading", boolean),
		may("allowed_callers", callers),
		may("strict", boolean),
	}, more...)
}

// known is a tool that the API defines: its type, the one name it may have, its fields.
func known(tag, name string, more ...field) arm {
	fields := append([]field{must("name", word(name))}, toolFields(more...)...)
	return arm{tag: tag, shape: &object{origin: knownOrigin, name: "tools." + tag, wrong: notObject, fields: fields}}
}

func clientTool(tag, name string, more ...field) arm {
	return known(tag, name, append(more, may("input_examples", list{of: dict}))...)
}

func computerTool(tag string, more ...field) arm {
	return clientTool(tag, "computer", append(more,
		must("display_width_px", integer{1, tooSmall}), must("display_height_px", integer{1, tooSmall}), may("display_number", count))...)
}

var userLocation = &object{
	origin: origin{"tools", "SDK BetaUserLocationParam", "medium"}, name: "user_location", wrong: notObject,
	fields: []field{must("type", word("approximate")), may("city", str{}), may("country", str{}), may("region", str{}), may("timezone", str{})},
}

// webTool is one of the web tools; its two lists of domains exclude each other.
func webTool(tag, name string, more ...field) arm {
	a := known(tag, name, append(more, may("max_uses", integer{1, tooSmall}),
		may("allowed_domains", list{of: str{}}), may("blocked_domains", list{of: str{}}))...)
	a.shape.also, a.shape.alsoRule = oneDomainList, []rule{domainLists}
	return a
}

func webSearch(tag string, more ...field) arm {
	return webTool(tag, "web_search", append(more, may("user_location", userLocation))...)
}

func webFetch(tag string, more ...field) arm {
	return webTool(tag, "web_fetch", append(more, may("max_content_tokens", integer{1, tooSmall}), may("citations", citationsConfig),
		may("url_sources", urlSources))...)
}

var domainLists = rule{id: "tools.web.domains", area: "tools", source: "api-verdicts.jsonl web-search-domain-lists", confidence: "low",
	text: "{path}: only one of `allowed_domains` and `blocked_domains` may be given"}

func oneDomainList(w *walk, _ owner, v wire.Value) *Fault {
	if v.Get("allowed_domains").Len() == 0 || v.Get("blocked_domains").Len() == 0 {
		return nil
	}
	return domainLists.fault("path", w.where())
}

var urlSources = &object{
	origin: origin{"tools", "SDK BetaWebFetchURLSourcesParam", "medium"}, name: "url_sources", wrong: notObject,
	fields: []field{may("client_tool_results", urlSourceSet), may("server_tool_results", urlSourceSet), may("user_input", urlSourceSet)},
}

var urlSourceSet = func() *union {
	o := origin{"tools", "SDK BetaWebFetchURLSourcesParam", "medium"}
	tools := list{of: &object{origin: o, name: "url_sources.tools.item", wrong: notObject,
		fields: []field{must("type", word("tool_reference")), must("name", str{})}}}
	set := func(tag string, fields ...field) arm {
		return arm{tag: tag, shape: &object{origin: o, name: "url_sources." + tag, wrong: notObject, fields: append([]field{tagField}, fields...)}}
	}
	return &union{origin: o, name: "url_sources.set", arms: []arm{set("all"), set("except", must("tools", tools)), set("none"), set("only", must("tools", tools))}}
}()

var inclusion = may("response_inclusion", word("full", "excluded"))

// toggles switches single tools of a set on, off, or to be loaded later.
var toggles = &object{
	origin: origin{"tools", "SDK BetaMCPToolConfigParam", "medium"}, name: "tool_config", wrong: notObject,
	fields: []field{may("enabled", boolean), may("defer_loading", boolean)},
}

// toolset is a set of tools that go by names of their own.
func toolset(tag string, fields ...field) arm {
	return arm{tag: tag, shape: &object{origin: knownOrigin, name: "tools." + tag, wrong: notObject,
		fields: append([]field{tagField, cacheField(), may("configs", dictOf{toggles})}, fields...)}}
}

var (
	advisorBetas  = []string{"advisor-tool-2026-03-01"}
	firstComputer = []string{"computer-use-2024-10-22"}
	toolsetBetas  = []string{"mcp-client-2025-11-20", "mcp-client-2026-09-15"}
)

// gated is a tool that its header opens; without it the type is unknown, as a field would be.
func gated(a arm, betas ...string) arm {
	a.betas, a.strict = betas, true
	return a
}

// knownTools are the types of messages-api.md 2.7, older ones that recordings hold among them.
func knownTools() []arm {
	advisor := known("advisor_20260301", "advisor", must("model", str{nonEmpty: true}), may("max_tokens", integer{1, tooSmall}),
		may("max_uses", integer{1, tooSmall}), may("caching", cacheControl))
	cached := may("use_cache", boolean)
	return []arm{
		gated(advisor, advisorBetas...),
		gated(clientTool("bash_20241022", "bash"), firstComputer...), clientTool("bash_20250124", "bash"),
		toolset("browser_toolset_20260801"),
		known("code_execution_20250522", "code_execution"), known("code_execution_20250825", "code_execution"),
		known("code_execution_20260120", "code_execution"), known("code_execution_20260521", "code_execution"),
		gated(computerTool("computer_20241022"), firstComputer...), gated(computerTool("computer_20250124"), "computer-use-2025-01-24"),
		gated(computerTool("computer_20251124", may("enable_zoom", boolean)), "computer-use-2025-11-24"),
		toolset("computer_toolset_20260801"),
		gated(toolset("mcp_toolset", must("mcp_server_name", str{nonEmpty: true}), may("default_config", toggles), may("tools", list{of: mcpTool})), toolsetBetas...),
		clientTool("memory_20250818", "memory"),
		gated(clientTool("text_editor_20241022", "str_replace_editor"), firstComputer...), clientTool("text_editor_20250124", "str_replace_editor"),
		clientTool("text_editor_20250429", "str_replace_based_edit_tool"),
		clientTool("text_editor_20250728", "str_replace_based_edit_tool", may("max_characters", integer{1, tooSmall})),
		clientTool("tool_search_tool_bm25", "tool_search_tool_bm25"), clientTool("tool_search_tool_bm25_20251119", "tool_search_tool_bm25"),
		known("tool_search_tool_regex", "tool_search_tool_regex"), known("tool_search_tool_regex_20251119", "tool_search_tool_regex"),
		webFetch("web_fetch_20250910"), webFetch("web_fetch_20260209"), webFetch("web_fetch_20260309", cached),
		webFetch("web_fetch_20260318", cached, inclusion),
		webSearch("web_search_20250305"), webSearch("web_search_20260209"), webSearch("web_search_20260318", inclusion),
	}
}

var toolEntry = func() *union {
	arms := append(knownTools(), arm{tag: "custom", shape: customTool})
	slices.SortFunc(arms, func(a, b arm) int {
		if a.tag < b.tag {
			return -1
		}
		return 1
	})
	return &union{origin: toolOrigin, name: "tools.item", fallback: "custom", arms: arms}
}()
