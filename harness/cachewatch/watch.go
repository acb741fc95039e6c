package cachewatch

import (
	"fmt"
	"strings"

	"harnessbench/harness/account"
	"harnessbench/internal/model"
)

// A drop counts when the tokens read fell by more than this share, and by more than this number (H-CACHE-11).
const (
	dropShare  = 0.05
	dropTokens = 2_000
)

// Why a drop can be expected (H-CACHE-13).
const (
	Compaction  = "compaction"
	Micro       = "micro-compaction"
	Rewind      = "rewind"
	ModelSwitch = "model switch by the user"

	expired   = "the entries' life was over"
	forgotten = "the model leaves out the thinking of earlier turns"
	cleared   = "the server cleared what it was asked to clear"
)

// Drop is one call that read less of the cache than the call of its source before.
type Drop struct {
	Source string
	// Expected is why it was to be expected, "" for a break.
	Expected string
	// Changed are the vectors in which the two requests differ, in their order; without any the server did not find
	// what it had.
	Changed []Vector
	// Section and Offset are the first difference, in the order tools, system, messages: a JSON path and the byte of the
	// later body. Section is "" where none of the three differs.
	Section string
	Offset  int
	// Before and Now are the tokens read by the two calls.
	Before, Now int
	// Lost are the tokens that the call before left readable, that this call sent, and that it did not read.
	Lost int
	// CostUSD is what those cost more than reading them; 0 where no price is known.
	CostUSD float64
}

// String is the report of H-CACHE-12.
func (d Drop) String() string {
	var b strings.Builder
	if d.Expected != "" {
		fmt.Fprintf(&b, "Expected cache drop (%s)", d.Expected)
	} else {
		b.WriteString("Cache break")
	}
	fmt.Fprintf(&b, ", %s calls: %d tokens read after %d, %d lost, $%.4f more.", d.Source, d.Now, d.Before, d.Lost, d.CostUSD)
	switch {
	case len(d.Changed) > 0:
		for i, v := range d.Changed {
			sep := " Changed: "
			if i > 0 {
				sep = "; "
			}
			fmt.Fprintf(&b, "%s%s (may lose %s)", sep, v, v.Lost())
		}
		b.WriteByte('.')
	case d.Expected == "":
		b.WriteString(" Nothing of the request changed: the server did not find the entries.")
	}
	if d.Section != "" {
		fmt.Fprintf(&b, " First difference: %s, byte %d.", d.Section, d.Offset)
	}
	return b.String()
}

// Watch keeps the newest answered call of each source: the conversation, each agent, side calls (H-CACHE-12). The zero
// value has seen nothing.
type Watch struct {
	sources map[string]*source
}

type source struct {
	last    Request
	usage   account.Usage // of last
	pending Request
	expect  string
	cleared int // what the server left out of the prompt of last
	more    bool
}

// Before takes the snapshot of a request that is about to be sent (H-CACHE-11). One that gets no answer is replaced by
// the next.
func (w *Watch) Before(name string, r Request) {
	if w.sources == nil {
		w.sources = map[string]*source{}
	}
	s := w.sources[name]
	if s == nil {
		s = &source{}
		w.sources[name] = s
	}
	s.pending = r
}

// After compares an answered call with the one before it, by what its usage says was read (H-CACHE-11). It tells whether
// there was a drop.
func (w *Watch) After(name string, usage account.Usage) (Drop, bool) {
	s := w.sources[name]
	if s == nil || s.pending.Body == nil {
		return Drop{}, false
	}
	before, was, expect, more := s.last, s.usage, s.expect, s.more
	s.last, s.usage, s.pending, s.expect, s.more = s.pending, usage, Request{}, "", false
	fell := was.Read - usage.Read
	if before.Body == nil || fell <= dropTokens || float64(fell) <= dropShare*float64(was.Read) {
		return Drop{}, false
	}
	d := Drop{Source: name, Expected: expect, Before: was.Read, Now: usage.Read}
	d.Lost = max(min(was.Context()-was.Input, usage.Context())-usage.Read, 0)
	if a, b := take(before), take(s.last); a != nil && b != nil {
		d.compare(a, b)
		if d.Expected == "" && len(d.Changed) == 0 && more {
			d.Expected = cleared
		}
		d.price(b.Model(), usage)
	}
	return d, true
}

// compare finds what changed. A life that was over says it all, for then nothing could be read whatever was sent.
func (d *Drop) compare(a, b *parsed) {
	d.Changed = changed(a, b)
	if at, differ := first(a, b); differ {
		d.Section, d.Offset = at.section, at.offset
	}
	switch m, known := model.Lookup(b.Model()); {
	case d.Expected != "":
	case b.sent.At.Sub(a.sent.At) >= a.life:
		d.Expected = expired
	case len(d.Changed) == 0 && known && !m.KeepsThinking && prompts(b) > prompts(a):
		d.Expected = forgotten
	}
}

// prompts counts the user messages that are no results.
func prompts(p *parsed) int {
	n := 0
	for _, m := range p.Messages() {
		if m.Role() != "user" {
			continue
		}
		for _, b := range m.Blocks() {
			if b.Type() != "tool_result" {
				n++
				break
			}
		}
	}
	return n
}

// price says what the lost tokens cost more: they were written again, or were plain input.
func (d *Drop) price(name string, u account.Usage) {
	m, _ := model.Lookup(name)
	price := m.PriceAt(u.Context())
	again := price.Input
	switch {
	case u.Write1h > 0:
		again = price.Write1h
	case u.Write5m > 0:
		again = price.Write5m
	}
	d.CostUSD = float64(d.Lost) * (again - price.Read) / 1e6
}

// Cleared says how many results and turns of thinking the server left out of the prompt of the call that After is told of
// next, as the request asked it to (H-CMP-86). Where that are others than in the call before, a drop is to be expected
// although the request begins as the one before (H-CACHE-13).
func (w *Watch) Cleared(name string, n int) {
	if s := w.sources[name]; s != nil {
		s.more, s.cleared = n != s.cleared, n
	}
}

// Expect says that the next call of each source may read less, and why (H-CACHE-13).
func (w *Watch) Expect(why string) {
	for _, s := range w.sources { // any order: each for itself
		s.expect = why
	}
}

// Forget begins anew: behind /clear nothing of what was sent before is sent again (H-CACHE-13).
func (w *Watch) Forget() { w.sources = nil }
