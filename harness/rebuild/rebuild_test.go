package rebuild

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"harnessbench/harness/sessionlog"
	"harnessbench/internal/model"
	"harnessbench/internal/wire"
)

// path makes entries of lines, numbered in order.
func path(t require.TestingT, lines ...string) []*sessionlog.Entry {
	var out []*sessionlog.Entry
	for i, l := range lines {
		v, err := wire.ParseValue([]byte(strings.Replace(l, `{`, fmt.Sprintf(`{"uuid":"e%d",`, i), 1)))
		require.NoError(t, err, l)
		e, ok := sessionlog.Parse(v)
		require.True(t, ok)
		e.Order = i
		out = append(out, e)
	}
	return out
}

func prompt(s string) string {
	return fmt.Sprintf(`{"type":"user","message":{"role":"user","content":%q}}`, s)
}

func answer(id string, block string) string {
	return fmt.Sprintf(`{"type":"assistant","message":{"id":%q,"model":"claude-sonnet-5-5","role":"assistant","content":[%s]}}`, id, block)
}

func result(id string) string {
	return fmt.Sprintf(`{"type":"user","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":%q,"content":"r"}]}}`, id)
}

func said(s string) string { return fmt.Sprintf(`{"type":"text","text":%q}`, s) }

func call(id string) string {
	return fmt.Sprintf(`{"type":"tool_use","id":%q,"name":"Read","input":{}}`, id)
}

const thought = `{"type":"thinking","thinking":"t","signature":"c2ln"}`

func rendered(typ, text string) string {
	return fmt.Sprintf(`{"type":"attachment","attachment":{"type":%q},"rendered":[{"content":%q}]}`, typ, text)
}

// short writes messages as roles and contents.
func short(t require.TestingT, messages []byte) []string {
	v, err := wire.ParseValue(messages)
	require.NoError(t, err, string(messages))
	out := []string{}
	for _, m := range v.Elems() {
		line := m.Get("role").Text()[:1]
		for _, b := range m.Get("content").Elems() {
			switch b.Get("type").Text() {
			case "text":
				line += " " + b.Get("text").Text()
			case "tool_use":
				line += " call:" + b.Get("id").Text()
			case "tool_result":
				line += " " + b.Get("tool_use_id").Text() + ":" + b.Get("content").Text()
			default:
				line += " " + b.Get("type").Text()
			}
		}
		out = append(out, line)
	}
	return out
}

// Entries become messages: what is sent and what is not (H-REB-10), entries of one message id as one message (H-REB-11),
// results first and in the order of their calls (H-REB-13), each call answered, no result without its call (H-REB-31,
// H-REB-32), thinking and blank texts (H-REB-34, H-REB-35). Bugs p-empty-tool-output, p-cancel-leaves-call-open,
// p-resume-duplicates-observation, p-steer-between-call-and-result, s-empty-aborted-turn-persisted,
// t-unsigned-thinking-replayed, t-truncated-signature-persisted.
func TestEntriesBecomeMessages(t *testing.T) {
	const missing = "[Tool result missing due to internal error]"
	for name, c := range map[string]struct{ lines, want []string }{
		"blocks of one answer join": {[]string{prompt("p"), answer("m", thought), answer("m", said("x")), answer("m", call("a")), result("a")},
			[]string{"u p", "a thinking x call:a", "u a:r"}},
		"results first, in call order": {[]string{prompt("p"), answer("m", call("a")), answer("m", call("b")), rendered("edited_text_file", "changed"), result("b"), result("a")},
			[]string{"u p", "a call:a call:b", "u a:r b:r changed"}},
		"missing result at the end":    {[]string{prompt("p"), answer("m", call("a"))}, []string{"u p", "a call:a"}},
		"missing result in the middle": {[]string{prompt("p"), answer("m", call("a")), prompt("q")}, []string{"u p", "a call:a", "u a:" + missing + " q"}},
		"orphan and double results": {[]string{prompt("p"), result("x"), answer("m", call("a")), result("y"), result("a"), result("a"), prompt("q")},
			[]string{"u p", "a call:a", "u a:r q"}},
		"a late result is dropped": {[]string{prompt("p"), answer("m", call("a")), prompt("q"), answer("n", said("x")), result("a"), prompt("s")},
			[]string{"u p", "a call:a", "u a:" + missing + " q", "a x", "u s"}},
		"unanswered prompt joins the next": {[]string{prompt("p"), prompt("q")}, []string{"u p q"}},
		"thinking alone is dropped":        {[]string{prompt("p"), answer("m", thought), prompt("q")}, []string{"u p q"}},
		"thinking at the end is dropped":   {[]string{prompt("p"), answer("m", said("x")), answer("m", thought), prompt("q")}, []string{"u p", "a x", "u q"}},
		"unsigned thinking is dropped": {[]string{prompt("p"), answer("m", `{"type":"thinking","thinking":"t","signature":""}`), answer("m", said("x")), prompt("q")},
			[]string{"u p", "a x", "u q"}},
		"blank text is dropped":        {[]string{prompt("p"), answer("m", said("\n")), answer("m", said("x")), prompt("q")}, []string{"u p", "a x", "u q"}},
		"blank answer keeps its place": {[]string{prompt("p"), answer("m", said("\n\n")), prompt("q")}, []string{"u p", "a (no content)", "u q"}},
		"two answers in a row join":    {[]string{prompt("p"), answer("m", said("x")), answer("n", said("y")), prompt("q")}, []string{"u p", "a x y", "u q"}},
		"notices and hidden entries are not sent": {[]string{prompt("p"), answer("m", said("x")),
			`{"type":"assistant","isApiErrorMessage":true,"message":{"id":"z","model":"<synthetic>","content":[{"type":"text","text":"API error"}]}}`,
			`{"type":"user","isVisibleInTranscriptOnly":true,"message":{"role":"user","content":"hidden"}}`,
			`{"type":"system","subtype":"informational","content":"no"}`, `{"type":"progress"}`, prompt("q")},
			[]string{"u p", "a x", "u q"}},
		"summary behind a boundary is sent": {[]string{`{"type":"system","subtype":"compact_boundary","content":"Conversation compacted"}`,
			`{"type":"user","isCompactSummary":true,"isVisibleInTranscriptOnly":true,"message":{"role":"user","content":"sum"}}`, prompt("q")},
			[]string{"u sum q"}},
		"local command output is sent": {[]string{`{"type":"system","subtype":"local_command","content":"<local-command-stdout>x</local-command-stdout>"}`, prompt("q")}, []string{"u <local-command-stdout>x</local-command-stdout> q"}},
		"prompt class stands before":   {[]string{prompt("p"), rendered("memory_update", "new"), rendered("date_change", "day")}, []string{"u new day p"}},
		"result class stands behind":   {[]string{prompt("p"), rendered("unheard_of", "x")}, []string{"u p x"}},
		"bookkeeping is not sent":      {[]string{prompt("p"), `{"type":"attachment","attachment":{"type":"task_reminder"}}`}, []string{"u p"}},
		"sidechains are not sent":      {[]string{prompt("p"), `{"type":"user","isSidechain":true,"message":{"role":"user","content":"agent"}}`}, []string{"u p"}},
		"interrupt heads the next prompt": {[]string{prompt("p"), answer("m", said("x")), `{"type":"user","message":{"role":"user","content":[{"type":"text","text":"[int]"}]}}`, prompt("q")},
			[]string{"u p", "a x", "u [int] q"}},
		"a path cut in its middle": {[]string{answer("m", said("x")), prompt("q")}, []string{"a x", "u q"}},
	} {
		t.Run(name, func(t *testing.T) {
			c2 := Of(path(t, c.lines...), Options{NoThinkingTo: -1})
			assert.Equal(t, c.want, short(t, c2.Messages()))
			assert.Equal(t, c.want, short(t, c2.Messages()), "asking changes nothing")
		})
	}
}

// The block of memory and date heads the first user message, which there is even where a path begins with an answer
// (H-REB-30, H-REB-43).
func TestHeadStandsBeforeEverything(t *testing.T) {
	opt := Options{Head: TextBlock("head"), NoThinkingTo: -1}
	assert.Equal(t, []string{"u head p"}, short(t, Of(path(t, prompt("p")), opt).Messages()))
	assert.Equal(t, []string{"u head", "a x", "u q"}, short(t, Of(path(t, answer("m", said("x")), prompt("q")), opt).Messages()))
}

// The calls of the newest answer that are without a result, which is what a resumed session has to answer (H-REB-31).
func TestUnansweredCalls(t *testing.T) {
	open := func(lines ...string) []string { return Of(path(t, lines...), Options{NoThinkingTo: -1}).Unanswered() }
	assert.Empty(t, open(prompt("p")))
	assert.Equal(t, []string{"a", "b"}, open(prompt("p"), answer("m", call("a")), answer("m", call("b"))))
	assert.Equal(t, []string{"b"}, open(prompt("p"), answer("m", call("a")), answer("m", call("b")), result("a")))
	assert.Empty(t, open(prompt("p"), answer("m", call("a")), result("a")))
	assert.Empty(t, open(prompt("p"), answer("m", call("a")), result("a"), answer("n", said("x"))))
}

// Thinking before a switch goes as a whole or not at all (H-REB-36, bug t-bound-middle-thinking-missing). Where the server
// drops what does not fit, that which no model since could read goes all the same (D37).
func TestThinkingIsLeftOutWholeBehindASwitch(t *testing.T) {
	made := func(m string) string {
		return fmt.Sprintf(`{"type":"assistant","message":{"id":"m","model":%q,"content":[%s]}}`, m, thought)
	}
	plainText := `{"type":"assistant","message":{"id":"m","model":"claude-opus-5-5","content":[{"type":"text","text":"x"}]}}`
	for _, c := range []struct {
		reader           string
		lines            []string
		want, unreadable int
	}{
		{"claude-sonnet-5-5", []string{made("claude-sonnet-5-5")}, -1, -1},
		{"claude-sonnet-5-5", []string{made("claude-sonnet-5"), made("claude-sonnet-5-5")}, 0, -1},
		{"claude-sonnet-5-5", []string{made("claude-sonnet-5-5"), plainText, made("claude-sonnet-5-5")}, 1, -1},
		{"claude-sonnet-5-5", []string{made("claude-sonnet-5-5"), made("claude-sonnet-5"), made("claude-sonnet-5-5")}, 1, 0},
		{"claude-sonnet-5-5", []string{made("claude-fable-5-1"), made("claude-sonnet-5-5")}, 0, 0},
		{"claude-sonnet-5-5", []string{made("claude-fable-5-1")}, 0, 0},
		{"claude-sonnet-5", []string{made("claude-sonnet-4-6"), made("claude-sonnet-5")}, -1, -1},
		{"claude-sonnet-5", []string{made("claude-sonnet-4-6"), made("claude-sonnet-5-5")}, 1, 1},
		{"claude-sonnet-5", []string{plainText, made("claude-sonnet-5")}, -1, -1},
		{"claude-haiku-4-5", []string{made("claude-haiku-4-5-20251001")}, -1, -1},
		{"claude-sonnet-5-5", []string{made("a-name-of-some-gateway")}, -1, -1},
	} {
		m, ok := model.Lookup(c.reader)
		require.True(t, ok)
		assert.Equal(t, c.want, NoThinkingTo(path(t, c.lines...), m), "%s reads %q", c.reader, c.lines)
		assert.Equal(t, c.unreadable, UnreadableTo(path(t, c.lines...), m), "%s reads %q, and the server drops the rest", c.reader, c.lines)
	}
}

// What memory and log disagree on is named with its place (H-ARCH-12).
func TestADifferenceIsNamedWithItsPlace(t *testing.T) {
	opt := Options{NoThinkingTo: -1}
	a, b := Of(path(t, prompt("one"), answer("m", said("x")), prompt("q")), opt), Of(path(t, prompt("one"), answer("m", said("y")), prompt("q")), opt)
	err := a.Check(b)
	require.ErrorContains(t, err, "harness fault")
	assert.ErrorContains(t, err, `\"text\":\"x`)
	assert.NoError(t, a.Check(Of(path(t, prompt("one"), answer("m", said("x")), prompt("q")), opt)))
	assert.Error(t, a.Check(Of(path(t, prompt("one"), answer("m", said("x"))), opt)), "one is longer")
}

// Breakpoints by their priority: each request marks its own end (H-REB-53), the previous tail when more than 19 positions
// came since (H-REB-54), the last block before volatile text (H-REB-57), never more than four (H-REB-50, D3).
func TestBreakpointsFollowTheirPriority(t *testing.T) {
	front := Front{Model: "m", System: [][]byte{TextBlock("static"), TextBlock("dynamic")}, Tools: []byte(`[]`), TTL: "5m"}
	volatile := Volatile{Place: PlacePrompt, Blocks: [][]byte{TextBlock("now")}}
	lines := []string{prompt("p"), answer("m", call("a")), result("a"), prompt("q")}
	opt := Options{Head: TextBlock("head"), NoThinkingTo: -1}
	marked := func(v Volatile, lines ...string) string {
		body := string(Of(path(t, lines...), opt).Body(front, v))
		var out []string
		for _, part := range strings.Split(body, `,"cache_control":{"type":"ephemeral"}`) {
			i := strings.LastIndex(part, `":"`)
			out = append(out, strings.Trim(part[i+3:], `"`))
		}
		return strings.Join(out[:len(out)-1], " ")
	}
	assert.Equal(t, "static dynamic q", marked(Volatile{}, lines...))
	assert.Equal(t, "static dynamic r q", marked(volatile, lines...))
	assert.Equal(t, "static dynamic head r", marked(volatile, lines[:3]...), "a later call of the turn")

	var long []string
	long = append(long, lines[0])
	for i := range 10 {
		long = append(long, answer("m", call(fmt.Sprint("c", i))))
	}
	for i := range 10 {
		long = append(long, result(fmt.Sprint("c", i)))
	}
	assert.Equal(t, "static dynamic p r", marked(Volatile{}, long...), "twenty positions: the previous tail is marked")
	compacted := append([]string{prompt("p"), answer("m", `{"type":"compaction","content":"sum"}`), answer("m", said("x"))}, long...)
	assert.Equal(t, "dynamic sum p r", marked(Volatile{}, compacted...), "four are the limit")
}
