package prefix

import (
	"math"

	"harnessbench/internal/tokens"
	"harnessbench/internal/wire"
)

// fold walks a request in render order and adds one block after the other. What it knows after a block
// depends on nothing behind that block, but for the settings and turns it was given; so it can go on from
// any block of an earlier rendering made under the same ones.
type fold struct {
	*Rendered
	count  *tokens.Counter
	reader reader

	cache, bind Hash
	level       Level // whose seed is mixed in already
	sum, debt   float64
	pos         int    // of the last shown block, -1 before
	role, typ   string // of the last shown block
	in          int    // message of the last shown block
	headed      bool   // a block behind tools was shown
	began       bool   // a message block was shown
	tools       int    // shown, without the web tools
	facts       facts

	ahead, behind float64
}

// goOn takes up the state behind the last of the blocks that were taken over.
func (f *fold) goOn() {
	f.pos = -1
	f.level = -1
	last := f.Blocks.last()
	if last == nil {
		f.enter(Tools)
		return
	}
	f.cache, f.sum, f.debt, f.facts, f.level, f.pos = last.Cache, last.sum, last.debt, last.facts, last.Level, last.Pos
	f.bind = f.after(last)
	for i := f.Blocks.Len() - 1; i >= 0; i-- {
		if b := f.Blocks.At(i); b.Shown {
			f.role, f.typ, f.in, f.headed, f.began = b.Role, b.Type, b.Message, b.Level != Tools, b.Level == Messages
			break
		}
	}
	f.tools = f.set.tools - f.set.webs // taken over only as a whole
}

// enter mixes in the seeds of all levels up to l.
func (f *fold) enter(l Level) {
	for f.level < l {
		f.level++
		f.cache = f.set.seed(f.cache, f.level)
	}
}

// after is the binding chain behind a block of this rendering.
func (r *Rendered) after(b *Block) Hash {
	if a := r.opt.Adopted; a.Bind != (Hash{}) && b.Level == Messages && a.At == (Place{b.Message, b.Index}) {
		return a.Bind
	}
	return b.after()
}

// after is the binding chain behind the block: thinking, deferred tools, blank text and boundaries between models
// are not part of it (6.6). Of
// tools it holds the set, as the page says: their order is the cache's business alone.
func (b *Block) after() Hash {
	switch {
	case isThinking(b.Type), isBoundary(b.Type), b.blank, b.Level == Tools && !b.Shown:
		return b.Bind
	case b.Level == Tools:
		return b.Bind.with(b.ID)
	}
	return step(b.Bind, b.ID, b.Role)
}

// add appends a block whose identity, weight and facts are known, and gives it its place. mark is nil when it
// carries none.
func (f *fold) add(b Block, mark *Mark) {
	b.Bind = f.bind
	f.bind = f.after(&b)
	if b.Shown {
		f.show(&b)
	}
	b.Cache, b.sum, b.debt, b.Pos = f.cache, f.sum, f.debt, f.pos
	b.Tokens = int(math.Round(f.sum))
	f.facts = f.facts.or(b.facts)
	b.facts = f.facts
	if mark != nil {
		f.marked, f.marks = append(f.marked, f.Blocks.Len()), append(f.marks, *mark)
	}
	f.Blocks.add(b)
}

func (f *fold) show(b *Block) {
	if f.set.split && f.began && b.Message != f.in && b.Role == f.role {
		f.cache = mix(f.cache, "message", "")
	}
	if b.Level != Tools || !isWeb(b.Type) { // the web tools are part of the system seed
		f.cache = step(f.cache, b.ID, b.Role)
	}
	joins := b.Role == f.role && b.Type == f.typ && (b.Type == "tool_use" || b.Type == "tool_result")
	if !joins || f.pos < 0 {
		f.pos++
	}
	w := b.weight
	if b.Level != Tools && !f.headed {
		w += f.owed()
		f.headed, f.debt = true, 0
	}
	switch b.Level {
	case Tools:
		if isWeb(b.Type) { // what is not in the prefix of tools does not weigh there either
			f.debt += w + f.count.FurtherTool
			w = 0
			break
		}
		if f.tools == 0 {
			w += f.ahead
		} else {
			w += f.count.FurtherTool
		}
		f.tools++
	case System:
		if b.Message == 0 {
			w += f.count.System()
		}
	case Messages:
		if !f.began {
			w += f.behind
		} else if b.Role != f.role {
			w += f.count.Turn()
		}
		w = f.close(b, joins, w)
		f.began = true
	}
	f.sum += w
	f.role, f.typ, f.in = b.Role, b.Type, b.Message
}

// owed is what the first block behind tools weighs for them: the web tools, which are not in their prefix, and
// what stands ahead of them when they are all there is.
func (f *fold) owed() float64 {
	if f.tools == 0 && f.set.tools > 0 {
		return f.debt + f.ahead
	}
	return f.debt
}

// close books what ends a run of results. Behind a breakpoint on a tool_result less stays than behind
// other blocks (messages-api.md 5.4), so a run of results is that much heavier, for good, and what
// follows it lighter: the whole request weighs what 9.1 says either way.
func (f *fold) close(b *Block, joins bool, w float64) float64 {
	if b.Type == "tool_result" {
		if !joins {
			extra := float64(f.count.Tail.Plain - f.count.Tail.AfterResult)
			f.debt += extra
			w += extra
		}
		return w
	}
	paid := min(f.debt, w)
	f.debt -= paid
	return w - paid
}

// message mixes in what a message carries beside its blocks: an effort of its own, which is an edit of
// the conversation for the cache and, by its presence, for the binding (5.7, 6.6); and, for the
// binding, that it is turn-scoped.
func (f *fold) message(m wire.Message) {
	if m.Role() != "system" {
		return
	}
	if effort := m.Get("output_config").Get("effort").Text(); effort != "" {
		f.cache = mix(f.cache, "message effort", effort)
		f.bind = mix(f.bind, "message effort", "")
	}
	if turnScoped(m) {
		f.bind = mix(f.bind, "turn-scoped", "")
	}
}
