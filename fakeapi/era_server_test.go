package fakeapi_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"harnessbench/fakeapi"
	"harnessbench/fakeapi/script"
	"harnessbench/fakeapi/validate"
)

// serverTurn is an answer in which a server tool ran.
func serverTurn(name, result string) script.Script {
	return script.Script{Default: &script.Answer{Blocks: []script.Block{
		{Kind: "server_tool_use", Name: name, Input: []byte(`{"q":1}`)},
		{Kind: result, Content: []byte(`[]`)},
		{Kind: "text", Text: "Done."},
	}}}
}

func withTool(typ, name string) obj {
	return obj{"model": "claude-sonnet-4-6", "max_tokens": 500, "tools": []any{obj{"type": typ, "name": name}},
		"messages": []any{obj{"role": "user", "content": "go"}}}
}

func TestCallersOfServerToolsAsRecorded(t *testing.T) { // by date, recorded 2026-01 to 2026-08
	search := func(day, typ string) string {
		opt := fakeapi.Options{Script: serverTurn("web_search", "web_search_tool_result")}
		if day != "" {
			opt.AnswerAs = dayOf(day)
		}
		return string(messages(t, fakeapi.New(opt), withTool(typ, "web_search")).Body())
	}
	const call, result = `"input":{"q":1},"caller"`, `"content":[],"caller":{"type":"direct"}}`
	now := search("", "web_search_20250305")
	assert.NotContains(t, now, call, "a server tool has no caller")
	assert.Contains(t, now, result, "its result has one")
	assert.Contains(t, search("", "web_search_20260209"), call, "but for the web tools that code may call")
	spring := search("2026-03-20", "web_search_20250305")
	assert.Contains(t, spring, call)
	assert.Contains(t, spring, result)
	winter := search("2026-02-01", "web_search_20250305")
	assert.NotContains(t, winter, `"caller"`)
	assert.Contains(t, winter, `"server_tool_use":{"web_search_requests":1}`)
	assert.Contains(t, spring, `"server_tool_use":{"web_search_requests":1,"web_fetch_requests":0}`)
}

func TestACodeExecutionHasItsContainer(t *testing.T) {
	s := fakeapi.New(fakeapi.Options{Script: serverTurn("bash_code_execution", "bash_code_execution_tool_result")})
	body := withTool("code_execution_20250825", "code_execution")
	whole := messages(t, s, body)
	require.Equal(t, 200, whole.Status, "%s", whole.Body())
	const form = `"container":\{"id":"container_\w+","expires_at":"2026-10-01T12:05:00\.000000Z"\},"stop_reason"`
	assert.Regexp(t, form, string(whole.Body()))
	body["stream"] = true
	frames := messages(t, s, body).Frames
	assert.Contains(t, string(frames[0].Data), `"container":null`, "not known when the stream begins")
	assert.Contains(t, string(frames[len(frames)-2].Data), `"container":{"id":"container_`)

	plain := messages(t, fakeapi.New(fakeapi.Options{}), withTool("code_execution_20250825", "code_execution"))
	assert.Contains(t, string(plain.Body()), `"container":null`, "the tool alone makes none")
}

// A budget makes an answer begin with thinking; a redacted block is one, and a paused turn goes on where it was.
func TestThinkingIsNotPutBeforeThinkingOrInsideATurn(t *testing.T) {
	body := obj{"model": "claude-haiku-4-5", "max_tokens": 2000, "thinking": obj{"type": "enabled", "budget_tokens": 1024},
		"messages": []any{obj{"role": "user", "content": "go"}}}
	types := func(blocks ...script.Block) string {
		var out []string
		for _, b := range accepted(t, messages(t, saying(fakeapi.Options{}, blocks...), body))["content"].([]any) {
			out = append(out, b.(obj)["type"].(string))
		}
		return strings.Join(out, " ")
	}
	text := script.Block{Kind: "text", Text: "Done."}
	assert.Equal(t, "thinking text", types(text))
	assert.Equal(t, "redacted_thinking text", types(script.Block{Kind: "redacted_thinking", Text: "hidden"}, text))
}

func TestAnEmptyListOfEditsUpToTheSpringOf2026(t *testing.T) {
	body := obj{"model": "claude-sonnet-4-6", "max_tokens": 50, "messages": []any{obj{"role": "user", "content": "go"}}}
	old := fakeapi.Options{AnswerAs: dayOf("2026-03-18")}
	assert.Contains(t, string(messages(t, fakeapi.New(old), body, validate.EditBeta).Body()), `"context_management":{"applied_edits":[]}`)
	assert.NotContains(t, string(messages(t, fakeapi.New(old), body).Body()), "context_management", "without the beta")
	assert.NotContains(t, string(messages(t, fakeapi.New(fakeapi.Options{}), body, validate.EditBeta).Body()), "context_management", "today")
}

func TestATaskBudgetShowsItsSteps(t *testing.T) { // messages-api.md 3, recorded 2026-05
	body := obj{"model": "claude-opus-4-8", "max_tokens": 50, "messages": []any{obj{"role": "user", "content": "go"}},
		"output_config": obj{"task_budget": obj{"type": "tokens", "total": 20_000}}}
	resp := messages(t, fakeapi.New(fakeapi.Options{}), body, "task-budgets-2026-03-13")
	require.Equal(t, 200, resp.Status, "%s", resp.Body())
	steps := accepted(t, resp)["usage"].(obj)["iterations"].([]any)
	require.Len(t, steps, 1)
	assert.Equal(t, "message", steps[0].(obj)["type"])
}

func TestForeignSignaturesAreTakenWhenTrusted(t *testing.T) {
	body := obj{"model": "claude-sonnet-4-6", "max_tokens": 2000, "thinking": obj{"type": "adaptive"}, "messages": []any{
		obj{"role": "user", "content": "go"},
		obj{"role": "assistant", "content": []any{obj{"type": "thinking", "thinking": "hm", "signature": "RXJzdGVsbHQ="}, obj{"type": "text", "text": "a"}}},
		obj{"role": "user", "content": "on"}}}
	refused := messages(t, fakeapi.New(fakeapi.Options{}), body)
	require.Equal(t, 400, refused.Status)
	assert.Equal(t, "messages.1.content.0: Invalid `signature` in `thinking` block", errorText(t, refused))
	assert.Equal(t, 200, messages(t, fakeapi.New(fakeapi.Options{TrustSignatures: true}), body).Status)
	body["messages"].([]any)[1].(obj)["content"].([]any)[0].(obj)["thinking"] = ""
	body["messages"].([]any)[1].(obj)["content"].([]any)[0].(obj)["signature"] = ""
	assert.Equal(t, 400, messages(t, fakeapi.New(fakeapi.Options{TrustSignatures: true}), body).Status, "an empty one is none")
}
