package run_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"harnessbench/conformance/run"
	"harnessbench/fakeapi"
	"harnessbench/fakeapi/script"
	"harnessbench/internal/wire"
	"harnessbench/scenarios"
)

type obj = map[string]any

// served loads the example script and serves it.
func served(t *testing.T) *fakeapi.Server {
	t.Helper()
	story, file, err := scenarios.LoadServed(os.DirFS(filepath.Join("..", "..", "scenarios", "scripts")), "failing_test.yaml")
	require.NoError(t, err)
	require.Nil(t, story)
	said, faults, err := run.Served(file)
	require.NoError(t, err)
	return fakeapi.New(fakeapi.Options{Seed: 1, Script: said, Faults: faults})
}

var head = []fakeapi.Field{{Name: "anthropic-version", Value: "2023-06-01"}, {Name: "x-api-key", Value: "k"}}

func post(t *testing.T, s *fakeapi.Server, body obj) fakeapi.Response {
	t.Helper()
	if body["model"] == nil {
		body["model"] = "claude-sonnet-4-6"
	}
	if body["max_tokens"] == nil {
		body["max_tokens"] = 1000
	}
	data, err := json.Marshal(body)
	require.NoError(t, err)
	return s.Handle(time.Date(2026, 10, 1, 12, 0, 0, 0, time.UTC), fakeapi.Request{Method: "POST", Path: "/v1/messages", Header: head, Body: data})
}

// shells are tools of real harnesses that run a command, and what they must be sent.
var shells = map[string]struct {
	schema obj
	want   string
}{
	"Bash":              {obj{"type": "object", "properties": obj{"command": obj{"type": "string"}, "description": obj{"type": "string"}}}, `{"command":"make test","description":"run the tests"}`},
	"bash":              {obj{"type": "object", "properties": obj{"command": obj{"type": "string"}, "timeout": obj{"type": "integer"}}}, `{"command":"make test"}`},
	"run_shell_command": {obj{"type": "object", "properties": obj{"command": obj{"type": "string"}, "is_background": obj{"type": "boolean", "const": false}}, "required": []string{"command", "is_background"}}, `{"command":"make test","is_background":false}`},
	"execute_bash":      {obj{"type": "object", "properties": obj{"command": obj{"type": "string"}}, "additionalProperties": false}, `{"command":"make test"}`},
	"run_commands":      {obj{"type": "object", "properties": obj{"commands": obj{"type": "array", "items": obj{"type": "string"}}}, "required": []string{"commands"}}, `{"commands":["make test"]}`},
}

// TestTheExampleScript plays the shipped script as any harness would: a title beside the conversation, a tool
// under the harness's own name, a report on its result.
func TestTheExampleScript(t *testing.T) {
	for name, shell := range shells { // any order: each is a conversation of its own
		t.Run(name, func(t *testing.T) {
			s := served(t)
			title := post(t, s, obj{"model": "claude-haiku-4-5", "max_tokens": 64, "messages": []any{obj{"role": "user", "content": "which test fails? give this a title"}}})
			a, err := wire.ParseAnswer(title.Body())
			require.NoError(t, err)
			require.Equal(t, "A failing test", a.Blocks[0].Get("text").Text())

			tools := []any{obj{"name": name, "input_schema": shell.schema}}
			messages := []any{obj{"role": "user", "content": "which test fails?"}}
			first := post(t, s, obj{"tools": tools, "messages": messages})
			require.Equal(t, 200, first.Status, "%s", first.Body())
			a, err = wire.ParseAnswer(first.Body())
			require.NoError(t, err)
			call := a.Blocks[len(a.Blocks)-1]
			require.Equal(t, name, call.Get("name").Text())
			require.Equal(t, shell.want, string(call.Get("input").Raw()))

			messages = append(messages, obj{"role": "assistant", "content": raw(a)}, obj{"role": "user", "content": []any{
				obj{"type": "tool_result", "tool_use_id": call.Get("id").Text(), "content": "--- FAIL: TestLogin"}}})
			second := post(t, s, obj{"tools": tools, "messages": messages})
			require.Contains(t, string(second.Body()), "TestLogin fails.")
		})
	}
}

func raw(a *wire.Answer) (out []json.RawMessage) {
	for _, b := range a.Blocks {
		out = append(out, json.RawMessage(b.Raw()))
	}
	return out
}

// TestWhatTheScriptDoesNotForesee: expectations that are not met and requests that no rule takes are errors in the
// bench's own words.
func TestWhatTheScriptDoesNotForesee(t *testing.T) {
	bash := []any{obj{"name": "Bash", "input_schema": obj{"type": "object"}}}
	other := []any{obj{"name": "weather", "input_schema": obj{"type": "object"}}}
	for _, tc := range []struct {
		name, text, rule, message string
		tools                     []any
	}{
		{"an expectation", "which test fails?", "script-expectation", `bench script: rule "look" of lane main expects otherwise: the tool "Bash" is not offered`, other},
		{"no rule", "what else?", "script-no-answer", `bench script: no rule of lane main answers call 1 (model "claude-sonnet-4-6", round 1, newest user text "what else?"); ` +
			`rule "look": the user's text is "what else?", without "which test"; rule "report": the newest user message has no tool result; ` +
			`rule "all well": the newest user message has no tool result; rule "decline": the user's text is "what else?", without "delete everything"; ` +
			`rule "search": the user's text is "what else?", without "newest release"`, bash},
	} {
		t.Run(tc.name, func(t *testing.T) {
			resp := post(t, served(t), obj{"tools": tc.tools, "messages": []any{obj{"role": "user", "content": tc.text}}})
			require.Equal(t, 400, resp.Status)
			_, message, _ := wire.APIError(resp.Body())
			require.Equal(t, tc.message, message)
			require.Equal(t, tc.rule, resp.View.Rule)
		})
	}
}

// TestAnUnmetExpectationIsAFindingOfTheRun: the harness of the bench meets a script that expects otherwise.
func TestAnUnmetExpectationIsAFindingOfTheRun(t *testing.T) {
	sc, err := scenarios.Load(os.DirFS(filepath.Join("..", "..", "scenarios")), "clear.yaml")
	require.NoError(t, err)
	play := func(system string) *run.Result {
		res, err := run.Story(sc, run.Options{Seed: 1, Engine: run.Loop{Server: func(o *fakeapi.Options) {
			o.Script = script.Script{Rules: []script.Rule{{
				Expect: script.Match{System: script.Text{Contains: system}}, Repeat: true,
				Answers: []script.Answer{{Blocks: []script.Block{{Kind: "text", Text: "yes"}}}},
			}}}
		}}})
		require.NoError(t, err)
		return res
	}
	res := play("pirate")
	require.NotEmpty(t, res.Expect)
	require.Contains(t, res.Expect[len(res.Expect)-1], "bench script: rule 1 of lane main expects otherwise: the system prompt is ")
	for _, e := range play("You").Expect {
		require.NotContains(t, e, "bench script")
	}
}

func TestAnswersOfEveryKind(t *testing.T) {
	s := served(t)
	bash := []any{obj{"name": "Bash", "input_schema": obj{"type": "object"}}, obj{"type": "web_search_20250305", "name": "web_search"}}
	said := func(text string) *wire.Answer {
		resp := post(t, s, obj{"tools": bash, "messages": []any{obj{"role": "user", "content": text}}})
		require.Equal(t, 200, resp.Status, "%s", resp.Body())
		a, err := wire.ParseAnswer(resp.Body())
		require.NoError(t, err)
		return a
	}
	no := said("delete everything")
	require.Equal(t, "refusal", no.StopReason)
	require.Empty(t, no.Blocks)
	found := said("what is the newest release?")
	require.Len(t, found.Blocks, 3)
	require.Equal(t, found.Blocks[0].Get("id").Text(), found.Blocks[1].Get("tool_use_id").Text())
	require.Equal(t, 1, found.Blocks[2].Get("citations").Len())
}
