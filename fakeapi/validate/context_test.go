package validate_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"harnessbench/fakeapi/validate"
)

const everyEdit = validate.EditBeta + "," + validate.CompactBeta + "," + validate.OnDemandBeta + ",task-budgets-2026-03-13"

// edited is a request with one edit; model claude-sonnet-5 thinks by default.
func edited(edit string) string { return `{"context_management":{"edits":[` + edit + `]}}` }

func serverSideEdits(run func(...row)) {
	tools := func(member string) string { return edited(`{"type":"clear_tool_uses_20250919",` + member + `}`) }
	thinking := func(member string) string { return edited(`{"type":"clear_thinking_20251015",` + member + `}`) }
	compact := func(member string) string { return edited(`{"type":"compact_20260112",` + member + `}`) }
	at := "context_management.edits.0"
	rows := []row{
		{rule: "context_management.object", bad: `{"context_management":[]}`, want: "context_management: Input should be an object", good: `{"context_management":{}}`},
		{rule: "context_management.extra", bad: `{"context_management":{"edit":[]}}`, want: "context_management.edit: Extra inputs are not permitted", good: `{"context_management":null}`},
		{rule: "context_management.edits.array", bad: `{"context_management":{"edits":{}}}`, want: "context_management.edits: Input should be a valid array", good: `{"context_management":{"edits":[]}}`},
		{rule: "context_management.edits.item.object", bad: edited(`1`), want: at + ": Input should be an object"},
		{rule: "context_management.edits.item.type.missing", bad: edited(`{}`), want: at + ".type: Field required"},
		{rule: "context_management.edits.item.tag", bad: edited(`{"type":"clear_all"}`),
			want: at + ": Input tag 'clear_all' found using 'type' does not match any of the expected tags: 'clear_thinking_20251015', 'clear_tool_uses_20250919', 'compact_20260112'",
			good: edited(`{"type":"clear_tool_uses_20250919"}`)},
		{rule: "clear_tool_uses_20250919.extra", bad: tools(`"kept":1`), want: at + ".clear_tool_uses_20250919.kept: Extra inputs are not permitted", good: tools(`"exclude_tools":null`)},
		{rule: "clear_tool_uses_20250919.exclude_tools.array", bad: tools(`"exclude_tools":"a"`), want: at + ".clear_tool_uses_20250919.exclude_tools: Input should be a valid array", good: tools(`"exclude_tools":["a"]`)},
		{rule: "clear_tool_uses_20250919.exclude_tools.item.string", bad: tools(`"exclude_tools":[1]`), want: at + ".clear_tool_uses_20250919.exclude_tools.0: Input should be a valid string"},
		{rule: "clear_tool_uses_20250919.clear_tool_inputs.array", bad: tools(`"clear_tool_inputs":"a"`), want: at + ".clear_tool_uses_20250919.clear_tool_inputs: Input should be a valid array", good: tools(`"clear_tool_inputs":true`)},
		{rule: "clear_tool_uses_20250919.clear_tool_inputs.item.string", bad: tools(`"clear_tool_inputs":[1]`), want: at + ".clear_tool_uses_20250919.clear_tool_inputs.0: Input should be a valid string", good: tools(`"clear_tool_inputs":["a"]`)},
		{rule: "clear_thinking_20251015.extra", bad: thinking(`"kept":1`), want: at + ".clear_thinking_20251015.kept: Extra inputs are not permitted"},
		{rule: "clear_thinking_20251015.keep.enum", bad: thinking(`"keep":"none"`), want: at + ".clear_thinking_20251015.keep: Input should be 'all'", good: thinking(`"keep":"all"`)},
		{rule: "edit.keep_turns.all.extra", bad: thinking(`"keep":{"type":"all","value":1}`), want: at + ".clear_thinking_20251015.keep.all.value: Extra inputs are not permitted", good: thinking(`"keep":{"type":"all"}`)},
		{rule: "compact_20260112.extra", bad: compact(`"keep":1`), want: at + ".compact_20260112.keep: Extra inputs are not permitted"},
		{rule: "compact_20260112.pause_after_compaction.boolean", bad: compact(`"pause_after_compaction":1`), want: at + ".compact_20260112.pause_after_compaction: Input should be a valid boolean", good: compact(`"pause_after_compaction":true`)},
		{rule: "compact_20260112.instructions.string", bad: compact(`"instructions":1`), want: at + ".compact_20260112.instructions: Input should be a valid string", good: compact(`"instructions":null`)},

		{rule: "clear_thinking.needs-thinking", bad: `{"model":"claude-sonnet-4-5","context_management":{"edits":[{"type":"clear_thinking_20251015"}]}}`,
			want: "`clear_thinking_20251015` strategy requires `thinking` to be enabled or adaptive", good: edited(`{"type":"clear_thinking_20251015"}`)},
		{rule: "clear_thinking.first", bad: edited(`{"type":"clear_tool_uses_20250919"},{"type":"clear_thinking_20251015"}`),
			want: "context_management.edits.1: `clear_thinking_20251015` must be the first strategy in `edits`",
			good: edited(`{"type":"clear_thinking_20251015"},{"type":"clear_tool_uses_20250919"}`)},
		{rule: "compact.model", bad: `{"model":"claude-haiku-4-5","context_management":{"edits":[{"type":"compact_20260112"}]}}`,
			want: at + ": `compact_20260112` is not supported on this model", good: `{"model":"claude-haiku-5-5","context_management":{"edits":[{"type":"compact_20260112"}]}}`},
		{rule: "compact.signed-block", bad: `{"context_management":{"edits":[{"type":"compact_20260112"}]},"messages":[{"role":"user","content":[{"type":"compaction","content":"a","signature":"s"},{"type":"text","text":"b"}]}]}`,
			want: at + ": `compact_20260112` cannot be used with a signed `compaction` block in `messages`",
			good: `{"context_management":{"edits":[{"type":"compact_20260112"}]},"messages":[{"role":"user","content":[{"type":"compaction","content":"a"},{"type":"text","text":"b"}]}]}`},
	}
	for _, q := range []struct {
		rule, path, typ, other string
		min                    int
		in                     func(string) string
		member                 string
		tagged                 bool
	}{
		{"edit.trigger.input_tokens", "clear_tool_uses_20250919.trigger", "input_tokens", "", 0, tools, "trigger", true},
		{"edit.trigger.tool_uses", "clear_tool_uses_20250919.trigger", "tool_uses", "", 0, tools, "trigger", true},
		{"edit.keep", "clear_tool_uses_20250919.keep", "tool_uses", "input_tokens", 0, tools, "keep", false},
		{"edit.clear_at_least", "clear_tool_uses_20250919.clear_at_least", "input_tokens", "tool_uses", 0, tools, "clear_at_least", false},
		{"edit.keep_turns.thinking_turns", "clear_thinking_20251015.keep", "thinking_turns", "", 1, thinking, "keep", true},
		{"edit.compact_trigger", "compact_20260112.trigger", "input_tokens", "tool_uses", 50000, compact, "trigger", false},
	} {
		path := at + "." + q.path
		value := func(members string) string { return q.in(`"` + q.member + `":{"type":"` + q.typ + `"` + members + `}`) }
		inner, whole := path, strings.TrimSuffix(q.rule, "."+q.typ)
		if q.tagged {
			inner += "." + q.typ
			rows = append(rows, row{rule: whole + ".tag", bad: q.in(`"` + q.member + `":{"type":"x","value":1}`),
				want: path + ": Input tag 'x' found using 'type' does not match any of the expected tags: " +
					map[string]string{"trigger": "'input_tokens', 'tool_uses'", "keep": "'all', 'thinking_turns'"}[q.member]})
		} else {
			rows = append(rows, row{rule: q.rule + ".type.enum", bad: q.in(`"` + q.member + `":{"type":"` + q.other + `","value":1}`),
				want: path + ".type: Input should be '" + q.typ + "'"})
		}
		good := value(fmt.Sprintf(`,"value":%d`, q.min))
		rows = append(rows,
			row{rule: whole + ".object", bad: q.in(`"` + q.member + `":[]`), want: path + ": Input should be an object", good: good},
			row{rule: whole + ".type.missing", bad: q.in(`"` + q.member + `":{"value":1}`), want: path + ".type: Field required"},
			row{rule: q.rule + ".value.missing", bad: value(""), want: inner + ".value: Field required"},
			row{rule: q.rule + ".value.integer", bad: value(`,"value":"1"`), want: inner + ".value: Input should be a valid integer"},
			row{rule: q.rule + ".value.minimum", bad: value(fmt.Sprintf(`,"value":%d`, q.min-1)),
				want: fmt.Sprintf("%s.value: Input should be greater than or equal to %d", inner, q.min)},
			row{rule: q.rule + ".extra", bad: value(fmt.Sprintf(`,"value":%d,"unit":"k"`, q.min)), want: inner + ".unit: Extra inputs are not permitted"})
	}
	for i := range rows {
		rows[i].beta = everyEdit
	}
	run(rows...)
}

func compactionRequests(run func(...row)) {
	block := func(members string) string {
		return `{"messages":[{"role":"assistant","content":[{"type":"compaction"` + members + `}]},{"role":"user","content":"go on"}]}`
	}
	at := "messages.0.content.0.compaction"
	with := func(members string) string { return `{"compaction":{"type":"summarize"}` + members + `}` }
	rows := []row{
		{rule: "compaction.object", bad: `{"compaction":true}`, want: "compaction: Input should be an object", good: `{"compaction":null}`},
		{rule: "compaction.type.missing", bad: `{"compaction":{}}`, want: "compaction.type: Field required"},
		{rule: "compaction.tag", bad: `{"compaction":{"type":"drop"}}`, want: "compaction: Input tag 'drop' found using 'type' does not match any of the expected tags: 'summarize'", good: with("")},
		{rule: "compaction.summarize.extra", bad: `{"compaction":{"type":"summarize","trigger":1}}`, want: "compaction.summarize.trigger: Extra inputs are not permitted"},
		{rule: "compaction.summarize.instructions.string", bad: `{"compaction":{"type":"summarize","instructions":1}}`, want: "compaction.summarize.instructions: Input should be a valid string",
			good: `{"compaction":{"type":"summarize","instructions":" "}}`},
		{rule: "compaction.summarize.instructions.long", bad: `{"compaction":{"type":"summarize","instructions":"` + strings.Repeat("a", 16385) + `"}}`,
			want: "compaction.summarize.instructions: String should have at most 16384 characters", good: `{"compaction":{"type":"summarize","instructions":"` + strings.Repeat("a", 16384) + `"}}`},
		{rule: "compaction.together", bad: with(`,"context_management":{}`), want: "compaction: cannot be combined with `context_management`", good: with(`,"context_management":null`)},
		{rule: "compaction.together", bad: with(`,"stop_sequences":["x"]`), want: "compaction: cannot be combined with `stop_sequences`", good: with(`,"stop_sequences":[]`)},
		{rule: "compaction.together", bad: with(`,"output_config":{"format":{"type":"json_schema","schema":{"type":"object","properties":{},"additionalProperties":false}}}`),
			want: "compaction: cannot be combined with `output_config.format`", good: with(`,"output_config":{"effort":"low"}`)},
		{rule: "compaction.together", bad: with(`,"tools":[{"name":"a","input_schema":{"type":"object"}}],"thinking":{"type":"disabled"},"tool_choice":{"type":"any"}`),
			want: "compaction: cannot be combined with `tool_choice`", good: with(`,"tools":[{"name":"a","input_schema":{"type":"object"}}],"tool_choice":{"type":"auto"}`)},
		{rule: "compaction.task-budget", bad: with(`,"output_config":{"task_budget":{"type":"tokens","total":50000,"remaining":40000}}`),
			want: "output_config.task_budget.remaining: not supported with `compaction` or a `compaction` block",
			good: with(`,"output_config":{"task_budget":{"type":"tokens","total":50000}}`)},
		{rule: "compaction.nothing", bad: `{"model":"claude-opus-4-6","messages":[{"role":"assistant","content":""}],"compaction":{"type":"summarize"}}`,
			want: "compaction: `messages` holds no content to summarize", good: `{"model":"claude-opus-4-6","messages":[{"role":"assistant","content":"a"}],"compaction":{"type":"summarize"}}`},
		{rule: "compaction.incomplete-turn", bad: with(`,"messages":[{"role":"user","content":"a"},{"role":"assistant","content":[{"type":"tool_use","id":"t1","name":"b","input":{}}]}]`),
			want: "compaction: the last assistant turn is not finished. `tool_use` ids without `tool_result` blocks: t1",
			good: with(`,"messages":[{"role":"user","content":"a"},{"role":"assistant","content":[{"type":"text","text":"b"}]}]`)},

		{rule: "compaction_block.content.string", bad: block(`,"content":1`), want: at + ".content: Input should be a valid string", good: block(`,"content":null`)},
		{rule: "compaction_block.encrypted_content.string", bad: block(`,"content":"a","encrypted_content":1`), want: at + ".encrypted_content: Input should be a valid string"},
		{rule: "compaction_block.signature.string", bad: block(`,"content":"a","signature":1`), want: at + ".signature: Input should be a valid string"},
		{rule: "compaction_block.tool_changes.array", bad: block(`,"content":"a","tool_changes":{}`), want: at + ".tool_changes: Input should be a valid array", good: block(`,"content":"a","tool_changes":[]`)},
		{rule: "compaction_block.tool_changes.item.object", bad: block(`,"content":"a","tool_changes":[1]`), want: at + ".tool_changes.0: Input should be an object"},
		{rule: "compaction_block.tool_changes.item.type.missing", bad: block(`,"content":"a","tool_changes":[{}]`), want: at + ".tool_changes.0.type: Field required"},
		{rule: "compaction_block.tool_changes.item.tag", bad: block(`,"content":"a","tool_changes":[{"type":"text"}]`),
			want: at + ".tool_changes.0: Input tag 'text' found using 'type' does not match any of the expected tags: 'tool_addition', 'tool_removal'"},
		{rule: "compaction_block.extra", bad: block(`,"content":"a","citations":null`), want: at + ".citations: Extra inputs are not permitted", good: block(`,"content":"a"`)},
	}
	for i := range rows {
		rows[i].beta = everyEdit
	}
	run(append(rows, row{rule: "compaction.beta", bad: with(""), want: "compaction: requires anthropic-beta: compact-2026-09-04"})...)
}

func TestACompactionBlockIsAnUnknownTagWithoutItsHeader(t *testing.T) {
	body := overlay(t, `{"messages":[{"role":"assistant","content":[{"type":"compaction","content":"a"}]},{"role":"user","content":"go on"}]}`)
	_, f := check(t, body, usual(""))
	require.NotNil(t, f)
	assert.Contains(t, f.Message, "messages.0.content.0: Input tag 'compaction' found using 'type' does not match any of the expected tags: ")
	assert.NotContains(t, strings.TrimPrefix(f.Message, "messages.0.content.0: Input tag 'compaction'"), "compaction")
	_, f = check(t, body, usual(validate.CompactBeta))
	assert.Nil(t, f)

	signed := overlay(t, `{"messages":[{"role":"assistant","content":[{"type":"compaction","content":"a","signature":"s"}]},{"role":"user","content":"go on"}]}`)
	_, f = check(t, signed, usual(validate.CompactBeta))
	require.NotNil(t, f)
	assert.Equal(t, "messages.0.content.0.compaction.signature: Extra inputs are not permitted", f.Message)
}

func TestAnSDKSendsNullForWhatABlockHasNot(t *testing.T) {
	_, f := check(t, overlay(t, `{"messages":[{"role":"assistant","content":[{"type":"compaction","content":null,"signature":null,"encrypted_content":null,"tool_changes":null}]},{"role":"user","content":"go on"}]}`), usual(validate.CompactBeta))
	assert.Nil(t, f)
}

func TestAnEditIsAnUnknownTagWithoutItsOwnHeader(t *testing.T) {
	body := overlay(t, edited(`{"type":"compact_20260112"}`))
	_, f := check(t, body, usual(validate.EditBeta))
	require.NotNil(t, f)
	assert.Equal(t, "context_management.edits.0: Input tag 'compact_20260112' found using 'type' does not match any of the expected tags: 'clear_thinking_20251015', 'clear_tool_uses_20250919'", f.Message)
	_, f = check(t, body, usual(validate.CompactBeta))
	assert.Nil(t, f)
}

func TestAnUnfinishedTurnHasItsCode(t *testing.T) {
	_, f := check(t, overlay(t, `{"compaction":{"type":"summarize"},"messages":[{"role":"user","content":"a"},{"role":"assistant","content":[{"type":"tool_use","id":"t1","name":"b","input":{}}]}]}`), usual(validate.OnDemandBeta))
	require.NotNil(t, f)
	assert.JSONEq(t, `{"error_code":"compaction_incomplete_turn"}`, f.Details)
}
