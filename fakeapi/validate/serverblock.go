package validate

import "harnessbench/internal/wire"

var serverOrigin = origin{"pairing", "messages-api.md 2.5", "high"}

const serverIDPattern = "^srvtoolu_[a-zA-Z0-9_]+$"

var serverID = str{pattern: serverIDPattern, match: func(s string) bool {
	const prefix = "srvtoolu_"
	if len(s) <= len(prefix) || s[:len(prefix)] != prefix {
		return false
	}
	for i := len(prefix); i < len(s); i++ {
		if !isNameByte(s[i]) || s[i] == '-' {
			return false
		}
	}
	return true
}}

// serverTools are the names a server_tool_use may have.
var serverTools = []string{"advisor", "bash_code_execution", "code_execution", "text_editor_code_execution",
	"tool_search_tool_bm25", "tool_search_tool_regex", "web_fetch", "web_search"}

var serverUseBlock = &object{
	origin: serverOrigin, name: "server_tool_use", wrong: notObject,
	fields: []field{
		tagField,
		must("id", serverID),
		must("name", word(serverTools...)),
		must("input", dict),
		cacheField(),
		may("caller", caller),
	},
}

// serverResult is the block of a server tool's result.
func serverResult(tag string, content check) *object {
	return &object{
		origin: origin{"pairing", "messages-api.md 2.5, SDK " + tag, "medium"}, name: tag, wrong: notObject,
		fields: []field{tagField, must("tool_use_id", serverID), must("content", content), cacheField(), may("caller", caller)},
	}
}

// outcome is what stands in a result block; its type is one of several.
func outcome(block string, arms ...arm) *union {
	return &union{origin: origin{"content", "SDK " + block, "medium"}, name: block + ".content", arms: arms}
}

func outcomeArm(tag string, fields ...field) arm {
	return arm{tag: tag, shape: &object{origin: origin{"content", "SDK " + tag, "medium"}, name: tag, wrong: notObject,
		fields: append([]field{tagField}, fields...)}}
}

// errorArm is the outcome of a tool that failed.
func errorArm(tag string) arm {
	return outcomeArm(tag, must("error_code", str{}), may("error_message", str{}))
}

// files are the files that code left behind.
func files(tag string) list {
	return list{of: &object{origin: origin{"content", "SDK " + tag, "medium"}, name: tag, wrong: notObject,
		fields: []field{must("type", word(tag)), must("file_id", str{})}}}
}

var (
	number = integer{unbounded, tooSmall}

	webSearchResult = serverResult("web_search_tool_result", byKind{
		list: list{of: &object{
			origin: origin{"content", "SDK web_search_result", "medium"}, name: "web_search_result", wrong: notObject,
			fields: []field{must("type", word("web_search_result")), must("url", str{}), must("title", str{}),
				must("encrypted_content", str{}), may("page_age", str{})},
			also: searchSeal, alsoRule: []rule{sealBroken},
		}},
		object: &object{origin: origin{"content", "SDK web_search_tool_result_error", "medium"}, name: "web_search_tool_result_error", wrong: notShape,
			fields: []field{must("type", word("web_search_tool_result_error")), must("error_code", str{})}},
	})
	webFetchResult = serverResult("web_fetch_tool_result", outcome("web_fetch_tool_result",
		outcomeArm("web_fetch_result", must("url", str{}), must("content", bareDocument{}), may("retrieved_at", str{})),
		errorArm("web_fetch_tool_result_error")))
	codeResult = serverResult("code_execution_tool_result", outcome("code_execution_tool_result",
		outcomeArm("code_execution_result", must("content", files("code_execution_output")), must("return_code", number),
			must("stderr", str{}), must("stdout", str{})),
		errorArm("code_execution_tool_result_error"),
		outcomeArm("encrypted_code_execution_result", must("content", files("code_execution_output")), must("encrypted_stdout", str{}),
			must("return_code", number), must("stderr", str{}))))
	bashResult = serverResult("bash_code_execution_tool_result", outcome("bash_code_execution_tool_result",
		outcomeArm("bash_code_execution_result", must("content", files("bash_code_execution_output")), must("return_code", number),
			must("stderr", str{}), must("stdout", str{})),
		errorArm("bash_code_execution_tool_result_error")))
	editorResult = serverResult("text_editor_code_execution_tool_result", outcome("text_editor_code_execution_tool_result",
		outcomeArm("text_editor_code_execution_create_result", must("is_file_update", boolean)),
		outcomeArm("text_editor_code_execution_str_replace_result", may("lines", list{of: str{}}), may("new_lines", number),
			may("new_start", number), may("old_lines", number), may("old_start", number)),
		errorArm("text_editor_code_execution_tool_result_error"),
		outcomeArm("text_editor_code_execution_view_result", must("content", str{}), must("file_type", word("text", "image", "pdf")),
			may("num_lines", number), may("start_line", number), may("total_lines", number))))
	toolSearchResult = serverResult("tool_search_tool_result", outcome("tool_search_tool_result",
		errorArm("tool_search_tool_result_error"),
		outcomeArm("tool_search_tool_search_result", must("tool_references", list{of: &object{
			origin: origin{"tools", "SDK BetaToolReferenceBlockParam", "medium"}, name: "tool_search_tool_search_result.item", wrong: notObject,
			fields: []field{must("type", word("tool_reference")), must("tool_name", str{}), cacheField()},
		}}))))
	// An advisor's result was seen as a list of blocks too (api-verdicts.jsonl advisor-result-without-server-tool-use).
	advisorResult = serverResult("advisor_tool_result", byKind{
		list: list{of: dict},
		object: outcome("advisor_tool_result",
			outcomeArm("advisor_redacted_result", must("encrypted_content", str{}), may("stop_reason", str{})),
			outcomeArm("advisor_result", must("text", str{}), may("stop_reason", str{})),
			errorArm("advisor_tool_result_error")),
	})
)

// bareDocument is the document a web_fetch_result holds, whose path carries no tag.
type bareDocument struct{}

func (bareDocument) judge(w *walk, o owner, v wire.Value) *Fault { return documentBlock.judge(w, o, v) }
func (bareDocument) rules(o owner) []rule                        { return documentBlock.rules(o)[:1] }

var sealBroken = rule{id: "web_search_result.encrypted_content", area: "content", source: "api-verdicts.jsonl search-result-encrypted-content",
	confidence: "high", text: "{path}: Invalid `encrypted_content` in `search_result` block"}

// searchSeal refuses a seal that is no base64; whether a right one was issued with these words is not seen. The path
// is that of the result block.
func searchSeal(w *walk, _ owner, v wire.Value) *Fault {
	if isBase64(v.Get("encrypted_content")) {
		return nil
	}
	return sealBroken.fault("path", w.message())
}
