package compact

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"harnessbench/harness/sessionlog"
)

func typed(text string) *sessionlog.Entry {
	return &sessionlog.Entry{Type: sessionlog.User, Typed: true, UUID: text, Message: sessionlog.Message{Text: sessionlog.Quote(text)}}
}

func block(typ, id, raw string) *sessionlog.Entry {
	e := &sessionlog.Entry{Type: sessionlog.User, UUID: typ + id, Message: sessionlog.Message{Blocks: []sessionlog.Block{{Type: typ, ID: id, Raw: []byte(raw)}}}}
	if typ != "tool_result" {
		e.Type = sessionlog.Assistant
	}
	return e
}

func toolUse(id string) *sessionlog.Entry {
	return block("tool_use", id, fmt.Sprintf(`{"type":"tool_use","id":%q,"name":"Bash","input":{}}`, id))
}

func toolResult(id, text string) *sessionlog.Entry {
	return block("tool_result", id, fmt.Sprintf(`{"type":"tool_result","tool_use_id":%q,"content":%q}`, id, text))
}

func saying(text string) *sessionlog.Entry {
	return block("text", text, fmt.Sprintf(`{"type":"text","text":%q}`, text))
}

// brief names entries in short.
func brief(entries []*sessionlog.Entry) string {
	var out []string
	for _, e := range entries {
		switch {
		case e.UUID == "" && e.Type == sessionlog.User:
			out = append(out, "marker")
		default:
			out = append(out, strings.NewReplacer("tool_use", "+", "tool_result", "-", "text", "").Replace(e.UUID))
		}
	}
	return strings.Join(out, " ")
}

// Rounds go from the oldest on, each with its results and what stands before the first; at least one stays. A list that
// would begin with an answer begins with a marker, one that begins with a prompt with that (H-CMP-54).
func TestCutHead(t *testing.T) {
	path := []*sessionlog.Entry{typed("p"), toolUse("a"), toolUse("b"), toolResult("a", "A"), toolResult("b", "B"), toolUse("c"), toolResult("c", "C"), saying("x"),
		typed("q"), saying("y")}
	require.Equal(t, "p +a +b -a -b +c -c x q y", brief(path))
	one := Tokens(path[:5])
	for _, c := range []struct {
		over int
		want string
	}{
		{0, "marker +c -c x q y"},
		{1, "marker +c -c x q y"},
		{one, "marker +c -c x q y"},
		{one + 1, "marker x q y"},
		{Tokens(path[:8]), "q y"},
		{Tokens(path), "q y"},
		{1 << 30, "q y"},
	} {
		cut, ok := CutHead(path, c.over)
		assert.True(t, ok)
		assert.Equal(t, c.want, brief(cut), "%d", c.over)
	}
	for _, short := range [][]*sessionlog.Entry{nil, {typed("p")}, {typed("p"), saying("x")}, {typed("p"), toolUse("a"), toolResult("a", "A")}} {
		_, ok := CutHead(short, 0)
		assert.False(t, ok, "one round stays: %s", brief(short))
	}
}

// Of many rounds a fifth goes when the size is not known, one at least.
func TestCutHeadByAFifth(t *testing.T) {
	for rounds, left := range map[int]int{2: 1, 4: 3, 5: 4, 9: 8, 10: 8, 14: 12, 15: 12} {
		var path []*sessionlog.Entry
		for i := range rounds {
			path = append(path, typed(fmt.Sprint("p", i)), saying(fmt.Sprint("a", i)))
		}
		cut, ok := CutHead(path, 0)
		assert.True(t, ok)
		assert.Len(t, cut, 2*left, "%d rounds", rounds)
	}
}

// An earlier summary speaks for all before it and stays. bug c-prior-summary-replaced-by-placeholder.
func TestCutHeadKeepsTheEarlierSummary(t *testing.T) {
	sum := &sessionlog.Entry{Type: sessionlog.User, Summary: true, UUID: "sum", Message: sessionlog.Message{Text: sessionlog.Quote("long ago")}}
	boundary := &sessionlog.Entry{Type: sessionlog.System, Subtype: "compact_boundary", UUID: "cut"}
	path := []*sessionlog.Entry{boundary, sum, typed("p"), saying("x"), typed("q"), saying("y")}
	cut, ok := CutHead(path, 1<<30)
	assert.True(t, ok)
	assert.Equal(t, "cut sum q y", brief(cut))
}

// What stands for a collapsed span stays, in front of what says that something was left out: it makes nothing shorter, and what
// is asked for goes without it. A placeholder of a snip goes with the rounds around it (H-CMP-54).
func TestCutHeadKeepsSummariesOfSpans(t *testing.T) {
	span := func(name string) *sessionlog.Entry {
		e := typed(name)
		e.Typed, e.Subtype, e.Message.Text = false, sessionlog.SpanShown, sessionlog.Quote(strings.Repeat("of a span ", 100))
		return e
	}
	snip := &sessionlog.Entry{Type: sessionlog.User, UUID: "snip", Message: sessionlog.Message{Text: sessionlog.Quote("[snipped]")}}
	path := []*sessionlog.Entry{span("s1"), typed("p"), toolUse("a"), toolResult("a", strings.Repeat("A", 400)), span("s2"), snip,
		toolUse("b"), toolResult("b", strings.Repeat("B", 400)), toolUse("c"), toolResult("c", "C"), typed("q"), saying("y")}
	for over, want := range map[int]string{
		1:       "s1 s2 snip +b -b +c -c q y",
		100:     "s1 s2 snip +b -b +c -c q y",
		200:     "s1 s2 marker +c -c q y",
		1 << 30: "s1 s2 q y",
	} {
		cut, ok := CutHead(path, over)
		assert.True(t, ok)
		assert.Equal(t, want, brief(cut), "%d", over)
	}
}

// Where no round can go, the longest texts of the user's side are cut, as much as must be, and no entry of the path
// changes (CMP-5).
func TestShorten(t *testing.T) {
	long, longer := strings.Repeat("é", 40_000), strings.Repeat("y", 60_000)
	parts := block("tool_result", "b", `{"type":"tool_result","tool_use_id":"b","content":[{"type":"text","text":"short"},{"type":"text","text":"`+longer+`"}]}`)
	path := []*sessionlog.Entry{typed("p"), toolUse("a"), toolUse("b"), toolResult("a", long), parts}
	before := Tokens(path)
	for _, over := range []int{1, 1_000, 14_000, 20_000} {
		short, ok := Shorter(path, over)
		assert.True(t, ok)
		assert.LessOrEqual(t, Tokens(short), before-over, "%d", over)
		assert.Greater(t, Tokens(short), before-over-600, "%d", over)
		assert.Equal(t, before, Tokens(path))
	}
	short, ok := Shorter(path, 1<<20)
	assert.True(t, ok)
	assert.Less(t, Tokens(short), 1_500)
	assert.Contains(t, string(short[4].Message.Blocks[0].Raw), `"text":"short"`)
	again, ok := Shorter(short, 100)
	assert.False(t, ok, "nothing is long any more")
	assert.Equal(t, Tokens(short), Tokens(again))
	short, ok = Shorter(path, 0)
	assert.True(t, ok)
	assert.InDelta(t, before*4/5, Tokens(short), 600)
}

// What is cut away by rounds may not be enough: then the last one is shortened too.
func TestShorterDoesBoth(t *testing.T) {
	path := []*sessionlog.Entry{typed("p"), saying("x"), typed("q"), toolUse("a"), toolResult("a", strings.Repeat("z", 40_000))}
	short, ok := Shorter(path, 5_000)
	assert.True(t, ok)
	assert.Equal(t, "q +a -a", brief(short))
	assert.LessOrEqual(t, Tokens(short), Tokens(path)-5_000)
	assert.Greater(t, Tokens(short), 4_000)
}

// Images and documents become a text where they stood; other blocks and the path itself stay (H-CMP-62).
func TestWithoutImages(t *testing.T) {
	image := `{"type":"image","source":{"type":"base64","media_type":"image/png","data":"aGk="}}`
	pasted := block("tool_result", "", image)
	pasted.Message.Blocks[0].Type = "image"
	pasted.Message.Blocks = append(pasted.Message.Blocks, sessionlog.Block{Type: "text", Raw: []byte(`{"type":"text","text":"see"}`)})
	path := []*sessionlog.Entry{typed("p"), pasted, toolUse("a"),
		block("tool_result", "a", `{"type":"tool_result","tool_use_id":"a","content":[`+image+`,{"type":"text","text":"t"},`+image+`]}`)}
	out, any := WithoutImages(path)
	assert.True(t, any)
	assert.Equal(t, `{"type":"text","text":"[image removed]"}`, string(out[1].Message.Blocks[0].Raw))
	assert.Equal(t, `{"type":"text","text":"see"}`, string(out[1].Message.Blocks[1].Raw))
	assert.Equal(t, `{"type":"tool_result","tool_use_id":"a","content":[{"type":"text","text":"[image removed]"},{"type":"text","text":"t"},`+
		`{"type":"text","text":"[image removed]"}]}`, string(out[3].Message.Blocks[0].Raw))
	assert.Equal(t, image, string(path[1].Message.Blocks[0].Raw))
	_, any = WithoutImages(path[:1])
	assert.False(t, any)
}

// The newest messages stay whole: an answer of several entries is one, a result does not stand without its call, and
// what is too large to stay begins later (H-CMP-74).
func TestRecent(t *testing.T) {
	path := []*sessionlog.Entry{typed("p"), toolUse("a"), toolUse("b"), toolResult("a", "A"), toolResult("b", "B"), saying("x"), typed("q"),
		toolUse("c"), toolResult("c", strings.Repeat("C", 4_000)), saying("y")}
	for n, want := range map[int]int{1: 9, 2: 7, 3: 7, 4: 6, 5: 5, 6: 1, 7: 1, 8: 0, 20: 0} {
		assert.Equal(t, want, Recent(path, n, 1<<30), "%d messages", n)
	}
	assert.Equal(t, 9, Recent(path, 5, 1_000), "not with the long result, nor without its call")
	assert.Equal(t, 10, Recent(path, 5, 1))
	assert.Equal(t, 0, Recent(nil, 5, 1_000))
}
