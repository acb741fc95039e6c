package invariant

import (
	"fmt"
	"slices"

	"harnessbench/internal/prefix"
	"harnessbench/internal/wire"
)

// condensing follows the summaries that the server writes (H-CMP-82 to H-CMP-84).
type condensing struct {
	newest *condensed // holds the newest main answer, nil where that has none
	turn   *condensed // paused in the operation under way, and not gone on with
}

// condensed is an answer with a summary that the server wrote.
type condensed struct {
	call   *call
	pause  bool       // there is nothing else in it: the client may bring back what the summary would lose
	before *condensed // the answer before it, where that was such a pause and the client has asked for one again
	prompt *entry     // typed last, nil for not known
}

func (o *condensing) take(m *moment, x *compactions) {
	switch {
	case m.Fault != nil && m.Fault.Name == "kill":
		*o = condensing{}
	case m.Op != nil && m.Op.Name == "interrupt":
		o.turn = nil
	case m.Op != nil && !beside(m.Op.Name):
		o.turn = nil
		if m.Op.Name != "prompt" {
			o.newest = nil
		}
	case m.commit != nil:
		*o = condensing{}
	case m.call == nil || !m.call.chain.main():
	case m.Event.Request != nil:
		m.resumes, o.turn = o.turn, nil
	case m.Event.Response != nil && m.answer.accepted:
		before := o.newest
		o.newest, o.turn = nil, nil
		if !condenses(m.answer) {
			return
		}
		c := &condensed{call: m.call, pause: m.answer.StopReason == "compaction", prompt: x.prompt}
		if before != nil && before.pause && m.call.asksToCompact() {
			c.before = before
		}
		if o.newest = c; c.pause {
			o.turn = c
		}
		m.condensed = c
	}
}

// condenses tells an answer with a summary of the server's; a block without content is a failure.
func condenses(a answer) bool {
	return slices.ContainsFunc(a.Blocks, func(b wire.Value) bool {
		return b.Get("type").Text() == "compaction" && b.Get("content").Exists() && !b.Get("content").IsNull()
	})
}

// asksToCompact tells that a request leaves it to the server to compact.
func (c *call) asksToCompact() bool {
	for _, e := range c.req.Get("context_management").Get("edits").Elems() {
		if e.Get("type").Text() == "compact_20260112" {
			return true
		}
	}
	return false
}

// again reports a summary that the client asked for right behind another: a pause is no answer.
func (c *condensed) again(t *tally) {
	if c.before != nil {
		t.broken(fmt.Sprintf("server again %d", c.call.number), fmt.Sprintf("call %d leaves it to the server to compact, which does so", c.call.number),
			fmt.Sprintf("the answer of call %d is a summary of the server's and nothing else, and no main request was answered since", c.before.call.number))
	}
}

// survived looks at the first request behind a pause: the newest prompt stands once behind the summary, word for word, and
// tools and system are as they were (H-CMP-78, H-CMP-84, H-CMP-70).
func (c *condensed) survived(m *moment, t *tally) {
	if c.call.model.ID != m.call.model.ID {
		return
	}
	if !m.reading.compacts.shifted {
		front(fmt.Sprint("call ", c.call.number), c.call, m.call, t)
	}
	said, found := m.call.behindSummary()
	if p := c.prompt; found && p != nil && m.call.file != nil && len(p.blocks) == 1 && p.blocks[0].kind == "text" && !p.blocks[0].blank {
		digest := p.blocks[0].digest
		most := 1
		for _, e := range m.call.file.entries[min(p.index+1, len(m.call.file.entries)):] {
			if e.kind == "user" && slices.ContainsFunc(e.blocks, func(b block) bool { return b.digest == digest }) {
				most++
			}
		}
		switch n := said[digest]; {
		case n == 0:
			t.broken("prompt "+p.uuid, fmt.Sprintf("call %d, the first behind a summary of the server's, does not say behind it what %s says", m.call.number, m.call.file.at(p)),
				fmt.Sprintf("that is the newest prompt, and call %d was answered with the summary alone", c.call.number))
		case n > most:
			t.broken("twice "+p.uuid, fmt.Sprintf("call %d, the first behind a summary of the server's, says %d times what %s says", m.call.number, n, m.call.file.at(p)),
				fmt.Sprintf("it was typed once, before call %d", c.call.number))
		}
	}
}

// behindSummary counts the blocks of a request behind the newest summary of the server's in it.
func (c *call) behindSummary() (said map[prefix.Hash]int, found bool) {
	for _, msg := range c.chain.conv.msgs {
		for _, b := range msg.blocks {
			if b.kind == "compaction" && !b.failed {
				said, found = map[prefix.Hash]int{}, true
			} else if found {
				said[b.digest]++
			}
		}
	}
	return said, found
}

// paused judges a turn that a pause of the server's was the last of.
func (o *cmp7) paused(m *moment, t *tally) {
	switch {
	case m.condensed != nil:
		t.occasion()
		if m.condensed.pause {
			o.pause = m.condensed
		}
	case m.Request != nil && m.call != nil && m.call.chain.main():
		o.pause = nil
	case m.write != nil:
		for _, e := range m.write.entries {
			if e.kind == "system" || e.kind == "assistant" && e.role == "" {
				o.pause = nil // the record of an end, or of an error
			}
		}
	case o.pause != nil && (m.Op != nil && !beside(m.Op.Name) || m.End != nil):
		t.broken(fmt.Sprintf("paused %d", o.pause.call.number), fmt.Sprintf("step %d ends behind call %d, and the conversation was not gone on with", o.pause.call.step, o.pause.call.number),
			"the answer of that call is a summary of the server's, nobody stopped the turn, and nothing says why it ended")
		o.pause = nil
	}
}
