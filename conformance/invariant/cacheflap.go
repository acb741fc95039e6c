package invariant

import (
	"fmt"
	"slices"

	"harnessbench/internal/prefix"
)

// flaps follows which models a turn is asked of. A request goes on from the answer whose tool calls its newest assistant
// message holds, whatever chain the stream puts it in; so a question aside, whose answer no request carries on, is no part
// of the turn.
type flaps struct {
	made   map[string]*leg     // by the id of a tool call: the leg of its answer
	newest map[*chain][]string // the calls of the newest answer of a chain; older ones are forgotten
}

// leg is a stretch of answers of one turn by one model.
type leg struct {
	model    string
	turn     int         // message that opened the turn
	prompt   prefix.Hash // what it says first, reminders apart
	last     int         // call
	tokens   int         // of the prompt of its first call, which the model had to read anew
	breaks   int         // declared breaks before the last
	before   *leg
	declared bool // something told why the model of before was left
	failed   bool // behind the last call something was asked for and came to nothing
}

// planTools are tools by which a model changes the mode, and some harnesses ask another model in each.
var planTools = [...]string{"EnterPlanMode", "ExitPlanMode"}

func newFlaps() *flaps { return &flaps{made: map[string]*leg{}, newest: map[*chain][]string{}} }

func (o *flaps) see(m *moment, t *tally) {
	switch {
	case m.Op != nil && (m.Op.Name == "use" || m.Op.Name == "mode" || m.Op.Name == "set" || m.Op.Name == "resume"):
		clear(o.made) // from now on another model may be wanted
	case m.call == nil || m.call.chain.alone():
	case m.Event.Request != nil:
		o.request(m.call, t)
	case m.Event.Response != nil:
		o.answered(m)
	}
}

// carried is the leg of the answer that a request goes on from inside its turn, nil for none that is known.
func (o *flaps) carried(c *call) *leg {
	conv := c.chain.conv
	for i := len(conv.msgs) - 1; i > max(conv.turn, -1); i-- {
		if conv.msgs[i].role != "assistant" {
			continue
		}
		for _, u := range conv.msgs[i].uses {
			if l := o.made[u.id]; l != nil && l.turn == conv.turn && l.prompt == promptOf(conv) { // ids may be used again
				return l
			}
		}
		return nil
	}
	return nil
}

// request gives a request its leg, and judges where the turn comes back to a model that nothing told it to leave.
func (o *flaps) request(c *call, t *tally) {
	from := o.carried(c)
	c.leg, c.from = from, from
	if from != nil && from.model == c.model.ID {
		return
	}
	conv := c.chain.conv
	c.leg = &leg{model: c.model.ID, turn: conv.turn, prompt: promptOf(conv), tokens: c.rendered.Total, before: from}
	if from == nil {
		return
	}
	c.leg.declared = from.failed || from.breaks != c.breaks
	t.occasion()
	for l := c.leg; !l.declared && l.before != nil; l = l.before {
		if back := l.before.before; back != nil && !l.before.declared && back.model == c.model.ID {
			t.report(fmt.Sprintf("flap %d %x", conv.turn, c.leg.prompt), C, from.tokens,
				fmt.Sprintf("call %d asks %s, as call %d of the same turn did", c.number, c.model.ID, back.last),
				fmt.Sprintf("call %d between them asked %s; both had answered, and nothing declared a switch", from.last, from.model))
			return
		}
	}
}

// answered moves the leg on to the answer, or notes that one came to nothing: to ask another model is then the way on.
func (o *flaps) answered(m *moment) {
	c := m.call
	var calls []string
	plans := false
	if m.answer.accepted && m.answer.StopReason != "refusal" {
		for _, b := range m.answer.Blocks {
			if b.Get("type").Text() == "tool_use" {
				calls = append(calls, b.Get("id").Text())
				plans = plans || slices.Contains(planTools[:], b.Get("name").Text())
			}
		}
	}
	if len(calls) == 0 {
		if c.from != nil {
			c.from.failed = true
		}
		return
	}
	for _, id := range o.newest[c.chain] {
		delete(o.made, id)
	}
	o.newest[c.chain] = calls
	c.leg.last, c.leg.breaks, c.leg.failed = c.number, c.breaks, false
	for _, id := range calls {
		if !plans {
			o.made[id] = c.leg
		}
	}
}
