package invariant

import (
	"bytes"
	"fmt"
	"time"

	"harnessbench/internal/model"
	"harnessbench/internal/prefix"
)

// cacheOfAnthropic tells whether the server keeps its cache by breakpoints, and finds in it what is there: other
// policies draw their hits, or store without being asked (H-CACHE-50 to H-CACHE-52).
func cacheOfAnthropic(m *moment) bool {
	policy := m.reading.compacts.options["cache.policy"]
	return policy == "" || policy == "anthropic"
}

// stored is the last block of a request up to which an entry was stored, -1 for none.
func (c *call) stored() int {
	marks := c.rendered.Eligible()
	if len(marks) == 0 {
		return -1
	}
	return marks[len(marks)-1]
}

// stored is what an answer reports as read from the cache or written to it; nothing where the server asked the model more
// than once for it, whose counts are a sum (messages-api.md 10).
func stored(a answer) int {
	for _, v := range a.Blocks {
		if v.Get("type").Text() == "server_tool_use" {
			return 0
		}
	}
	return a.Usage.CacheRead + a.Usage.CacheCreation
}

// repeats tells whether a request begins with all blocks of the base up to its last breakpoint, shown and hidden alike,
// while what is stored there lives.
func repeats(before, c *call) bool {
	return begins(before, c) && c.when-before.when <= before.life()
}

// begins is repeats at any time.
func begins(before, c *call) bool {
	end := before.stored()
	if end < 0 || end >= c.rendered.Blocks.Len() {
		return false
	}
	a, b := &before.rendered.Blocks, &c.rendered.Blocks
	for i := a.Shared(b); i <= end; i++ {
		if !same(a.At(i), b.At(i)) || a.At(i).Shown != b.At(i).Shown {
			return false
		}
	}
	return true
}

// life is that of the entry of a request that ends first, 0 where it stores nothing.
func (c *call) life() (shortest time.Duration) {
	for _, i := range c.rendered.Eligible() {
		if ttl := c.rendered.Mark(i).TTL; shortest == 0 || ttl < shortest {
			shortest = ttl
		}
	}
	return shortest
}

// finds is the last block of the base, up to its last breakpoint, whose entry the breakpoints of the request find, -1
// for none; ok is false where other settings than blocks and breakpoints keep the two apart.
func finds(before, c *call) (block int, ok bool) {
	end := before.stored()
	if before.rendered.Blocks.At(end).Cache != c.rendered.Blocks.At(end).Cache {
		return -1, false
	}
	entries := map[prefix.Hash]bool{}
	for _, i := range before.rendered.Eligible() {
		entries[before.rendered.Blocks.At(i).Cache] = true
	}
	return c.rendered.Lookup(func(chain prefix.Hash, _ time.Duration) bool { return entries[chain] }).Block, true
}

// cache5 looks whether the breakpoints of a request find what the one before it stored.
type cache5 struct{ bases bases }

func (o *cache5) see(m *moment, t *tally) {
	o.bases.note(m)
	if m.Request == nil || m.call == nil || !cacheOfAnthropic(m) {
		return
	}
	c := m.call
	before := o.bases.of(c)
	if !unbroken(before, c) || !repeats(before, c) {
		return
	}
	found, ok := finds(before, c)
	if !ok {
		return
	}
	t.occasion()
	end := before.stored()
	if found >= end {
		return
	}
	lost, last := before.rendered.Blocks.At(end).Tokens, "it has no breakpoint that counts"
	if found >= 0 {
		lost -= c.rendered.Blocks.At(found).Tokens
	}
	if marks := c.rendered.Eligible(); len(marks) > 0 {
		b := c.rendered.Blocks.At(marks[len(marks)-1])
		last = fmt.Sprintf("its last one is %s, at position %d, and %d positions are looked at", b.Path(), b.Pos, model.LookbackPositions)
	}
	b := before.rendered.Blocks.At(end)
	t.report(fmt.Sprintf("reach %d", c.number), C, lost, fmt.Sprintf("call %d does not find the whole entry of call %d: %s", c.number, before.number, last),
		fmt.Sprintf("call %d stored the same blocks up to %s, at position %d", before.number, b.Path(), b.Pos))
}

// cache7 looks at reads that fell though the bytes are the same and the breakpoints reach, and at turns that go back and
// forth between models, each of which has a cache of its own.
type cache7 struct {
	flaps  *flaps
	bases  bases
	before map[*call]*call // base of a request that has no answer yet
}

func (o *cache7) see(m *moment, t *tally) {
	o.bases.note(m)
	o.flaps.see(m, t)
	switch {
	case m.call == nil || !cacheOfAnthropic(m):
	case m.Request != nil:
		before := o.bases.of(m.call)
		if !unbroken(before, m.call) || before.cached == 0 || !repeats(before, m.call) {
			return
		}
		found, ok := finds(before, m.call)
		if ok && found >= before.stored() || !ok && otherSettings(before, m.call) {
			o.before[m.call] = before // else CACHE-5 says why, or a first image or citation costs what it has to (5.7)
		}
	case m.Event.Response != nil:
		o.answered(m, t)
	}
}

// otherSettings tells whether members beside the conversation that count for the cache were changed without a word.
func otherSettings(before, c *call) bool {
	for _, name := range [...]string{"output_config", "output_format", "tool_choice", "speed", "context_management"} {
		if !bytes.Equal(before.req.Get(name).Raw(), c.req.Get(name).Raw()) {
			return true
		}
	}
	return false
}

func (o *cache7) answered(m *moment, t *tally) {
	c := m.call
	before := o.before[c]
	delete(o.before, c)
	if before == nil || !m.answer.accepted || m.answer.StopReason == "compaction" { // whose usage counts nothing but in its steps
		return
	}
	if c.edits != before.edits && bytes.Equal(before.req.Get("context_management").Raw(), c.req.Get("context_management").Raw()) {
		return // asked for the same, the server cleared more, and says so
	}
	t.occasion()
	if read := m.answer.Usage.CacheRead; read < before.cached {
		t.report(fmt.Sprintf("miss %d", c.number), C, before.cached-read, fmt.Sprintf("the answer of call %d reports %d tokens read", c.number, read),
			fmt.Sprintf("call %d had read and written %d; call %d begins with the same blocks, its breakpoints reach them, it came in time, and nothing declared a break", before.number, before.cached, c.number))
	}
}
