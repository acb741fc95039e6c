package rebuild

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Ids that another writer gave anew in each round, or that the API does not take, are sent as unique ones, each with its
// own result; the others stay as they are (H-REB-17, H-REB-31, bug p-ids-reused-each-round).
func TestIDsOfCallsAreUnique(t *testing.T) {
	lines := []string{prompt("p"), answer("m", call("x:0")), result("x:0"), answer("n", call("x:0")), answer("n", call("ok")), result("ok"), result("x:0"),
		answer("o", call("x:0")), answer("o", call("x_0_2")), answer("o", call("ok"))}
	want := []string{"u p", "a call:x_0", "u x_0:r", "a call:x_0_2 call:ok", "u x_0_2:r ok:r", "a call:x_0_3 call:x_0_2_2 call:ok_2"}
	c := Of(path(t, lines...), Options{NoThinkingTo: -1})
	assert.Equal(t, want, short(t, c.Messages()))
	assert.Equal(t, []string{"x:0", "x_0_2", "ok"}, c.Unanswered(), "as they stand in the log")
	for _, id := range []string{"ok", "x:0", "x_0_2"} {
		c.Add(path(t, result(id))[0])
	}
	assert.Equal(t, "u x_0_3:r x_0_2_2:r ok_2:r", short(t, c.Messages())[6])
	twice := Of(path(t, prompt("p"), answer("m", call("a")), answer("m", call("a")), result("a"), result("a"), result("a"), prompt("q")), Options{NoThinkingTo: -1})
	assert.Equal(t, []string{"u p", "a call:a call:a_2", "u a:r a_2:r q"}, short(t, twice.Messages()))
	assert.Equal(t, []string{"u p", "a call:_2"}, short(t, Of(path(t, prompt("p"), answer("m", call(""))), Options{NoThinkingTo: -1}).Messages()))
}

// Thinking goes back in its own bytes and at its own place, redacted and interleaved, whatever form its signature has
// (H-REB-34, H-LOOP-52; bugs t-redacted-dropped, t-interleaving-flattened, t-not-replayed-in-tool-loop,
// t-split-copies-signed-block, t-sanitiser-changes-thinking, t-unknown-signature-format-dropped, t-flush-before-calls).
func TestThinkingGoesBackAsItCame(t *testing.T) {
	blocks := []string{
		`{"type":"thinking","thinking":"look \ud83e\udd14 first \u00e9 ","signature":"v9:{odd}"}`, call("a"),
		`{"type":"redacted_thinking","data":"RA=="}`, call("b"), `{"type":"thinking","thinking":"","signature":"c2ln"}`, said("so"), call("c"),
	}
	lines := []string{prompt("p")}
	for _, b := range blocks {
		lines = append(lines, answer("m", b))
	}
	lines = append(lines, result("a"), result("b"), result("c"))
	messages := string(Of(path(t, lines...), Options{NoThinkingTo: -1}).Messages())
	assert.Contains(t, messages, `"content":[`+strings.Join(blocks, ",")+`]}`)
}

// What a boundary cut from its call is dropped: a result whose call lies before it (H-REB-32, bugs
// p-chained-compaction-orphan-result, p-writer-drops-assistant-entry). A boundary with nothing but numbers cuts all the
// same (H-REB-6, bug l-external-compaction-undone).
func TestResultsCutFromTheirCallsAreDropped(t *testing.T) {
	assert.Equal(t, []string{"u head sum q"}, withHead(t, boundary, summary, result("a"), prompt("q")))
	assert.Equal(t, []string{"u head q"}, withHead(t, boundary, result("a"), prompt("q")))
}

// Entries of a subagent between the calls and results of its parent are none of the parent's (H-LOG-35, bug
// p-subagent-turn-interleaved-on-resume); pictures stay inside their results (H-TOOL-75, bug p-images-between-results).
func TestOnlyTheMainThreadIsSent(t *testing.T) {
	side := func(line string) string { return strings.Replace(line, `{`, `{"isSidechain":true,`, 1) }
	lines := []string{prompt("p"), answer("m", call("a")), answer("m", call("b")), side(prompt("agent")), result("a"), side(answer("s", call("z"))),
		side(result("z")), result("b")}
	assert.Equal(t, []string{"u head p", "a call:a call:b", "u a:r b:r"}, withHead(t, lines...))
	picture := `{"type":"tool_result","tool_use_id":"a","content":[{"type":"text","text":"see"},{"type":"image","source":{"type":"base64","media_type":"image/png","data":"aGk="}}]}`
	got := string(Of(path(t, prompt("p"), answer("m", call("a")), answer("m", call("b")),
		fmt.Sprintf(`{"type":"user","message":{"role":"user","content":[%s]}}`, picture), result("b")), Options{NoThinkingTo: -1}).Messages())
	require.Contains(t, got, `"content":[`+picture+`,{"type":"tool_result","tool_use_id":"b","content":"r"}]`)
}
