package invariant

import (
	"fmt"
	"strings"

	"harnessbench/internal/prefix"
	"harnessbench/internal/wire"
)

// conversation is what the checks need to know of the messages of a chain's newest request. It is kept
// message by message, so that a new request costs only what is new in it.
type conversation struct {
	msgs    []message
	uses    idCount // of tool_use
	results idCount // of tool_result
	fresh   int     // messages before this one are byte-equal to those of the request before
	turn    int     // message that opened the newest turn (D11), -1 for none
}

// idCount counts how often each id occurs in a request.
type idCount struct {
	of  map[string]int
	all int
}

func (n *idCount) add(id string, k int) {
	n.all += k
	if n.of[id] += k; n.of[id] == 0 {
		delete(n.of, id)
	}
}

// message is the judge's own reading of one message.
type message struct {
	role     string
	blocks   []block
	marks    []innerMark
	uses     []use
	results  []result
	thinking []thought
	waiting  []string // server tool calls of this message without a result in it
	prompt   bool     // a user message that holds no tool_result and is not harness text alone
	turn     int      // message that opened the turn this one stands in, -1 for none
	goesOn   bool     // a user message behind a cut answer: what is typed with it belongs to the turn under way
	prompted int      // turn, which such a message does not open
	effort   bool     // a system message that only sets the effort
}

// block is one content block in short.
type block struct {
	kind     string
	digest   prefix.Hash
	tool     string // tool_use: its id; tool_result: the id it answers
	reminder bool   // a text that begins with the reminder tag
	blank    bool   // a text of nothing but blanks
	empty    bool   // a text of no characters
	failed   bool   // tool_result with is_error, compaction without a summary
	cleared  bool   // tool_result that holds what stands for a cleared one
}

type use struct {
	index    int
	id, name string
}

type result struct {
	index int
	id    string
}

// thought is a thinking or redacted_thinking block.
type thought struct {
	index  int
	key    string // what the server issued it under, "" when it is not signed
	fields prefix.Hash
}

const (
	reminderTag  = "<system-reminder>"
	interruptTag = "[Request interrupted by user" // both markers of harness.md 5.6 begin so
	continueTag  = "Output token limit hit."      // T-CONTINUE of harness.md 5.7 begins so
)

func newConversation() *conversation {
	return &conversation{uses: idCount{of: map[string]int{}}, results: idCount{of: map[string]int{}}, turn: -1}
}

// read takes the next request of the chain, which was parsed over the one read before.
func (c *conversation) read(r *wire.Request) {
	c.fresh = min(r.SharedMessages(), len(c.msgs))
	for _, m := range c.msgs[c.fresh:] {
		for _, u := range m.uses {
			c.uses.add(u.id, -1)
		}
		for _, res := range m.results {
			c.results.add(res.id, -1)
		}
	}
	c.msgs = c.msgs[:c.fresh]
	for i := c.fresh; i < r.MessageCount(); i++ {
		m := readMessage(r.Message(i))
		for _, u := range m.uses {
			c.uses.add(u.id, 1)
		}
		for _, res := range m.results {
			c.results.add(res.id, 1)
		}
		m.turn, m.prompted = -1, -1
		if i > 0 {
			m.turn, m.prompted = c.msgs[i-1].turn, c.msgs[i-1].prompted
		}
		if m.prompt {
			m.turn = i
		}
		if m.prompt && !m.goesOn {
			m.prompted = i
		}
		c.msgs = append(c.msgs, m)
	}
	c.turn = -1
	if n := len(c.msgs); n > 0 {
		c.turn = c.msgs[n-1].turn
	}
}

// prompted is the message that opened the newest turn of the user's, -1 for none.
func (c *conversation) prompted() int {
	if n := len(c.msgs); n > 0 {
		return c.msgs[n-1].prompted
	}
	return -1
}

func readMessage(w wire.Message) message {
	m := message{role: w.Role()}
	kind := w.Get("content").Kind()
	m.effort = m.role == "system" && kind == '[' && w.Get("output_config").Exists()
	served := map[string]bool{}
	typed := false
	for _, wb := range w.Blocks() {
		b := block{kind: wb.Type(), digest: blockDigest(wb.Value, wb.Bare)}
		switch {
		case b.kind == "text":
			text := wb.TextValue().Text()
			b.empty = text == ""
			b.blank = strings.TrimSpace(text) == ""
			b.reminder = strings.HasPrefix(text, reminderTag)
			m.goesOn = m.goesOn || m.role == "user" && strings.HasPrefix(text, continueTag)
			typed = typed || !b.blank && !b.reminder && !strings.HasPrefix(text, interruptTag) && !strings.HasPrefix(text, continueTag)
		case b.kind == "tool_use":
			b.tool = wb.Get("id").Text()
			m.uses = append(m.uses, use{wb.Index, b.tool, wb.Get("name").Text()})
		case b.kind == "tool_result":
			b.tool = wb.Get("tool_use_id").Text()
			b.failed, _ = wb.Get("is_error").Bool()
			b.cleared = isCleared(wb.Value)
			m.results = append(m.results, result{wb.Index, b.tool})
		case b.kind == "thinking" || b.kind == "redacted_thinking":
			m.thinking = append(m.thinking, thought{wb.Index, thoughtKey(wb.Value), fieldsDigest(wb.Value)})
		case b.kind == "server_tool_use":
			m.waiting = append(m.waiting, wb.Get("id").Text())
		case strings.HasSuffix(b.kind, "_tool_result"):
			served[wb.Get("tool_use_id").Text()] = true
		case b.kind == "compaction":
			b.failed, typed = wb.Get("content").IsNull(), true
		default:
			typed = true
		}
		m.blocks = append(m.blocks, b)
		m.marks = append(m.marks, marksOf(wb.Value, wb.Index)...)
	}
	var waiting []string
	for _, id := range m.waiting {
		if !served[id] {
			waiting = append(waiting, id)
		}
	}
	m.waiting = waiting
	m.prompt = m.role == "user" && typed && len(m.results) == 0
	return m
}

// thoughtKey is what identifies a thinking block as issued: its signature, or the data of a redacted
// one; "" when there is neither.
func thoughtKey(v wire.Value) string {
	if data := v.Get("data").Text(); data != "" {
		return "data " + data
	}
	if sig := v.Get("signature").Text(); sig != "" {
		return "signature " + sig
	}
	return ""
}

// round is an assistant message with the user messages directly behind it, which the API joins.
type round struct {
	assistant int // -1 for user messages that follow no assistant message
	from, to  int // the user messages, [from, to)
}

// rounds lists the rounds in which something is new, in order.
func (c *conversation) rounds() []round {
	i := min(c.fresh, len(c.msgs))
	for i > 0 && c.msgs[i-1].role == "user" {
		i--
	}
	if i > 0 && c.msgs[i-1].role == "assistant" {
		i--
	}
	var out []round
	for i < len(c.msgs) {
		r := round{assistant: -1, from: i, to: i}
		switch c.msgs[i].role {
		case "assistant":
			r.assistant, r.from, r.to = i, i+1, i+1
		case "user":
		default:
			i++
			continue
		}
		for r.to < len(c.msgs) && c.msgs[r.to].role == "user" {
			r.to++
		}
		out = append(out, r)
		i = max(r.to, i+1)
	}
	return out
}

// at names a block of the request with its place in the body. A message without blocks is named alone.
func (c *call) at(msg, index int) string {
	blocks := c.req.Message(msg).Blocks()
	if index < 0 || index >= len(blocks) {
		return fmt.Sprintf("call %d, messages.%d, byte %d", c.number, msg, c.req.Message(msg).Offset())
	}
	return fmt.Sprintf("call %d, messages.%d.content.%d, byte %d", c.number, msg, index, blocks[index].Offset())
}
