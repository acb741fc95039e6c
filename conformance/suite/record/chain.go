package record

import (
	"fmt"
	"hash"
	"slices"
	"strings"

	"github.com/zeebo/xxh3"

	"harnessbench/internal/wire"
)

// How many beginnings are known at most, and how many requests of each; with more, the oldest is forgotten.
const (
	beginnings = 256
	remembered = 64
)

// edge is how much of the beginning or the end of a text tells it, in bytes.
const edge = 12

// Chains names conversations (invariants.md 1) by the requests of clients that say nothing about it. A request whose
// first message is another, or that has tools where the other has none, begins a chain of its own, as one for a title
// does. Among those that begin alike it goes on with the request whose answer it carries last: the bytes of system,
// tools and messages say nothing then, so that a change of them is seen as one. Where another request has gone on from
// that answer already, or a summary stands in the place of earlier answers, it is a new conversation: a question aside,
// a fork, a rewind, what follows a compaction.
type Chains struct {
	count  int
	groups map[uint64][]*said // by beginning
	used   []uint64           // beginnings, the one used last at the end
	open   map[int]*said      // by number of the call: no answer yet
}

// said is one request of a chain, and what came back.
type said struct {
	chain    string
	front    uint64     // tools and system
	messages []uint64   // what each says
	texts    []uint64   // text blocks, and behind an answer those of it
	earlier  int        // of them, those before the newest message
	answers  []uint64   // what each assistant message says, thinking aside
	signs    [][]uint64 // by which it is known again though its words were changed: calls, and how its text begins and ends
	answer   uint64     // what came back, 0 for nothing
	failed   bool       // nothing came back that could be gone on with
}

// NewChains knows no request yet.
func NewChains() *Chains {
	return &Chains{groups: map[uint64][]*said{}, open: map[int]*said{}}
}

// Of names the chain of a request, the one with this number; "none" where the body holds no message.
func (c *Chains) Of(call int, body []byte) string {
	req, err := wire.Parse(nil, body)
	if err != nil || req.MessageCount() == 0 {
		return "none"
	}
	key, s := beginning(req), read(req)
	group := c.groups[key]
	if before := s.continues(group); before != nil {
		s.chain = before.chain
	} else {
		c.count++
		s.chain = fmt.Sprintf("chain-%d", c.count)
	}
	if len(group) == remembered {
		group = slices.Clone(group[1:])
	}
	c.groups[key], c.open[call] = append(group, s), s
	c.use(key)
	return s.chain
}

// use notes that a beginning was used, and forgets the one that was not for longest.
func (c *Chains) use(key uint64) {
	if i := slices.Index(c.used, key); i >= 0 {
		c.used = slices.Delete(c.used, i, i+1)
	}
	if c.used = append(c.used, key); len(c.used) > beginnings {
		delete(c.groups, c.used[0])
		c.used = slices.Delete(c.used, 0, 1)
	}
}

// Answered notes what came back to a request: a message, its stream, or an error; ended tells that it came whole.
func (c *Chains) Answered(call, status int, body []byte, ended bool) {
	s := c.open[call]
	delete(c.open, call)
	if s == nil {
		return
	}
	if a := answerOf(body); status == 200 && ended && a != nil && a.Complete {
		s.answer, _ = saying(a.Blocks)
		for _, b := range a.Blocks {
			if b.Get("type").Text() == "text" {
				s.texts = append(s.texts, xxh3.HashString(b.Get("text").Text()))
			}
		}
	}
	s.failed = s.answer == 0
}

func answerOf(body []byte) *wire.Answer {
	if a, err := wire.ParseAnswer(body); err == nil {
		return a
	}
	var sse wire.SSE
	var asm wire.Assembler
	for _, e := range sse.Feed(body) {
		_ = asm.Event(e) // what does not hold together is incomplete in the end
	}
	return asm.Answer()
}

// continues is a request of the chain that s goes on with, nil for none.
func (s *said) continues(group []*said) *said {
	if len(group) == 0 {
		return nil
	}
	for _, b := range slices.Backward(group) {
		if b.front == s.front && (b.failed || b.answer != 0) && slices.Equal(b.messages, s.messages) {
			return b // once more; while it waits for its answer, this is somebody else
		}
	}
	from, carried := s.carries(group)
	if from == nil {
		return nil
	}
	for _, later := range slices.Backward(group) {
		if later.chain != from.chain {
			continue
		}
		if carried && later != from && !later.failed || s.sumsUp(later) {
			return nil
		}
		if later == from || !carried {
			break
		}
	}
	return from
}

// carries is the request whose answer is the last that s holds; of several alike the one that s shares most with. Where none
// of them is known, as behind a resume, or s holds none, carried is false and it is the newest of those that s shares most
// with and that have no answer, or whose answers s holds altered.
func (s *said) carries(group []*said) (from *said, carried bool) {
	last := uint64(0)
	if n := len(s.answers); n > 0 {
		last = s.answers[n-1]
	}
	most := -1
	for _, b := range slices.Backward(group) {
		if last != 0 && b.answer == last && s.shares(b) > most {
			from, most, carried = b, s.shares(b), true
		}
	}
	if from != nil {
		return from, carried
	}
	for _, b := range slices.Backward(group) {
		if (last != 0 || b.failed && b.front == s.front) && s.shares(b) > most {
			from, most = b, s.shares(b)
		}
	}
	return from, false
}

// shares is how many messages two requests begin with alike.
func (s *said) shares(b *said) int {
	n := 0
	for n < len(s.messages) && n < len(b.messages) && s.messages[n] == b.messages[n] {
		n++
	}
	return n
}

// sumsUp tells whether a summary stands in the place of earlier answers: of those that b held one is gone, and a text stands
// before the newest message that b did not hold. Messages that are only dropped, or only changed, are the same conversation.
func (s *said) sumsUp(b *said) bool {
	known := map[uint64]bool{}
	for _, signs := range s.signs {
		for _, sign := range signs {
			known[sign] = true
		}
	}
	gone := slices.ContainsFunc(b.signs, func(signs []uint64) bool {
		return !slices.ContainsFunc(signs, func(sign uint64) bool { return known[sign] })
	})
	return gone && slices.ContainsFunc(s.texts[:s.earlier], func(t uint64) bool { return !slices.Contains(b.texts, t) })
}

// beginning tells conversations apart by how they begin.
func beginning(req *wire.Request) uint64 {
	h := xxh3.New()
	first := req.Message(0)
	for _, b := range first.Blocks() {
		// The beginning of a conversation is told by its texts: a marker, or string against block, changes nothing.
		part(h, b.Type(), b.TextValue().Text())
	}
	part(h, first.Role(), fmt.Sprint(req.Get("tools").Len() > 0))
	return h.Sum64()
}

func read(req *wire.Request) *said {
	s := &said{}
	h := xxh3.New()
	part(h, string(req.Get("tools").Raw()), string(req.Get("system").Raw()))
	s.front = h.Sum64()
	for i := range req.MessageCount() {
		m := req.Message(i)
		h.Reset()
		part(h, m.Role())
		s.earlier = len(s.texts)
		var values []wire.Value
		for _, b := range m.Blocks() {
			text := b.TextValue().Text()
			part(h, b.Type(), text, b.Get("id").Text(), b.Get("tool_use_id").Text(), string(b.Get("content").Raw()))
			values = append(values, b.Value)
			if b.Type() == "text" {
				s.texts = append(s.texts, xxh3.HashString(text))
			}
		}
		s.messages = append(s.messages, h.Sum64())
		if m.Role() == "assistant" {
			if a, signs := saying(values); a != 0 {
				s.answers, s.signs = append(s.answers, a), append(s.signs, signs)
			}
		}
	}
	return s
}

// saying is what an answer says, its texts and calls, and the signs of each; 0 for nothing. Thinking may be left out of what
// is sent back.
func saying(blocks []wire.Value) (whole uint64, signs []uint64) {
	h := xxh3.New()
	for _, b := range blocks {
		kind, text, id := b.Get("type").Text(), strings.TrimSpace(b.Get("text").Text()), b.Get("id").Text()
		if b.Kind() == '"' {
			kind, text = "text", strings.TrimSpace(b.Text())
		}
		switch {
		case kind == "thinking" || kind == "redacted_thinking", kind == "text" && text == "":
			continue
		case kind == "text":
			signs = append(signs, xxh3.HashString("begins "+text[:min(len(text), edge)]), xxh3.HashString("ends "+text[max(0, len(text)-edge):]))
		default:
			signs = append(signs, xxh3.HashString(kind+" "+id))
		}
		part(h, kind, text, id)
	}
	if len(signs) == 0 {
		return 0, nil
	}
	return h.Sum64(), signs
}

// part adds words that cannot run into each other.
func part(h hash.Hash, words ...string) {
	for _, w := range words {
		_, _ = fmt.Fprintf(h, "%d %s\x00", len(w), w)
	}
}
