package validate

import (
	"slices"
	"strings"

	"harnessbench/internal/wire"
)

// roleSet says which roles may hold a block type (messages-api.md 2.3).
type roleSet int

const (
	anyRole roleSet = iota
	userOnly
	assistantOnly
	systemOnly
)

// blockKind is one row of the table of block types: its tag, its shape, who may hold it.
type blockKind struct {
	arm
	roles roleSet
}

// server tells whether a block belongs to a server tool: its call or its result.
func (k *blockKind) server() bool { return k.serverCall() || k.serverResult() }

func (k *blockKind) serverCall() bool { return k.tag == "server_tool_use" || k.tag == "mcp_tool_use" }

func (k *blockKind) serverResult() bool {
	return k.tag != "tool_result" && strings.HasSuffix(k.tag, "_tool_result")
}

// thinking tells whether it is a block of reasoning.
func (k *blockKind) thinking() bool { return k.tag == "thinking" || k.tag == "redacted_thinking" }

// kinds is the table by place; textKind is the row of text, which string content has too.
var (
	kinds    = blockKinds()
	textKind = &kinds[slices.IndexFunc(kinds, func(k blockKind) bool { return k.tag == "text" })]
	noKind   = &blockKind{}
)

// kindOf is a block's row, noKind for one without a known type. It reads the bytes, so that no tag is decoded.
func kindOf(b wire.Block) *blockKind {
	if b.Bare {
		return textKind
	}
	t := b.Get("type")
	if t.Kind() != '"' {
		return noKind
	}
	name := t.Raw()
	name = name[1 : len(name)-1]
	if string(name) == textKind.tag {
		return textKind
	}
	if slices.Contains(name, '\\') {
		name = []byte(t.Text())
	}
	for i := range kinds {
		if kinds[i].tag == string(name) {
			return &kinds[i]
		}
	}
	return noKind
}

// blockKinds are the content blocks of a message, sorted as the list of expected tags is.
func blockKinds() []blockKind {
	toolChanges := []string{"mid-conversation-tool-changes-2026-07-01", "inline-tools-2026-09-15"}
	return []blockKind{
		{arm{tag: "advisor_tool_result", shape: advisorResult, betas: advisorBetas, strict: true}, anyRole},
		{arm{tag: "bash_code_execution_tool_result", shape: bashResult}, anyRole},
		{arm{tag: "code_execution_tool_result", shape: codeResult}, anyRole},
		{arm{tag: "compaction", betas: []string{CompactBeta, OnDemandBeta}, strict: true, shape: compactionBlock}, anyRole},
		{arm{tag: "container_upload", shape: uploadBlock}, userOnly},
		{arm{tag: "document", shape: documentBlock}, anyRole},
		{arm{tag: "fallback", shape: fallbackBlock, betas: []string{"server-side-fallback-2026-06-01", "server-side-fallback-2026-07-01"}, strict: true}, anyRole},
		{arm{tag: "image", shape: imageBlock}, userOnly},
		{arm{tag: "mcp_tool_listing", shape: mcpListingBlock, betas: []string{"mcp-client-2026-09-15"}, strict: true}, anyRole},
		{arm{tag: "mcp_tool_result", shape: mcpResultBlock, betas: mcpBetas, strict: true}, anyRole},
		{arm{tag: "mcp_tool_use", shape: mcpUseBlock, betas: mcpBetas, strict: true}, anyRole},
		{arm{tag: "redacted_thinking", shape: redactedBlock}, assistantOnly},
		{arm{tag: "search_result", shape: searchResultBlock}, userOnly},
		{arm{tag: "server_tool_use", shape: serverUseBlock}, anyRole},
		{arm{tag: "text", shape: textBlock}, anyRole},
		{arm{tag: "text_editor_code_execution_tool_result", shape: editorResult}, anyRole},
		{arm{tag: "thinking", shape: thinkingBlock}, assistantOnly},
		{arm{tag: "tool_addition", shape: toolAdditionBlock, betas: toolChanges, strict: true}, systemOnly},
		{arm{tag: "tool_removal", shape: toolRemovalBlock, betas: toolChanges, strict: true}, systemOnly},
		{arm{tag: "tool_result", shape: toolResultBlock}, userOnly},
		{arm{tag: "tool_search_tool_result", shape: toolSearchResult}, anyRole},
		{arm{tag: "tool_use", shape: toolUseBlock}, assistantOnly},
		{arm{tag: "web_fetch_tool_result", shape: webFetchResult}, anyRole},
		{arm{tag: "web_search_tool_result", shape: webSearchResult}, anyRole},
	}
}

var messageBlock = func() *union {
	u := &union{origin: blockOrigin, name: "messages.content.item"}
	for _, k := range kinds {
		u.arms = append(u.arms, k.arm)
	}
	return u
}()
