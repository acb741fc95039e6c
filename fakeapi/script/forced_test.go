package script

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestAForcedCallThatCannotBeDrawnIsSaid: a forced call whose input the autopilot cannot make up is a miss that names
// the tool and the keyword; without force the same tool is left alone, and a forced one that can be drawn is called.
func TestAForcedCallThatCannotBeDrawnIsSaid(t *testing.T) {
	tool := func(name, schema string) string { return fmt.Sprintf(`{"name":%q,"input_schema":%s}`, name, schema) }
	never := tool("never", `{"type":"object","properties":{"a":{"type":"string","not":{"type":"string"}}},"required":["a"]}`)
	void := tool("void", `{"type":"object","properties":{"a":false},"required":["a"]}`)
	ahead := tool("ahead", `{"type":"object","properties":{"a":{"type":"string","pattern":"^(?=z)z$"}},"required":["a"]}`)
	apart := tool("apart", `{"type":"object","properties":{"a":{"$ref":"https://example.com/s"}}}`)
	many := tool("many", `{"type":"object","properties":{"a":{"type":"integer","minimum":3,"maximum":2}},"required":["a"]}`)
	good := tool("good", `{"type":"object","properties":null,"required":null}`)
	const search = `{"type":"web_search_20250305","name":"web_search"}`
	unmet := func(asked, name, at string) string {
		return fmt.Sprintf("tool_choice %s forces a call, but the autopilot finds no input for the tool %q: what it draws does not satisfy %s of the input_schema; script the answer", asked, name, at)
	}
	const none = " forces a call, but the autopilot calls only tools that the client runs and the model may call directly, and none such is left; script the answer"
	for _, tc := range []struct{ tools, choice, want string }{
		{never, `{"type":"any"}`, unmet("any", "never", "#/properties/a/not")},
		{void, `{"type":"tool","name":"void"}`, unmet(`tool "void"`, "void", "#/properties/a")},
		{ahead, `{"type":"any"}`, unmet("any", "ahead", "#/properties/a/pattern")},
		{apart, `{"type":"any"}`, unmet("any", "apart", "$ref https://example.com/s")},
		{many, `{"type":"any"}`, unmet("any", "many", "#/properties/a/minimum")},
		{good + "," + many, `{"type":"tool","name":"many"}`, unmet(`tool "many"`, "many", "#/properties/a/minimum")},
		{search, `{"type":"any"}`, "tool_choice any" + none},
		{search + "," + good, `{"type":"tool","name":"web_search"}`, `tool_choice tool "web_search"` + none},

		{never, `{"type":"auto"}`, ""},
		{never, `{"type":"none"}`, ""},
		{good, `{"type":"any"}`, ""},
		{never + "," + void + "," + ahead + "," + many + "," + good, `{"type":"any"}`, ""},
		{search + "," + good, `{"type":"tool","name":"good"}`, ""},
	} {
		for seed := range uint64(8) {
			p := NewPlayer(Script{Autopilot: &Autopilot{Seed: seed}})
			a, miss := p.Answer(request(t, fmt.Sprintf(`{"tools":[%s],"tool_choice":%s,"messages":[{"role":"user","content":"x"}]}`, tc.tools, tc.choice)))
			if tc.want != "" {
				require.NotNil(t, miss, tc.tools)
				require.Equal(t, tc.want, miss.Problem)
				continue
			}
			require.Nil(t, miss, tc.tools)
			for _, b := range a.Blocks {
				if b.Kind == "tool_use" {
					require.Equal(t, "good", b.Name)
				}
			}
		}
	}
}
