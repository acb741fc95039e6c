package promptcache

import (
	"math/rand/v2"
	"time"

	"harnessbench/internal/model"
	"harnessbench/internal/prefix"
)

// Anthropic is the policy of messages-api.md 5: breakpoints store, and each looks back over twenty positions. Nothing is
// left to chance.
type Anthropic struct {
	// Linger is how long an entry can still be read behind its TTL.
	Linger time.Duration
}

// Plan implements Policy: an entry is stored at each eligible breakpoint, and found from within its window (H-CACHE-4).
func (Anthropic) Plan(r *prefix.Rendered) Plan {
	p := Plan{Look: func(yield func(Probe) bool) {
		for h := range r.Positions() {
			if !yield(Probe{h, r.Mark(h.Breakpoint).TTL, true}) {
				return
			}
		}
	}}
	for _, b := range r.Eligible() {
		p.Write = append(p.Write, Mark{b, r.Mark(b).TTL})
	}
	return p
}

// Report implements Policy: three parts that do not overlap, the stored one by its life (H-CACHE-9).
func (Anthropic) Report(r *prefix.Rendered, _ Plan, hit prefix.Hit) Report {
	s := r.Split(hit)
	return Report{Prompt: s.Input, Cached: s.Read, Created5m: s.Write5m, Created1h: s.Write1h}
}

// Cost implements Policy by the model's own five prices (H-CACHE-5, H-CACHE-6).
func (Anthropic) Cost(m model.Model, s model.Spent) float64 { return m.Cost(s) }

// Expire implements Policy: each use restarts the entry's own life (H-CACHE-5).
func (a Anthropic) Expire(now time.Time, ttl time.Duration) (time.Time, bool) {
	return now.Add(ttl + a.Linger), true
}

// Hit implements Policy.
func (Anthropic) Hit(*rand.Rand) bool { return true }
