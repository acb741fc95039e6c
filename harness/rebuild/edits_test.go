package rebuild

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"harnessbench/harness/sessionlog"
	"harnessbench/internal/wire"
)

func micro(trigger, more string, calls ...string) string {
	list, sep := "", ""
	for _, c := range calls {
		list += sep + fmt.Sprintf("%q", c)
		sep = ","
	}
	return fmt.Sprintf(`{"type":"system","subtype":"microcompact_boundary","content":"c","microcompactMetadata":`+
		`{"trigger":%q,"preTokens":9,"tokensSaved":3,"compactedToolIds":[%s],"clearedAttachmentUUIDs":[]%s}}`, trigger, list, more)
}

// What boundaries say that the server clears is asked for again in each request: the payload holds the results, the field
// names how many uses behind the last cleared one stay. The field is there from the first request on, without an edit
// while there is none (H-CMP-23, H-CMP-28, H-REB-45).
func TestServerClearingIsAskedForAgain(t *testing.T) {
	edits := func(e *Edits, lines ...string) string {
		c := Of(path(t, lines...), Options{NoThinkingTo: -1})
		c.pending()
		return string(c.edits(e))
	}
	mine := &Edits{Clearable: []string{"Read", "Bash"}}
	other := func(id, name string) string {
		return fmt.Sprintf(`{"type":"tool_use","id":%q,"name":%q,"input":{}}`, id, name)
	}
	history := []string{prompt("p"), answer("m", other("y", "TaskList")), answer("m", call("a")), answer("m", call("b")), result("y"), result("a"), result("b"),
		answer("n", other("c", "Agent")), result("c"), answer("o", said("x"))}
	assert.Equal(t, `{"edits":[]}`, edits(mine, history...))
	assert.Empty(t, edits(nil, history...))
	after := append(append([]string{}, history...), micro("cached", "", "a"), prompt("q"))
	want := func(kept int) string {
		return fmt.Sprintf(`{"edits":[{"type":"clear_tool_uses_20250919","trigger":{"type":"tool_uses","value":%d},`+
			`"keep":{"type":"tool_uses","value":%[1]d},"exclude_tools":["TaskList","Agent"]}]}`, kept)
	}
	assert.Equal(t, want(2), edits(mine, after...))
	more := append(after, answer("r", call("d")), result("d"))
	assert.Equal(t, want(3), edits(mine, more...))
	assert.Equal(t, want(1), edits(mine, append(more, micro("cached", "", "b", "c"), prompt("r"))...))
	assert.Equal(t, want(2), edits(mine, append(after, answer("r", call("e")))...), "a call without a result is no use yet: here it gets one, as each request does")
	assert.Equal(t, `{"edits":[]}`, edits(mine, append(history, micro("time", "", "a"), prompt("q"))...), "the payload is changed instead")
}

// Among the edits of a request the one for thinking comes first, since the API takes it nowhere else, and compaction last,
// whatever else is asked for (H-CMP-86, H-CMP-82, messages-api.md 8.2).
func TestTheEditsStandInTheirOrder(t *testing.T) {
	lines := []string{prompt("p"), answer("m", call("a")), answer("m", call("b")), result("a"), result("b"), micro("cached", "", "a"), prompt("q")}
	for _, c := range []struct {
		edits Edits
		want  []string
	}{
		{Edits{}, []string{"clear_tool_uses_20250919"}},
		{Edits{ThinkingTurns: 1}, []string{"clear_thinking_20251015", "clear_tool_uses_20250919"}},
		{Edits{CompactAt: 50_000}, []string{"clear_tool_uses_20250919", "compact_20260112"}},
		{Edits{ThinkingTurns: 2, CompactAt: 50_000}, []string{"clear_thinking_20251015", "clear_tool_uses_20250919", "compact_20260112"}},
	} {
		c.edits.Clearable = []string{"Read"}
		body, err := wire.ParseValue(Of(path(t, lines...), Options{NoThinkingTo: -1}).Body(Front{Model: "m", Tools: []byte("[]"), Edits: &c.edits}, Volatile{}))
		require.NoError(t, err)
		var got []string
		for _, e := range body.Get("context_management").Get("edits").Elems() {
			got = append(got, e.Get("type").Text())
		}
		assert.Equal(t, c.want, got)
	}
}

// Images of the entries that a boundary names become text, in prompts and in results, on this path only (H-CMP-24).
func TestImagesBecomeText(t *testing.T) {
	const image = `{"type":"image","source":{"type":"base64","media_type":"image/png","data":"aGk="}}`
	const linked = `{"type":"image","source":{"type":"url","url":"https://x/y.png"}}`
	history := []string{prompt("p"), answer("m", call("a")), results("a", `[{"type":"text","text":"seen"},`+image+`,`+linked+`]`),
		`{"type":"user","message":{"role":"user","content":[` + image + `]}}`, answer("n", said("x"))}
	lines := append(history, micro("time", `,"removedImageUUIDs":["e2","e3"]`, "none"), prompt("q"))
	p := path(t, lines...)
	grown := New(Options{NoThinkingTo: -1})
	for _, e := range p {
		grown.Add(e)
		grown.Messages()
	}
	require.NoError(t, grown.CheckAll(Of(p, Options{NoThinkingTo: -1})))
	messages := string(grown.Messages())
	assert.Contains(t, messages, `"content":[{"type":"text","text":"seen"},{"type":"text","text":"[image removed]"},`+linked+`]},{"type":"text","text":"[image removed]"}]}`)
	assert.NotContains(t, messages, "base64")
	assert.Contains(t, string(Of(path(t, append(history, prompt("q"))...), Options{NoThinkingTo: -1}).Messages()), "base64")
	fewer := append(history, micro("time", `,"removedImageUUIDs":["e2"]`, "none"))
	assert.Contains(t, string(Of(path(t, fewer...), Options{NoThinkingTo: -1, Decisions: &sessionlog.Decisions{}}).Messages()), image)
}
