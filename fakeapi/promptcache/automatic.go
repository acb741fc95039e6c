package promptcache

import (
	"iter"
	"slices"
	"time"

	"harnessbench/internal/model"
	"harnessbench/internal/prefix"
)

// The providers that cache without being asked (harness.md 12.4). Where the table gives a range, the value here is the
// one that saves least, so that no figure flatters.
const (
	openAIMinimum  = 1024            // tokens of the shortest prefix that is found
	openAIStep     = 128             // reads come in multiples of so many tokens
	openAIIdle     = 5 * time.Minute // an unused prefix is sure to be there for so long
	openAIReadCost = 0.5             // of an input token
	geminiMinimum  = 4096
	geminiIdle     = 5 * time.Minute // of what is cached unasked; no life of it is published
	geminiReadCost = 0.1
	// geminiStored is the price of keeping one token for an hour, in input tokens: 4.50 against 1.25 USD a million on
	// Gemini 2.5 Pro (ai.google.dev pricing page, 2026).
	geminiStored = 3.6
)

// OpenAI caches every prefix unasked, for no fee; whether a prefix is found is a matter of chance, since requests are
// routed to machines. Breakpoints mean nothing to it. A prefix ends at the end of a block here: what two blocks have in
// common before they differ is not counted.
type OpenAI struct{ chance }

// Plan implements Policy.
func (OpenAI) Plan(r *prefix.Rendered) Plan {
	p := Plan{Write: everyBlock(r, openAIMinimum), Automatic: true}
	p.Look = backwards(p.Write)
	return p
}

// Report implements Policy: what was cached is part of the prompt's count.
func (OpenAI) Report(r *prefix.Rendered, _ Plan, hit prefix.Hit) Report {
	return Report{Prompt: r.Total, Cached: tokensTo(r, hit) / openAIStep * openAIStep, Inclusive: true}
}

// Cost implements Policy: writing costs what input does.
func (OpenAI) Cost(m model.Model, s model.Spent) float64 {
	return repriced(m, func(p model.Price) model.Price {
		return model.Price{Input: p.Input, Output: p.Output, Write5m: p.Input, Write1h: p.Input, Read: p.Input * openAIReadCost}
	}).Cost(s)
}

// Expire implements Policy: a prefix goes when nobody has used it for a while.
func (OpenAI) Expire(now time.Time, _ time.Duration) (time.Time, bool) {
	return now.Add(openAIIdle), true
}

// Gemini caches every prefix unasked, found by chance, and besides keeps the objects that were made on purpose, found
// for certain. A breakpoint on tools or system stands for such an object, as a gateway would make it: it lives one hour
// from its making, whether used or not, and its keeping is paid ahead. Breakpoints in messages mean nothing to it.
type Gemini struct{ chance }

// Plan implements Policy.
func (Gemini) Plan(r *prefix.Rendered) Plan {
	p := Plan{Automatic: true}
	for _, m := range everyBlock(r, geminiMinimum) {
		if object(r, m.Block) {
			p.Write = append(p.Write, Mark{m.Block, model.TTLLong})
		}
		p.Write = append(p.Write, m)
	}
	p.Look = backwards(p.Write)
	return p
}

// object tells whether a block ends an object made on purpose.
func object(r *prefix.Rendered, block int) bool {
	return r.Blocks.At(block).Level != prefix.Messages && slices.Contains(r.Marked(), block)
}

// Report implements Policy: what was cached is part of the prompt's count. What goes into a new object is named besides,
// as a write for an hour, for it is paid for (H-CACHE-53).
func (Gemini) Report(r *prefix.Rendered, p Plan, hit prefix.Hit) Report {
	out := Report{Prompt: r.Total, Cached: tokensTo(r, hit), Inclusive: true}
	for _, m := range p.Write {
		if m.TTL == model.TTLLong && m.Block > hit.Block {
			out.Created1h = r.Blocks.At(m.Block).Tokens - out.Cached
		}
	}
	return out
}

// Cost implements Policy: a token in a new object costs input and an hour's keeping.
func (Gemini) Cost(m model.Model, s model.Spent) float64 {
	return repriced(m, func(p model.Price) model.Price {
		return model.Price{
			Input: p.Input, Output: p.Output, Write5m: p.Input, Write1h: p.Input * (1 + geminiStored), Read: p.Input * geminiReadCost,
		}
	}).Cost(s)
}

// Expire implements Policy.
func (Gemini) Expire(now time.Time, ttl time.Duration) (time.Time, bool) {
	if ttl == model.TTLLong {
		return now.Add(model.TTLLong), false
	}
	return now.Add(geminiIdle), true
}

// everyBlock are the ends of all shown blocks whose prefix has so many tokens.
func everyBlock(r *prefix.Rendered, minimum int) []Mark {
	var out []Mark
	for i := range r.Blocks.Len() {
		if b := r.Blocks.At(i); b.Shown && b.Tokens >= minimum {
			out = append(out, Mark{i, model.TTLShort})
		}
	}
	return out
}

// backwards looks at the marks from the last on. An object made on purpose, which lives long, is found for certain.
func backwards(marks []Mark) iter.Seq[Probe] {
	return func(yield func(Probe) bool) {
		for i := len(marks) - 1; i >= 0; i-- {
			m := marks[i]
			if !yield(Probe{prefix.Hit{Block: m.Block, Breakpoint: m.Block}, m.TTL, m.TTL == model.TTLLong}) {
				return
			}
		}
	}
}

func tokensTo(r *prefix.Rendered, hit prefix.Hit) int {
	if hit.Block < 0 {
		return 0
	}
	return r.Blocks.At(hit.Block).Tokens
}
