package validate_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"harnessbench/fakeapi/validate"
	"harnessbench/internal/wire"
)

func namesOfTools(run func(...row)) {
	const (
		inline   = toolMod + ",inline-tools-2026-09-15"
		schema   = `"input_schema":{"type":"object"}`
		deferred = newest + `"tools":[{"name":"t","defer_loading":true,` + schema + `}],`
	)
	refers := func(name string) string {
		return user(`{"type":"tool_result","tool_use_id":"toolu_a","content":[{"type":"tool_reference","tool_name":"` + name + `"}]}`)
	}
	change := func(kind, tool string) string { return system(`{"type":"` + kind + `","tool":` + tool + `}`) }
	named := func(name string) string { return `{"type":"tool_reference","name":"` + name + `"}` }
	whole := func(definition string) string {
		return `{"type":"tool_definition","definition":` + definition + `}`
	}
	custom := func(name string) string { return whole(`{"name":"` + name + `",` + schema + `}`) }
	const bash = newest + `"tools":[{"type":"bash_20250124","name":"bash"}],`
	computer := func(model string) string {
		return `{"model":"` + model + `","tools":[{"type":"computer_20251124","name":"computer","display_width_px":9,"display_height_px":9}]}`
	}
	const others = "advisor_20260301, bash_20250124, browser_toolset_20260801, code_execution_20250522, code_execution_20250825, " +
		"code_execution_20260120, code_execution_20260521, computer_toolset_20260801, custom, mcp_toolset, memory_20250818, text_editor_20250728, " +
		"tool_search_tool_bm25_20251119, tool_search_tool_regex_20251119, web_fetch_20250910, web_fetch_20260209, web_fetch_20260309, " +
		"web_fetch_20260318, web_search_20250305, web_search_20260209, web_search_20260318"
	found := func(more string) string {
		return `{"type":"search_result","source":"s","title":"t","content":[{"type":"text","text":"x"}]` + more + `}`
	}
	result := func(content string) string {
		return user(`{"type":"tool_result","tool_use_id":"toolu_a","content":[` + content + `]}`)
	}
	const on1, off = `,"citations":{"enabled":true}`, `,"citations":{"enabled":false}`
	run(
		row{rule: "tool_reference.unknown", bad: on(changing, u, assistant(callA), refers("gone")), good: on(changing, u, assistant(callA), refers("t")),
			want: "Tool reference 'gone' not found in available tools"},
		row{rule: "tool_reference.unknown", beta: inline, bad: on(changing, u, assistant(callA), refers("late")),
			good: on(changing, u, change("tool_addition", custom("late")), assistant(callA), refers("late")),
			want: "Tool reference 'late' not found in available tools"},
		row{rule: "tools.all-deferred", beta: toolMod, bad: on(deferred, u), good: on(deferred, u, change("tool_addition", named("t"))),
			want: "At least one tool must have defer_loading=false"},
		row{rule: "tools.all-deferred", beta: toolMod, bad: on(deferred, u, change("tool_removal", named("t"))), good: on(deferred, u, change("tool_addition", named("t")), a, u),
			want: "At least one tool must have defer_loading=false"},
		row{rule: "tool_change.conflict", beta: inline, bad: on(bash, u, change("tool_addition", custom("bash"))), good: on(bash, u, change("tool_addition", custom("shell"))),
			want: "messages.1.content.0.tool: the name 'bash' is held by an available tool of another kind"},
		row{rule: "tool_change.conflict", beta: inline, bad: on(bash, u, change("tool_addition", custom("bash"))),
			good: on(bash, u, change("tool_removal", named("bash")), a, u, change("tool_addition", custom("bash"))),
			want: "messages.1.content.0.tool: the name 'bash' is held by an available tool of another kind"},
		row{rule: "tools.type-model", beta: "computer-use-2025-11-24", bad: computer("claude-fable-5-2"), good: computer("claude-fable-5-1"),
			want: "'claude-fable-5-2' does not support tool types: computer_20251124. Did you mean one of " + others + "?"},
		row{rule: "tools.type-model", beta: "computer-use-2025-11-24", bad: computer("claude-opus-5-5"), good: `{"model":"claude-opus-5-5","tools":[{"type":"computer_toolset_20260801"}]}`,
			want: "'claude-opus-5-5' does not support tool types: computer_20251124. Did you mean one of " + others + "?"},
		row{rule: "search_result.citations-mixed", bad: on("", u, assistant(callA), result(found(on1)+","+found(off))), good: on("", u, assistant(callA), result(found(on1)+","+found(on1))),
			want: "messages.2.content.0.content.1: citations must be enabled for all search results of a request or for none"},
		row{rule: "search_result.citations-mixed", bad: talk(user(found("") + "," + found(on1) + "," + text)), good: talk(user(found("") + "," + found(off) + "," + text)),
			want: "messages.0.content.1: citations must be enabled for all search results of a request or for none"},
	)
}

// The code of a refused name stands in the details (messages-api.md 2.4).
func TestTheCodeOfANameConflict(t *testing.T) {
	body := on(newest+`"tools":[{"type":"bash_20250124","name":"bash"}],`, u,
		system(`{"type":"tool_addition","tool":{"type":"tool_definition","definition":{"name":"bash","input_schema":{"type":"object"}}}}`))
	_, f := check(t, overlay(t, body), usual(toolMod+",inline-tools-2026-09-15"))
	require.NotNil(t, f)
	assert.JSONEq(t, `{"error_code":"tool_name_conflict"}`, f.Details)
}

// Tools that passed before are looked at again where the conversation no longer adds one.
func TestDeferredToolsNeedTheirAdditionInEachRequest(t *testing.T) {
	tools := newest + `"tools":[{"name":"t","defer_loading":true,"input_schema":{"type":"object"}}],`
	h := usual(toolMod)
	first, f := check(t, overlay(t, on(tools, u, system(`{"type":"tool_addition","tool":{"type":"tool_reference","name":"t"}}`))), h)
	require.Nil(t, f)
	req, err := wire.Parse(first.Request, overlay(t, on(tools, u, a, u)))
	require.NoError(t, err)
	_, f = validate.Check(first, req, h)
	require.NotNil(t, f)
	assert.Equal(t, "tools.all-deferred", f.Rule)
}

// A tool that a summary's tool changes brought can be referred to behind it; references before a summary are gone.
func TestReferencesAndSummaries(t *testing.T) {
	refers := user(`{"type":"tool_result","tool_use_id":"toolu_a","content":[{"type":"tool_reference","tool_name":"late"}]}`)
	summary := assistant(`{"type":"compaction","content":"s","tool_changes":[{"type":"tool_addition","tool":{"type":"tool_definition","definition":{"name":"late","input_schema":{"type":"object"}}}}]}`)
	h := usual(validate.CompactBeta + ",compact-2026-09-04," + toolMod + ",inline-tools-2026-09-15")
	_, f := check(t, overlay(t, on(changing, summary, u, assistant(callA), refers)), h)
	assert.Nil(t, f)
	plain := assistant(`{"type":"compaction","content":"s"}`)
	_, f = check(t, overlay(t, on(changing, u, assistant(callA), refers, plain, u)), h)
	assert.Nil(t, f)
	_, f = check(t, overlay(t, on(changing, plain, u, assistant(callA), refers)), h)
	require.NotNil(t, f)
	assert.Equal(t, "Tool reference 'late' not found in available tools", f.Message)
}
