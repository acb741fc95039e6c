package invariant

import "fmt"

// pair6 remembers the chains whose newest accepted answer was paused by the server: until another one
// comes, the paused message is sent again, however often an attempt fails.
type pair6 struct{ paused map[*chain]bool }

func (p *pair6) see(m *moment, t *tally) {
	if m.call == nil {
		return
	}
	c, conv := m.call, m.call.chain.conv
	if m.Response != nil {
		if m.answer.accepted {
			p.paused[c.chain] = m.answer.StopReason == "pause_turn"
		}
		return
	}
	if m.Request == nil {
		return
	}
	t.occasion()
	for i := conv.fresh; i < len(conv.msgs); i++ {
		p.message(c, i, t)
	}
	if len(conv.msgs) == 0 {
		return
	}
	if first := conv.msgs[0]; first.role != "user" && !first.summarises(0) {
		t.report(fmt.Sprintf("first %s %x", c.chain.name, digestOf(first)), C, 0, fmt.Sprintf("%s has role %s", c.at(0, -1), first.role), "a conversation begins with a user message")
	}
	last := len(conv.msgs) - 1
	goesOn := p.paused[c.chain] || conv.msgs[last].summarises(len(conv.msgs[last].blocks)-1) || c.req.Get("compaction").Kind() == '{'
	if conv.msgs[last].role == "assistant" && !goesOn {
		t.broken(fmt.Sprintf("last %d", c.number), c.at(last, -1)+" is the last message and has role assistant",
			"no answer of this chain ended with pause_turn before")
	}
}

// summarises tells whether block k is a summary: a conversation may begin with one and, when the compaction paused, go
// on from one (messages-api.md 8.3, 8.4).
func (m message) summarises(k int) bool {
	return k >= 0 && k < len(m.blocks) && m.blocks[k].kind == "compaction"
}

func (p *pair6) message(c *call, i int, t *tally) {
	m := c.chain.conv.msgs[i]
	if m.effort && len(m.blocks) == 0 {
		return // a system message that only sets the effort renders nothing (messages-api.md 2.4)
	}
	said := false
	for k, b := range m.blocks {
		said = said || b.kind != "text" || !b.blank
		if b.empty {
			t.broken(fmt.Sprintf("empty text %s %d %d", c.chain.name, i, k), c.at(i, k)+": a text block without text", "the API takes no empty text block")
		}
	}
	if !said {
		t.broken(fmt.Sprintf("empty %s %d", c.chain.name, i), c.at(i, -1)+" of role "+m.role+" says nothing", "a message needs content that is more than blanks")
	}
}

func digestOf(m message) []byte {
	if len(m.blocks) == 0 {
		return nil
	}
	return m.blocks[0].digest[:]
}
