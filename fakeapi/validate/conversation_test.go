package validate_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const (
	u         = `{"role":"user","content":"u"}`
	a         = `{"role":"assistant","content":"a"}`
	callA     = `{"type":"tool_use","id":"toolu_a","name":"t","input":{}}`
	callB     = `{"type":"tool_use","id":"toolu_B","name":"t","input":{}}`
	resA      = `{"type":"tool_result","tool_use_id":"toolu_a","content":"ok"}`
	resB      = `{"type":"tool_result","tool_use_id":"toolu_B"}`
	text      = `{"type":"text","text":"x"}`
	empty     = `{"type":"text","text":""}`
	blankT    = `{"type":"text","text":"\n\n"}`
	think     = `{"type":"thinking","thinking":"t","signature":"s"}`
	png       = `{"type":"image","source":{"type":"base64","media_type":"image/png","data":"iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII="}}`
	server    = `{"type":"server_tool_use","id":"srvtoolu_a","name":"web_search","input":{}}`
	found     = `{"type":"web_search_tool_result","tool_use_id":"srvtoolu_a","content":[]}`
	tail      = "; the directive-only form (content: [] with output_config) is accepted at any position"
	pairing   = "`tool_use` ids were found without `tool_result` blocks immediately after: "
	pairEnd   = ". Each `tool_use` block must have a corresponding `tool_result` block in the next message."
	old       = `"model":"claude-sonnet-4-5",`
	clearAt   = "mid-conversation-system-clear-at-2026-08-21"
	budget    = `"model":"claude-sonnet-4-5","max_tokens":4096,"thinking":{"type":"enabled","budget_tokens":1024},`
	newest    = `"model":"claude-opus-5",`
	searching = `"tools":[{"type":"web_search_20250305","name":"web_search"}],`
	changing  = newest + `"tools":[{"name":"t","input_schema":{"type":"object"}}],`
	effort    = "mid-conversation-output-config-2026-07-01"
	toolMod   = "mid-conversation-tool-changes-2026-07-01"
)

func user(blocks string) string      { return `{"role":"user","content":[` + blocks + `]}` }
func assistant(blocks string) string { return `{"role":"assistant","content":[` + blocks + `]}` }
func system(blocks string) string    { return `{"role":"system","content":[` + blocks + `]}` }

func talk(messages ...string) string { return on("", messages...) }

func on(members string, messages ...string) string {
	out := "{" + members + `"messages":[`
	for i, m := range messages {
		if i > 0 {
			out += ","
		}
		out += m
	}
	return out + "]}"
}

func pairingOfCallsAndResults(run func(...row)) {
	run(
		row{rule: "pairing.no-result", bad: talk(u, assistant(callA), u), good: talk(u, assistant(callA), user(resA)),
			want: "messages.1: " + pairing + "toolu_a" + pairEnd},
		row{rule: "pairing.no-result", bad: talk(u, assistant(callA)), good: talk(u, assistant(callA), user(resA)),
			want: "messages.1: " + pairing + "toolu_a" + pairEnd},
		row{rule: "pairing.no-result", bad: talk(u, u, assistant(callA+","+callB), u), good: talk(u, u, assistant(callA+","+callB), user(resB), user(resA)),
			want: "messages.2: " + pairing + "toolu_B, toolu_a" + pairEnd},
		row{rule: "pairing.no-result", bad: talk(u, assistant(callA+","+callB), user(resA)), good: talk(u, assistant(callA+","+callB), user(resA+","+resB+","+text)),
			want: "messages.1: " + pairing + "toolu_B" + pairEnd},
		row{rule: "pairing.no-result", bad: talk(u, assistant(callA), user(text+","+resA)), good: talk(u, assistant(callA), user(resA+","+text)),
			want: "messages.1: " + pairing + "toolu_a" + pairEnd},
		row{rule: "pairing.no-result", bad: talk(u, assistant(callA+","+callB), user(resA+","+text+","+resB)), good: talk(u, assistant(callA), assistant(callB), user(resA+","+resB)),
			want: "messages.1: " + pairing + "toolu_B" + pairEnd},
		row{rule: "pairing.no-call", bad: talk(user(resA)), good: talk(u, assistant(callA), user(resA)),
			want: "messages.0.content.0: unexpected `tool_use_id` found in `tool_result` blocks: toolu_a. Each `tool_result` block must have a corresponding `tool_use` block in the previous message."},
		row{rule: "pairing.no-call", bad: talk(u, assistant(callA), user(resA+","+resB)), good: talk(assistant(callA), user(resA)),
			want: "messages.2.content.1: unexpected `tool_use_id` found in `tool_result` blocks: toolu_B. Each `tool_result` block must have a corresponding `tool_use` block in the previous message."},
		row{rule: "pairing.double-result", bad: talk(u, assistant(callA), user(resA), user(resA)), good: talk(u, assistant(callA), user(resA), user(text)),
			want: "messages.3.content.0: each tool_use must have a single result. Found multiple `tool_result` blocks with id: toolu_a"},
		row{rule: "pairing.unique", bad: talk(u, assistant(callA), user(resA), assistant(callA), user(resA)), good: talk(u, assistant(callA), user(resA), assistant(callB), user(resB)),
			want: "messages.3.content.0: `tool_use` ids must be unique"},
		row{rule: "pairing.unique", bad: talk(u, assistant(callA+","+callA), user(resA)), want: "messages.1.content.1: `tool_use` ids must be unique"},
	)
}

func turnsAndTheirTexts(run func(...row)) {
	const blankText = "messages: text content blocks must contain non-whitespace text"
	run(
		row{rule: "turn.user-empty", bad: talk(u, a, user(""), user("")), good: talk(u, a, user(""), u), want: "messages.2: user messages must have non-empty content"},
		row{rule: "turn.empty", bad: on(old, `{"role":"user","content":""}`), good: on(old, u, assistant("")),
			want: "messages.0: all messages must have non-empty content except for the optional final assistant message"},
		row{rule: "turn.empty", bad: on(old, u, assistant(""), u), good: on(old, u, assistant("")),
			want: "messages.1: all messages must have non-empty content except for the optional final assistant message"},
		row{rule: "turn.text-empty", bad: on(old, user(empty+","+text), a, u), good: talk(user(empty+","+text), a, u), want: "messages: text content blocks must be non-empty"},
		row{rule: "turn.text-empty", bad: talk(u, a, user(text+","+empty)), good: talk(u, a, user(text)), want: "messages: text content blocks must be non-empty"},
		row{rule: "turn.text-blank", bad: talk(u, assistant(blankT+","+text), u), good: talk(u, assistant(server+","+found+","+blankT+","+text), u), want: blankText},
		row{rule: "turn.text-blank", bad: talk(`{"role":"user","content":" "}`), good: talk(`{"role":"user","content":" x"}`), want: blankText},
		row{rule: "turn.ends-in-thinking", bad: talk(u, assistant(think)), good: talk(u, assistant(think+","+text), u),
			want: "messages.1: The final block in an assistant message cannot be `thinking`."},
		row{rule: "prefill.thinking", bad: on(budget, u, assistant(think+","+text)), good: on(budget, u, assistant(think+","+text), u),
			want: "messages.1: the final assistant message cannot be prefilled when thinking is enabled"},
		row{rule: "prefill.model", bad: talk(u, a), good: talk(u, assistant("")),
			want: "This model does not support assistant message prefill. The conversation must end with a user message."},
		row{rule: "prefill.model", bad: talk(u, assistant(text+","+server+","+found+","+text)), good: on(searching, u, assistant(text+","+server)),
			want: "This model does not support assistant message prefill. The conversation must end with a user message."},
		row{rule: "prefill.trailing-blank", bad: on(old, u, `{"role":"assistant","content":"Sure, here it comes: "}`), good: on(old, u, `{"role":"assistant","content":"Sure, here it comes:"}`),
			want: "messages: final assistant content cannot end with trailing whitespace"},
	)
}

func blocksAndTheRolesThatHoldThem(run func(...row)) {
	addition := `{"type":"tool_addition","tool":{"type":"tool_reference","name":"t"}}`
	doc := `{"type":"document","source":{"type":"text","data":"x"}}`
	cited := `{"type":"text","text":"x","citations":[{"type":"web_search_result_location","cited_text":"x","url":"u","encrypted_index":"e"}]}`
	uncited := `{"type":"text","text":"x","citations":[]}`
	run(
		row{rule: "block.not-in-assistant", bad: talk(u, assistant(png), u), good: talk(user(png)), want: "messages.1.content: 'image' blocks are not permitted within assistant turns."},
		row{rule: "block.user-citations", version: "2026-10-21", bad: talk(user(cited)), good: talk(user(uncited), assistant(cited), u), want: "messages.0.content.0.text.citations: Extra inputs are not permitted"},
		row{rule: "block.not-in-assistant", version: "2026-10-21", bad: talk(u, assistant(doc+","+text), u), good: talk(user(doc)), want: "messages.1.content: 'document' blocks are not permitted within assistant turns."},
		row{rule: "block.not-in-assistant", bad: talk(u, assistant(png), u), good: talk(u, assistant(doc+","+text), u), want: "messages.1.content: 'image' blocks are not permitted within assistant turns."},
		row{rule: "block.only-user", bad: talk(u, assistant(resA), u), good: talk(u, assistant(callA), user(resA)), want: "messages.1: `tool_result` blocks can only be in `user` messages"},
		row{rule: "block.only-assistant", bad: talk(user(callA)), want: "messages.0: `tool_use` blocks can only be in `assistant` messages"},
		row{rule: "block.tool-change-role", beta: toolMod, bad: on(changing, user(addition)), good: on(changing, u, system(addition)),
			want: `messages.0.content: 'tool_addition'/'tool_removal' blocks are only permitted within role: "system" messages`},
		row{rule: "messages.role", bad: talk(u, `{"role":"model","content":"x"}`), want: `messages: Unexpected role "model". Allowed roles are "user" or "assistant".`},
		row{rule: "messages.role.tool", bad: talk(u, `{"role":"tool","content":"x"}`),
			want: `messages: Unexpected role "tool". Allowed roles are "user" or "assistant". For instructions on how to use tools, see https://platform.claude.com/docs/en/agents-and-tools/tool-use/overview.`},
	)
}

func systemMessages(run func(...row)) {
	scoped := func(more, blocks string) string {
		return `{"role":"system","clear_at":"next_user_message",` + more + `"content":[` + blocks + `]}`
	}
	directive := `{"role":"system","content":[],"output_config":{"effort":"low"}}`
	addition := `{"type":"tool_addition","tool":{"type":"tool_reference","name":"t"}}`
	marked := `{"type":"text","text":"s","cache_control":{"type":"ephemeral"}}`
	s := system(text)
	run(
		row{rule: "system_role.model", bad: on(`"model":"claude-haiku-4-5",`, u, s), good: talk(u, s),
			want: "messages: Unexpected role \"system\". The Messages API accepts a top-level `system` parameter, not \"system\" as an input message role."},
		row{rule: "system_role.model-short", bad: on(`"model":"claude-sonnet-4-6",`, u, s), want: "role 'system' is not supported on this model"},
		row{rule: "system_role.empty", bad: talk(u, system("")), want: "messages.1: system content must contain at least one block"},
		row{rule: "system_role.empty", bad: talk(u, `{"role":"system","content":""}`), want: "messages.1: system content must contain at least one block"},
		row{rule: "system_role.block-type", bad: talk(u, system(png)), want: "messages.1: role 'system' supports text, tool_addition, and tool_removal blocks only"},
		row{rule: "system_role.first", bad: talk(s, s, u), good: talk(u, s, s, a, u),
			want: "messages.0: use the top-level 'system' parameter for the initial system prompt" + tail},
		row{rule: "system_role.follow", bad: talk(u, a, s, s), good: talk(u, assistant(server+","+found), s),
			want: "messages.2: role 'system' must follow a 'user' message or an 'assistant' message ending in a server tool result" + tail},
		row{rule: "system_role.follow", bad: talk(u, assistant(callA), s, user(resA)), good: talk(u, assistant(callA), user(resA), s),
			want: "messages.2: role 'system' must follow a 'user' message or an 'assistant' message ending in a server tool result" + tail},
		row{rule: "system_role.precede", bad: talk(u, s, s, u), good: talk(u, s, s, a, u),
			want: "messages.2: role 'system' must precede an 'assistant' message or end the array" + tail},
		row{rule: "system_role.blank", bad: talk(u, system(blankT)), want: "messages.1: system text blocks must contain non-whitespace text"},
		row{rule: "system_role.precede", beta: effort, bad: on(newest, u, directive, s, directive, u), good: on(newest, directive, u, assistant(callA), directive, user(resA), directive, u),
			want: "messages.3: role 'system' must precede an 'assistant' message or end the array" + tail},
		row{rule: "messages.item.extra", bad: talk(u, directive), want: "messages.1.output_config: Extra inputs are not permitted"},
		row{rule: "messages.item.extra", bad: talk(u, scoped("", text)), want: "messages.1.clear_at: Extra inputs are not permitted"},
		row{rule: "messages.item.clear_at.enum", beta: clearAt, bad: talk(u, `{"role":"system","clear_at":"x","content":"s"}`), good: talk(u, `{"role":"system","clear_at":"never","content":"s"}`),
			want: "messages.1.clear_at: Input should be 'next_user_message' or 'never'"},
		row{rule: "clear_at.role", beta: clearAt, bad: talk(`{"role":"user","clear_at":"never","content":"s"}`), want: "messages.0.clear_at: clear_at is only permitted on role 'system' messages"},
		row{rule: "clear_at.text-only", beta: clearAt + "," + toolMod, bad: on(changing, u, scoped("", addition)), good: talk(u, scoped("", text), a, u, scoped("", text)),
			want: "messages.1: a turn-scoped system message supports text blocks only (clear_at: 'next_user_message')"},
		row{rule: "clear_at.output-config", beta: clearAt + "," + effort, bad: on(newest, u, scoped(`"output_config":{"effort":"low"},`, text)),
			want: "messages.1: output_config is not permitted on a turn-scoped system message (clear_at: 'next_user_message')"},
		row{rule: "clear_at.cache-control", beta: clearAt, bad: talk(u, scoped("", marked)), good: talk(u, system(marked)),
			want: "messages.1.content.0: cache_control is not permitted on a turn-scoped system message (clear_at: 'next_user_message')"},
	)
}

// The order inside one item is measured (api-verdicts-notes.md 2.3).
func TestSeveralFaultsInSystemMessages(t *testing.T) {
	for want, body := range map[string]string{
		"messages.0: system content must contain at least one block":                            talk(system("")),
		"messages.0: role 'system' supports text, tool_addition, and tool_removal blocks only":  talk(system(png + "," + blankT)),
		"messages.0: use the top-level 'system' parameter for the initial system prompt" + tail: talk(system(blankT), u),
		"messages.1: role 'system' must precede an 'assistant' message or end the array" + tail: talk(u, system(blankT), u),
		`messages: Unexpected role "x". Allowed roles are "user" or "assistant".`:               talk(system(""), `{"role":"x","content":"y"}`),
		"messages.1.content.0.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'":      talk(u, assistant(`{"type":"tool_use","id":"a.b","name":"t","input":{}}`)),
		"messages.1.content.0.thinking.cache_control: Extra inputs are not permitted":           talk(u, assistant(`{"type":"thinking","thinking":"","signature":"","cache_control":{"type":"ephemeral"}}`)),
		"messages.0.content.0.text: cache_control cannot be set for empty text blocks":          talk(user(`{"type":"text","text":"","cache_control":{"type":"ephemeral"}}`)),
		"messages.1: " + pairing + "toolu_a" + pairEnd:                                          talk(u, assistant(callA), user(resB)),
		"messages.1: The final block in an assistant message cannot be `redacted_thinking`.":    talk(u, assistant(`{"type":"redacted_thinking","data":"d"}`)),
	} {
		_, f := check(t, overlay(t, body), usual(""))
		require.NotNil(t, f, body)
		assert.Equal(t, want, f.Message)
	}
}

func TestWhatIsNotJudgedIsListed(t *testing.T) {
	doc := `{"type":"document","source":{"type":"text","media_type":"text/plain","data":"x"}}`
	link := `{"type":"document","source":{"type":"url","url":"https://example.com/a.pdf"}}`
	stored := `{"type":"image","source":{"type":"file","file_id":"file_1"}}`
	body := overlay(t, `{"tools":[{"name":"t","input_schema":{"type":"object","additionalProperties":false},"strict":true},{"type":"web_search_20250305","name":"web_search"}],`+
		talk(user(doc+","+png+`,{"type":"text","text":"x","citations":[]},`+link), assistant(server+","+found+","+callA), user(`{"type":"tool_result","tool_use_id":"toolu_a","content":[`+doc+","+stored+`]}`))[1:])
	c, f := check(t, body, usual(""))
	require.Nil(t, f)
	assert.Equal(t, []string{"messages.0.content.3.source", "messages.2.content.0.content.1.source"}, c.NotJudged)
}

// What is known by shape alone is said to be so: which models take a task budget or fallbacks, and whether a credit
// token is a true one, nobody published (messages-api.md 2.11).
func TestFieldsOfUnknownSupportAreListed(t *testing.T) {
	budget := `{"output_config":{"task_budget":{"type":"tokens","total":50000}}}`
	for _, c := range []struct {
		over, beta string
		want       []string
	}{
		{budget, "task-budgets-2026-03-13", []string{"output_config.task_budget"}},
		{`{"output_config":{"task_budget":null}}`, "task-budgets-2026-03-13", nil},
		{`{"fallbacks":"default"}`, "server-side-fallback-2026-07-01", []string{"fallbacks"}},
		{`{"fallbacks":[{"model":"claude-opus-5"}]}`, "server-side-fallback-2026-06-01", []string{"fallbacks"}},
		{`{"fallback_credit_token":"t"}`, "fallback-credit-2026-07-01", []string{"fallback_credit_token"}},
		{`{}`, "", nil},
	} {
		checked, f := check(t, overlay(t, c.over), usual(c.beta))
		require.Nil(t, f, c.over)
		assert.Equal(t, c.want, checked.NotJudged, c.over)
	}
}
