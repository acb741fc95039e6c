package sessionlog

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"harnessbench/internal/wire"
)

// The fields of a line and their order (H-LOG-10, H-LOG-15, H-LOG-20, H-LOG-21, H-LOG-50).
func TestLinesHaveTheFieldsOfTheFormat(t *testing.T) {
	env := Envelope{Session: "s", Cwd: "/w"}
	common := func(typ, parent string) string {
		return `{"type":"` + typ + `","uuid":"u","parentUuid":` + parent + `,"sessionId":"s","timestamp":"T","isSidechain":false,` +
			`"userType":"external","cwd":"/w","version":"1.0.0","gitBranch":"","entrypoint":"cli",`
	}
	for name, c := range map[string]struct {
		e    Entry
		want string
	}{
		"prompt": {Entry{Type: User, Typed: true, Message: Message{Text: Quote("a <b> \"\u2028\x01")}},
			common("user", "null") + `"permissionMode":"default","promptSource":"typed","message":{"role":"user","content":"a <b> \"` + "\u2028" + `\u0001"}}`},
		"result": {Entry{Type: User, Parent: "p", CallEntry: "c", Result: []byte(`{"stdout":""}`),
			Message: Message{Blocks: []Block{{Raw: []byte(`{"type":"tool_result","tool_use_id":"t"}`)}}}},
			common("user", `"p"`) + `"sourceToolAssistantUUID":"c","toolUseResult":{"stdout":""},"message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t"}]}}`},
		"answer": {Entry{Type: Assistant, Parent: "p", RequestID: "req",
			Message: Message{ID: "m", Model: "x", Blocks: []Block{{Raw: []byte(`{"type" : "text","text":"\u0041"}`)}}, StopReason: "end_turn", Usage: []byte(`{"input_tokens": 1}`)}},
			common("assistant", `"p"`) + `"requestId":"req","message":{"id":"m","type":"message","role":"assistant","model":"x","content":[{"type" : "text","text":"\u0041"}],"stop_reason":"end_turn","stop_sequence":null,"usage":{"input_tokens": 1}}}`},
		"volatile": {Entry{Type: Attachment, Parent: "p", Attach: Attach{Type: "current_time", Place: "system", Texts: [][]byte{Quote("x")}}},
			common("attachment", `"p"`) + `"attachment":{"type":"current_time","place":"system"},"rendered":[{"content":"x"}]}`},
	} {
		t.Run(name, func(t *testing.T) {
			c.e.UUID, c.e.Time = "u", "T"
			line := string(c.e.Encode(env))
			assert.Equal(t, c.want+"\n", line)
			assert.Equal(t, 1, strings.Count(line, "\n"))
		})
	}
	assert.Equal(t, `{"type":"last-prompt","leafUuid":null,"explicit":true,"emptyPath":true,"sessionId":"s"}`+"\n", string(Pin("s", "")))
	assert.Equal(t, `{"type":"last-prompt","leafUuid":"l","explicit":true,"sessionId":"s"}`+"\n", string(Pin("s", "l")))
	assert.Equal(t, `{"type":"last-prompt","lastPrompt":"t","leafUuid":"l","sessionId":"s"}`+"\n", string(Unpin("s", "t", "l")))
}

// What is encoded reads back as it was, block bytes included.
func TestEntriesSurviveTheLine(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		e := drawEntry(rt)
		line := e.Encode(Envelope{Session: rapid.String().Draw(rt, "session"), Cwd: "/w"})
		v, err := wire.ParseValue(line)
		require.NoError(t, err)
		back, ok := Parse(v)
		require.True(t, ok)
		back.Raw = v.Raw()
		assert.Empty(t, cmp.Diff(e, back))
	})
}

func drawEntry(rt *rapid.T) *Entry {
	e := &Entry{UUID: "u", Parent: rapid.SampledFrom([]string{"", "p"}).Draw(rt, "parent"), Time: "T"}
	text := Quote(rapid.String().Draw(rt, "text"))
	block := func(raw string) Block {
		v, err := wire.ParseValue([]byte(raw))
		if err != nil {
			rt.Fatal(err)
		}
		return BlockOf(v)
	}
	switch rapid.IntRange(0, 3).Draw(rt, "kind") {
	case 0:
		e.Type, e.Typed, e.Message.Text = User, true, text
	case 1:
		e.Type, e.Result, e.CallEntry = User, []byte(`"Error: x"`), "c"
		e.Message.Blocks = []Block{block(`{"type":"tool_result","tool_use_id":"t","content":` + string(text) + `}`)}
	case 2:
		e.Type, e.RequestID = Assistant, "req"
		e.Message = Message{ID: "m", Model: "x", StopReason: rapid.SampledFrom([]string{"", "tool_use"}).Draw(rt, "stop"), Usage: []byte(`{}`)}
		e.Message.Blocks = []Block{block(rapid.SampledFrom([]string{
			`{"type":"tool_use","id":"t","name":"Bash","input":{ "b":1e2,"a":"\u00e9" }}`, `{"thinking":"","type":"thinking","signature":"c2ln"}`,
			`{"type":"redacted_thinking","data":"x"}`, `{"type":"text","text":"\n"}`, `{"type":"new_kind","x":[1,2,{"y":null}]}`,
		}).Draw(rt, "block"))}
		e.Notice = rapid.Bool().Draw(rt, "notice")
	case 3:
		e.Type = Attachment
		e.Attach = Attach{Type: "current_time", Place: "system", Content: rapid.String().Draw(rt, "content")}
		e.Attach.Content = strings.ToValidUTF8(e.Attach.Content, "")
		if rapid.Bool().Draw(rt, "rendered") {
			e.Attach.Texts = [][]byte{text, Quote("y")}
		}
	}
	return e
}
