package compact

import (
	"bytes"
	"fmt"
	"slices"
	"unicode/utf8"

	"harnessbench/harness/inject"
	"harnessbench/harness/sessionlog"
	"harnessbench/harness/tool"
	"harnessbench/internal/wire"
)

// List is the messages of the teaching profile, whose layers change them in place (H-CMP-3). Unlike what is sent it may hold
// two neighbours of one role.
type List []Said

// Said is one message: its role, and the blocks of its content as JSON.
type Said struct {
	Role   string
	Blocks [][]byte
}

// ListOf reads messages as they are sent.
func ListOf(messages wire.Value) List {
	var l List
	for _, m := range messages.Elems() {
		s := Said{Role: m.Get("role").Text()}
		for _, b := range m.Get("content").Elems() {
			s.Blocks = append(s.Blocks, b.Raw())
		}
		l = append(l, s)
	}
	return l
}

// Ask is a message of the user that holds one text.
func Ask(text string) Said {
	return Said{"user", [][]byte{append(append([]byte(`{"type":"text","text":`), sessionlog.Quote(text)...), '}')}}
}

// Same tells two messages of the same role and bytes.
func (s Said) Same(o Said) bool {
	return s.Role == o.Role && slices.EqualFunc(s.Blocks, o.Blocks, bytes.Equal)
}

func (s Said) holds(typ string) bool {
	return slices.ContainsFunc(s.Blocks, func(b []byte) bool { return typeOf(b) == typ })
}

func (s Said) calls() bool   { return s.Role == "assistant" && s.holds("tool_use") }
func (s Said) results() bool { return s.Role == "user" && s.holds("tool_result") }

func typeOf(block []byte) string {
	v, _ := wire.ParseValue(block)
	return v.Get("type").Text()
}

// Budget saves the longest results of the last message until they hold no more characters together than they may
// (H-CMP-10): more than the limit begins it, exactly the limit does not (H-CMP-12), and no result is exempt (H-CMP-13). save
// puts the text of a call's result where it can be read again and gives the place.
func (l List) Budget(limits *Limits, save func(call, text string) (place string, err error)) (List, error) {
	if len(l) == 0 || l[len(l)-1].Role != "user" {
		return l, nil
	}
	last := l[len(l)-1]
	last.Blocks = slices.Clone(last.Blocks)
	var ranked []int
	total := 0
	for i, b := range last.Blocks {
		if typeOf(b) == "tool_result" {
			ranked = append(ranked, i)
			total += length(b)
		}
	}
	slices.SortStableFunc(ranked, func(a, b int) int { return length(last.Blocks[b]) - length(last.Blocks[a]) })
	for _, i := range ranked {
		if total <= limits.MessageChars {
			break
		}
		v, err := wire.ParseValue(last.Blocks[i])
		if err != nil {
			continue
		}
		text := contentText(v)
		place, err := save(v.Get("tool_use_id").Text(), text)
		if err != nil {
			return l, err
		}
		before := length(last.Blocks[i])
		stands := tool.Persisted(len(text), place, firstRunes(text, limits.Preview))
		last.Blocks[i] = wire.Apply(last.Blocks[i], wire.SetMember(v, "content", sessionlog.Quote(stands)))
		total += length(last.Blocks[i]) - before
	}
	return append(slices.Clone(l[:len(l)-1]), last), nil
}

// contentText is the content of a result as a string: what it holds, or the JSON of anything else.
func contentText(result wire.Value) string {
	c := result.Get("content")
	if c.Kind() == '"' {
		return c.Text()
	}
	return string(c.Raw())
}

func length(result []byte) int {
	v, err := wire.ParseValue(result)
	if err != nil {
		return 0
	}
	return utf8.RuneCountInString(contentText(v))
}

// Snip puts one message in the place of the middle of a list that is longer than it may be (H-CMP-15): a head and a tail
// stay, and neither is cut between a call and its results. Known of it (H-CMP-16): what is left is still longer than the
// limit, so that it snips again on each later call, its own placeholder among what goes, and where both guards meet it
// takes nothing and makes the list longer.
func (l List) Snip(limits *SnipLimits) List {
	if len(l) <= limits.Over {
		return l
	}
	head, tail := limits.Head, len(l)-limits.Tail
	if l[head-1].calls() {
		for head < len(l) && l[head].results() {
			head++
		}
	}
	if l[tail].results() && l[tail-1].calls() {
		tail--
	}
	out := append(slices.Clone(l[:head]), Ask(inject.Snipped(tail-head)))
	return append(out, l[tail:]...)
}

// Micro puts a short text in the place of old results: of all but the newest few, those that are longer than so many
// characters (H-CMP-20). It may be applied again to what it made.
func (l List) Micro(limits *MicroLimits) List {
	type place struct{ message, block int }
	var results []place
	for i := range l {
		for j, b := range l[i].Blocks {
			if l[i].Role == "user" && typeOf(b) == "tool_result" {
				results = append(results, place{i, j})
			}
		}
	}
	if len(results) <= limits.Keep {
		return l
	}
	out := slices.Clone(l)
	for _, at := range results[:len(results)-limits.Keep] {
		b := out[at.message].Blocks[at.block]
		v, err := wire.ParseValue(b)
		if err != nil || v.Get("content").Kind() != '"' || length(b) <= limits.Short {
			continue
		}
		blocks := slices.Clone(out[at.message].Blocks)
		blocks[at.block] = wire.Apply(b, wire.SetMember(v, "content", sessionlog.Quote(inject.ClearedTaught)))
		out[at.message].Blocks = blocks
	}
	return out
}

// Tokens is the estimate of the teaching profile: a quarter of the characters of all messages (H-CMP-39).
func (l List) Tokens() int { return utf8.RuneCount(l.JSON()) / 4 }

// JSON is the list as an array of messages, neighbours of one role as they stand.
func (l List) JSON() []byte {
	b := []byte{'['}
	for i := range l {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, l[i].json()...)
	}
	return append(b, ']')
}

func (s Said) json() []byte {
	b := fmt.Appendf(nil, `{"role":%q,"content":[`, s.Role)
	return append(append(b, bytes.Join(s.Blocks, []byte{','})...), "]}"...)
}

// Lines is the list as JSON Lines, one message a line: what is kept before a summary takes its place (H-CMP-51).
func (l List) Lines() []byte {
	var b []byte
	for i := range l {
		b = append(append(b, l[i].json()...), '\n')
	}
	return b
}

// Sendable joins neighbours of one role, results first, so that roles alternate (H-CMP-5, H-REB-12, H-REB-13, H-REB-30).
func (l List) Sendable() List {
	var out List
	for _, m := range l {
		if n := len(out); n > 0 && out[n-1].Role == m.Role {
			out[n-1].Blocks = slices.Concat(out[n-1].Blocks, m.Blocks)
			continue
		}
		out = append(out, Said{m.Role, m.Blocks})
	}
	for i := range out {
		blocks := slices.Clone(out[i].Blocks)
		if out[i].Role == "user" {
			slices.SortStableFunc(blocks, func(a, b []byte) int { return behindResults(a) - behindResults(b) })
		}
		out[i].Blocks = blocks
	}
	return out
}

func behindResults(block []byte) int {
	if typeOf(block) == "tool_result" {
		return 0
	}
	return 1
}

// WithoutThinking leaves out all thinking from a message on, and messages there that hold nothing else.
func (l List) WithoutThinking(from int) List {
	out := slices.Clone(l[:min(from, len(l))])
	for _, m := range l[len(out):] {
		blocks := slices.DeleteFunc(slices.Clone(m.Blocks), func(b []byte) bool {
			typ := typeOf(b)
			return typ == "thinking" || typ == "redacted_thinking"
		})
		if len(blocks) > 0 {
			out = append(out, Said{m.Role, blocks})
		}
	}
	return out
}

// OpenThinking tells that the list ends in a turn, not yet answered, that holds thinking: behind its prompt, or what stands
// for it. A text of the harness that keeps the model going begins no turn.
func (l List) OpenThinking() bool {
	for _, m := range slices.Backward(l) {
		switch {
		case m.Role == "assistant" && (m.holds("thinking") || m.holds("redacted_thinking")):
			return true
		case m.Role == "user" && !m.results() && !m.goesOn():
			return false
		}
	}
	return false
}

func (s Said) goesOn() bool {
	return s.Same(Ask(inject.Continue)) || s.Same(Ask(inject.Condensed))
}

// Find is the place of the newest message that holds blocks side by side, -1 for none.
func (l List) Find(blocks [][]byte) int {
	for i, m := range slices.Backward(l) {
		if m.find(blocks) >= 0 {
			return i
		}
	}
	return -1
}

func (s Said) find(blocks [][]byte) int {
	for i := 0; len(blocks) > 0 && i+len(blocks) <= len(s.Blocks); i++ {
		if slices.EqualFunc(s.Blocks[i:i+len(blocks)], blocks, bytes.Equal) {
			return i
		}
	}
	return -1
}

// Without is the list without blocks that a message holds.
func (l List) Without(message int, blocks [][]byte) List {
	out := slices.Clone(l)
	m := &out[message]
	if at := m.find(blocks); at >= 0 {
		m.Blocks = slices.Delete(slices.Clone(m.Blocks), at, at+len(blocks))
	}
	return out
}

// Tell is the list with blocks in its newest message, where that is the user's: before its last text, which is the prompt.
func (l List) Tell(blocks [][]byte) List {
	n := len(l) - 1
	if n < 0 || l[n].Role != "user" {
		return l
	}
	out := slices.Clone(l)
	at := len(out[n].Blocks)
	if at > 0 && typeOf(out[n].Blocks[at-1]) == "text" {
		at--
	}
	out[n].Blocks = slices.Insert(slices.Clone(out[n].Blocks), at, blocks...)
	return out
}

// LoopWithoutThinking tells that a list whose roles alternate ends in a tool loop whose first answer has no thinking at its
// begin: a user's message that holds more than results begins another loop, also where a layer put its text there.
func (l List) LoopWithoutThinking() (bare bool) {
	for i := len(l) - 1; i > 0 && l[i].onlyResults(); i -= 2 {
		first := typeOf(l[i-1].Blocks[0])
		bare = first != "thinking" && first != "redacted_thinking"
	}
	return bare
}

func (s Said) onlyResults() bool {
	return s.results() && !slices.ContainsFunc(s.Blocks, func(b []byte) bool { return typeOf(b) != "tool_result" })
}

// Compacted is the list behind a compaction: one message stands for everything (H-CMP-52, H-CMP-75, H-CMP-78).
func Compacted(summary string) List { return List{Ask(CompactedText(summary))} }

// CompactedText is the text of that message.
func CompactedText(summary string) string { return "[Compacted]\n\n" + summary }

// Reactive is the list behind the compaction that a refusal causes: the summary and the last messages, the first of them
// not a result whose call is gone (H-CMP-61).
func (l List) Reactive(summary string, tail int) List {
	from := max(0, len(l)-tail)
	if from > 0 && l[from].results() && l[from-1].calls() {
		from--
	}
	return append(List{Ask("[Reactive compact]\n\n" + summary)}, l[from:]...)
}

// TaughtInstructions asks for a summary of five kinds of content (H-CMP-47, H-CMP-49).
func TaughtInstructions(focus string) string {
	text := guard + "\n\nSummarise the conversation above so that the work can go on from the summary alone. Keep the current goal, the " +
		"important findings, the files that were changed, the work that remains, and what the user wants or forbids."
	if focus != "" {
		text += "\n\nInstructions for this summary:\n" + focus
	}
	return text + "\n\nREMINDER: no tool calls. Plain text."
}
