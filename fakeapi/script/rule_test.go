package script

import (
	"fmt"
	"regexp"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"harnessbench/internal/wire"
)

func request(t require.TestingT, body string) *wire.Request {
	req, err := wire.Parse(nil, []byte(body))
	require.NoError(t, err)
	return req
}

// loop is a request in the middle of a tool loop, with a reminder behind the result.
const loop = `{"model":"claude-haiku-4-5","max_tokens":64,"stream":true,"system":[{"type":"text","text":"You are careful."},{"type":"text","text":"Be brief."}],
"tools":[{"name":"run_shell_command","input_schema":{"type":"object"}}],"messages":[
{"role":"user","content":"old question"},{"role":"assistant","content":"old answer"},
{"role":"user","content":[{"type":"text","text":"which test fails?"}]},
{"role":"assistant","content":[{"type":"tool_use","id":"toolu_1","name":"run_shell_command","input":{}}]},
{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1","is_error":true,"content":[{"type":"text","text":"FAIL: TestLogin"}]},{"type":"text","text":"a reminder"}]}]}`

func TestWhatAMatchAsks(t *testing.T) {
	yes, no := true, false
	for _, tc := range []struct {
		name  string
		match Match
		want  string // "" for a match
	}{
		{"nothing", Match{}, ""},
		{"the model", Match{Model: "claude-haiku-4-5"}, ""},
		{"a pattern of models", Match{Model: "claude-haiku-*"}, ""},
		{"another model", Match{Model: "claude-sonnet-*"}, `the model is "claude-haiku-4-5", not "claude-sonnet-*"`},
		{"the prompt of the turn", Match{Text: Text{Equals: "which test fails?"}}, ""},
		{"text behind a result", Match{Text: Text{Equals: "a reminder"}}, ""},
		{"a part", Match{Text: Text{Contains: "test"}}, ""},
		{"an expression", Match{Text: Text{Matches: regexp.MustCompile(`^which .*\?$`)}}, ""},
		{"a text of an older turn", Match{Text: Text{Contains: "old"}}, `the user's text is "a reminder", without "old"`},
		{"an expression that finds nothing", Match{Text: Text{Matches: regexp.MustCompile(`x+`)}}, `the user's text is "a reminder", which does not match x+`},
		{"the system prompt", Match{System: Text{Equals: "You are careful.\nBe brief."}}, ""},
		{"another system prompt", Match{System: Text{Contains: "title"}}, `the system prompt is "You are careful.\nBe brief.", without "title"`},
		{"a tool under another name", Match{Tools: []string{"Bash"}}, ""},
		{"a tool that is not there", Match{Tools: []string{"Read"}}, `the tool "Read" is not offered`},
		{"no tools", Match{NoTools: true}, "tools are offered"},
		{"a result", Match{Result: &Result{}}, ""},
		{"a result of a tool", Match{Result: &Result{Of: "Bash", Error: &yes, Text: Text{Contains: "FAIL"}}}, ""},
		{"a result of another tool", Match{Result: &Result{Of: "Read"}}, `the tool result is of "run_shell_command", not "Read"`},
		{"a result by id", Match{Result: &Result{ID: "toolu_1"}}, ""},
		{"a result by another id", Match{Result: &Result{ID: "toolu_2"}}, `the tool result is of call "toolu_1", not "toolu_2"`},
		{"a result that is no error", Match{Result: &Result{Error: &no}}, "is_error of the tool result is true"},
		{"the round", Match{Round: 2}, ""},
		{"another round", Match{Round: 1}, "it is round 2 of its turn, not 1"},
		{"the call", Match{Call: 7}, "it is call 3 of its lane, not 7"},
		{"few tokens", Match{MaxTokensTo: 64}, ""},
		{"fewer tokens", Match{MaxTokensTo: 63}, "max_tokens is 64, more than 63"},
		{"more tokens", Match{MaxTokensFrom: 65}, "max_tokens is 64, less than 65"},
		{"a stream", Match{Stream: &no}, "stream is true"},
		{"what must not hold", Match{Not: &Match{Model: "claude-haiku-*"}}, "what must not hold does"},
		{"what does not hold", Match{Not: &Match{NoTools: true}}, ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			q := newQuery(request(t, loop))
			q.call = 3
			assert.Equal(t, tc.want, tc.match.differs(q))
		})
	}
}

func said(text string) Answer { return Answer{Blocks: []Block{{Kind: "text", Text: text}}} }

// hears plays a request of one user text and returns the answer's text, or what is missing.
func hears(t *testing.T, p *Player, model, text string) string {
	a, miss := p.Answer(request(t, fmt.Sprintf(`{"model":%q,"max_tokens":100,"messages":[{"role":"user","content":%q}]}`, model, text)))
	if miss != nil {
		return "miss: " + miss.Problem
	}
	return a.Blocks[0].Text
}

func TestRulesAnswerInOrder(t *testing.T) {
	other := said("whatever")
	s := Script{
		Lanes: []Lane{{Name: "titles", When: Match{Model: "small"}, Rules: []Rule{{Answers: []Answer{said("a title")}}}}},
		Rules: []Rule{
			{When: Match{Text: Text{Contains: "a"}}, Answers: []Answer{said("1"), said("2")}},
			{When: Match{Text: Text{Contains: "b"}}, Answers: []Answer{said("3"), said("4")}, Repeat: true},
		},
	}
	p := NewPlayer(s)
	require.False(t, p.Empty())
	for _, step := range []struct{ model, text, want string }{
		{"big", "a", "1"}, {"small", "a", "a title"}, {"big", "ab", "2"},
		{"big", "ab", "3"}, // the first rule has given all
		{"big", "b", "4"}, {"big", "b", "4"},
		{"big", "a", `miss: no rule of lane main answers call 6 (model "big", round 1, newest user text "a"); rule 1: it has given all its answers; rule 2: the user's text is "a", without "b"`},
		{"small", "a", `miss: no rule of lane titles answers call 2 (model "small", round 1, newest user text "a"); rule 1: it has given all its answers`},
	} {
		require.Equal(t, step.want, hears(t, p, step.model, step.text))
	}
	s.Default = &other
	p = NewPlayer(s)
	require.Equal(t, "whatever", hears(t, p, "big", "c"))
	require.Equal(t, "a title", hears(t, p, "small", "c"))
	require.Contains(t, hears(t, p, "small", "c"), "miss: no rule of lane titles", "the default is the main lane's")
}

func TestAnUndoneAnswerIsGivenAgain(t *testing.T) {
	p := NewPlayer(Script{Rules: []Rule{{Answers: []Answer{said("1"), said("2")}}}})
	p.Undo()
	require.Equal(t, "1", hears(t, p, "m", "x"))
	p.Undo()
	p.Undo() // once only
	require.Equal(t, "1", hears(t, p, "m", "x"))
	require.Equal(t, "2", hears(t, p, "m", "x"))
}

func TestTurnsComeBeforeRules(t *testing.T) {
	p := NewPlayer(Script{
		Turns: []Turn{{Prompt: "a", Answers: one("turn")}, {Prompt: "b", Answers: one("other turn")}},
		Rules: []Rule{{Answers: []Answer{said("rule")}}},
	})
	require.Equal(t, "turn", hears(t, p, "m", "a"))
	require.Equal(t, "rule", hears(t, p, "m", "c"))
	turn, text := p.Turn(request(t, `{"messages":[{"role":"user","content":"b"}]}`))
	require.Equal(t, 2, turn)
	require.Equal(t, "b", text)
	turn, _ = p.Turn(request(t, `{"messages":[{"role":"user","content":"c"}]}`))
	require.Zero(t, turn)
}

func TestToolsAreNamedAsTheHarnessOffersThem(t *testing.T) {
	for _, tc := range []struct{ name, tools, tool, input, wantName, wantInput string }{
		{"the very name stays as it is", `[{"name":"Bash","input_schema":{"type":"object","properties":{"cmd":{}}}}]`, "Bash", `{"command":"ls"}`, "Bash", `{"command":"ls"}`},
		{"another case", `[{"name":"bash","input_schema":{"type":"object","properties":{"command":{"type":"string"}}}}]`, "Bash", `{"command":"ls"}`, "bash", `{"command":"ls"}`},
		{"a list of commands", `[{"name":"run_commands","input_schema":{"properties":{"commands":{"type":"array"}}}}]`, "Bash", `{"command":"ls"}`, "run_commands", `{"commands":["ls"]}`},
		{"a list or a text", `[{"name":"run_commands","input_schema":{"properties":{"commands":{"type":["array","string"]}}}}]`, "Bash", `{"command":"ls"}`, "run_commands", `{"commands":"ls"}`},
		{"another parameter", `[{"name":"read_file","input_schema":{"properties":{"absolute_path":{"type":"string"}}}}]`, "Read", `{"file_path":"a.go","limit":3}`, "read_file", `{"absolute_path":"a.go"}`},
		{"what the schema requires besides", `[{"name":"edit_file","input_schema":{"properties":{"path":{},"old_text":{},"new_text":{},"dry_run":{"type":"boolean","const":false}},"required":["path","old_text","new_text","dry_run"]}}]`,
			"Edit", `{"file_path":"a","old_string":"b","new_string":"c"}`, "edit_file", `{"path":"a","old_text":"b","new_text":"c","dry_run":false}`},
		{"no such tool", `[{"name":"weather","input_schema":{"properties":{}}}]`, "Bash", `{"command":"ls"}`, "Bash", `{"command":"ls"}`},
		{"a tool of no family", `[{"name":"Get-Weather","input_schema":{"properties":{"city":{}}}}]`, "get_weather", `{"city":"Bonn","unit":"C"}`, "Get-Weather", `{"city":"Bonn"}`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			tools, err := wire.ParseValue([]byte(tc.tools))
			require.NoError(t, err)
			a := Answer{Blocks: []Block{{Kind: "tool_use", Name: tc.tool, Input: []byte(tc.input)}}}
			got := adapt(a, tools)
			require.Equal(t, tc.wantName, got.Blocks[0].Name)
			require.Equal(t, tc.wantInput, string(got.Blocks[0].Input))
			require.Equal(t, tc.tool, a.Blocks[0].Name, "the script stays as it is")
		})
	}
}

// Undo takes back every answer of an exchange in which several models were asked, and nothing of the one before.
func TestUndoTakesBackAllModelsOfAnExchange(t *testing.T) {
	p := NewPlayer(Script{Rules: []Rule{{Answers: []Answer{{Cut: 1}, {Cut: 2}, {Cut: 3}, {Cut: 4}}}}})
	req := request(t, `{"messages":[{"role":"user","content":"x"}]}`)
	next := func(ask func(*wire.Request) (Answer, *Miss)) int {
		a, miss := ask(req)
		require.Nil(t, miss)
		return a.Cut
	}
	require.Equal(t, 1, next(p.Answer))
	for range 2 {
		require.Equal(t, 2, next(p.Answer))
		require.Equal(t, 3, next(p.Retry))
		require.Equal(t, 4, next(p.Retry))
		p.Undo()
	}
	require.Equal(t, 2, next(p.Answer))
}
