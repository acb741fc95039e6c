package compact

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"harnessbench/internal/wire"
)

// lesson is a list made of short words: u a user's text, a an answer of text, c a call, r(n) the result of the call before
// it with n characters, several in one message with + between.
func lesson(words ...string) List {
	var l List
	id := 0
	for _, w := range words {
		m := Said{Role: "assistant"}
		for _, part := range strings.Split(w, "+") {
			var n int
			switch {
			case part == "u":
				m = Ask("hello")
			case part == "a":
				m.Blocks = append(m.Blocks, []byte(`{"type":"text","text":"so"}`))
			case part == "c":
				id++
				m.Blocks = append(m.Blocks, fmt.Appendf(nil, `{"type":"tool_use","id":"c%d","name":"bash","input":{}}`, id))
			default:
				if _, err := fmt.Sscanf(part, "r(%d)", &n); err != nil {
					panic(part)
				}
				if m.Role != "user" {
					m = Said{Role: "user"}
				}
				m.Blocks = append(m.Blocks, fmt.Appendf(nil, `{"type":"tool_result","tool_use_id":"c%d","content":%q}`, id, strings.Repeat("x", n)))
			}
		}
		l = append(l, m)
	}
	return l
}

// snipped is the number in the placeholder at a place of a list, -1 where there is none.
func snipped(l List, at int) int {
	n := -1
	_, _ = fmt.Sscanf(strings.TrimPrefix(string(l[at].Blocks[0]), `{"type":"text","text":"`), "[snipped %d messages from conversation middle]", &n)
	return n
}

// The budget looks at the last message alone: 200,000 characters are not too many, one more is; the longest results go
// first, of equal ones the earlier, until the rest fits; what stands for one is the marker and its first 2,000 characters,
// and no result is exempt (H-CMP-10, H-CMP-12, H-CMP-13).
func TestBudget(t *testing.T) {
	limits := Teaching()
	for name, c := range map[string]struct {
		list List
		want []int // lengths of the results saved
	}{
		"exactly":              {lesson("u", "c", "r(200000)"), nil},
		"one more":             {lesson("u", "c", "r(200001)"), []int{200_001}},
		"together exactly":     {lesson("u", "c", "r(100000)+r(100000)"), nil},
		"together one more":    {lesson("u", "c", "r(100000)+r(100001)"), []int{100_001}},
		"the longest first":    {lesson("u", "c", "r(90000)+r(150000)+r(60000)"), []int{150_000}},
		"two of three":         {lesson("u", "c", "r(190000)+r(150000)+r(150000)"), []int{190_000, 150_000}},
		"not the last message": {lesson("u", "c", "r(300000)", "a"), nil},
		"behind an answer":     {lesson("u", "c", "r(300000)", "a", "u"), nil},
		"no message":           {nil, nil},
	} {
		var saved []int
		got, err := c.list.Budget(&limits, func(call, text string) (string, error) {
			saved = append(saved, len(text))
			return "/w/" + call + ".txt", nil
		})
		require.NoError(t, err, name)
		assert.Equal(t, c.want, saved, name)
		assert.Len(t, got, len(c.list))
		if c.want == nil {
			assert.Equal(t, c.list, got, name)
		}
	}
	list := lesson("u", "c", "r(300000)")
	got, err := list.Budget(&limits, func(string, string) (string, error) { return "/w/x.txt", nil })
	require.NoError(t, err)
	v, err := wire.ParseValue(got[2].Blocks[0])
	require.NoError(t, err)
	assert.Equal(t, "<persisted-output>\nOutput too large (293.0KB). Full output saved to: /w/x.txt\n\nPreview (first 2KB):\n"+
		strings.Repeat("x", 2000)+"\n...\n</persisted-output>", v.Get("content").Text())
	assert.Equal(t, 300_000, length(list[2].Blocks[0]), "the list before is as it was")
	list[2].Blocks[0] = append(list[2].Blocks[0][:len(list[2].Blocks[0])-1], `,"is_error":true}`...)
	got, err = list.Budget(&limits, func(string, string) (string, error) { return "/w/x.txt", nil })
	require.NoError(t, err)
	assert.Less(t, length(got[2].Blocks[0]), 3_000, "nor is an error exempt")
	_, err = list.Budget(&limits, func(string, string) (string, error) { return "", errors.New("disk full") })
	require.EqualError(t, err, "disk full")
}

// Fifty messages stay. Of more, three at the begin and forty-seven at the end stay; neither cut parts a call from its
// results (H-CMP-15). Known: 51 become 51 or, where both guards meet, 52 with nothing taken, and each later call snips
// again, its placeholder among what goes, so that the numbers do not add up (H-CMP-16).
func TestSnipOfTheTeachingProfile(t *testing.T) {
	limits := Teaching().Snip
	talk := func(n int) List {
		var words []string
		for i := range n {
			words = append(words, []string{"u", "a"}[i%2])
		}
		return lesson(words...)
	}
	for n, want := range map[int]int{50: -1, 51: 1, 52: 2, 160: 110} {
		got := talk(n).Snip(&limits)
		if want < 0 {
			assert.Equal(t, talk(n), got)
			continue
		}
		assert.Len(t, got, 51, "%d messages", n)
		assert.Equal(t, want, snipped(got, 3), "%d messages", n)
	}

	work := func(first string, rounds int) List { // a call at an even place: after u a
		words := strings.Fields(first)
		for range rounds {
			words = append(words, "c", "r(9)")
		}
		return lesson(words...)
	}
	head := work("u a", 30).Snip(&limits) // 62 messages: the third is a call, its results are the fourth, and the tail begins at a call
	assert.Equal(t, 62-47-4-1, snipped(head, 4))
	assert.True(t, head[3].results())
	tail := work("u a u a u", 28).Snip(&limits) // 61: place 14 holds results, so the tail begins at 13
	assert.Equal(t, 13-3, snipped(tail, 3))
	assert.True(t, tail[4].calls())
	assert.True(t, tail[5].results())

	meet := append(work("u a", 1), talk(47)...) // 51: head ends at 4, where the tail begins
	grown := meet.Snip(&limits)
	assert.Len(t, grown, 52, "H-CMP-16: it takes nothing and the list is longer")
	assert.Equal(t, 0, snipped(grown, 4))

	var list List
	more := func(n int) {
		for range n {
			list = append(list[:len(list):len(list)], Ask(fmt.Sprint("number ", len(list))))
		}
	}
	more(60)
	list = list.Snip(&limits)
	for range 3 { // an answer and a prompt between two calls
		before := list
		more(2)
		list = list.Snip(&limits)
		require.Len(t, list, 51)
		assert.Equal(t, 3, snipped(list, 3), "H-CMP-16: two new messages and its own placeholder, not the sum")
		assert.True(t, list[2].Same(before[2]))
		assert.False(t, list[3].Same(before[3]) && list[4].Same(before[4]), "H-CMP-16: from the fourth message on the prefix is another")
	}
}

// More than three results: all but the last three are cleared if they are longer than 120 characters, of whatever tool;
// what was cleared is so short that it stays as it is (H-CMP-20).
func TestMicroOfTheTeachingProfile(t *testing.T) {
	limits := Teaching().Micro
	show := func(l List) (out []int) {
		for _, m := range l {
			for _, b := range m.Blocks {
				if typeOf(b) == "tool_result" {
					out = append(out, length(b))
				}
			}
		}
		return out
	}
	cleared := len("[Earlier tool result compacted. Re-run if needed.]")
	for name, c := range map[string]struct {
		list List
		want []int
	}{
		"three":            {lesson("u", "c", "r(500)", "c", "r(500)", "c", "r(500)"), []int{500, 500, 500}},
		"four":             {lesson("u", "c", "r(500)", "c", "r(500)", "c", "r(500)", "c", "r(500)"), []int{cleared, 500, 500, 500}},
		"120":              {lesson("u", "c", "r(120)", "c", "r(121)", "c", "r(1)", "c", "r(1)", "c", "r(1)"), []int{120, cleared, 1, 1, 1}},
		"in one message":   {lesson("u", "c", "r(500)+r(500)+r(500)+r(500)"), []int{cleared, 500, 500, 500}},
		"of several calls": {lesson("u", "c+c", "r(500)+r(500)", "c", "r(500)+r(500)+r(500)"), []int{cleared, cleared, 500, 500, 500}},
	} {
		before := show(c.list)
		got := c.list.Micro(&limits)
		assert.Equal(t, c.want, show(got), name)
		assert.Equal(t, got, got.Micro(&limits), "again changes nothing: "+name)
		assert.Equal(t, before, show(c.list), "the list before is as it was: "+name)
	}
	assert.Contains(t, string(lesson("u", "c", "r(500)", "c", "r(9)+r(9)+r(9)").Micro(&limits).JSON()), `"content":"[Earlier tool result compacted. Re-run if needed.]"`)
}

// The budget must come before micro: it saves what micro would overwrite. Swapped, the long result is gone (H-CMP-2).
func TestBudgetBeforeMicro(t *testing.T) {
	limits := Teaching()
	list := lesson("u", "c", "r(250000)+r(9)+r(9)+r(9)")
	run := func(l List, budget bool) (List, int) {
		saved := 0
		if budget {
			l, _ = l.Budget(&limits, func(_, text string) (string, error) { saved = len(text); return "/x", nil })
		}
		return l, saved
	}
	_, saved := run(list, true)
	assert.Equal(t, 250_000, saved)
	_, saved = run(list.Micro(&limits.Micro), true)
	assert.Zero(t, saved, "the planted fault: micro first")
}

// A quarter of the characters of all messages (H-CMP-39).
func TestTokensOfTheTeachingProfile(t *testing.T) {
	l := List{Ask(strings.Repeat("x", 1000))}
	assert.Equal(t, len(l.JSON())/4, l.Tokens())
	assert.Equal(t, (len(l.JSON())-1000+500)/4, List{Ask(strings.Repeat("é", 500))}.Tokens(), "characters, not bytes")
	assert.Zero(t, List(nil).Tokens())
}

// A refusal keeps the last five messages, or six where the first of them would be a result without its call, never from
// before the list (H-CMP-61).
func TestReactiveOfTheTeachingProfile(t *testing.T) {
	limits := Teaching().Reactive
	for name, c := range map[string]struct {
		list List
		want int
	}{
		"two":             {lesson("u", "a"), 2},
		"five":            {lesson("c", "r(9)", "c", "r(9)", "a"), 5},
		"results first":   {lesson("u", "c", "r(9)", "a", "u", "a", "u"), 6},
		"a prompt first":  {lesson("u", "a", "u", "a", "u", "a", "u"), 5},
		"results at zero": {lesson("r(9)", "a", "u", "a", "u"), 5},
	} {
		got := c.list.Reactive("S", limits.Tail)
		assert.Len(t, got, c.want+1, name)
		assert.Equal(t, Ask("[Reactive compact]\n\nS"), got[0])
		assert.Equal(t, c.list[len(c.list)-c.want:], got[1:], name)
	}
	assert.Equal(t, List{Ask("[Compacted]\n\nS")}, Compacted("S"))
}

// What is sent alternates, results first, however the layers left the list (H-CMP-5, H-REB-30).
func TestSendable(t *testing.T) {
	l := lesson("u", "c", "r(1)")
	l = append(l, Ask("more"), Ask("and more"))
	l = append(append(l, lesson("a")...), lesson("a")...)
	got := l.Sendable()
	require.Len(t, got, 4)
	assert.Len(t, got[2].Blocks, 3)
	assert.Len(t, got[3].Blocks, 2)
	mixed := List{Said{"user", [][]byte{Ask("first").Blocks[0]}}, Said{"user", l[2].Blocks}}
	assert.Equal(t, "tool_result", typeOf(mixed.Sendable()[0].Blocks[0]))
}

// Thinking goes from a message on, and with it messages that hold nothing else; what stands before stays as it is (D1).
func TestWithoutThinking(t *testing.T) {
	think := []byte(`{"type":"thinking","thinking":"t","signature":"cw=="}`)
	l := lesson("u", "a", "u", "a", "u")
	l[1].Blocks = append([][]byte{think}, l[1].Blocks...)
	l[3].Blocks = [][]byte{think}
	for from, want := range map[int]string{0: "1 1 1 1", 1: "1 1 1 1", 2: "1 2 1 1", 4: "1 2 1 1 1", 5: "1 2 1 1 1", 9: "1 2 1 1 1"} {
		var got []string
		for _, m := range l.WithoutThinking(from) {
			got = append(got, fmt.Sprint(len(m.Blocks)))
		}
		assert.Equal(t, want, strings.Join(got, " "), "from %d", from)
	}
	assert.Len(t, l[1].Blocks, 2, "the list before is as it was")
}

// A loop begins behind the newest message of a user that holds more than results; what it is asked for is whether thinking
// stands there first.
func TestLoopWithoutThinking(t *testing.T) {
	think := []byte(`{"type":"thinking","thinking":"t","signature":"cw=="}`)
	for name, c := range map[string]struct {
		list     List
		thinking []int // messages that begin with it
		want     bool
	}{
		"no message":              {nil, nil, false},
		"a prompt":                {lesson("u", "a", "u"), nil, false},
		"an answer":               {lesson("u", "c", "r(9)", "a"), nil, false},
		"one call":                {lesson("u", "c", "r(9)"), nil, true},
		"one with thinking":       {lesson("u", "c", "r(9)"), []int{1}, false},
		"the first thinks":        {lesson("u", "c", "r(9)", "c", "r(9)"), []int{1}, false},
		"the second thinks":       {lesson("u", "c", "r(9)", "c", "r(9)"), []int{3}, true},
		"a loop before":           {lesson("u", "c", "r(9)", "a", "u", "c", "r(9)"), []int{5}, false},
		"a text between results":  {append(lesson("u", "c", "r(9)"), append(List{Ask("snipped")}, lesson("c", "r(9)")...)...).Sendable(), []int{1}, true},
		"and thinking behind it":  {append(lesson("u", "c", "r(9)"), append(List{Ask("snipped")}, lesson("c", "r(9)")...)...).Sendable(), []int{1, 3}, false},
		"results without a call":  {lesson("r(9)"), nil, false},
		"results beside a prompt": {append(lesson("u", "c", "r(9)"), Ask("more")).Sendable(), nil, false},
	} {
		for _, i := range c.thinking {
			c.list[i].Blocks = append([][]byte{think}, c.list[i].Blocks...)
		}
		assert.Equal(t, c.want, c.list.LoopWithoutThinking(), name)
	}
}

// Five kinds of content are asked for, between the guard and the reminder (H-CMP-47, H-CMP-49).
func TestTaughtInstructions(t *testing.T) {
	got := TaughtInstructions("the names")
	assert.True(t, strings.HasPrefix(got, "CRITICAL: Respond with TEXT ONLY. Do NOT call any tools."))
	for _, kind := range []string{"goal", "findings", "files that were changed", "work that remains", "what the user wants or forbids", "the names", "\n\nREMINDER"} {
		assert.Contains(t, got, kind)
	}
	assert.NotContains(t, TaughtInstructions(""), "Instructions for this summary")
}
