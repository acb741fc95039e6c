package invariant

import (
	"fmt"
	"strings"
)

// think5 looks at requests beside the conversation: of each turn they carry all thinking that the newest main request
// and its answer held, or none.
type think5 struct{ aside aside }

func (o *think5) see(m *moment, t *tally) {
	if !o.aside.take(m) {
		return
	}
	c, p := m.call, o.aside.parent
	sent := map[string]bool{}
	for _, msg := range c.chain.conv.msgs {
		for _, th := range msg.thinking {
			sent[th.key] = true
		}
	}
	turn := turnOfThinking{other: c.model.ID != p.model.ID}
	judged := false
	next := func() {
		turn.count(c, m.reading.thoughts)
		if turn.whole > 0 {
			judged = true
			if turn.gone != "" && turn.whole > turn.missing {
				t.broken(fmt.Sprintf("part %d %s", c.number, turn.gone), fmt.Sprintf("call %d carries %d of %d thinking blocks of a turn", c.number, turn.whole-turn.missing, turn.whole), turn.place+": thinking of that turn, which it leaves out")
			}
		}
		turn = turnOfThinking{other: turn.other}
	}
	msgs := p.chain.conv.msgs
	if p.chain.newest != p || len(c.chain.conv.msgs) <= len(msgs) {
		return // a later request was refused, or this one is about a part of the conversation
	}
	for i, msg := range msgs {
		if msg.prompt {
			next()
		}
		for _, th := range msg.thinking {
			turn.add(th.key, sent, p.at(i, th.index))
		}
	}
	said := c.chain.conv.digests()
	carried := false
	for _, v := range o.aside.answer.Blocks {
		carried = carried || said[blockDigest(v, false)]
	}
	for k, v := range o.aside.answer.Blocks {
		if key := thoughtKey(v); carried && key != "" && followed(o.aside.answer, k) {
			turn.add(key, sent, fmt.Sprintf("call %d, answer block %d", p.number, k))
		}
	}
	next()
	if judged {
		t.occasion()
	}
}

// turnOfThinking counts the thinking of one turn.
type turnOfThinking struct {
	other          bool // the request is to another model than the conversation
	blocks         []toldThought
	whole, missing int
	gone, place    string // the first that is missing
}

// toldThought is a thinking block of the conversation.
type toldThought struct {
	key, place string
	sent       bool
}

func (n *turnOfThinking) add(key string, sent map[string]bool, place string) {
	n.blocks = append(n.blocks, toldThought{key, place, sent[key]})
}

// count reckons what is there of a turn, and what is missing. Of a turn that several models thought in, another one may be
// sent what it can read alone.
func (n *turnOfThinking) count(c *call, register *thoughts) {
	makers := map[string]bool{}
	unread := map[string]bool{}
	for _, b := range n.blocks {
		if made := register.find(thought{key: b.key}); made != nil {
			makers[made.model.ID] = true
			unread[b.key] = !c.model.ReadsThinkingOf(made.model)
		}
	}
	for _, b := range n.blocks {
		if n.other && len(makers) > 1 && unread[b.key] && !b.sent {
			continue
		}
		n.whole++
		if b.sent {
			continue
		}
		n.missing++
		if n.gone == "" {
			n.gone, n.place = b.key, b.place
		}
	}
}

// followed tells whether something that can be sent stands behind a block of an answer: thinking at its end cannot.
func followed(a answer, k int) bool {
	for _, v := range a.Blocks[k+1:] {
		if kind := v.Get("type").Text(); kind != "thinking" && kind != "redacted_thinking" && (kind != "text" || strings.TrimSpace(v.Get("text").Text()) != "") {
			return true
		}
	}
	return false
}
