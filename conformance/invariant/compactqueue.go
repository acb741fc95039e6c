package invariant

import (
	"fmt"
	"strings"
)

// typedAhead follows what the user typed while a summary was asked for: it goes out with a later request. Commands wait for
// something else, and what ends the turn or the conversation may take it back.
type typedAhead struct{ waiting []aheadText }

type aheadText struct {
	text string
	call int  // for the summary
	next bool // another operation has begun since
}

func (o *typedAhead) see(m *moment, t *tally) {
	a := m.reading.compacts.open
	switch {
	case m.Fault != nil, m.Notice != nil && explains(m.Notice.Text):
		o.waiting = nil
	case m.Op != nil && m.Op.Name == "queue":
		if text := strings.TrimSpace(m.Op.Text); a != nil && a.waits && text != "" && text[0] != '/' {
			o.waiting = append(o.waiting, aheadText{text: text, call: a.newest.number})
		}
	case m.Op != nil && (m.Op.Name == "prompt" || beside(m.Op.Name) && m.Op.Name != "interrupt"):
		for i := range o.waiting {
			o.waiting[i].next = o.waiting[i].next || m.Op.Name == "prompt"
		}
	case m.Op != nil:
		o.waiting = nil
	case m.Request != nil && m.call != nil && m.call.chain.main() && len(o.waiting) > 0:
		var left []aheadText
		for _, w := range o.waiting {
			switch {
			case m.call.says(w.text):
			case w.next:
				t.broken("ahead "+w.text, fmt.Sprintf("call %d, of a later prompt, does not say %q, and no request before it did", m.call.number, excerptOf(w.text)),
					fmt.Sprintf("the user typed that while call %d asked for a summary", w.call))
			default:
				left = append(left, w)
			}
		}
		o.waiting = left
	}
}

// says tells whether some text of the messages holds these words.
func (c *call) says(words string) bool {
	for i := range c.chain.conv.msgs {
		for _, b := range c.req.Message(i).Blocks() {
			if v := b.TextValue(); v.Kind() == '"' && strings.Contains(v.Text(), words) {
				return true
			}
		}
	}
	return false
}

// excerptOf is the begin of a text.
func excerptOf(text string) string {
	const most = 40
	if r := []rune(text); len(r) > most {
		return string(r[:most]) + "…"
	}
	return text
}
