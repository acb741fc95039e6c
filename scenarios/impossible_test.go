package scenarios

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestAnswersThatNoApiGives: what contradicts itself is a fault at its place; its nearest right neighbour loads.
func TestAnswersThatNoApiGives(t *testing.T) {
	const result = "{server_tool_result: {type: web_search_tool_result, content: []}}"
	const call = "{server_tool_use: {name: web_search, input: {query: q}}}"
	for _, tc := range []struct{ name, bad, want, good string }{
		{"a result without its call", "default: {blocks: [" + result + "]}",
			"x.yaml:1:10: a server_tool_result without its call; a server_tool_use before it, or an answer before it that ends in one",
			"default: {blocks: [" + call + ", " + result + "]}"},
		{"two results of one call", "default: {blocks: [" + call + ", " + result + ", " + result + "]}",
			"x.yaml:1:10: a server_tool_result without its call; a server_tool_use before it, or an answer before it that ends in one",
			"default: {blocks: [" + call + ", " + call + ", " + result + ", " + result + "]}"},
		{"a result ahead of its call in a lane", "lanes: [{name: a, when: {call: 1}, default: {blocks: [" + result + "]}}]",
			"x.yaml:1:45: a server_tool_result without its call; a server_tool_use before it, or an answer before it that ends in one",
			"rules: [{answers: [{stop_reason: pause_turn, blocks: [" + call + "]}, {blocks: [" + result + ", {text: a}]}]}]"},
		{"tool_use without a call", "default: {text: a, stop_reason: tool_use}",
			"x.yaml:1:33: stop_reason tool_use in an answer that calls no tool; a tool_use in it, or another stop_reason",
			"default: {blocks: [{tool_use: {name: Bash}}], stop_reason: tool_use}"},
		{"tool_use of a server's tool alone", "default: {blocks: [" + call + "], stop_reason: tool_use}",
			"x.yaml:1:92: stop_reason tool_use in an answer that calls no tool; a tool_use in it, or another stop_reason",
			"default: {blocks: [" + call + "], tool_use: {name: Bash}, stop_reason: tool_use}"},
		{"empty beside a text", "default: {text: a, empty: true}", "x.yaml:1:27: empty: true beside blocks; one of the two", "default: {empty: true, stop_reason: end_turn}"},
		{"stop_sequence unnamed", "default: {text: a, stop_reason: stop_sequence}",
			"x.yaml:1:33: stop_reason stop_sequence without the sequence; the key stop_sequence, which names it",
			"default: {text: a, stop_reason: stop_sequence, stop_sequence: END}"},
		{"stop_sequence of another end", "default: {text: a, stop_reason: end_turn, stop_sequence: END}",
			"x.yaml:1:58: stop_sequence in an answer of stop_reason end_turn; one of the two", "default: {text: a, stop_sequence: END}"},
		{"stop_sequence of a refusal", "default: {refusal: {category: bio}, stop_sequence: END}",
			"x.yaml:1:52: stop_sequence in a refusal; one of the two", "default: {empty: true, stop_sequence: END}"},
		{"stop_sequence in the text", "default: {text: a END, stop_sequence: END}",
			`x.yaml:1:39: stop_sequence "END" stands in the text, which ends before it; the text up to it`,
			"default: {thinking: a END, text: a EN, stop_sequence: END}"},
		{"what is sealed is no base64", "default: {blocks: [" + call + ", " + sealed("abc") + "]}",
			`x.yaml:1:10: encrypted_content "abc" is no base64; base64 with its padding, such as RXhhbXBsZQ==`,
			"default: {blocks: [" + call + ", " + sealed("YWJj") + "]}"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, _, err := loadServed(tc.bad)
			require.EqualError(t, err, tc.want)
			_, _, err = loadServed(tc.good)
			require.NoError(t, err)
		})
	}
	_, err := load(t, head+"  - prompt: a\n    model: [{text: b, stop_reason: tool_use}]\n")
	require.ErrorContains(t, err, "x.yaml:5:36: stop_reason tool_use in an answer that calls no tool", "a story too")
}

// sealed is a search result that holds something for the server.
func sealed(content string) string {
	return "{server_tool_result: {type: web_search_tool_result, content: [{type: web_search_result, title: t, url: u, encrypted_content: " + content + "}]}}"
}
