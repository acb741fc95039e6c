package validate

var (
	mcpOrigin = origin{"pairing", "SDK BetaMCPToolUseBlockParam", "medium"}
	mcpBetas  = []string{"mcp-client-2025-04-04", "mcp-client-2025-11-20", "mcp-client-2026-09-15"}
)

var mcpUseBlock = &object{
	origin: mcpOrigin, name: "mcp_tool_use", wrong: notObject,
	fields: []field{tagField, must("id", toolID), must("name", str{}), must("server_name", str{}), must("input", dict), cacheField()},
}

var mcpResultBlock = &object{
	origin: mcpOrigin, name: "mcp_tool_result", wrong: notObject,
	fields: []field{
		tagField,
		must("tool_use_id", toolID),
		may("content", list{text: true, of: &object{
			origin: mcpOrigin, name: "mcp_tool_result.content.item", wrong: notObject,
			fields: []field{must("type", word("text")), must("text", str{}), cacheField(), may("citations", citations)},
		}}),
		may("is_error", boolean),
		cacheField(),
	},
}

var mcpListingBlock = &object{
	origin: mcpOrigin, name: "mcp_tool_listing", wrong: notObject,
	fields: []field{tagField, must("mcp_server_name", str{}), must("tools", list{of: mcpTool})},
}

var mcpTool = &object{
	origin: mcpOrigin, name: "mcp_tool", wrong: notObject,
	fields: []field{must("name", str{}), must("input_schema", dict), may("description", str{})},
}

var fallbackBlock = &object{
	origin: origin{"content", "messages-api.md 2.11", "medium"}, name: "fallback", wrong: notObject,
	fields: []field{tagField, must("from", fallbackModel), must("to", fallbackModel), {name: "trigger", check: anything{}}},
}

var fallbackModel = &object{
	origin: origin{"content", "messages-api.md 2.11", "medium"}, name: "fallback.model", wrong: notObject,
	fields: []field{must("model", str{nonEmpty: true})},
}
