package validate_test

import (
	"strings"

	"harnessbench/internal/model"
)

// theRestOfTheShapes are the places of the wording families that the other tables leave out.
func theRestOfTheShapes(run func(...row)) {
	in := func(s string) string { return talk(user(s)) }
	by := func(s string) string { return talk(u, assistant(s), u) }
	img := func(f string) string { return in(`{"type":"image","source":` + f + `}`) }
	res := func(f string) string { return talk(u, assistant(callA), user(`{"type":"tool_result",`+f+`}`)) }
	use := func(f string) string { return talk(u, assistant(`{"type":"tool_use",`+f+`}`), user(resA)) }
	choose := func(c string) string { return `{"tool_choice":` + c + `}` }
	directive := func(c string) string { return on(newest, u, `{"role":"system","content":[],"output_config":`+c+`}`) }
	binding := func(b string) string { return `{"thinking":{"type":"adaptive","block_binding":` + b + `}}` }
	const controls = "thinking-binding-controls-2026-08-01"
	call := `"id":"toolu_a","name":"t","input":{},`
	many := `{"messages":[` + strings.Repeat(u+",", model.MaxMessages) + u + `]}`
	run(
		row{rule: "tool_choice.auto.extra", bad: choose(`{"type":"auto","name":"t"}`), want: "tool_choice.auto.name: Extra inputs are not permitted"},
		row{rule: "tool_choice.any.extra", bad: choose(`{"type":"any","name":"t"}`), want: "tool_choice.any.name: Extra inputs are not permitted"},
		row{rule: "tool_choice.any.disable_parallel_tool_use.boolean", bad: choose(`{"type":"any","disable_parallel_tool_use":0}`),
			want: "tool_choice.any.disable_parallel_tool_use: Input should be a valid boolean"},
		row{rule: "tool_choice.tool.disable_parallel_tool_use.boolean", bad: choose(`{"type":"tool","name":"t","disable_parallel_tool_use":0}`),
			want: "tool_choice.tool.disable_parallel_tool_use: Input should be a valid boolean"},
		row{rule: "tool_choice.tool.extra", bad: choose(`{"type":"tool","name":"t","x":0}`), want: "tool_choice.tool.x: Extra inputs are not permitted"},
		row{rule: "tools.item.tag", bad: `{"tools":[{"type":"function"}]}`, good: `{"tools":[{"type":"bash_20250124","name":"bash"}]}`,
			want: "tools.0: Input tag 'function' found using 'type' does not match any of the expected tags: 'bash_20250124', 'browser_toolset_20260801', 'code_execution_20250522', 'code_execution_20250825', 'code_execution_20260120', 'code_execution_20260521', 'computer_toolset_20260801', 'custom', 'memory_20250818', 'text_editor_20250124', 'text_editor_20250429', 'text_editor_20250728', 'tool_search_tool_bm25', 'tool_search_tool_bm25_20251119', 'tool_search_tool_regex', 'tool_search_tool_regex_20251119', 'web_fetch_20250910', 'web_fetch_20260209', 'web_fetch_20260309', 'web_fetch_20260318', 'web_search_20250305', 'web_search_20260209', 'web_search_20260318'"},
		row{rule: "messages.many", bad: many, want: "messages: List should have at most 100000 items after validation, not 100001"},
		row{rule: "image.source.object", bad: img(`"x"`), want: "messages.0.content.0.image.source: Input should be an object"},
		row{rule: "image.source.type.missing", bad: img(`{}`), want: "messages.0.content.0.image.source.type: Field required"},
		row{rule: "image.source.base64.media_type.missing", bad: img(`{"type":"base64","data":"aGk="}`), want: "messages.0.content.0.image.source.base64.media_type: Field required"},
		row{rule: "image.source.base64.data.string", bad: img(`{"type":"base64","media_type":"image/png","data":1}`), want: "messages.0.content.0.image.source.base64.data: Input should be a valid string"},
		row{rule: "image.source.base64.extra", bad: img(`{"type":"base64","media_type":"image/png","data":"aGk=","x":1}`), want: "messages.0.content.0.image.source.base64.x: Extra inputs are not permitted"},
		row{rule: "image.source.url.url.string", bad: img(`{"type":"url","url":1}`), want: "messages.0.content.0.image.source.url.url: Input should be a valid string"},
		row{rule: "image.source.url.extra", bad: img(`{"type":"url","url":"https://example.com/a.png","x":1}`), want: "messages.0.content.0.image.source.url.x: Extra inputs are not permitted"},
		row{rule: "image.extra", bad: in(png[:len(png)-1] + `,"x":1}`), want: "messages.0.content.0.image.x: Extra inputs are not permitted"},
		row{rule: "redacted_thinking_block.data.string", bad: by(`{"type":"redacted_thinking","data":1}`), want: "messages.1.content.0.redacted_thinking.data: Input should be a valid string"},
		row{rule: "thinking_block.thinking.string", bad: by(`{"type":"thinking","thinking":1,"signature":"s"}`), want: "messages.1.content.0.thinking.thinking: Input should be a valid string"},
		row{rule: "thinking_block.signature.string", bad: by(`{"type":"thinking","thinking":"t","signature":null}`), want: "messages.1.content.0.thinking.signature: Input should be a valid string"},
		row{rule: "tool_result.tool_use_id.string", bad: res(`"tool_use_id":1`), want: "messages.2.content.0.tool_result.tool_use_id: Input should be a valid string"},
		row{rule: "tool_result.content.item.object", bad: res(`"tool_use_id":"toolu_a","content":["x"]`), want: "messages.2.content.0.tool_result.content.0: Input should be an object"},
		row{rule: "tool_result.content.item.type.missing", bad: res(`"tool_use_id":"toolu_a","content":[{}]`), want: "messages.2.content.0.tool_result.content.0.type: Field required"},
		row{rule: "tool_use.id.string", bad: use(`"id":1,"name":"t","input":{}`), want: "messages.1.content.0.tool_use.id: Input should be a valid string"},
		row{rule: "tool_use.name.string", bad: use(`"id":"a","name":1,"input":{}`), want: "messages.1.content.0.tool_use.name: Input should be a valid string"},
		row{rule: "tool_use.caller.object", bad: use(call + `"caller":"direct"`), want: "messages.1.content.0.tool_use.caller: Input should be an object"},
		row{rule: "tool_use.caller.type.missing", bad: use(call + `"caller":{}`), want: "messages.1.content.0.tool_use.caller.type: Field required"},
		row{rule: "messages.item.output_config.shape", beta: effort, bad: directive(`"low"`), want: "messages.1.output_config: Input does not match the expected shape."},
		row{rule: "messages.item.output_config.effort.enum", beta: effort, bad: directive(`{"effort":"x"}`), good: directive(`{"effort":"low"}`),
			want: "messages.1.output_config.effort: Input should be 'low', 'medium', 'high', 'xhigh' or 'max'"},
		row{rule: "messages.item.output_config.extra", beta: effort, bad: directive(`{"format":{}}`), want: "messages.1.output_config.format: Extra inputs are not permitted"},
		row{rule: "thinking.type.missing", bad: `{"thinking":{}}`, want: "thinking.type: Field required"},
		row{rule: "thinking.block_binding.object", beta: controls, bad: binding(`"x"`), want: "thinking.adaptive.block_binding: Input should be an object"},
		row{rule: "thinking.block_binding.prefix_mismatch_behavior.enum", beta: controls, bad: binding(`{"prefix_mismatch_behavior":"x"}`), good: binding(`{"prefix_mismatch_behavior":"drop_block"}`),
			want: "thinking.adaptive.block_binding.prefix_mismatch_behavior: Input should be 'error' or 'drop_block'"},
		row{rule: "thinking.block_binding.extra", beta: controls, bad: binding(`{"x":1}`), want: "thinking.adaptive.block_binding.x: Extra inputs are not permitted"},
		row{rule: "thinking.between_tools.extra", bad: `{"thinking":{"type":"between_tools","display":"omitted"}}`, want: "thinking.between_tools.display: Extra inputs are not permitted"},
		row{rule: "thinking.enabled.budget_tokens.integer", bad: `{"thinking":{"type":"enabled","budget_tokens":"x"}}`, want: "thinking.enabled.budget_tokens: Input should be a valid integer"},
		row{rule: "thinking.enabled.display.enum", bad: `{"thinking":{"type":"enabled","budget_tokens":1024,"display":"x"}}`, want: "thinking.enabled.display: Input should be 'summarized' or 'omitted'"},
		row{rule: "thinking.enabled.extra", bad: `{"thinking":{"type":"enabled","budget_tokens":1024,"x":1}}`, want: "thinking.enabled.x: Extra inputs are not permitted"},
	)
}
