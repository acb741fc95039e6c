package validate

import (
	"harnessbench/internal/wire"
)

var blockOrigin = origin{"content", "messages-api.md 2.1, 2.5", "high"}

const toolIDPattern = "^[a-zA-Z0-9_-]+$"

func isToolID(s string) bool {
	for i := 0; i < len(s); i++ {
		if !isNameByte(s[i]) {
			return false
		}
	}
	return s != ""
}

func isNameByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '-'
}

var toolID = str{pattern: toolIDPattern, match: isToolID}

var textBlock = &object{
	origin: blockOrigin, name: "text", wrong: notObject,
	fields: []field{
		{name: "type", check: anything{}},
		{name: "text", required: true, check: str{}},
		cacheField(),
		may("citations", citations),
	},
	also:     markedEmpty,
	alsoRule: []rule{emptyMarked.of(owner{origin: blockOrigin, name: "text"})},
}

var thinkingBlock = &object{
	origin: origin{"thinking", "messages-api.md 6.5", "high"}, name: "thinking_block", wrong: notObject,
	fields: []field{
		{name: "type", check: anything{}},
		{name: "thinking", required: true, check: str{}},
		{name: "signature", required: true, check: str{}},
	},
	also: func(w *walk, _ owner, v wire.Value) *Fault {
		if emptyString(v.Get("thinking")) && emptyString(v.Get("signature")) {
			return thinkingEmpty.fault("path", w.where())
		}
		return nil
	},
	alsoRule: []rule{thinkingEmpty},
}

// thinkingEmpty speaks only when the signature is empty too: an omitted block has no text but a signature.
var thinkingEmpty = rule{id: "thinking_block.empty", area: "thinking", source: "messages-api.md 6.5", confidence: "high",
	text: "{path}: each thinking block must contain thinking"}

var redactedBlock = &object{
	origin: origin{"thinking", "messages-api.md 6.5", "medium"}, name: "redacted_thinking_block", wrong: notObject,
	fields: []field{
		{name: "type", check: anything{}},
		{name: "data", required: true, check: str{}},
	},
}

var toolUseBlock = &object{
	origin: origin{"pairing", "messages-api.md 2.5", "high"}, name: "tool_use", wrong: notObject,
	fields: []field{
		{name: "type", check: anything{}},
		{name: "id", required: true, check: toolID},
		{name: "name", required: true, check: str{}},
		{name: "input", required: true, check: dict},
		cacheField(),
		{name: "caller", null: true, check: caller},
		may("toolset_name", str{}),
	},
}

// caller names who made a call; that the named code execution call exists is not looked at.
var caller = &union{
	origin: origin{"pairing", "messages-api.md 2.5", "high"}, name: "tool_use.caller",
	arms: []arm{
		callerArm("code_execution_20250825"),
		callerArm("code_execution_20260120"),
		{tag: "direct", shape: &object{
			origin: origin{"pairing", "messages-api.md 2.5", "medium"}, name: "tool_use.caller.direct", wrong: notObject,
			fields: []field{{name: "type", check: anything{}}},
		}},
	},
}

// callerArm is a call made by code that ran on the server.
func callerArm(tag string) arm {
	return arm{tag: tag, shape: &object{
		origin: origin{"pairing", "messages-api.md 2.5", "medium"}, name: "tool_use.caller." + tag, wrong: notObject,
		fields: []field{tagField, must("tool_id", str{})},
	}}
}

var toolResultBlock = &object{
	origin: origin{"pairing", "messages-api.md 2.5", "high"}, name: "tool_result", wrong: notObject,
	fields: []field{
		{name: "type", check: anything{}},
		{name: "tool_use_id", required: true, check: toolID},
		{name: "content", check: list{text: true, of: resultContent}},
		{name: "is_error", check: boolean},
		cacheField(),
		may("toolset_name", str{}),
	},
	also:     errorResultText,
	alsoRule: []rule{errorResult},
}

var resultContent = &union{
	origin: origin{"content", "messages-api.md 2.5", "high"}, name: "tool_result.content.item",
	arms: []arm{
		{tag: "browser_state", shape: browserStateBlock, betas: unlisted},
		{tag: "document", shape: documentBlock},
		{tag: "image", shape: imageBlock},
		{tag: "search_result", shape: searchResultBlock},
		{tag: "text", shape: textBlock},
		{tag: "tool_reference", shape: toolReferenceBlock},
	},
}

// unlisted is of arms that pass and that no list of expected tags was seen to name.
var unlisted = []string{""}

var errorResult = rule{id: "tool_result.error-not-text", area: "content", source: "messages-api.md 2.5", confidence: "low",
	text: "{path}: all content must be type `text` if `is_error` is true"}

func errorResultText(w *walk, _ owner, v wire.Value) *Fault {
	if bad, _ := v.Get("is_error").Bool(); !bad || v.Get("content").Kind() != '[' {
		return nil
	}
	for _, e := range v.Get("content").Elems() {
		if e.Get("type").Text() != "text" {
			return errorResult.fault("path", w.where())
		}
	}
	return nil
}
