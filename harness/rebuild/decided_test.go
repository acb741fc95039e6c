package rebuild

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"harnessbench/harness/sessionlog"
)

// rebuilt reads lines as a file and gives the messages of its path with its decisions.
func rebuilt(t *testing.T, lines ...string) []string {
	t.Helper()
	var file []byte
	parent := "null"
	for i, l := range lines {
		if l[0] == '{' && l[1] != '!' {
			l = fmt.Sprintf(`{"uuid":"e%d","parentUuid":%s,%s`, i, parent, l[1:])
			parent = fmt.Sprintf(`"e%d"`, i)
		} else {
			l = "{" + l[2:]
		}
		file = append(append(file, l...), '\n')
	}
	log := sessionlog.Load(file)
	p, cut := log.Path(log.Leaf())
	require.False(t, cut)
	opt := Options{NoThinkingTo: -1, Decisions: &log.Decisions}
	grown := New(opt)
	for _, e := range p {
		grown.Add(e)
		grown.Messages()
	}
	require.NoError(t, grown.CheckAll(Of(p, opt)))
	return short(t, grown.Messages())
}

func results(id, content string) string {
	return fmt.Sprintf(`{"type":"user","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":%q,"content":%s}]}}`, id, content)
}

// The text that once replaced a result stands for it on every rebuild, wherever the record is; the first decision holds
// (H-LOG-73, H-CMP-14, H-REB-63). One of an agent, or of no call here, changes nothing.
func TestReplacedResultsStayReplaced(t *testing.T) {
	replace := func(more, id, text string) string {
		return fmt.Sprintf(`{!"type":"content-replacement",%s"sessionId":"s","replacements":[{"tool_use_id":%q,"replacement":%q}]}`, more, id, text)
	}
	history := []string{prompt("p"), answer("m", call("a")), answer("m", call("b")), results("a", `"long"`), results("b", `"short"`), answer("n", said("x"))}
	want := []string{"u p", "a call:a call:b", "u a:cut b:short", "a x"}
	assert.Equal(t, want, rebuilt(t, append([]string{replace("", "a", "cut")}, history...)...))
	assert.Equal(t, want, rebuilt(t, append(history, replace("", "a", "cut"), replace("", "a", "again"), replace(`"agentId":"x",`, "b", "agent's"), replace("", "z", "none"))...))
	assert.Equal(t, []string{"u p", "a call:a call:b", "u a:long b:short", "a x"}, rebuilt(t, history...))
}

// A boundary of micro-compaction clears the results it names, on this path only, and says where a saved one lies; what
// the server clears stays in the payload (H-LOG-47, H-CMP-22, H-CMP-23, H-CMP-25).
func TestMicroCompactionIsRepeated(t *testing.T) {
	micro := func(trigger string) string {
		return fmt.Sprintf(`{"type":"system","subtype":"microcompact_boundary","content":"Context microcompacted","microcompactMetadata":`+
			`{"trigger":%q,"preTokens":9,"tokensSaved":3,"compactedToolIds":["a","b"],"clearedAttachmentUUIDs":["e7"]}}`, trigger)
	}
	history := []string{prompt("p"), answer("m", call("a")), answer("m", call("b")), answer("m", call("c")),
		results("a", `"<persisted-output>\nOutput too large (9.0KB). Full output saved to: /w/a.txt\n\nPreview (first 2KB):\nx\n...\n</persisted-output>"`),
		results("b", `[{"type":"text","text":"B"}]`), results("c", `"C"`), rendered("nested_memory", "N"), answer("n", said("x"))}
	const cleared = "[Old tool result content cleared]"
	want := []string{"u p", "a call:a call:b call:c", "u a:" + cleared + "\nstored on disk, retrievable by path: /w/a.txt b:" + cleared + " c:C", "a x", "u q"}
	assert.Equal(t, want, rebuilt(t, append(history, micro("auto"), prompt("q"))...))
	kept := rebuilt(t, append(history, micro("cached"), prompt("q"))...)
	assert.Contains(t, kept[2], "c:C N", "the server clears")
	assert.NotContains(t, kept[2], cleared)
}

// Snipped entries are left out behind one placeholder that counts them all (H-CMP-17); a collapsed span is shown as its
// summary (H-CMP-30, H-CMP-32). The log keeps them.
func TestSnipsAndCollapsesAreRepeated(t *testing.T) {
	history := []string{prompt("p"), answer("m", call("a")), result("a"), answer("n", call("b")), result("b"), answer("o", call("c")), result("c"), answer("q", said("x")), prompt("q")}
	snip := func(total int, uuids string) string {
		return fmt.Sprintf(`{!"type":"snip","sessionId":"s","removedUuids":[%s],"total":%d}`, uuids, total)
	}
	assert.Equal(t, []string{"u p [snipped 4 messages from conversation middle]", "a call:c", "u c:r", "a x", "u q"},
		rebuilt(t, append(history, snip(2, `"e1","e2"`), snip(4, `"e3","e4"`))...))
	collapse := `{!"type":"collapse-commit","sessionId":"s","spanUuids":["e3","e4"],"summary":"B was looked at"}`
	assert.Equal(t, []string{"u p", "a call:a", "u a:r B was looked at", "a call:c", "u c:r", "a x", "u q"}, rebuilt(t, append(history, collapse)...))
	assert.Len(t, rebuilt(t, history...), 9)
}

// Results are sent as foreign logs write them, string, blocks or nothing at all (H-LOG-22, H-LOG-23); a null is no
// member that the API takes.
func TestFormsOfResults(t *testing.T) {
	raw := func(result string) string {
		line := `{"type":"user","message":{"role":"user","content":[` + result + `]}}`
		messages := string(Of(path(t, prompt("p"), answer("m", call("a")), line), Options{NoThinkingTo: -1}).Messages())
		at := strings.Index(messages, `{"type":"tool_result"`)
		require.Positive(t, at, messages)
		return messages[at:]
	}
	same := []string{
		`{"type":"tool_result","tool_use_id":"a","content":"null"}`,
		`{"type":"tool_result","tool_use_id":"a","content":[{"type":"text","text":"x"},{"type":"image","source":{"type":"base64","media_type":"image/png","data":"aGk="}}]}`,
		`{"type":"tool_result","content":[{"type":"tool_reference","tool_name":"WebFetch"}],"tool_use_id":"a","is_error":false}`,
		`{"type":"tool_result","tool_use_id":"a"}`,
	}
	for _, r := range same {
		assert.Equal(t, r+"]}]", raw(r))
	}
	assert.Equal(t, `{"type":"tool_result","tool_use_id":"a"}]}]`, raw(`{"type":"tool_result","tool_use_id":"a","content":null,"is_error":null}`))
}
