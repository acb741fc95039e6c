package invariant

import (
	"fmt"

	"harnessbench/internal/prefix"
)

// aside follows the newest answered main request, and tells which requests go beside it over the same history: for a
// summary, or with a question of the user's.
type aside struct {
	parent *call
	answer answer // to parent
	stale  bool   // since parent something declared a break, or the process is another
	cut    bool   // the summary asked for now was refused as too long before
}

// take reads an event; true for a request beside the parent.
func (o *aside) take(m *moment) bool {
	switch {
	case m.Op != nil:
		o.cut = false
		switch m.Op.Name {
		case "compact", "summarize": // the boundary they make comes after their request
		case "clear", "resume", "rewind", "kill", "exit", "fork":
			o.stale = true
		default:
			o.stale = o.stale || m.Op.Breaks
		}
	case m.Fault != nil && m.Fault.Name == "kill":
		o.stale = true
	case m.write != nil:
		for _, e := range m.write.entries {
			o.stale = o.stale || e.declares()
		}
		o.stale = o.stale || m.write.frees
	case m.call == nil:
	case m.Event.Response != nil && m.call.chain.main() && m.answer.accepted:
		o.parent, o.answer, o.stale = m.call, m.answer, false
	case m.Event.Response != nil && m.call.chain.name == "compact":
		o.cut = o.cut || overfull(m.Event.Response)
	case m.Event.Request != nil && (m.call.chain.name == "compact" || m.call.chain.name == "btw"):
		return o.parent != nil && !o.stale && !o.cut && !m.reading.compacts.refused && o.parent.file == m.reading.logs.current
	}
	return false
}

// cache6 compares a request beside the conversation with the newest answered main request: it shares that prefix, as far
// as it goes back, or keeps out of the cache. That one of them holds no image, since it goes not as far, is no fault, though
// it keeps them apart (messages-api.md 5.7).
type cache6 struct{ aside aside }

func (o *cache6) see(m *moment, t *tally) {
	if !o.aside.take(m) {
		return
	}
	t.occasion()
	c, p := m.call, o.aside.parent
	if len(c.breakpoints()) == 0 {
		return // it keeps out
	}
	if c.model.ID != p.model.ID {
		if !fallsBack(m, p) {
			t.report(fmt.Sprintf("model %d", c.number), C, p.rendered.Total, fmt.Sprintf("call %d, with breakpoints, asks %s, which shares no cache with the conversation", c.number, c.model.ID),
				fmt.Sprintf("call %d, the newest of the conversation that was answered, asked %s", p.number, p.model.ID))
		}
		return
	}
	a, b := &p.rendered.Blocks, &c.rendered.Blocks
	i, alike := a.Shared(b), true // alike: what the model is not shown of them is the same too
	for ; i < a.Len() && i < b.Len() && same(a.At(i), b.At(i)); i++ {
		alike = alike && a.At(i).Shown == b.At(i).Shown
	}
	key := fmt.Sprintf("side %d", c.number)
	switch {
	case i < a.Len() && i < b.Len() && !ownWords(p, c, i):
		t.report(key, C, lossFrom(p.rendered, i), fmt.Sprintf("%s: %s, with breakpoints", c.place(b.At(i), 0), excerpt(unmarked(c.rendered.Value(b.At(i))), 0)),
			fmt.Sprintf("%s: %s", p.place(a.At(i), 0), excerpt(unmarked(p.rendered.Value(a.At(i))), 0)))
	case i > 0 && alike && a.At(i-1).Cache != b.At(i-1).Cache && !p.rendered.SameSettings(c.rendered):
		t.report(key, C, p.rendered.Total, fmt.Sprintf("call %d, with breakpoints, has the same blocks up to %s under other settings (thinking, effort, choice of tools)", c.number, b.At(i-1).Path()),
			fmt.Sprintf("call %d stored them under its own", p.number))
	}
}

// fallsBack tells whether a request beside the conversation asks another model since that of the conversation does not
// answer: an earlier request for the same went to it, or the newest main request goes to the other model already.
func fallsBack(m *moment, parent *call) bool {
	main := m.reading.chains[parent.chain.name]
	return m.earlier != nil && m.earlier.model.ID == parent.model.ID || main != nil && main.newest.model.ID == m.call.model.ID
}

// ownWords tells whether the request goes its own way only with what it was made for, the texts at its very end, or
// leaves out the turn-scoped message of the system's that ended the parent's (D34). Nothing else may be gone: volatile
// text that stood in a prompt costs what stands behind it here as it does in the next main request.
func ownWords(p, c *call, i int) bool {
	const texts = 2 // a question may have a reminder before it
	is, msgs := c.rendered.Blocks.At(i), c.chain.conv.msgs
	if is.Level != prefix.Messages {
		return false
	}
	last := len(msgs) - 1
	return is.Message == last && is.Type == "text" && is.Index >= len(msgs[last].blocks)-texts || leftOut(p.rendered, c.rendered, i, i)
}
