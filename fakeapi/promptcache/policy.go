package promptcache

import (
	"fmt"
	"iter"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"harnessbench/internal/model"
	"harnessbench/internal/prefix"
)

// Policy is how one provider keeps the prefixes of requests and what it bills for them (H-CACHE-50). One law holds for
// all of them, since it lies in the chain of hashes and not in a policy (H-CACHE-51): a prefix counts from its first
// byte, who sends A and then A with B reads A, and behind a change nothing is read.
type Policy interface {
	// Plan says where a request looks for stored prefixes and where it stores its own.
	Plan(r *prefix.Rendered) Plan
	// Report is what the provider counts for a request that found hit, in its own shape.
	Report(r *prefix.Rendered, p Plan, hit prefix.Hit) Report
	// Cost is the price of one call in USD, at the prices the model has here and the factors of the provider; 0 where no
	// price is known.
	Cost(m model.Model, s model.Spent) float64
	// Expire is when an entry ends that is used now, and whether a later use restarts it.
	Expire(now time.Time, ttl time.Duration) (end time.Time, restarts bool)
	// Hit draws whether a stored prefix is found where that is a matter of chance (H-CACHE-52).
	Hit(draw *rand.Rand) bool
}

// Plan is what a policy makes of a request.
type Plan struct {
	// Look are the positions in the order they are tried; the first that is stored is read.
	Look iter.Seq[Probe]
	// Write are the positions that store, in render order; those up to a hit store nothing.
	Write []Mark
	// Automatic tells that the breakpoints of the request do not decide alone.
	Automatic bool
}

// Probe is one position that is looked at.
type Probe struct {
	prefix.Hit
	TTL  time.Duration
	Sure bool // found whenever it is stored; otherwise Policy.Hit decides
}

// Mark is one position that stores.
type Mark struct {
	Block int
	TTL   time.Duration
}

// writes are the blocks that store behind a hit.
func (p Plan) writes(hit prefix.Hit) []int {
	var out []int
	for _, m := range p.Write {
		if m.Block > hit.Block && (len(out) == 0 || out[len(out)-1] != m.Block) {
			out = append(out, m.Block)
		}
	}
	return out
}

// stores tells whether a block is a position that stores.
func (p Plan) stores(block int) bool {
	_, found := slices.BinarySearchFunc(p.Write, block, func(m Mark, b int) int { return m.Block - b })
	return found
}

// Report is the prompt side of a provider's usage.
type Report struct {
	// Prompt is the provider's main count of prompt tokens.
	Prompt int
	// Cached were read from the cache; Created5m and Created1h were stored under those lives, where that is reported.
	Cached, Created5m, Created1h int
	// Inclusive tells that Prompt is the whole prompt, the other counts among it, as OpenAI and Gemini report it.
	Inclusive bool
}

// Disjoint gives the counts as parts that do not overlap, so that they sum up to the whole prompt whatever the shape
// (H-CACHE-53). Counts that exceed an inclusive prompt are cut to it, reads first.
func (r Report) Disjoint() prefix.Split {
	s := prefix.Split{Read: r.Cached, Write5m: r.Created5m, Write1h: r.Created1h, Input: r.Prompt}
	if !r.Inclusive {
		return s
	}
	s.Read = min(s.Read, r.Prompt)
	s.Write1h = min(s.Write1h, r.Prompt-s.Read)
	s.Write5m = min(s.Write5m, r.Prompt-s.Read-s.Write1h)
	s.Input = r.Prompt - s.Read - s.Write1h - s.Write5m
	return s
}

// Names of the policies.
const (
	NameAnthropic = "anthropic"
	NameOpenAI    = "openai"
	NameGemini    = "gemini"
)

// Named is the policy of a name, with the share of stored prefixes that is found where chance decides: over 0, up to 1
// (cache.policy, cache.hitRate). "" is Anthropic's, where nothing is left to chance.
func Named(name string, hitRate float64) (Policy, error) {
	if !(hitRate > 0 && hitRate <= 1) {
		return nil, fmt.Errorf("hit rate %v: want a number over 0, up to 1", hitRate)
	}
	switch name {
	case "", NameAnthropic:
		return Anthropic{}, nil
	case NameOpenAI:
		return OpenAI{chance(hitRate)}, nil
	case NameGemini:
		return Gemini{chance(hitRate)}, nil
	}
	return nil, fmt.Errorf("no cache policy is called %q; there are %s", name,
		strings.Join([]string{NameAnthropic, NameOpenAI, NameGemini}, ", "))
}

// chance is the share of stored prefixes that is found.
type chance float64

// Hit draws. It draws always, so that another rate changes no later draw.
func (c chance) Hit(draw *rand.Rand) bool { return draw.Float64() < float64(c) }

// repriced is a model whose prices are changed, those of long prompts too.
func repriced(m model.Model, change func(p model.Price) model.Price) model.Model {
	m.Price = change(m.Price)
	m.PriceTiers = slices.Clone(m.PriceTiers)
	for i := range m.PriceTiers {
		m.PriceTiers[i].Price = change(m.PriceTiers[i].Price)
	}
	return m
}
