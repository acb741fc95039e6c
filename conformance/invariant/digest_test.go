package invariant

import (
	"testing"

	"github.com/stretchr/testify/require"

	"harnessbench/internal/wire"
)

func TestWhatIsTheSameBlockToTheLog(t *testing.T) {
	cases := []struct {
		name, a, b string
		same       bool
	}{
		{"members in another order", `{"type":"text","text":"x"}`, `{"text":"x","type":"text"}`, true},
		{"a string and a text block", `"x"`, `{"type":"text","text":"x"}`, true},
		{"a breakpoint", `{"type":"text","text":"x","cache_control":{"type":"ephemeral"}}`, `{"type":"text","text":"x"}`, true},
		{"citations null", `{"type":"text","text":"x","citations":null}`, `{"type":"text","text":"x"}`, true},
		{"no citations in a list", `{"type":"text","text":"x","citations":[]}`, `{"type":"text","text":"x"}`, true},
		{"a citation", `{"type":"text","text":"x","citations":[{"type":"page_location"}]}`, `{"type":"text","text":"x"}`, false},
		{"called directly", `{"type":"tool_use","id":"t","name":"n","input":{},"caller":{"type":"direct"}}`, `{"type":"tool_use","id":"t","name":"n","input":{}}`, true},
		{"called by a program", `{"type":"tool_use","id":"t","name":"n","input":{},"caller":{"type":"code_execution_20250825","tool_id":"s"}}`, `{"type":"tool_use","id":"t","name":"n","input":{}}`, false},
		{"null in tool input is data", `{"type":"tool_use","id":"t","name":"n","input":{"a":null}}`, `{"type":"tool_use","id":"t","name":"n","input":{}}`, false},
		{"is_error in tool input is data", `{"type":"tool_use","id":"t","name":"n","input":{"is_error":false}}`, `{"type":"tool_use","id":"t","name":"n","input":{}}`, false},
		{"a result that did not fail", `{"type":"tool_result","tool_use_id":"t","content":"r","is_error":false}`, `{"type":"tool_result","tool_use_id":"t","content":"r"}`, true},
		{"a result that failed", `{"type":"tool_result","tool_use_id":"t","content":"r","is_error":true}`, `{"type":"tool_result","tool_use_id":"t","content":"r"}`, false},
		{"a result's string and its block", `{"type":"tool_result","tool_use_id":"t","content":"r"}`, `{"type":"tool_result","tool_use_id":"t","content":[{"type":"text","text":"r","citations":null}]}`, true},
		{"no result content and an empty string", `{"type":"tool_result","tool_use_id":"t"}`, `{"type":"tool_result","tool_use_id":"t","content":""}`, true},
		{"no result content and an empty list", `{"type":"tool_result","tool_use_id":"t","content":null}`, `{"type":"tool_result","tool_use_id":"t","content":[]}`, true},
		{"no result content and an empty text", `{"type":"tool_result","tool_use_id":"t","content":""}`, `{"type":"tool_result","tool_use_id":"t","content":[{"type":"text","text":""}]}`, true},
		{"no result content and a blank", `{"type":"tool_result","tool_use_id":"t","content":""}`, `{"type":"tool_result","tool_use_id":"t","content":" "}`, false},
		{"an escape and what it stands for", `"gr\u00f6\u00dfer \ud83d\ude00"`, `"größer 😀"`, true},
		{"a composed and a decomposed letter", `"é"`, `"e\u0301"`, false},
		{"two lone halves of a pair", `"a \ud800"`, `"a \udfff"`, false},
		{"one lone half, written twice", `"a \ud800\n\\"`, `"a \uD800\u000a\u005c"`, true},
		{"a lone half and the replacement character", `"a \ud800"`, `"a \ufffd"`, false},
		{"the replacement character, escaped and plain", `"a \ufffd \u0041"`, `"a � A"`, true},
		{"a lone half before a pair", `"\ud83d\ud83d\ude00"`, `"\ud83d😀"`, true},
		{"a lone half in tool input", `{"type":"tool_use","id":"t","name":"n","input":{"a":"\udc00"}}`, `{"type":"tool_use","id":"t","name":"n","input":{"a":"\udc01"}}`, false},
		{"numbers are told by their bytes", `{"type":"tool_use","id":"t","name":"n","input":{"a":1.50}}`, `{"type":"tool_use","id":"t","name":"n","input":{"a":1.5}}`, false},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			a, err := wire.ParseValue([]byte(c.a))
			require.NoError(t, err)
			b, err := wire.ParseValue([]byte(c.b))
			require.NoError(t, err)
			require.Equal(t, c.same, blockDigest(a, a.Kind() == '"') == blockDigest(b, b.Kind() == '"'))
		})
	}
}
