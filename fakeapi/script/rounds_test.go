package script

import (
	"testing"

	"github.com/stretchr/testify/require"

	"harnessbench/internal/wire"
)

func TestOneAnswerSentAsSeveralMessagesIsOneRound(t *testing.T) {
	const q = `{"role":"user","content":"q"}`
	answers := []Answer{{Blocks: []Block{{Kind: "text", Text: "first"}}}, {Blocks: []Block{{Kind: "text", Text: "second"}}}, {Blocks: []Block{{Kind: "text", Text: "third"}}}}
	for _, c := range []struct{ name, messages, want string }{
		{"nothing answered", q, "first"},
		{"one message", q + `,{"role":"assistant","content":[{"type":"text","text":"a"},{"type":"tool_use","id":"t","name":"Bash","input":{}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"t"}]}`, "second"},
		{"one answer, a message a block", q + `,{"role":"assistant","content":"a"},{"role":"assistant","content":[{"type":"tool_use","id":"t","name":"Bash","input":{}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"t"}]}`, "second"},
		{"an answer that went on after a pause", q + `,{"role":"assistant","content":[{"type":"server_tool_use","id":"srvtoolu_1","name":"web_search","input":{}}]},{"role":"assistant","content":[{"type":"tool_use","id":"t","name":"Bash","input":{}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"t"}]}`, "third"},
	} {
		t.Run(c.name, func(t *testing.T) {
			req, err := wire.Parse(nil, []byte(`{"messages":[`+c.messages+`]}`))
			require.NoError(t, err)
			got, miss := NewPlayer(Script{Turns: []Turn{{Prompt: "q", Answers: answers}}}).Answer(req)
			require.Nil(t, miss)
			require.Equal(t, c.want, got.Blocks[0].Text)
		})
	}
}
