package invariant

import (
	"fmt"
	"strings"
	"time"

	"harnessbench/internal/model"
	"harnessbench/internal/prefix"
	"harnessbench/internal/wire"
)

// cacheChecks is the family of the prompt cache (invariants.md 3, CACHE).
func cacheChecks() []check {
	return []check{
		{
			Info: Info{ID: "CACHE-1", Level: C, Engines: anyEngine, Source: "invariants.md CACHE-1, D34; messages-api.md 5.1, 6.6",
				Sentence: "A request begins with all blocks of the answered request before it, unless a break was declared between them; where thinking behind the change loses its binding that is a fault, else a cost; a pause longer than the life of the cache entries is such a break.",
				Mutants:  []string{"clock-in-system"}},
			idle: "no two answered requests of a chain without a declared break between them", begin: func() observer { return &cache1{bases: bases{}} },
		},
		{
			Info: Info{ID: "CACHE-3", Level: C, Engines: anyEngine, Source: "invariants.md CACHE-3, D34; harness.md H-CMD-43",
				Sentence: "The first request after a resume has the blocks a live process would have sent; where that is not known, it begins with the blocks of the last answered request before.",
				Mutants:  []string{"resume-changes-shape"}},
			idle: "no request followed a resume on the same disk and day", begin: func() observer { return &cache3{bases: bases{}, twins: map[int]*prefix.Rendered{}} },
		},
		{
			Info: Info{ID: "CACHE-4", Level: H, Engines: anyEngine, Source: "invariants.md CACHE-4; messages-api.md 5.2",
				Sentence: "At most four breakpoints, no longer time to live behind a shorter one, none on thinking or on empty text.",
				Mutants:  []string{"five-markers", "marker-on-thinking", "ttl-order"}},
			idle: "no request held a breakpoint", begin: func() observer { return cache4{} },
		},
		{
			Info: Info{ID: "CACHE-2", Level: C, Engines: anyEngine, Source: "invariants.md CACHE-2; messages-api.md 5.1, 6.6; harness.md H-CACHE-21, H-CACHE-22",
				Sentence: "The tools that stand in front of a conversation keep their bytes and their order from request to request until a change is declared; where thinking loses its binding by it that is a fault, else a cost.",
				Mutants:  []string{"tools-reordered"}},
			idle: "no two requests of a chain without a declared break between them", begin: func() observer { return &cache2{last: map[base]*call{}} },
		},
		{
			Info: Info{ID: "CACHE-5", Level: C, Engines: anyEngine, Source: "invariants.md CACHE-5; messages-api.md 5.3; harness.md H-CACHE-4",
				Sentence: "Where a request repeats what the one before it stored, and in time, its breakpoints find all of that: one lies at most 19 positions behind the last one before.",
				Mutants:  []string{"breakpoint-stays-behind"}},
			idle: "no request repeated what the one before it stored", begin: func() observer { return &cache5{bases: bases{}} },
		},
		{
			Info: Info{ID: "CACHE-6", Level: C, Engines: ownHarness, Source: "invariants.md CACHE-6; harness.md H-CMP-46",
				Sentence: "A request beside the conversation, for a summary or with a question, begins as the newest main request does, under the same settings, or carries no breakpoint.",
				Mutants:  []string{"summary-under-other-system"}},
			idle: "no request went beside a conversation", begin: func() observer { return &cache6{} },
		},
		{
			Info: Info{ID: "CACHE-7", Level: C, Engines: anyEngine, Source: "invariants.md CACHE-7; messages-api.md 5.7; harness.md H-CACHE-11 to H-CACHE-14",
				Sentence: "An answer reads all that the one before it read and wrote, when its request begins with the same blocks, reaches them with a breakpoint, comes in time, and no break was declared; and a turn does not come back to a model that it left for no reason.",
				Mutants:  []string{"effort-flips", "models-flap"}},
			idle: "no answered request repeated what the one before it stored", begin: func() observer { return &cache7{flaps: newFlaps(), bases: bases{}, before: map[*call]*call{}} },
		},
		{
			Info: Info{ID: "CACHE-8", Level: C, Engines: anyEngine, Source: "invariants.md CACHE-8, D29; harness.md H-ARCH-22",
				Sentence: "A block that says what it said in the request before has the same bytes, escapes, blanks and shape.",
				Mutants:  []string{"arguments-respelled"}},
			idle: "no two answered requests of a chain without a declared break between them", begin: func() observer { return &cache8{bases: bases{}} },
		},
		{
			Info: Info{ID: "CACHE-9", Level: C, Engines: anyEngine, Foreign: true, Source: "invariants.md CACHE-9; messages-api.md 5.9",
				Sentence: "A request that only keeps the cache warm reads what is stored there and writes it not again, comes while it lives, stops after the idle time the run names, and stands in no history.",
				Mutants:  []string{"keep-alive-too-late", "keep-alive-under-other-settings"}},
			idle: "no request was sent to keep the cache warm", begin: func() observer { return newCache9() },
		},
	}
}

// bases holds the newest answered request of each conversation: what the cache may hold. A chain can go back and
// forth between sessions, each of which is a conversation of its own.
type bases map[base]*call

// base names a conversation: a chain in a session file, nil for whichever the chain was in last.
type base struct {
	chain *chain
	file  *logfile
}

// note takes an answer, and what a session that begins now may be a copy of: the newest of the chain.
func (b bases) note(m *moment) {
	switch {
	case m.Response != nil && m.call != nil && m.Response.Status == 200:
		b[base{m.call.chain, m.call.file}] = m.call
		b[base{m.call.chain, nil}] = m.call
	case m.write != nil && m.write.first:
		for c, newest := range b { // any order: each chain by itself
			if c.file == nil {
				b[base{c.chain, m.write.file}] = newest
			}
		}
	}
}

// of is what a request continues, nil for nothing: the request before it in its session.
func (b bases) of(c *call) *call {
	if c.chain.alone() {
		return nil
	}
	if known, ok := b[base{c.chain, c.file}]; ok {
		return known
	}
	return b[base{c.chain, nil}]
}

// unbroken tells whether no break was declared between the two: an operation or log record that says
// so, or another model or thinking parameter (invariants.md 1).
func unbroken(base, next *call) bool {
	return base != nil && base.breaks == next.breaks && base.model.ID == next.model.ID &&
		string(base.req.Get("thinking").Raw()) == string(next.req.Get("thinking").Raw())
}

// outlived tells whether nothing the base stored can still be there: more time has passed than its longest
// breakpoint lives (invariants.md 1).
func outlived(base, next *call) bool {
	var life time.Duration
	for _, i := range base.rendered.Marked() {
		life = max(life, base.rendered.Mark(i).TTL)
	}
	return life > 0 && next.when-base.when > life
}

type cache1 struct{ bases bases }

func (o *cache1) see(m *moment, t *tally) {
	o.bases.note(m)
	if m.Request == nil || m.call == nil {
		return
	}
	base := o.bases.of(m.call)
	if !unbroken(base, m.call) || outlived(base, m.call) {
		return
	}
	t.occasion()
	i, k := divergence(base, m.call)
	if i == base.rendered.Blocks.Len() || leftOut(base.rendered, m.call.rendered, i, k) {
		return
	}
	level, fact, other := difference(base, m.call, i, k)
	t.report(fmt.Sprintf("call %d", m.call.number), level, lossFrom(base.rendered, i), fact, other)
}

// divergence is the first block i of the base that does not stand in the next request, and the block k that
// stands there instead. Thinking that the model is not shown is no part of the cached prefix and may go.
func divergence(base, next *call) (i, k int) {
	a, b := &base.rendered.Blocks, &next.rendered.Blocks
	i = base.rendered.Shared(next.rendered)
	k = i
	for ; i < a.Len(); i++ {
		switch block := a.At(i); {
		case k < b.Len() && same(block, b.At(k)):
			k++
		case thinks(block) && (!block.Shown || !base.model.KeepsThinking && block.Message < next.turn):
		default:
			return i, k
		}
	}
	return i, k
}

// firstDifference is the first index at which b does not hold the block of a; len(a) when a is a prefix.
func firstDifference(a, b *prefix.Rendered) int {
	for i, block := range a.Blocks.From(a.Shared(b)) {
		if i == b.Blocks.Len() || !same(block, b.Blocks.At(i)) {
			return i
		}
	}
	return a.Blocks.Len()
}

func same(a, b *prefix.Block) bool { return a.ID == b.ID && a.Level == b.Level && a.Role == b.Role }

// leftOut tells the exemption of D34: what is missing from block i of the base on is the trailing
// turn-scoped system message of a call that left no assistant message, and a user message stands
// there, at block k, now.
func leftOut(base, next *prefix.Rendered, i, k int) bool {
	if k >= next.Blocks.Len() || next.Blocks.At(k).Role != "user" {
		return false
	}
	for _, b := range base.Blocks.From(i) {
		if b.Level != prefix.Messages || b.Role != "system" ||
			base.Request.Message(b.Message).Get("clear_at").Text() != "next_user_message" {
			return false
		}
	}
	return true
}

// lossFrom is what must be paid again: the tokens of the base from block i on.
func lossFrom(base *prefix.Rendered, i int) int {
	n := base.Blocks.At(base.Blocks.Len() - 1).Tokens
	if i > 0 {
		n -= base.Blocks.At(i - 1).Tokens
	}
	return n
}

// difference describes block i of the base and block k of the next request, the first in which they
// differ, and says how bad it is: H when thinking behind it lost its binding by it (THINK-6).
func difference(base, next *call, i, k int) (level Level, fact, other string) {
	a := base.rendered.Blocks.At(i)
	if k == next.rendered.Blocks.Len() {
		return C, fmt.Sprintf("call %d ends after %d blocks", next.number, k), fmt.Sprintf("%s: a %s block", base.place(a, 0), a.Type)
	}
	level = C
	b := next.rendered.Blocks.At(k)
	if loosens(base, next, k) {
		level = H
	}
	x, y := unmarked(base.rendered.Value(a)), unmarked(next.rendered.Value(b))
	at := 0
	for at < len(x) && at < len(y) && x[at] == y[at] {
		at++
	}
	return level, fmt.Sprintf("%s: %s", next.place(b, at), excerpt(y, at)), fmt.Sprintf("%s: %s", base.place(a, at), excerpt(x, at))
}

func (c *call) place(b *prefix.Block, offset int) string {
	return fmt.Sprintf("call %d, %s (%s), byte %d, %d bytes into the block", c.number, b.Path(), roleOf(b), c.rendered.Value(b).Offset()+offset, offset)
}

func roleOf(b *prefix.Block) string {
	if b.Role == "" {
		return b.Level.String()
	}
	return b.Role
}

// unmarked is the block's bytes without its own cache_control, which no comparison minds.
func unmarked(v wire.Value) []byte {
	if !v.Get("cache_control").Exists() {
		return v.Raw()
	}
	own, err := wire.ParseValue(v.Raw())
	if err != nil {
		return v.Raw()
	}
	return wire.Apply(v.Raw(), wire.RemoveMember(own, "cache_control"))
}

// excerpt quotes what stands at an offset.
func excerpt(raw []byte, at int) string {
	const before, after = 12, 24
	from, to := max(0, at-before), min(len(raw), at+after)
	return fmt.Sprintf("%q", raw[from:to])
}

// cache3 compares the first request after a resume with its twin or, without one, with the last
// answered request before.
type cache3 struct {
	bases   bases
	resumed bool
	stale   bool                     // since the last request something else than a rewind or a clear declared a break
	twins   map[int]*prefix.Rendered // twins that came before their request
	held    *call                    // the resumed request, until its twin had its chance to come
	base    *call                    // of held
}

func (o *cache3) see(m *moment, t *tally) {
	o.bases.note(m)
	switch {
	case m.Op != nil:
		o.end(t)
		o.resumed = (o.resumed || m.Op.Name == "resume") && m.Op.Name != "clear"
		o.stale = o.stale || m.Op.Breaks && m.Op.Name != "rewind" && m.Op.Name != "clear"
	case m.Request != nil && m.call != nil && m.call.chain.main():
		o.end(t)
		twin := o.twins[m.call.number]
		clear(o.twins)
		resumed, base := o.resumed && !o.stale, o.bases.of(m.call)
		o.resumed, o.stale = false, false
		if !resumed {
			return
		}
		o.held, o.base = m.call, nil
		if unbroken(base, m.call) { // else a twin still tells, but is not there on every engine
			t.occasion()
			o.base = base
		}
		if twin != nil {
			o.twin(m, m.call.number, twin, t)
		}
	case m.Twin != nil:
		var known *call
		if o.held != nil && o.held.number == m.Twin.Call {
			known = o.held
		}
		if twin := renderTwin(m, known); twin != nil {
			o.twin(m, m.Twin.Call, twin, t)
		}
	}
}

// renderTwin renders the twin's bytes over the request it stands beside, where that is there already.
func renderTwin(m *moment, known *call) *prefix.Rendered {
	var req *wire.Request
	var rendered *prefix.Rendered
	if known != nil {
		req, rendered = known.req, known.rendered
	}
	r, err := wire.Parse(req, m.Twin.Body)
	if err != nil {
		return nil
	}
	mdl, ok := model.Lookup(r.Model())
	if !ok {
		mdl = model.Model{ID: r.Model()}
	}
	return prefix.Render(rendered, r, mdl, prefix.Options{})
}

// twin compares the resumed request with what a live process would have sent.
func (o *cache3) twin(m *moment, number int, twin *prefix.Rendered, t *tally) {
	if o.held == nil || o.held.number != number {
		o.twins[number] = twin
		return
	}
	c := o.held
	o.held = nil
	i := firstDifference(twin, c.rendered)
	if i == twin.Blocks.Len() && i == c.rendered.Blocks.Len() {
		return
	}
	live := &call{number: number, req: twin.Request, rendered: twin, model: twin.Model, breaks: c.breaks, moved: c.moved, chain: &chain{conv: newConversation()}}
	live.chain.conv.read(live.req)
	live.loose, _ = m.reading.thoughts.loose(live, m.reading.told())
	key := fmt.Sprintf("resume %d", number)
	if i == twin.Blocks.Len() {
		extra := c.rendered.Blocks.At(i)
		t.step, t.call = c.step, number
		t.report(key, C, 0, fmt.Sprintf("%s: a %s block", c.place(extra, 0), extra.Type), fmt.Sprintf("a live process would have ended call %d after %d blocks", number, i))
		return
	}
	level, fact, other := difference(live, c, i, i)
	t.step, t.call = c.step, number
	t.report(key, level, lossFrom(twin, i), fact, "a live process would have sent "+other)
}

// end judges a held request without its twin: the base, but for volatile text of its newest turn,
// must be a prefix.
func (o *cache3) end(t *tally) {
	c, base := o.held, o.base
	o.held = nil
	if c == nil || base == nil {
		return
	}
	step, number := t.step, t.call
	t.step, t.call = c.step, c.number
	defer func() { t.step, t.call = step, number }()
	a, b := &base.rendered.Blocks, &c.rendered.Blocks
	i := base.rendered.Shared(c.rendered)
	k, moved := i, false
	for i < a.Len() {
		switch {
		case k < b.Len() && same(a.At(i), b.At(k)):
			i, k = i+1, k+1
		case leftOut(base.rendered, c.rendered, i, k):
			return
		case base.newest(a.At(i)) && base.isReminder(a.At(i)):
			i++
			moved = c.moves
		case moved && thinks(a.At(i)):
			i++ // goes with the volatile text it was made behind (D1)
		default:
			level, fact, other := difference(base, c, i, k)
			t.report(fmt.Sprintf("resume %d", c.number), level, lossFrom(base.rendered, i), fact, other)
			return
		}
	}
}

func thinks(b *prefix.Block) bool { return b.Type == "thinking" || b.Type == "redacted_thinking" }

// newest tells whether a block stands in the newest turn of its request.
func (c *call) newest(b *prefix.Block) bool { return b.Level == prefix.Messages && b.Message >= c.turn }

// isReminder tells a reminder in a user message: text that may belong to its turn alone.
func (c *call) isReminder(b *prefix.Block) bool {
	text := c.rendered.Value(b)
	if text.Kind() == '{' {
		text = text.Get("text")
	}
	return b.Role == "user" && strings.HasPrefix(text.Text(), reminderTag)
}
