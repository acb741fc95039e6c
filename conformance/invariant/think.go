package invariant

import (
	"fmt"

	"harnessbench/internal/prefix"
)

// thinkingChecks is the family of thinking blocks (invariants.md 3, THINK).
func thinkingChecks() []check {
	return []check{
		{
			Info: Info{ID: "THINK-1", Level: H, Engines: anyEngine, Source: "invariants.md THINK-1, D11; messages-api.md 6.5",
				Sentence: "While a turn is open, the next request carries every thinking block the server made in it, byte for byte.",
				Mutants:  []string{"thinking-dropped-in-open-turn", "thinking-altered"}},
			idle: "no request followed thinking inside a turn", begin: func() observer { return &think1{open: map[*chain]*openTurn{}} },
		},
		{
			Info: Info{ID: "THINK-2", Level: H, Engines: anyEngine, Source: "invariants.md THINK-2; messages-api.md 6.5, 6.6",
				Sentence: "Every thinking block sent is one the server issued in full, unaltered, and one the model asked may read.",
				Mutants:  []string{"signature-forged", "thinking-altered"}},
			idle: "no request held thinking issued in this stream", begin: func() observer { return think2{} },
		},
		{
			Info: Info{ID: "THINK-6", Level: H, Engines: anyEngine, Source: "invariants.md THINK-6, D1; messages-api.md 6.6",
				Sentence: "On bound models each thinking block stands behind exactly the conversation it was made in, and between two thinking blocks none is missing.",
				Mutants:  []string{"middle-thinking-dropped", "system-edited-on-bound"}},
			idle: "no request to a bound model held thinking issued in this stream", begin: func() observer { return think6{} },
		},
	}
}

// think1 keeps the thinking of each chain's open turn.
type think1 struct{ open map[*chain]*openTurn }

// openTurn is what the next request must carry.
type openTurn struct {
	blocks []must
	start  int         // message that opened the turn in the newest request
	prompt prefix.Hash // what that message says
}

// must is one block the server made in the open turn.
type must struct {
	thought
	call int
	kind string
}

func (o *think1) see(m *moment, t *tally) {
	switch {
	case m.Op != nil && closesTurn(m.Op.Name), m.Fault != nil && m.Fault.Name == "kill":
		clear(o.open)
	case m.Response != nil && m.call != nil:
		o.answered(m)
	case m.Request != nil && m.call != nil:
		o.request(m.call, t)
	}
}

// closesTurn tells the operations after which thinking may be dropped: a new prompt, and whatever takes
// the answer away or ends the process.
func closesTurn(op string) bool {
	switch op {
	case "prompt", "interrupt", "rewind", "clear", "exit", "resume", "kill":
		return true
	}
	return false
}

func (o *think1) answered(m *moment) {
	turn := o.open[m.call.chain]
	if turn == nil || !m.answer.accepted || m.answer.StopReason == "refusal" {
		return
	}
	for i, v := range m.answer.Blocks {
		if kind := v.Get("type").Text(); kind == "thinking" || kind == "redacted_thinking" {
			turn.blocks = append(turn.blocks, must{thought{i, thoughtKey(v), fieldsDigest(v)}, m.call.number, kind})
		}
	}
}

func (o *think1) request(c *call, t *tally) {
	conv := c.chain.conv
	turn := o.open[c.chain]
	start, prompt := conv.turn, promptOf(conv)
	if turn == nil || turn.start != start || turn.prompt != prompt {
		o.open[c.chain] = &openTurn{start: start, prompt: prompt}
		return
	}
	if len(turn.blocks) == 0 {
		return
	}
	t.occasion()
	for _, b := range turn.blocks {
		sent, at := false, ""
		for i := max(start, 0); i < len(conv.msgs) && !sent; i++ {
			for _, th := range conv.msgs[i].thinking {
				if th.key != b.key {
					continue
				}
				if sent = th.fields == b.fields; sent {
					break
				}
				at = c.at(i, th.index) + ": the block with this signature, but not these bytes"
			}
		}
		if sent {
			continue
		}
		if at == "" {
			at = fmt.Sprintf("call %d, messages.%d and after: no such block, though the turn is open", c.number, max(start, 0))
		}
		t.broken(fmt.Sprintf("%d %d", b.call, b.index), at, fmt.Sprintf("call %d, answer block %d: %s", b.call, b.index, b.kind))
	}
}

// promptOf names what opened the newest turn. Reminders around it may go or come within a turn.
func promptOf(conv *conversation) (h prefix.Hash) {
	if conv.turn < 0 {
		return h
	}
	for _, b := range conv.msgs[conv.turn].blocks {
		if !b.reminder {
			return b.digest
		}
	}
	return h
}

type think2 struct{}

func (think2) see(m *moment, t *tally) {
	if m.Request == nil || m.call == nil {
		return
	}
	c, judged := m.call, false
	for i, msg := range c.chain.conv.msgs {
		for _, th := range msg.thinking {
			if th.key == "" {
				judged = true
				t.broken(fmt.Sprintf("unsigned %x", th.fields), c.at(i, th.index)+": thinking without a signature", "the server signs every thinking block it makes")
				continue
			}
			made := m.reading.thoughts.find(th)
			if made == nil && m.reading.thoughts.foreign[th.key] {
				continue
			}
			judged = true
			switch {
			case made == nil:
				t.broken("forged "+th.key, fmt.Sprintf("%s: thinking with %s", c.at(i, th.index), short(th.key)), "no answer of this stream issued it in full")
			case made.fields != th.fields:
				t.broken(fmt.Sprintf("altered %x", th.fields), fmt.Sprintf("%s: thinking with %s, other bytes", c.at(i, th.index), short(th.key)), made.String())
			case !c.model.ReadsThinkingOf(made.model):
				t.broken("unread "+th.key+c.model.ID, fmt.Sprintf("%s: thinking sent to %s, which cannot read it", c.at(i, th.index), c.model.ID), made.String())
			}
		}
	}
	if judged {
		t.occasion()
	}
}

// short cuts a key to what a person compares.
func short(key string) string {
	const n = 32
	if len(key) <= n {
		return key
	}
	return key[:n] + "…"
}

type think6 struct{}

func (think6) see(m *moment, t *tally) {
	if m.Request == nil || m.call == nil || !m.call.model.Bound {
		return
	}
	c, register := m.call, m.reading.thoughts
	drop := c.req.Get("thinking").Get("block_binding").Get("prefix_mismatch_behavior").Text() == "drop_block"
	before, judged, known := "", false, true
	next := blockFinder(&c.rendered.Blocks)
	for i, msg := range c.chain.conv.msgs {
		for _, th := range msg.thinking {
			made := register.find(th)
			if th.key == "" || made == nil || !made.model.Bound {
				before, known = th.key, false
				continue
			}
			judged = true
			exempt := drop && made.breaks < c.breaks // the server drops it after a declared break (D1)
			here := c.at(i, th.index)
			if b := next(i, th.index); b != nil && b.Bind != made.bind && !exempt {
				t.broken("bind "+th.key, here+": thinking behind another conversation than it was made in", made.String())
			}
			if known && before != "" && made.before != before && !exempt {
				t.broken("gap "+th.key, fmt.Sprintf("%s: thinking directly behind that with %s", here, short(before)), gapFact(register, made))
			}
			before, known = th.key, true
		}
	}
	if judged {
		t.occasion()
	}
}

// gapFact says what stood before the block when it was made.
func gapFact(register *thoughts, made *issued) string {
	if made.before == "" {
		return made.String() + ", when no thinking was sent before it"
	}
	fact := fmt.Sprintf("%s, directly behind the thinking with %s", made, short(made.before))
	if b := register.issued[made.before]; len(b) > 0 {
		fact += fmt.Sprintf(" (call %d, answer block %d)", b[len(b)-1].call, b[len(b)-1].index)
	}
	return fact
}

// blockFinder finds rendered blocks of messages by message and index, asked for in rising order.
func blockFinder(blocks *prefix.Blocks) func(msg, index int) *prefix.Block {
	n := 0
	return func(msg, index int) *prefix.Block {
		for ; n < blocks.Len(); n++ {
			if b := blocks.At(n); b.Level == prefix.Messages && (b.Message > msg || b.Message == msg && b.Index >= index) {
				if b.Message == msg && b.Index == index {
					return b
				}
				return nil
			}
		}
		return nil
	}
}
