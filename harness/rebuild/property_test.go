package rebuild

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"harnessbench/harness/inject"
	"harnessbench/harness/sessionlog"
)

// drawLines draws a path as a harness, or a careless one, may have written it.
func drawLines(rt *rapid.T) []string {
	var lines []string
	var open []string
	n := rapid.IntRange(1, 25).Draw(rt, "entries")
	for i := range n {
		switch rapid.IntRange(0, 19).Draw(rt, "entry") {
		case 0, 1:
			lines = append(lines, prompt(fmt.Sprint("p", i)))
		case 2:
			lines = append(lines, answer(fmt.Sprint("m", i/3), thought))
		case 3:
			lines = append(lines, answer(fmt.Sprint("m", i/3), said(rapid.SampledFrom([]string{"x", " ", "y"}).Draw(rt, "text"))))
		case 4, 5:
			id := fmt.Sprint("c", i)
			open = append(open, id)
			lines = append(lines, answer(fmt.Sprint("m", i/3), call(id)))
		case 6, 7:
			if len(open) > 0 {
				lines = append(lines, result(rapid.SampledFrom(open).Draw(rt, "call")))
			}
		case 8:
			lines = append(lines, rendered("date_change", fmt.Sprint("d", i)))
		case 10:
			lines = append(lines, hookContext(rapid.SampledFrom([]string{"SessionStart", "UserPromptSubmit", "PostToolUse"}).Draw(rt, "event"), fmt.Sprint("h", i)))
		case 11:
			types := []string{"file", "deferred_tools_delta", "invoked_skills", "nested_memory", "queued_command"}
			lines = append(lines, rendered(rapid.SampledFrom(types).Draw(rt, "type"), fmt.Sprint("r", i)))
		case 12:
			lines = append(lines, stopped(fmt.Sprint("m", i/3), rapid.SampledFrom([]string{"pause_turn", "tool_use", "end_turn"}).Draw(rt, "stop"), search(fmt.Sprint("s", i%4))))
		case 13:
			lines = append(lines, answer(fmt.Sprint("m", i/3), found(fmt.Sprint("s", i%4))))
		case 14:
			lines = append(lines, `{"type":"system","subtype":"local_command","content":"local"}`)
		case 15:
			lines = append(lines, summary)
		case 16:
			lines = append(lines, fmt.Sprintf(`{"type":"system","subtype":"microcompact_boundary","microcompactMetadata":{"trigger":"auto","compactedToolIds":["c%d"],"clearedAttachmentUUIDs":["e%d"]}}`,
				rapid.IntRange(0, n).Draw(rt, "cleared call"), rapid.IntRange(0, n).Draw(rt, "cleared text")))
		case 17:
			lines = append(lines, `{"type":"assistant","isApiErrorMessage":true,"message":{"id":"z","model":"<synthetic>","content":[{"type":"text","text":"no"}]}}`)
		case 18:
			lines = append(lines, answer(fmt.Sprint("m", i/3), `{"type":"compaction","content":null}`))
		case 19:
			lines = append(lines, stopped(fmt.Sprint("m", i/3), "tool_use", call(fmt.Sprint("c", i))))
			open = append(open, fmt.Sprint("c", i))
		case 9:
			lines = append(lines, fmt.Sprintf(`{"type":"attachment","attachment":{"type":"current_time","place":"system"},"rendered":[{"content":"t%d"}]}`, i))
		}
	}
	return lines
}

func drawOptions(rt *rapid.T) Options {
	return Options{
		Head:           TextBlock("head"),
		SystemMessages: rapid.Bool().Draw(rt, "system"),
		Bound:          rapid.Bool().Draw(rt, "bound"),
		NoThinkingTo:   rapid.IntRange(-1, 5).Draw(rt, "no thinking to"),
		Decisions: &sessionlog.Decisions{
			Replaced:  map[string][]byte{fmt.Sprint("c", rapid.IntRange(0, 25).Draw(rt, "replaced")): []byte(`"replaced"`)},
			Snipped:   map[string]bool{fmt.Sprint("e", rapid.IntRange(5, 60).Draw(rt, "snipped")): true},
			SnipTotal: 1,
		},
	}
}

// Entry by entry or at once, asked in between or not: the same bytes. What an answer has followed never
// changes (H-ARCH-11, H-REB-37, H-REB-60).
func TestGrowingEqualsBuildingAtOnce(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		entries, opt := path(t, drawLines(rt)...), drawOptions(rt)
		grown := New(opt)
		var settled []byte
		before := 0
		for i, e := range entries {
			grown.Add(e)
			messages := grown.Messages()
			if known := len(grown.cleared) + len(grown.given) + len(grown.stripped); known == before {
				require.True(t, bytes.HasPrefix(messages[1:], settled), "settled messages changed")
			} else {
				before = known // a boundary cleared something, or a server call was given up
			}
			settled = append([]byte(nil), grown.buf[:grown.done]...)
			require.Equal(t, string(Of(entries[:i+1], opt).Messages()), string(messages))
		}
		require.NoError(t, grown.Check(Of(entries, opt)))
	})
}

// Whatever the path, the messages keep the rules of the API (H-REB-30 to H-REB-35, H-REB-59).
func TestMessagesAreLegalForAnyPath(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		c := Of(path(t, drawLines(rt)...), drawOptions(rt))
		legal(t, c)
	})
}

func legal(t require.TestingT, c *Conversation) {
	lines := short(t, c.Messages())
	last, open := byte(0), map[string]bool{}
	for _, line := range lines {
		role := line[0]
		require.Greater(t, len(line), 1, "no message is empty: %q", lines)
		words := bytes.Fields([]byte(strings.NewReplacer(inject.Missing, "missing", inject.ClearedResult(""), "cleared").Replace(line[1:])))
		switch role {
		case 's':
			require.EqualValues(t, 'u', last, "%q", lines)
		case 'u':
			require.Contains(t, []byte{0, 'a'}, last, "%q", lines)
			rest := false
			for _, w := range words {
				id, _, isResult := bytes.Cut(w, []byte(":"))
				if !isResult {
					rest = true
					continue
				}
				require.False(t, rest, "results first: %q", lines)
				require.True(t, open[string(id)], "%s answers a call: %q", id, lines)
				delete(open, string(id))
			}
			require.Empty(t, open, "%q", lines)
		case 'a':
			require.Contains(t, []byte{'u', 's'}, last, "%q", lines)
			require.NotEqual(t, "thinking", string(words[len(words)-1]), "%q", lines)
			for _, w := range words {
				if id, ok := bytes.CutPrefix(w, []byte("call:")); ok {
					open[string(id)] = true
				}
			}
		}
		last = role
	}
}

// Markers and volatile text are insertions: taken out again, the messages stand as they were, and there
// are never more than four markers, none on thinking or a system message (H-REB-50, H-REB-56, H-REB-58).
func TestBodyIsTheMessagesWithInsertions(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		lines := append(drawLines(rt), prompt("last"))
		c := Of(path(t, lines...), drawOptions(rt))
		v := Volatile{Place: rapid.SampledFrom([]string{PlacePrompt, PlaceTail}).Draw(rt, "place")}
		now := TextBlock("now")
		if rapid.Bool().Draw(rt, "volatile") {
			v.Blocks = [][]byte{now}
		}
		marker := markerText("1h")
		body := c.Body(Front{Model: "m", System: [][]byte{TextBlock("a"), TextBlock("b")}, Tools: []byte("[]"), TTL: "1h"}, v)
		require.LessOrEqual(t, bytes.Count(body, marker), 4)
		require.GreaterOrEqual(t, bytes.Count(body, marker), 2)
		require.NotContains(t, string(body), `"c2ln"`+string(marker))
		_, messages, ok := bytes.Cut(body, []byte(`"messages":`))
		require.True(t, ok)
		plain := bytes.ReplaceAll(messages[:len(messages)-1], marker, nil)
		plain = bytes.Replace(bytes.Replace(plain, append(now, ','), nil, 1), append([]byte{','}, now...), nil, 1)
		require.Equal(t, string(c.Messages()), string(plain))
	})
}

// BenchmarkBody: the next request at 4 MB of history. architecture.md 7: within three memory copies.
func BenchmarkBody(b *testing.B) {
	opt := Options{Head: TextBlock("head"), SystemMessages: true, NoThinkingTo: -1}
	c := New(opt)
	order := 0
	add := func(typ string, m sessionlog.Message) {
		c.Add(&sessionlog.Entry{Order: order, Type: typ, Typed: typ == sessionlog.User, Message: m})
		order++
	}
	long := sessionlog.Quote(string(bytes.Repeat([]byte("history "), 250)))
	for len(c.buf) < 4<<20 {
		add(sessionlog.User, sessionlog.Message{Text: long})
		add(sessionlog.Assistant, sessionlog.Message{ID: "m", Blocks: []sessionlog.Block{{Raw: textBlock(long), Type: "text"}}})
	}
	front := Front{Model: "m", System: [][]byte{TextBlock("a"), TextBlock("b")}, Tools: []byte("[]"), TTL: "1h"}
	var copied float64
	b.Run("copy", func(b *testing.B) {
		b.SetBytes(int64(len(c.buf)))
		for b.Loop() {
			_ = append(make([]byte, 0, len(c.buf)), c.buf...)
		}
		copied = float64(b.Elapsed()) / float64(b.N)
	})
	b.Run("body", func(b *testing.B) {
		b.SetBytes(int64(len(c.buf)))
		for b.Loop() {
			add(sessionlog.User, sessionlog.Message{Text: sessionlog.Quote("next")})
			_ = c.Body(front, Volatile{})
			add(sessionlog.Assistant, sessionlog.Message{ID: "m", Blocks: []sessionlog.Block{{Raw: TextBlock("answer"), Type: "text"}}})
		}
		b.ReportMetric(float64(b.Elapsed())/float64(b.N)/copied, "x-copy")
	})
}
