package validate_test

import "strings"

func cacheMarks(run func(...row)) {
	mark := func(ttl string) string { return `"cache_control":{"type":"ephemeral","ttl":"` + ttl + `"}` }
	marked := func(ttl string) string { return `{"type":"text","text":"x",` + mark(ttl) + `}` }
	sys := func(ttl string) string { return `"system":[` + marked(ttl) + `],` }
	tool := func(ttl string) string {
		return `"tools":[{"name":"t","input_schema":{"type":"object"},` + mark(ttl) + `}],`
	}
	order := ": a ttl='1h' cache_control block must not come after a ttl='5m' cache_control block. Note that blocks are processed in the following order: `tools`, `system`, `messages`."
	four := user(strings.Repeat(marked("5m")+",", 3) + marked("5m"))
	run(
		row{rule: "cache.too-many", bad: on(sys("5m"), four), good: talk(four), want: "A maximum of 4 blocks with cache_control may be provided. Found 5."},
		row{rule: "cache.too-many", bad: on(mark("5m")+",", four, a, u), good: on(mark("5m")+",", four), want: "A maximum of 4 blocks with cache_control may be provided. Found 5."},
		row{rule: "cache.ttl-order", bad: on(sys("5m"), user(marked("1h"))), good: on(sys("1h"), user(marked("5m"))), want: "messages.0.content.0.cache_control.ttl" + order},
		row{rule: "cache.ttl-order", bad: on(tool("5m")+sys("1h"), u), good: on(tool("1h")+sys("1h"), u), want: "system.0.cache_control.ttl" + order},
		row{rule: "cache.ttl-order", bad: on(mark("1h")+",", user(marked("5m")+","+text)), good: on(mark("5m")+",", user(marked("1h")+","+text)), want: "cache_control.ttl" + order},
		row{rule: "cache.ttl-order", bad: talk(u, assistant(callA), user(`{"type":"tool_result","tool_use_id":"toolu_a","content":[`+marked("5m")+`,`+marked("1h")+`]}`)),
			want: "messages.2.content.0.content.1.cache_control.ttl" + order},
		row{rule: "cache.automatic-ttl", bad: on(mark("5m")+",", user(marked("1h"))), good: on(mark("1h")+",", user(marked("1h"))),
			want: "cache_control: a ttl='5m' cache_control cannot be set for a block with a ttl='1h' cache_control."},
		row{rule: "cache_control.object", bad: talk(user(`{"type":"text","text":"x","cache_control":true}`)), good: talk(user(`{"type":"text","text":"x","cache_control":null}`)),
			want: "messages.0.content.0.text.cache_control: Input should be an object"},
		row{rule: "cache_control.type.missing", bad: `{"cache_control":{}}`, want: "cache_control.type: Field required", good: `{"cache_control":null}`},
		row{rule: "cache_control.tag", bad: `{"cache_control":{"type":"x"}}`, want: "cache_control: Input tag 'x' found using 'type' does not match any of the expected tags: 'ephemeral'"},
		row{rule: "cache_control.ephemeral.ttl.enum", bad: talk(user(marked("2h"))), good: talk(user(marked("1h"))), want: "messages.0.content.0.text.cache_control.ephemeral.ttl: Input should be '5m' or '1h'"},
		row{rule: "cache_control.ephemeral.extra", bad: `{"system":[{"type":"text","text":"s","cache_control":{"type":"ephemeral","scope":"global"}}]}`,
			want: "system.0.cache_control.ephemeral.scope: Extra inputs are not permitted"},
		row{rule: "thinking_block.extra", bad: talk(u, assistant(`{"type":"thinking","thinking":"t","signature":"s",`+mark("5m")+`},`+text), u),
			want: "messages.1.content.0.thinking.cache_control: Extra inputs are not permitted"},
	)
}

func tools(run func(...row)) {
	one := func(fields string) string { return `{"tools":[{` + fields + `}]}` }
	schema := func(s string) string { return one(`"name":"t","input_schema":` + s) }
	named := func(n string) string { return one(`"name":"` + n + `","input_schema":{"type":"object"}`) }
	good := `"name":"t","input_schema":{"type":"object"}`
	run(
		row{rule: "tools.array", bad: `{"tools":{}}`, want: "tools: Input should be a valid array", good: `{"tools":[]}`},
		row{rule: "tools.item.object", bad: `{"tools":["x"]}`, want: "tools.0: Input should be an object"},
		row{rule: "tools.custom.name.missing", bad: one(`"input_schema":{"type":"object"}`), want: "tools.0.custom.name: Field required"},
		row{rule: "tools.custom.name.string", bad: one(`"name":1,"input_schema":{"type":"object"}`), want: "tools.0.custom.name: Input should be a valid string"},
		row{rule: "tools.custom.name.short", bad: named(""), want: "tools.0.custom.name: String should have at least 1 character"},
		row{rule: "tools.custom.name.long", bad: named(strings.Repeat("a", 128) + "."), good: named(strings.Repeat("a", 128)), want: "tools.0.custom.name: String should have at most 128 characters"},
		row{rule: "tools.custom.name.pattern", bad: named("a.b"), good: named("a-B_9"), want: "tools.0.custom.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'"},
		row{rule: "tools.custom.description.string", bad: one(good + `,"description":1`), want: "tools.0.custom.description: Input should be a valid string"},
		row{rule: "tools.custom.defer_loading.boolean", bad: one(good + `,"defer_loading":1`), want: "tools.0.custom.defer_loading: Input should be a valid boolean"},
		row{rule: "tools.custom.eager_input_streaming.boolean", bad: one(good + `,"eager_input_streaming":1`), want: "tools.0.custom.eager_input_streaming: Input should be a valid boolean"},
		row{rule: "tools.custom.strict.boolean", bad: one(good + `,"strict":1`), want: "tools.0.custom.strict: Input should be a valid boolean"},
		row{rule: "tools.custom.extra", bad: one(good + `,"x":1`), good: one(good + `,"type":"custom"`), want: "tools.0.custom.x: Extra inputs are not permitted"},
		row{rule: "tools.custom.input_schema.missing", bad: one(`"name":"t"`), want: "tools.0.custom.input_schema: Field required"},
		row{rule: "tools.custom.input_schema.shape", bad: schema(`true`), want: "tools.0.custom.input_schema: Input does not match the expected shape."},
		row{rule: "tools.custom.input_schema.type.missing", bad: schema(`{}`), want: "tools.0.custom.input_schema.type: Field required"},
		row{rule: "tools.custom.input_schema.type.enum", bad: schema(`{"type":["object"]}`), want: "tools.0.custom.input_schema.type: Input should be 'object'"},
		row{rule: "tools.custom.input_schema.union", bad: schema(`{"type":"object","anyOf":[]}`), good: schema(`{"type":"object","not":{},"properties":{"x":{"anyOf":[{}]}}}`),
			want: "tools.0.custom.input_schema: input_schema does not support oneOf, allOf, or anyOf at the top level"},
		row{rule: "tools.custom.input_schema.properties", bad: schema(`{"type":"object","properties":{"$f":{}}}`), good: schema(`{"type":"object","properties":{"a.b-C_9":{"properties":{"$f":{}}}}}`),
			want: "tools.0.custom.input_schema.properties: Property keys should match pattern '^[a-zA-Z0-9_.-]{1,64}$'"},
		row{rule: "tools.unique", bad: `{"tools":[{` + good + `},{` + good + `}]}`, want: "tools: Tool names must be unique."},
		row{rule: "tools.all-deferred", bad: one(good + `,"defer_loading":true`), good: `{"tools":[{` + good + `,"defer_loading":true},{"type":"tool_search_tool_regex_20251119","name":"tool_search_tool_regex"}]}`,
			want: "At least one tool must have defer_loading=false"},
		row{rule: "tools.deferred-cache", bad: one(good + `,"defer_loading":true,"cache_control":{"type":"ephemeral"}`), good: one(good + `,"cache_control":{"type":"ephemeral"}`),
			want: "Tool 't' cannot have both defer_loading=true and cache_control set. Tools with defer_loading cannot use prompt caching."},
	)
	choose := func(c string) string { return `{"tools":[{` + good + `}],"tool_choice":` + c + `}` }
	run(
		row{rule: "tool_choice.object", bad: choose(`"any"`), want: "tool_choice: Input should be an object"},
		row{rule: "tool_choice.type.missing", bad: choose(`{}`), want: "tool_choice.type: Field required"},
		row{rule: "tool_choice.tag", bad: choose(`{"type":"x"}`), want: "tool_choice: Input tag 'x' found using 'type' does not match any of the expected tags: 'auto', 'any', 'tool', 'none'"},
		row{rule: "tool_choice.tool.name.missing", bad: choose(`{"type":"tool"}`), want: "tool_choice.tool.name: Field required"},
		row{rule: "tool_choice.tool.name.string", bad: choose(`{"type":"tool","name":1}`), want: "tool_choice.tool.name: Input should be a valid string"},
		row{rule: "tool_choice.auto.disable_parallel_tool_use.boolean", bad: choose(`{"type":"auto","disable_parallel_tool_use":1}`), want: "tool_choice.auto.disable_parallel_tool_use: Input should be a valid boolean",
			good: choose(`{"type":"auto","disable_parallel_tool_use":true}`)},
		row{rule: "tool_choice.none.extra", bad: choose(`{"type":"none","disable_parallel_tool_use":true}`), want: "tool_choice.none.disable_parallel_tool_use: Extra inputs are not permitted"},
		row{rule: "tool_choice.not-found", bad: choose(`{"type":"tool","name":"x"}`), good: choose(`{"type":"tool","name":"t"}`), want: "Tool 'x' not found in provided tools"},
		row{rule: "tool_choice.any-without-tools", bad: `{"tools":[],"tool_choice":{"type":"any"}}`, good: `{"tool_choice":{"type":"none"}}`, want: "tool_choice.any may only be specified while providing tools"},
		row{rule: "tool_choice.forced-model", bad: `{"model":"claude-sonnet-5-5",` + choose(`{"type":"any"}`)[1:], good: choose(`{"type":"any"}`),
			want: `tool_choice: type "tool" and "any" are not supported for this model.`},
	)
}

func thinkingModes(run func(...row)) {
	of := func(m, c string) string { return `{"model":"` + m + `","max_tokens":4096,"thinking":` + c + `}` }
	manual := `{"type":"enabled","budget_tokens":1024}`
	tail := ` Use "thinking.type.adaptive" and "output_config.effort" to control thinking behavior.`
	run(
		row{rule: "thinking.object", bad: `{"thinking":true}`, want: "thinking: Input should be an object"},
		row{rule: "thinking.tag", bad: `{"thinking":{"type":"auto"}}`, want: "thinking: Input tag 'auto' found using 'type' does not match any of the expected tags: 'adaptive', 'between_tools', 'disabled', 'enabled'"},
		row{rule: "thinking.enabled.budget_tokens.missing", bad: `{"thinking":{"type":"enabled"}}`, want: "thinking.enabled.budget_tokens: Field required"},
		row{rule: "thinking.enabled.budget_tokens.minimum", bad: of("claude-haiku-4-5", `{"type":"enabled","budget_tokens":1023}`), good: of("claude-haiku-4-5", manual),
			want: "thinking.enabled.budget_tokens: Input should be greater than or equal to 1024"},
		row{rule: "thinking.disabled.extra", bad: `{"thinking":{"type":"disabled","display":"omitted"}}`, want: "thinking.disabled.display: Extra inputs are not permitted"},
		row{rule: "thinking.adaptive.extra", bad: `{"thinking":{"type":"adaptive","block_binding":{}}}`, want: "thinking.adaptive.block_binding: Extra inputs are not permitted"},
		row{rule: "thinking.adaptive.display.enum", bad: `{"thinking":{"type":"adaptive","display":"updates"}}`, good: `{"thinking":{"type":"adaptive","display":"omitted"}}`,
			want: "thinking.adaptive.display: Input should be 'summarized' or 'omitted'"},
		row{rule: "thinking.enabled.model", bad: of("claude-opus-4-8", manual), good: of("claude-opus-4-6", manual), want: `"thinking.type.enabled" is not supported for this model.` + tail},
		row{rule: "thinking.adaptive.model", bad: of("claude-haiku-4-5", `{"type":"adaptive"}`), good: of("claude-sonnet-4-6", `{"type":"adaptive"}`), want: "adaptive thinking is not supported on this model"},
		row{rule: "thinking.between_tools.model", bad: `{"thinking":{"type":"between_tools"}}`, good: of("claude-sonnet-5-5", `{"type":"between_tools"}`), want: `"thinking.type.between_tools" is not supported for this model.`},
		row{rule: "thinking.disabled.model", bad: of("claude-opus-5-5", `{"type":"disabled"}`), good: of("claude-sonnet-5", `{"type":"disabled"}`), want: `"thinking.type.disabled" is not supported for this model.` + tail},
		row{rule: "thinking.disabled.model-manual", bad: of("claude-mythos-preview", `{"type":"disabled"}`),
			want: `"thinking.type.disabled" is not supported for this model. Thinking defaults to adaptive mode when not specified; use "thinking.type.enabled" with "budget_tokens" for extended thinking.`},
		row{rule: "thinking.disabled.use-between", bad: of("claude-sonnet-5-5", `{"type":"disabled"}`),
			want: `To turn thinking off on this model, send "thinking": {"type": "between_tools"} instead of {"type": "disabled"}. The model does not think before responding. The short updates it writes between tool calls come back as thinking blocks.`},
		row{rule: "thinking.off-high-effort", bad: `{"output_config":{"effort":"max"},` + of("claude-haiku-5-5", `{"type":"disabled"}`)[1:], good: `{"output_config":{"effort":"high"},` + of("claude-haiku-5-5", `{"type":"disabled"}`)[1:],
			want: "output_config.effort 'max' is not supported when thinking is disabled on this model. Use effort 'high' or below, or enable thinking."},
		row{rule: "thinking.budget-over-max-tokens", bad: of("claude-haiku-4-5", `{"type":"enabled","budget_tokens":4096}`), good: of("claude-haiku-4-5", `{"type":"enabled","budget_tokens":4095}`),
			want: "`max_tokens` must be greater than `thinking.budget_tokens`. Please consult our documentation at https://docs.claude.com/en/docs/build-with-claude/extended-thinking#max-tokens-and-context-window-size"},
		row{rule: "thinking.forced-tool", bad: `{"tools":[{"name":"t","input_schema":{"type":"object"}}],"tool_choice":{"type":"any"},` + of("claude-haiku-4-5", manual)[1:],
			good: `{"tools":[{"name":"t","input_schema":{"type":"object"}}],"tool_choice":{"type":"auto"},` + of("claude-haiku-4-5", manual)[1:], want: "Thinking may not be enabled when tool_choice forces tool use."},
		row{rule: "temperature.thinking", bad: `{"temperature":0.5,` + of("claude-haiku-4-5", manual)[1:], good: `{"temperature":1,` + of("claude-haiku-4-5", manual)[1:],
			want: "`temperature` may only be set to 1 when thinking is enabled or in adaptive mode."},
		row{rule: "top_k.thinking", bad: `{"top_k":5,` + of("claude-haiku-4-5", manual)[1:], good: `{"model":"claude-haiku-4-5","top_k":5}`,
			want: "`top_k` must be unset when thinking is enabled. Please consult our documentation at https://docs.claude.com/en/docs/build-with-claude/extended-thinking#important-considerations-when-using-extended-thinking"},
		row{rule: "top_p.thinking", bad: `{"top_p":0.94,` + of("claude-haiku-4-5", manual)[1:], good: `{"top_p":0.95,` + of("claude-haiku-4-5", manual)[1:],
			want: "`top_p` must be greater than or equal to 0.95 or unset when thinking is enabled. Please consult our documentation at https://docs.claude.com/en/docs/build-with-claude/extended-thinking#important-considerations-when-using-extended-thinking"},
	)
}

func shapesOfMessagesAndBlocks(run func(...row)) {
	m := func(s string) string { return `{"messages":[` + s + `]}` }
	in := func(s string) string { return talk(user(s)) }
	by := func(s string) string { return talk(u, assistant(s), u) }
	use := func(f string) string { return talk(u, assistant(`{"type":"tool_use",`+f+`}`), user(resA)) }
	res := func(f string) string { return talk(u, assistant(callA), user(`{"type":"tool_result",`+f+`}`)) }
	img := func(f string) string { return in(`{"type":"image","source":` + f + `}`) }
	call := `"id":"toolu_a","name":"t","input":{}`
	tags := "'bash_code_execution_tool_result', 'code_execution_tool_result', 'container_upload', 'document', 'image', 'redacted_thinking', 'search_result', 'server_tool_use', 'text', 'text_editor_code_execution_tool_result', 'thinking', 'tool_result', 'tool_search_tool_result', 'tool_use', 'web_fetch_tool_result', 'web_search_tool_result'"
	run(
		row{rule: "messages.item.object", bad: m(`"x"`), want: "messages.0: Input should be an object"},
		row{rule: "messages.item.role.missing", bad: m(`{"content":"x"}`), want: "messages.0.role: Field required"},
		row{rule: "messages.item.role.string", bad: m(`{"role":1,"content":"x"}`), want: "messages.0.role: Input should be a valid string"},
		row{rule: "messages.item.content.missing", bad: m(`{"role":"user"}`), want: "messages.0.content: Field required"},
		row{rule: "messages.item.content.array", bad: m(`{"role":"user","content":null}`), want: "messages.0.content: Input should be a valid array"},
		row{rule: "messages.item.extra", bad: m(`{"role":"user","content":"x","cache_control":{"type":"ephemeral"}}`), want: "messages.0.cache_control: Extra inputs are not permitted"},
		row{rule: "messages.content.item.object", bad: in(`"x"`), want: "messages.0.content.0: Input should be an object"},
		row{rule: "messages.content.item.type.missing", bad: in(`{"text":"x"}`), want: "messages.0.content.0.type: Field required"},
		row{rule: "messages.content.item.tag", bad: in(`{"type":"input_text"}`), want: "messages.0.content.0: Input tag 'input_text' found using 'type' does not match any of the expected tags: " + tags},
		row{rule: "text.text.missing", bad: in(`{"type":"text"}`), want: "messages.0.content.0.text.text: Field required"},
		row{rule: "text.text.string", bad: in(`{"type":"text","text":null}`), want: "messages.0.content.0.text.text: Input should be a valid string"},
		row{rule: "text.extra", bad: in(`{"type":"text","text":"x","id":1}`), good: in(`{"type":"text","text":"x","citations":null}`), want: "messages.0.content.0.text.id: Extra inputs are not permitted"},
		row{rule: "text.empty-marked", bad: in(`{"type":"text","text":"","cache_control":{"type":"ephemeral"}}`), want: "messages.0.content.0.text: cache_control cannot be set for empty text blocks"},
		row{rule: "thinking_block.thinking.missing", bad: by(`{"type":"thinking","signature":"s"}`), want: "messages.1.content.0.thinking.thinking: Field required"},
		row{rule: "thinking_block.signature.missing", bad: by(`{"type":"thinking","thinking":"t"}`), want: "messages.1.content.0.thinking.signature: Field required"},
		row{rule: "thinking_block.empty", bad: by(`{"type":"thinking","thinking":"","signature":""},` + text), good: by(`{"type":"thinking","thinking":"","signature":"s"},` + text),
			want: "messages.1.content.0.thinking: each thinking block must contain thinking"},
		row{rule: "redacted_thinking_block.data.missing", bad: by(`{"type":"redacted_thinking"}`), want: "messages.1.content.0.redacted_thinking.data: Field required"},
		row{rule: "redacted_thinking_block.extra", bad: by(`{"type":"redacted_thinking","data":"d","x":1}`), want: "messages.1.content.0.redacted_thinking.x: Extra inputs are not permitted"},
		row{rule: "tool_use.id.missing", bad: use(`"name":"t","input":{}`), want: "messages.1.content.0.tool_use.id: Field required"},
		row{rule: "tool_use.id.pattern", bad: use(`"id":"a:0","name":"t","input":{}`), want: "messages.1.content.0.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'"},
		row{rule: "tool_use.name.missing", bad: use(`"id":"a","input":{}`), want: "messages.1.content.0.tool_use.name: Field required"},
		row{rule: "tool_use.input.missing", bad: use(`"id":"a","name":"t"`), want: "messages.1.content.0.tool_use.input: Field required"},
		row{rule: "tool_use.input.dictionary", bad: use(`"id":"a","name":"t","input":"{}"`), want: "messages.1.content.0.tool_use.input: Input should be a valid dictionary"},
		row{rule: "tool_use.caller.tag", bad: use(call + `,"caller":{"type":"bogus"}`), good: use(call + `,"caller":{"type":"direct"}`),
			want: "messages.1.content.0.tool_use.caller: Input tag 'bogus' found using 'type' does not match any of the expected tags: 'code_execution_20250825', 'code_execution_20260120', 'direct'"},
		row{rule: "tool_use.caller.direct.extra", bad: use(call + `,"caller":{"type":"direct","tool_id":"x"}`), want: "messages.1.content.0.tool_use.caller.direct.tool_id: Extra inputs are not permitted"},
		row{rule: "tool_use.extra", bad: use(call + `,"text":""`), want: "messages.1.content.0.tool_use.text: Extra inputs are not permitted"},
		row{rule: "tool_result.tool_use_id.missing", bad: res(`"content":"x"`), want: "messages.2.content.0.tool_result.tool_use_id: Field required"},
		row{rule: "tool_result.tool_use_id.pattern", bad: res(`"tool_use_id":"a.b"`), want: "messages.2.content.0.tool_result.tool_use_id: String should match pattern '^[a-zA-Z0-9_-]+$'"},
		row{rule: "tool_result.content.array", bad: res(`"tool_use_id":"toolu_a","content":{}`), good: res(`"tool_use_id":"toolu_a","content":[]`), want: "messages.2.content.0.tool_result.content: Input should be a valid array"},
		row{rule: "tool_result.content.item.tag", bad: res(`"tool_use_id":"toolu_a","content":[{"type":"image_url"}]`), good: res(`"tool_use_id":"toolu_a","content":[` + png + `]`),
			want: "messages.2.content.0.tool_result.content.0: Input tag 'image_url' found using 'type' does not match any of the expected tags: 'document', 'image', 'search_result', 'text', 'tool_reference'"},
		row{rule: "tool_result.is_error.boolean", bad: res(`"tool_use_id":"toolu_a","is_error":"yes"`), want: "messages.2.content.0.tool_result.is_error: Input should be a valid boolean"},
		row{rule: "tool_result.error-not-text", bad: res(`"tool_use_id":"toolu_a","is_error":true,"content":[` + png + `]`), good: res(`"tool_use_id":"toolu_a","is_error":true,"content":[` + text + `]`),
			want: "messages.2.content.0.tool_result: all content must be type `text` if `is_error` is true"},
		row{rule: "tool_result.extra", bad: res(`"tool_use_id":"toolu_a","name":"t"`), want: "messages.2.content.0.tool_result.name: Extra inputs are not permitted"},
		row{rule: "image.source.missing", bad: in(`{"type":"image"}`), want: "messages.0.content.0.image.source: Field required"},
		row{rule: "image.source.tag", bad: img(`{"type":"x"}`), want: "messages.0.content.0.image.source: Input tag 'x' found using 'type' does not match any of the expected tags: 'base64', 'file', 'url'"},
		row{rule: "image.source.base64.media_type.enum", bad: img(`{"type":"base64","media_type":"image/bmp","data":"aGk="}`),
			want: "messages.0.content.0.image.source.base64.media_type: Input should be 'image/jpeg', 'image/png', 'image/gif' or 'image/webp'"},
		row{rule: "image.source.base64.data.missing", bad: img(`{"type":"base64","media_type":"image/png"}`), want: "messages.0.content.0.image.source.base64.data: Field required"},
		row{rule: "image.empty", bad: img(`{"type":"base64","media_type":"image/png","data":""}`), want: "messages.0.content.0.image.source.base64: image cannot be empty"},
		row{rule: "image.base64", bad: img(`{"type":"base64","media_type":"image/png","data":"data:x"}`), want: "messages.0.content.0.image.source.base64: invalid base64 data"},
		row{rule: "image.source.url.url.missing", bad: img(`{"type":"url"}`), good: img(`{"type":"url","url":"https://example.com/a.png"}`), want: "messages.0.content.0.image.source.url.url: Field required"},
	)
}
