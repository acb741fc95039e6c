package scenarios

import (
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
)

func loadServed(text string) (*Scenario, *Script, error) {
	return LoadServed(fstest.MapFS{"x.yaml": {Data: []byte(text)}}, "x.yaml")
}

func TestEverythingAScriptCanSayIsRead(t *testing.T) {
	story, got, err := loadServed(`script: all of it
lanes:
  - name: side
    when: {no_tools: true}
    rules:
      - answers: {text: a}
    default: {text: b}
rules:
  - name: r
    when:
      model: claude-*
      text: exactly this
      system: {contains: c}
      tools: [Bash, Read]
      result: {of: Bash, id: toolu_1, text: {matches: "x+"}, error: false}
      call: 3
      round: 2
      max_tokens_from: 5
      max_tokens_to: 9
      stream: true
      not: {text: {equals: d}}
    expect: {stream: false}
    answers:
      - {thinking: t, stop_sequence: END, latency: 1s}
      - {empty: true, refusal: {category: none, explanation: e}}
      - cut: 4
        blocks:
          - redacted_thinking: secret
          - {text: f, citations: [{type: g, n: 1.0}]}
          - server_tool_use: {name: web_search, input: {query: h}}
          - server_tool_result: {type: web_search_tool_result, content: [1, {a: null}]}
          - tool_use: {name: anything at all}
    repeat: true
default: {text: i}
autopilot: 7
faults:
  - {do: reset, call: 2, at: event 3, model: m, text: j, chance: 0.25}
`)
	require.NoError(t, err)
	require.Nil(t, story)
	yes, no, seed := true, false, uint64(7)
	say := func(s string) *Answer { return &Answer{Blocks: []Block{{Kind: "text", Text: s}}} }
	want := &Script{
		Name: "x", File: "x.yaml", Script: "all of it",
		Lanes: []Lane{{Name: "side", When: Match{NoTools: true}, Rules: []Rule{{Answers: []Answer{*say("a")}}}, Default: say("b")}},
		Rules: []Rule{{
			Name: "r", Repeat: true, Expect: Match{Stream: &no},
			When: Match{Model: "claude-*", Text: TextMatch{Equals: "exactly this"}, System: TextMatch{Contains: "c"}, Tools: []string{"Bash", "Read"},
				Result: &ResultMatch{Of: "Bash", ID: "toolu_1", Text: TextMatch{Matches: "x+"}, Error: &no},
				Call:   3, Round: 2, MaxTokensFrom: 5, MaxTokensTo: 9, Stream: &yes, Not: &Match{Text: TextMatch{Equals: "d"}}},
			Answers: []Answer{
				{Blocks: []Block{{Kind: "thinking", Text: "t"}}, StopSequence: "END", Latency: 1e9},
				{Refusal: &Refusal{Explanation: "e"}},
				{Cut: 4, Blocks: []Block{
					{Kind: "redacted_thinking", Text: "secret"},
					{Kind: "text", Text: "f", Citations: [][]byte{[]byte(`{"type":"g","n":1.0}`)}},
					{Kind: "server_tool_use", Name: "web_search", Input: []byte(`{"query":"h"}`)},
					{Kind: "web_search_tool_result", Content: []byte(`[1,{"a":null}]`)},
					{Kind: "tool_use", Name: "anything at all", Input: []byte("{}")},
				}},
			},
		}},
		Default: say("i"), Autopilot: &seed,
		Faults: []ScriptFault{{Fault: Fault{Line: 37, Do: "reset", Call: 2, With: []Setting{{"at", "event 3"}}}, Match: []Setting{{"model", "m"}, {"text", "j"}, {"chance", "0.25"}}}},
	}
	require.Empty(t, cmp.Diff(want, got))
}

func TestAStoryIsServedToo(t *testing.T) {
	story, script, err := LoadServed(os.DirFS("."), "rewind.yaml")
	require.NoError(t, err)
	require.Nil(t, script)
	require.Equal(t, "rewind", story.Name)
}

func TestWhatIsWrongWithAScriptIsSaid(t *testing.T) {
	for text, want := range map[string]string{ // any order: each is a test of its own
		"rules: []":                                                        "x.yaml:1:8: rules is an empty list; at least one entry, or leave the key out",
		"rules: [{when: {call: 1}}]":                                       "x.yaml:1:9: rule 1 has no answers; answers is needed: answers, in the order of the requests that match. Behind the last the rule matches no more",
		"rules: [{answers: {txt: a}}]":                                     `did you mean "text"?`,
		"script: a":                                                        "x.yaml:1:1: the script holds nothing; at least one of rules, lanes, default, autopilot",
		"rule: [{answers: {text: a}}]":                                     "unknown key \"rule\" in the story",
		"default: {text: a}\nrulse: []":                                    "x.yaml:2:1: unknown key \"rulse\" in the script; did you mean \"rules\"?",
		"default: {blocks: [{text: a, thinking: b}]}":                      "block 1 does several things: text, thinking; one thing a block; make a block of each",
		"default: {blocks: [{thinking: a, citations: [{}]}]}":              "citations stands in a block without text; move it to the block of its text",
		"rules: [{when: {text: {matches: (}}, answers: {text: a}}]":        `matches is "(", which is no regular expression; one in the syntax of RE2`,
		"rules: [{when: {model: '['}, answers: {text: a}}]":                `model is "[", which is no pattern; a model, or a pattern such as claude-haiku-*`,
		"rules: [{when: {}, answers: {text: a}}]":                          "when holds nothing; at least one of model, text",
		"rules: [{when: {not: {not: {call: 1}}}, answers: {text: a}}]":     `unknown key "not" in not`,
		"rules: [{when: {call: 0}, answers: {text: a}}]":                   "call is the number 0; a whole number from 1 to 999999999",
		"default: {text: a}\nfaults: [{do: resett}]":                       `unknown fault "resett"; did you mean "reset"?`,
		"default: {text: a}\nfaults: [{do: reset, chance: 2}]":             "chance is the number 2; a number above 0, at most 1",
		"default: {text: a}\nfaults: [{do: reset, at: soon}]":              `at is "soon"; before_headers, after_headers, end, or an event such as event 5`,
		"default: {blocks: [{server_tool_result: {type: x, content: 1}}]}": `type is "x"; a type such as web_search_tool_result`,
		"autopilot: -1": "autopilot is the number -1; a whole number from 0",
		"":              "x.yaml:1:1: the file is empty",
	} {
		_, _, err := loadServed(text)
		require.ErrorContains(t, err, want, text)
	}
	_, _, err := LoadServed(fstest.MapFS{}, "none.yaml")
	require.EqualError(t, err, "none.yaml: cannot be read: file does not exist; a story or script file, such as scenarios/rewind.yaml")
}

func TestTheScriptSchemaFileIsTheOneScriptSchemaGives(t *testing.T) {
	want, err := ScriptSchema()
	require.NoError(t, err)
	got, err := os.ReadFile("script.schema.json")
	require.NoError(t, err)
	require.Equal(t, string(want), string(got), "write it anew: go run ./cmd/bench schema --script > scenarios/script.schema.json")
}

// FuzzServed: no file breaks the loader of what a server can be given.
func FuzzServed(f *testing.F) {
	for _, name := range []string{"scripts/failing_test.yaml", "rewind.yaml"} {
		data, err := os.ReadFile(name)
		require.NoError(f, err)
		f.Add(data)
	}
	f.Add([]byte("rules: [{when: {text: {matches: '('}}, answers: {blocks: [{text: a, citations: [{}]}]}}]"))
	f.Fuzz(func(t *testing.T, data []byte) {
		story, script, err := LoadServed(fstest.MapFS{"x.yaml": {Data: data}}, "x.yaml")
		if (err == nil) != (story != nil || script != nil) {
			t.Fatalf("story %v, script %v, error %v", story, script, err)
		}
	})
}

// TestTheScriptOfTheReadmeLoads: what the README shows is a script.
func TestTheScriptOfTheReadmeLoads(t *testing.T) {
	readme, err := os.ReadFile("../README.md")
	require.NoError(t, err)
	_, shown, found := strings.Cut(string(readme), "```yaml\nlanes:")
	require.True(t, found)
	shown, _, _ = strings.Cut(shown, "```")
	_, script, err := loadServed("lanes:" + shown)
	require.NoError(t, err)
	require.Len(t, script.Rules, 2)
}
