package prefix

import (
	"math"

	"harnessbench/internal/model"
	"harnessbench/internal/tokens"
	"harnessbench/internal/wire"
)

// Render renders a request. prev, which may be nil, is the rendering of an earlier request of the
// conversation; blocks of shared messages are taken over. The result equals a cold rendering.
//
// prev.Request must be req itself or the request req was parsed against (the first argument of
// wire.Parse): req.SharedMessages speaks of that one and of no other.
func Render(prev *Rendered, req *wire.Request, m model.Model, opt Options) *Rendered {
	r := &Rendered{Request: req, Model: m, opt: opt, auto: -1, set: readSettings(req, m, opt)}
	f := &fold{Rendered: r, count: opt.Counter, reader: reader{known: opt.Sealed}}
	if f.count == nil {
		f.count = tokens.For(m)
	}
	if prev != nil && prev.opt.Counter != opt.Counter { // its weights are another's
		prev = nil
	}
	old := compare(prev, r)
	r.turn = findTurns(req, old.turns(), old.messages)

	f.readFacts(old)
	f.ahead, f.behind = r.set.hidden(f.count, req)
	from := f.takeOver(old)
	f.goOn()
	if from < 0 {
		f.head()
		from = 0
	}
	f.enter(Messages)
	for i := from; i < req.MessageCount(); i++ {
		f.messageBlocks(i, old)
	}
	r.BindEnd = f.bind
	r.placeAuto()
	whole := f.sum
	if !f.began { // no message at all: what stands at their head still counts
		whole += f.behind
		if !f.headed {
			whole += f.owed()
		}
	}
	r.Total = int(math.Round(whole)) + r.set.tail(f.count, f.typ == "tool_result")
	return r
}

// head adds the tools and the system prompt.
func (f *fold) head() {
	for i, t := range f.Request.Get("tools").Elems() {
		b := Block{Level: Tools, Type: t.Get("type").Text(), Message: i, Shown: !deferred(t)}
		if b.Type == "" {
			b.Type = "tool"
		}
		b.ID = f.reader.tool(t)
		b.weight = f.reader.weighTool(f.count, t)
		if !b.Shown {
			b.Why = "deferred tool"
		}
		f.add(b, markOf(&b, t))
	}
	f.enter(System)
	system := f.Request.Get("system")
	if system.Kind() == '"' {
		if !emptyText(system) {
			f.add(f.read(Block{Level: System}, wire.Block{Value: system, Bare: true}))
		}
		return
	}
	for i, v := range system.Elems() {
		f.add(f.read(Block{Level: System, Message: i}, wire.Block{Value: v}))
	}
}

// read fills in identity, weight, facts and mark of a block of system or messages.
func (f *fold) read(b Block, v wire.Block) (Block, *Mark) {
	b.Type, b.Shown, b.blank = v.Type(), true, isBlank(v)
	b.ID = f.reader.block(v)
	b.weight = f.reader.weigh(f.count, b.Type)
	if b.Level == Messages { // system holds text alone
		b.facts = factsOf(v.Value)
	}
	return b, markOf(&b, v.Value)
}

// messageBlocks adds the blocks of one message. Of a message the earlier rendering had too, identity and
// weight are known.
func (f *fold) messageBlocks(i int, old comparison) {
	m := f.Request.Message(i)
	f.message(m)
	role := m.Role()
	known, from := old.blocksOf(i)
	for k, v := range m.Blocks() {
		b := Block{Level: Messages, Role: role, Message: i, Index: k}
		var mark *Mark
		if k < known {
			o := old.prev.Blocks.At(from + k)
			b.Type, b.ID, b.weight, b.blank, b.facts = o.Type, o.ID, o.weight, o.blank, factsOf(v.Value)
			mark = markOf(&b, v.Value)
		} else {
			b, mark = f.read(b, v)
		}
		b.Why = f.hides(m, &b)
		b.Shown = b.Why == ""
		f.add(b, mark)
	}
}

// hides says why the model does not see a block, "" when it does.
func (r *Rendered) hides(m wire.Message, b *Block) string {
	if isThinking(b.Type) {
		if why, ok := r.opt.Dropped[Place{b.Message, b.Index}]; ok {
			return why
		}
		switch {
		case r.set.thinking == "disabled":
			return "thinking is off"
		case b.Message > r.turn.open && r.ThinkingLost():
			return "the turn began without thinking"
		case !r.Model.KeepsThinking && !r.set.stays && b.Message < r.turn.open:
			return "thinking of an earlier turn"
		}
		return ""
	}
	if isBoundary(b.Type) {
		return "boundary between two models"
	}
	if b.Message < r.turn.lastUser && turnScoped(m) {
		return "turn-scoped message cleared by a later user message"
	}
	return ""
}
