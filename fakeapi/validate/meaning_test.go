package validate_test

import (
	"bytes"
	"compress/zlib"
	"encoding/base64"
	"fmt"
	"hash/crc32"
	"image"
	imagepng "image/png"
	"strings"

	"harnessbench/internal/model"
)

func whatSchemasMaySay(run func(...row)) {
	tool := func(schema string) string { return `{"name":"t","input_schema":` + schema + `}` }
	in := func(tools ...string) string { return `{"tools":[` + strings.Join(tools, ",") + `]}` }
	strict := func(n int, schema string) string {
		return fmt.Sprintf(`{"name":"t%d","strict":true,"input_schema":%s}`, n, schema)
	}
	many := func(n int, schema string) string {
		var all []string
		for i := range n {
			all = append(all, strict(i, schema))
		}
		return in(all...)
	}
	closed := func(more string) string { return `{"type":"object","additionalProperties":false` + more + `}` }
	props := func(n int, p, required string) string {
		var all []string
		for i := range n {
			all = append(all, fmt.Sprintf(`"p%d":%s`, i, p))
		}
		return closed(`,"properties":{` + strings.Join(all, ",") + `}` + required)
	}
	names := func(n int) string {
		var all []string
		for i := range n {
			all = append(all, fmt.Sprintf(`"p%d"`, i))
		}
		return `,"required":[` + strings.Join(all, ",") + `]`
	}
	const draft = "tools.0.custom.input_schema: JSON schema is invalid. It must match JSON Schema draft 2020-12 (https://json-schema.org/draft/2020-12). Learn more about tool use at https://platform.claude.com/docs/en/agents-and-tools/tool-use/overview."
	object := func(more string) string { return in(tool(`{"type":"object",` + more + `}`)) }
	node := `,"$defs":{"Node":` + closed(`,"properties":{"next":{"anyOf":[{"$ref":"#/$defs/Node"},{"type":"null"}]}},"required":["next"]`) + `}`
	leaf := `,"$defs":{"Node":` + closed(``) + `},"properties":{"n":{"$ref":"#/$defs/Node"}},"required":["n"]`
	union := `{"type":["string","null"]}`
	format := func(schema string) string {
		return `"output_config":{"format":{"type":"json_schema","schema":` + schema + `}}`
	}
	run(
		row{rule: "tools.custom.input_schema.draft", bad: object(`"properties":{"x":{"type":"strng"}}`), good: object(`"properties":{"x":{"type":"string"}}`), want: draft},
		row{rule: "tools.custom.input_schema.draft", bad: object(`"properties":{"x":{"properties":null}}`), good: object(`"properties":null`), want: draft},
		row{rule: "tools.custom.input_schema.draft", bad: object(`"required":{}`), good: object(`"required":null`), want: draft},
		row{rule: "tools.custom.input_schema.draft", bad: object(`"required":["a","a"]`), good: object(`"required":["a","b"]`), want: draft},
		row{rule: "tools.custom.input_schema.draft", bad: object(`"properties":{"x":{"exclusiveMinimum":true}}`), good: object(`"properties":{"x":{"exclusiveMinimum":1}}`), want: draft},
		row{rule: "tools.custom.input_schema.draft", bad: object(`"properties":{"x":{"items":[{}]}}`), good: object(`"properties":{"x":{"prefixItems":[{}]}}`), want: draft},
		row{rule: "tools.custom.input_schema.draft", bad: object(`"properties":{"x":{"pattern":"("}}`), good: object(`"properties":{"x":{"pattern":"(?=a)\\u0061"}}`), want: draft},
		row{rule: "tools.custom.input_examples.invalid", bad: in(`{"name":"t","input_schema":{"type":"object","required":["x"]},"input_examples":[{"x":1},{}]}`),
			good: in(`{"name":"t","input_schema":{"type":"object","required":["x"]},"input_examples":[{"x":1}]}`), want: "tools.0.custom.input_examples.1: example does not match input_schema"},
		row{rule: "strict.tools", bad: many(21, closed("")), good: many(20, closed("")),
			want: "Too many strict tools (21). The maximum number of strict tools supported is 20. Try reducing the number of tools marked as strict."},
		row{rule: "strict.optional", bad: many(5, props(5, `{}`, "")), good: many(4, props(6, `{}`, "")),
			want: "Schemas contains too many optional parameters (25), which would make grammar compilation inefficient. Reduce the number of optional parameters in your tool schemas (limit: 24)."},
		row{rule: "strict.unions", bad: many(17, props(1, union, names(1))), good: many(16, props(1, union, names(1))),
			want: "Schemas contains too many parameters with union types (17 parameters with type arrays or anyOf). This causes exponential compilation cost. Reduce the number of nullable or union-typed parameters (limit: 16 parameters with unions)."},
		row{rule: "strict.complex", bad: many(1, props(24, `{}`, "")), good: many(1, props(23, `{}`, "")),
			want: "Schema is too complex for compilation. Try reducing the number of tools or simplifying tool schemas."},
		row{rule: "strict.complex", bad: many(1, props(16, union, names(16))), good: many(1, props(15, union, names(15))),
			want: "Schema is too complex for compilation. Try reducing the number of tools or simplifying tool schemas."},
		row{rule: "grammar.circular", bad: many(1, closed(node)), good: many(1, closed(leaf)),
			want: "tools.0.custom: Invalid schema: Circular reference detected in schema definitions: Node -> Node. Self-referencing or mutually-referencing definitions are not supported."},
		row{rule: "grammar.additional-properties", bad: many(1, `{"type":"object"}`), good: in(tool(`{"type":"object"}`)),
			want: "tools.0.custom: For 'object' type, 'additionalProperties' must be explicitly set to false"},
		row{rule: "grammar.additional-properties", bad: "{" + format(`{"type":"object","additionalProperties":null}`) + "}", good: "{" + format(closed("")) + "}",
			want: "output_config.format.schema: For 'object' type, 'additionalProperties' must be explicitly set to false"},
		row{rule: "grammar.property", bad: many(1, props(1, "true", names(1))), good: many(1, props(1, "{}", names(1))),
			want: "tools.0.custom: For 'object' type, property 'properties' is not supported"},
		row{rule: "grammar.regexp", bad: many(1, props(1, `{"type":"string","pattern":"(?=a)b"}`, names(1))), good: many(1, props(1, `{"type":"string","pattern":"ab"}`, names(1))),
			want: "Unsupported regex feature in pattern field: (?="},
		row{rule: "output_config.format.citations", bad: on(format(closed(""))+",", user(`{"type":"search_result","source":"s","title":"t","content":[],"citations":{"enabled":true}},`+text)),
			good: on(format(closed(""))+",", user(`{"type":"search_result","source":"s","title":"t","content":[],"citations":{"enabled":false}},`+text)),
			want: "output_config.format: citations cannot be enabled together with a structured output format"},
		row{rule: "output_config.format.prefill", bad: on(`"model":"claude-sonnet-4-5",`+format(closed(""))+",", u, a), good: on(`"model":"claude-sonnet-4-5",`+format(closed(""))+",", u, a, u),
			want: "output_config.format: prefilling the assistant message is not supported with a structured output format"},
	)
}

// picture is an image block of a size; its pixels are left out, as only the header counts.
func picture(w, h int, more string) string {
	var b bytes.Buffer
	if err := imagepng.Encode(&b, image.NewGray(image.Rect(0, 0, 1, 1))); err != nil {
		panic(err)
	}
	raw := b.Bytes()
	for i := range 4 {
		raw[16+i], raw[20+i] = byte(w>>(24-8*i)), byte(h>>(24-8*i))
	}
	// The header's checksum stands behind it.
	sum := crc32.ChecksumIEEE(raw[12:29])
	for i := range 4 {
		raw[29+i] = byte(sum >> (24 - 8*i))
	}
	return `{"type":"image","source":{"type":"base64","media_type":"image/png","data":"` + base64.StdEncoding.EncodeToString(raw) + `"}` + more + `}`
}

func document(file string) string {
	return `{"type":"document","source":{"type":"base64","media_type":"application/pdf","data":"` + base64.StdEncoding.EncodeToString([]byte(file)) + `"}}`
}

func imagesAndDocuments(run func(...row)) {
	one := func(blocks ...string) string { return talk(user(strings.Join(append(blocks, text), ","))) }
	times := func(n int, block string) []string {
		var all []string
		for range n {
			all = append(all, block)
		}
		return all
	}
	source := func(url string) string { return `{"type":"image","source":{"type":"url","url":"` + url + `"}}` }
	packed := func(n int) string {
		var b bytes.Buffer
		z := zlib.NewWriter(&b)
		if _, err := z.Write([]byte(strings.Repeat("<</Type/Page/Parent 2 0 R>>", n) + "<</Type/Pages/Count 9>>")); err != nil {
			panic(err)
		}
		if err := z.Close(); err != nil {
			panic(err)
		}
		return "%PDF-1.5\n1 0 obj <</Type/ObjStm/Filter/FlateDecode>>\nstream\r\n" + b.String() + "\nendstream"
	}
	pages := func(n int) string { return "%PDF-1.4\n" + strings.Repeat("<</Type /Page >>\n", n) }
	haiku := `{"model":"claude-haiku-4-5",`
	small := func(over string) string { return haiku + over[1:] }
	const side = ".image.source.base64.data: At least one of the image dimensions exceed max allowed size"
	run(
		row{rule: "image.size", bad: one(`{"type":"image","source":{"type":"base64","media_type":"image/png","data":"` + strings.Repeat("A", model.MaxImageBytes+4) + `"}}`), good: one(png),
			want: "messages.0.content.0.image.source.base64: image exceeds 10 MB maximum: 10485764 bytes > 10485760 bytes"},
		row{rule: "image.undecodable", bad: one(`{"type":"image","source":{"type":"base64","media_type":"image/png","data":"bm90IGFuIGltYWdl"}}`), good: one(png), want: "Could not process image"},
		row{rule: "image.dimensions", bad: one(text, picture(8001, 1, "")), good: one(text, picture(8000, 8000, "")), want: "messages.0.content.1" + side + ": 8000 pixels"},
		row{rule: "image.dimensions-many", bad: one(append(times(20, png), picture(1, 2001, ""))...), good: one(append(times(19, png), picture(1, 2001, ""))...),
			want: "messages.0.content.20" + side + " for many-image requests: 2000 pixels"},
		row{rule: "image.dimensions-many", bad: talk(u, assistant(callA), user(`{"type":"tool_result","tool_use_id":"toolu_a","content":[`+picture(2001, 1, "")+`]}`), a, user(strings.Join(times(20, png), ","))),
			want: "messages.2.content.0.tool_result.content.0" + side + " for many-image requests: 2000 pixels"},
		row{rule: "image.oversized", bad: small(one(picture(1920, 1080, `,"transformations":{"oversized_image":"error"}`))), good: small(one(picture(1456, 819, `,"transformations":{"oversized_image":"error"}`))),
			want: `messages.0.content.0: image dimensions 1920x1080 exceed the maximum image size of a model named on this request and would be downsized to 1456x819; scale the image to at most 1456x819 or set the image's oversized_image setting to "downsize"`},
		row{rule: "source.url.https", bad: one(source("http://example.com/a.png")), good: one(source("https://example.com/a.png")), want: "Only HTTPS URLs are supported."},
		row{rule: "media.many", bad: small(one(times(101, png)...)), good: small(one(times(100, png)...)), want: "Too much media: 0 document pages + 101 images > 100"},
		row{rule: "pdf.base64", bad: one(`{"type":"document","source":{"type":"base64","media_type":"application/pdf","data":"?"}}`), good: one(document(pages(1))),
			want: "messages.0.content.0.document.source.base64: invalid base64 data"},
		row{rule: "pdf.invalid", bad: one(document("not a document")), good: one(document(pages(1))), want: "messages.0.content.0.pdf.source.base64.data: The PDF specified was not valid."},
		row{rule: "pdf.password", bad: one(document(pages(1) + "trailer <</Encrypt 5 0 R>>")), good: one(document(pages(1))), want: "messages.0.content.0.pdf.source.base64.data: The PDF specified is password protected."},
		row{rule: "pdf.pages", bad: small(one(document(packed(101)))), good: small(one(document(packed(99)))), want: "messages.0.content.0.pdf.source.base64.data: A maximum of 100 PDF pages may be provided."},
		row{rule: "pdf.pages", bad: small(one(document(pages(101)))), good: one(document(pages(101))), want: "messages.0.content.0.pdf.source.base64.data: A maximum of 100 PDF pages may be provided."},
	)
}

func serverToolsAndTheirResults(run func(...row)) {
	searched := strings.Replace(found, `[]`, `[{"type":"web_search_result","url":"u","title":"t","encrypted_content":"bogus"}]`, 1)
	sealed := strings.Replace(searched, "bogus", "QUJD", 1)
	code := `{"type":"server_tool_use","id":"srvtoolu_c","name":"code_execution","input":{}}`
	byCode := strings.Replace(callA, `"input":{}`, `"input":{},"caller":{"type":"code_execution_20250825","tool_id":"srvtoolu_c"}`, 1)
	coding := `"tools":[{"type":"code_execution_20250825","name":"code_execution"}],`
	mcpUse := `{"type":"mcp_tool_use","id":"mcptoolu_a","name":"t","server_name":"s","input":{}}`
	mcpResult := `{"type":"mcp_tool_result","tool_use_id":"mcptoolu_a"}`
	run(
		row{rule: "server_pairing.no-call", bad: talk(u, assistant(found), u), good: talk(u, assistant(server+","+found), u),
			want: "messages.1.content.0: unexpected `tool_use_id` found in `web_search_tool_result` blocks: srvtoolu_a. Each `web_search_tool_result` block must have a corresponding `server_tool_use` block before it."},
		row{rule: "server_pairing.no-call", beta: allMCP, bad: talk(u, assistant(mcpResult), u), good: talk(u, assistant(mcpUse+","+mcpResult), u),
			want: "messages.1.content.0: unexpected `tool_use_id` found in `mcp_tool_result` blocks: mcptoolu_a. Each `mcp_tool_result` block must have a corresponding `mcp_tool_use` block before it."},
		row{rule: "server_pairing.no-result", bad: talk(u, assistant(server), u), good: on(searching, u, assistant(server)),
			want: "`web_search` tool use with id `srvtoolu_a` was found without a corresponding `web_search_tool_result` block"},
		row{rule: "server_pairing.no-result", bad: on(searching, u, assistant(server+","+callA), user(resA+","+text)), good: on(searching, u, assistant(server+","+callA), user(resA)),
			want: "`web_search` tool use with id `srvtoolu_a` was found without a corresponding `web_search_tool_result` block"},
		row{rule: "server_pairing.no-tool", bad: talk(u, assistant(server)), good: on(searching, u, assistant(server)),
			want: "`web_search` tool use with id `srvtoolu_a` was found without a corresponding `web_search_tool_result` block, but no `web_search` tool was provided"},
		row{rule: "caller.source", bad: on(`"container":"c",`+coding, u, assistant(byCode), user(resA)), good: on(`"container":"c",`+coding, u, assistant(code+","+byCode), user(resA)),
			want: "source tool `srvtoolu_c` not found for tool use block `toolu_a`"},
		row{rule: "container.required", bad: on(coding, u, assistant(code+","+byCode), user(resA)), good: on(`"container":"c",`+coding, u, assistant(code+","+byCode), user(resA)),
			want: "container_id is required when there are pending tool uses generated by code execution with tools."},
		row{rule: "container.no-tool", bad: `{"container":"c"}`, good: "{" + coding + `"container":"c"}`, want: "container: Container identifier can only be provided when using the code execution tool"},
		row{rule: "web_search_result.encrypted_content", bad: talk(u, assistant(server+","+searched+","+text), u), good: talk(u, assistant(server+","+sealed+","+text), u),
			want: "messages.1.content.1: Invalid `encrypted_content` in `search_result` block"},
	)
}

func fieldsBesideEachOther(run func(...row)) {
	addition := func(name string) string {
		return `{"type":"tool_addition","tool":{"type":"tool_reference","name":"` + name + `"}}`
	}
	inTurn := `"model":"claude-haiku-5-5","thinking":{"type":"disabled"},`
	to := func(level string) string {
		return `{"role":"system","content":[],"output_config":{"effort":"` + level + `"}}`
	}
	zero := func(more string) string { return `{"max_tokens":0,` + more + `}` }
	server := func(more string) string {
		return `{` + more + `"mcp_servers":[{"type":"url","name":"s","url":"https://example.com"}]}`
	}
	toolset := `"tools":[{"type":"mcp_toolset","mcp_server_name":"s"}],`
	web := func(lists string) string {
		return `{"tools":[{"type":"web_search_20250305","name":"web_search",` + lists + `}]}`
	}
	run(
		row{rule: "tool_change.model", beta: toolMod, bad: on(`"tools":[{"name":"t","input_schema":{"type":"object"}}],`, u, system(addition("t"))), good: on(changing, u, system(addition("t"))),
			want: "tool_addition/tool_removal is not supported on this model"},
		row{rule: "tool_change.unresolved", beta: toolMod, bad: on(changing, u, system(addition("x"))), good: on(changing, u, system(addition("t"))),
			want: "messages.1.content.0.tool: tool 'x' was not found in `tools` or in an earlier `tool_addition`"},
		row{rule: "output_config.effort.per-turn", beta: effort, bad: talk(u, to("low")), good: on(newest, u, to("low")),
			want: "output_config.effort requires a model that supports per-turn effort; this model does not"},
		row{rule: "output_config.effort.changes", beta: effort, bad: on(inTurn, u, to("low")), good: on(inTurn, u, to("medium")),
			want: "messages.1: output_config.effort 'low' differs from the 'medium' in effect before it; effort cannot change when thinking is disabled on this model. Use effort 'medium', or enable thinking."},
		row{rule: "max_tokens.zero", bad: zero(`"stream":true`), good: zero(`"stream":false`), want: "max_tokens: 0 is not supported with `stream`"},
		row{rule: "max_tokens.zero", bad: zero(`"tools":[{"name":"t","input_schema":{"type":"object"}}],"tool_choice":{"type":"any"}`), good: zero(`"tools":[{"name":"t","input_schema":{"type":"object"}}],"tool_choice":{"type":"auto"}`),
			want: "max_tokens: 0 is not supported with `tool_choice`"},
		row{rule: "max_tokens.zero", bad: zero(`"output_config":{"format":{"type":"json_schema","schema":{"type":"object","additionalProperties":false}}}`), good: zero(`"output_config":{"effort":"low"}`),
			want: "max_tokens: 0 is not supported with `output_config.format`"},
		row{rule: "metadata.user_id.email", bad: `{"metadata":{"user_id":"someone@example.com"}}`, good: `{"metadata":{"user_id":"user_0a@session"}}`,
			want: "metadata.user_id: user_id appears to contain an email address. Please send a uuid or hash value instead."},
		row{rule: "metadata.user_id.long", bad: `{"metadata":{"user_id":"` + strings.Repeat("a", 257) + `"}}`, good: `{"metadata":{"user_id":"` + strings.Repeat("a", 256) + `"}}`,
			want: "metadata.user_id: String should have at most 256 characters"},
		row{rule: "speed.model", bad: `{"speed":"fast"}`, good: `{"model":"claude-opus-5-5","speed":"fast"}`, want: "speed: 'fast' is not supported for this model."},
		row{rule: "speed.model", bad: `{"model":"claude-opus-5","speed":"fast"}`, good: `{"model":"claude-opus-4-6","speed":"fast"}`, want: "speed: 'fast' is not supported for this model."},
		row{rule: "fallback_credit_token.fallbacks", beta: "fallback-credit-2026-07-01,server-side-fallback-2026-07-01", bad: `{"fallback_credit_token":"t","fallbacks":"default"}`, good: `{"fallback_credit_token":"t"}`,
			want: "fallback_credit_token: cannot be used together with `fallbacks`"},
		row{rule: "mcp_servers.unused", beta: allMCP, bad: server(""), good: server(toolset), want: "mcp_servers: MCP server 's' is not referenced by any mcp_toolset in tools"},
		row{rule: "mcp_servers.not-declared", beta: allMCP, bad: "{" + toolset + `"mcp_servers":[]}`, good: server(toolset), want: "tools.0.mcp_toolset.mcp_server_name: MCP server 's' not found in mcp_servers"},
		row{rule: "mcp_servers.url", beta: "mcp-client-2025-04-04", bad: strings.Replace(server(""), "https", "http", 1), good: server(""), want: "mcp_servers.0.url: URL scheme should be 'https'"},
		row{rule: "tools.web.domains", bad: web(`"allowed_domains":["a"],"blocked_domains":["b"]`), good: web(`"allowed_domains":["a"],"blocked_domains":null`),
			want: "tools.0.web_search_20250305: only one of `allowed_domains` and `blocked_domains` may be given"},
	)
}
