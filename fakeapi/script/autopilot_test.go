package script

import (
	"bytes"
	"encoding/json"
	"fmt"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

const shell = `{"type":"object","properties":{"command":{"type":"string","minLength":1},"timeout":{"type":"integer","minimum":1,"maximum":600}},"required":["command"],"additionalProperties":false}`
const todo = `{"type":"object","properties":{"todos":{"type":"array","minItems":1,"items":{"$ref":"#/$defs/todo"}}},"required":["todos"],
"$defs":{"todo":{"type":"object","properties":{"content":{"type":"string"},"status":{"enum":["pending","done"]},"children":{"type":"array","items":{"$ref":"#/$defs/todo"}}},"required":["content","status"]}}}`

func valid(t require.TestingT, schema string, value []byte) {
	s, err := jsonschema.UnmarshalJSON(bytes.NewReader([]byte(schema)))
	require.NoError(t, err)
	c := jsonschema.NewCompiler()
	require.NoError(t, c.AddResource("s", s))
	compiled, err := c.Compile("s")
	require.NoError(t, err)
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(value))
	require.NoError(t, err)
	require.NoError(t, compiled.Validate(v), "%s", value)
}

// TestTheAutopilotHoldsAConversation plays whole turns with tools: every input is valid, every turn ends, and the
// same requests get the same answers.
func TestTheAutopilotHoldsAConversation(t *testing.T) {
	schemas := map[string]string{"Bash": shell, "todo_write": todo}
	rapid.Check(t, func(t *rapid.T) {
		seed := rapid.Uint64().Draw(t, "seed")
		p, again := NewPlayer(Script{Autopilot: &Autopilot{Seed: seed}}), NewPlayer(Script{Autopilot: &Autopilot{Seed: seed}})
		messages := []any{map[string]any{"role": "user", "content": rapid.StringMatching(`[a-z ]{1,30}`).Draw(t, "prompt")}}
		for round := 1; ; round++ {
			require.LessOrEqual(t, round, autopilotRounds+1, "a turn ends")
			said, err := json.Marshal(messages)
			require.NoError(t, err)
			body := fmt.Sprintf(`{"model":"m","tools":[{"name":"Bash","input_schema":%s},{"name":"todo_write","input_schema":%s}],"messages":%s}`, shell, todo, said)
			a, miss := p.Answer(request(t, body))
			require.Nil(t, miss)
			b, _ := again.Answer(request(t, body))
			require.Equal(t, a, b)
			var content, results []any
			for i, block := range a.Blocks {
				switch block.Kind {
				case "text":
					require.NotEmpty(t, block.Text)
					content = append(content, map[string]any{"type": "text", "text": block.Text})
				case "tool_use":
					valid(t, schemas[block.Name], block.Input)
					id := fmt.Sprintf("toolu_%d_%d", round, i)
					content = append(content, map[string]any{"type": "tool_use", "id": id, "name": block.Name, "input": json.RawMessage(block.Input)})
					results = append(results, map[string]any{"type": "tool_result", "tool_use_id": id, "content": "ok"})
				}
			}
			if len(results) == 0 {
				return
			}
			messages = append(messages, map[string]any{"role": "assistant", "content": content}, map[string]any{"role": "user", "content": results})
		}
	})
}

func TestTheAutopilotKeepsToTheRequest(t *testing.T) {
	p := NewPlayer(Script{Autopilot: &Autopilot{Seed: 1}})
	calls := func(body string) (out []string) {
		a, miss := p.Answer(request(t, body))
		require.Nil(t, miss)
		for _, b := range a.Blocks {
			if b.Kind == "tool_use" {
				out = append(out, b.Name)
			}
		}
		return out
	}
	tools := `"tools":[{"name":"a","input_schema":{"type":"object"}},{"name":"b","input_schema":{"type":"object"}},{"name":"later","defer_loading":true,"input_schema":{"type":"object"}},{"type":"web_search_20250305","name":"web_search"}]`
	for i := range 20 {
		said := fmt.Sprintf(`"messages":[{"role":"user","content":"question %d"}]`, i)
		require.Empty(t, calls(`{`+tools+`,"tool_choice":{"type":"none"},`+said+`}`))
		require.Empty(t, calls(`{`+said+`}`))
		for _, name := range calls(`{` + tools + `,"tool_choice":{"type":"tool","name":"b"},` + said + `}`) {
			require.Equal(t, "b", name)
		}
		require.Len(t, calls(`{`+tools+`,"tool_choice":{"type":"any","disable_parallel_tool_use":true},`+said+`}`), 1)
		for _, name := range calls(`{` + tools + `,` + said + `}`) {
			require.Contains(t, []string{"a", "b"}, name)
		}
	}
	require.Equal(t, []string{"computer"}, calls(`{"tools":[{"type":"computer_20250124","name":"computer"}],"tool_choice":{"type":"any","disable_parallel_tool_use":true},"messages":[{"role":"user","content":"x"}]}`))
	require.Empty(t, calls(`{"tools":[{"name":"no","input_schema":{"type":"object","properties":{"a":false},"required":["a"]}}],"messages":[{"role":"user","content":"x"}]}`),
		"a schema that nothing satisfies is not called")
	a, _ := p.Answer(request(t, `{"output_config":{"format":{"type":"json_schema","schema":`+todo+`}},"messages":[{"role":"user","content":"x"}]}`))
	valid(t, todo, []byte(a.Blocks[0].Text))
}
