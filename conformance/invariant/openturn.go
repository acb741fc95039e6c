package invariant

import (
	"fmt"
	"slices"
	"strings"

	"harnessbench/conformance/trace"
	"harnessbench/internal/prefix"
	"harnessbench/internal/wire"
)

// think1 keeps the thinking of each chain's open turn.
type think1 map[*chain]*openTurn

// openTurn is what the next request must carry.
type openTurn struct {
	answers []*thinker
	start   int         // message that opened the turn
	prompt  prefix.Hash // what that message says first, reminders apart
}

// thinker is an answer of the open turn that holds thinking. It is followed as long as requests carry
// something else of it: an answer that is dropped whole takes its thinking along, and whether it may be
// dropped other rules say.
type thinker struct {
	call   *call // which it answered; nil once a request carried it
	number int   // of that call
	blocks []must
	others map[prefix.Hash]int // its other blocks that can be sent: how often each stood in the turn before it
	model  string              // that made it
	passed bool                // another model took the turn over, the server refused it, or a summary came in front of it: a declared break for its thinking (D1, D37)
	moved  bool                // volatile text moved behind it, which ends the binding of its thinking (D1)
}

// must is one block the server made in the open turn.
type must struct {
	thought
	kind string
	last bool // nothing that can be sent follows it in the answer, and a message may not end in thinking
}

func (o think1) see(m *moment, t *tally) {
	switch {
	case m.Op != nil && closesTurn(m.Op.Name), m.Fault != nil && m.Fault.Name == "kill":
		clear(o)
	case m.Response != nil && m.call != nil:
		o.answered(m)
	case m.Request != nil && m.call != nil:
		o.request(m, t)
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

func (o think1) answered(m *moment) {
	turn := o[m.call.chain]
	if turn != nil && refusesThinking(m.Response) {
		for _, a := range turn.answers {
			a.passed = true
		}
	}
	if turn == nil || !m.answer.accepted || m.answer.StopReason == "refusal" {
		return
	}
	a := &thinker{call: m.call, number: m.call.number, model: m.call.model.ID, others: map[prefix.Hash]int{}}
	end := -1 // of what can be sent without its neighbours
	for i, v := range m.answer.Blocks {
		switch kind := v.Get("type").Text(); {
		case kind == "thinking" || kind == "redacted_thinking":
			a.blocks = append(a.blocks, must{thought: thought{i, thoughtKey(v), fieldsDigest(v)}, kind: kind})
		case kind != "text" || strings.TrimSpace(v.Get("text").Text()) != "":
			end = i
			a.others[blockDigest(v, false)] = 0
		}
	}
	if len(a.blocks) == 0 || end < 0 {
		return // an answer of thinking alone is a failed attempt (STREAM-3)
	}
	for i := range a.blocks {
		a.blocks[i].last = a.blocks[i].index > end
	}
	a.others = turn.count(m.call.chain.conv, a.others)
	turn.answers = append(turn.answers, a)
}

// refusesThinking tells a server that does not take back the thinking of a request (messages-api.md 6.4, 6.6): leaving it
// out is then the way on, whatever spoiled it.
func refusesThinking(r *trace.Response) bool {
	_, message, ok := wire.APIError(r.Body)
	return ok && r.Status == 400 && (strings.Contains(message, "Invalid `signature` in `thinking` block") ||
		strings.Contains(message, "Invalid `data` in `redacted_thinking` block") ||
		strings.Contains(message, "blocks in the latest assistant message cannot be modified"))
}

// count tells how often each of the blocks stands in the answers of the turn as the conversation shows it.
func (turn *openTurn) count(conv *conversation, of map[prefix.Hash]int) map[prefix.Hash]int {
	n := make(map[prefix.Hash]int, len(of))
	for h := range of { // any order: each is counted by itself
		n[h] = 0
	}
	for i := max(turn.start, 0); i < len(conv.msgs); i++ {
		if conv.msgs[i].role != "assistant" {
			continue
		}
		for _, b := range conv.msgs[i].blocks {
			if _, asked := n[b.digest]; asked {
				n[b.digest]++
			}
		}
	}
	return n
}

// carried tells whether the conversation holds something of the answer beside its thinking.
func (turn *openTurn) carried(conv *conversation, a *thinker) bool {
	now := turn.count(conv, a.others)
	for h, before := range a.others { // any order: one is enough
		if now[h] > before {
			return true
		}
	}
	return false
}

func (o think1) request(m *moment, t *tally) {
	c, conv := m.call, m.call.chain.conv
	turn := o[c.chain]
	if turn == nil || !turn.goesOn(conv) {
		o[c.chain] = &openTurn{start: conv.turn, prompt: promptOf(conv)}
		return
	}
	kept := turn.answers[:0]
	for _, a := range turn.answers {
		if !turn.carried(conv, a) {
			continue
		}
		if a.call != nil {
			a.moved = c.moves && volatileMoved(a.call, c)
			a.call = nil
		}
		a.passed = a.passed || a.model != c.model.ID || m.fronted && c.model.Bound
		kept = append(kept, a)
	}
	clear(turn.answers[len(kept):])
	turn.answers = kept
	if len(kept) == 0 {
		return
	}
	t.occasion()
	for _, a := range kept {
		for _, b := range a.blocks {
			turn.judge(c, a, b, t)
		}
	}
}

// judge looks for one block in the request.
func (turn *openTurn) judge(c *call, a *thinker, b must, t *tally) {
	conv, at := c.chain.conv, ""
	for i := max(turn.start, 0); i < len(conv.msgs); i++ {
		for _, th := range conv.msgs[i].thinking {
			if th.key != b.key {
				continue
			}
			if th.fields == b.fields {
				return
			}
			at = c.at(i, th.index) + ": the block with this signature, but not these bytes"
		}
	}
	if at == "" {
		if b.last || a.moved || a.passed {
			return
		}
		at = fmt.Sprintf("call %d, messages.%d and after: no such block, though the turn is open", c.number, max(turn.start, 0))
	}
	t.broken(fmt.Sprintf("%d %d", a.number, b.index), at, fmt.Sprintf("call %d, answer block %d: %s", a.number, b.index, b.kind))
}

// movesVolatile tells whether volatile text goes where it leaves again: on a bound model that declares
// a break at each call (tail) or turn (prompt) (H-REB-57, D1).
func movesVolatile(bound bool, place string) bool {
	return bound && (place == "tail" || place == "prompt")
}

// volatileMoved tells whether what changed first since the base is volatile text that is gone or moved.
func volatileMoved(base, next *call) bool {
	i := firstDifference(base.rendered, next.rendered)
	return i < base.rendered.Blocks.Len() && base.isReminder(base.rendered.Blocks.At(i))
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

// goesOn tells whether the newest turn of the conversation is this one: the same message opens it and says
// what it said, whatever else was put into it.
func (turn *openTurn) goesOn(conv *conversation) bool {
	return conv.turn == turn.start && (turn.start < 0 ||
		slices.ContainsFunc(conv.msgs[turn.start].blocks, func(b block) bool { return b.digest == turn.prompt }))
}

// placeOf reads the place of volatile text off a setting, "" when it sets something else.
func placeOf(setting string) (string, bool) {
	return strings.CutPrefix(setting, "volatile.place=")
}
