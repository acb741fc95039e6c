package promptcache

import (
	"time"

	"github.com/zeebo/xxh3"

	"harnessbench/internal/model"
	"harnessbench/internal/prefix"
)

// Options are the unsettled facts of messages-api.md 12; the zero value is the default of each.
type Options struct {
	// TTLOutsideKey lets a breakpoint read an entry of either TTL and leaves it its own (ttl_in_cache_key false).
	TTLOutsideKey bool
	// KeepShorter leaves shorter entries on the path of a hit alone (refresh_shorter_entries false).
	KeepShorter bool
	// Linger is how long an entry can still be read behind its TTL, which is a minimum (expire_exactly false). Only
	// Anthropic's policy has it.
	Linger time.Duration
	// Policy is the provider whose cache this is; nil is Anthropic's.
	Policy Policy
	// Seed draws the hits of policies that leave them to chance.
	Seed uint64
	// The rest changes which prefixes are the same; package prefix reads it.

	// ThinkingKeepsSystem says by model id whether thinking and effort leave the entries of tools and system alone
	// (thinking_config_invalidates_system, the other way round); models it does not name do by their own rule.
	ThinkingKeepsSystem map[string]bool
	// BetasInKey makes the set of anthropic-beta values part of every prefix (betas_in_cache_key true).
	BetasInKey bool
	// SplitTurnsDiffer makes a turn in two messages another prefix than in one (split_turn_is_same_prefix false).
	SplitTurnsDiffer bool
}

// Limit is how many prefixes are remembered, live or not; the ones not used for longest go first. About
// 400 bytes each.
const Limit = 1 << 17

// Cache is one organisation's cache. It is not safe for concurrent use.
type Cache struct {
	opt     Options
	policy  Policy
	commits uint64 // requests that were committed
	records map[prefix.Hash]*record
	order   record // ring: order.next is the record touched last, order.prev the one touched first
	made    []*record
	madeAt  uint64 // sequence number of made[0]
	drops   uint64 // records dropped so far
}

// record is one prefix that some request marked.
type record struct {
	key      prefix.Hash
	tokens   int
	slots    [2]slot // by TTL: short, long
	tooShort slot    // the last mark here that lay below the model's minimum; it stores nothing
	gone     bool

	group  *group // that restarts it, nil for none
	common bool   // several conversations use it: it is in no group any more

	prev, next *record
	touched    time.Time // when it was last moved to the front
}

// slot is an entry, live or expired; the zero slot is none.
type slot struct {
	request   string // that wrote it
	available time.Time
	span      *span // nil when nothing was ever written
}

func (s *slot) live(now time.Time) bool     { return s.span != nil && s.span.live(now) }
func (s *slot) readable(now time.Time) bool { return s.live(now) && !now.Before(s.available) }

// write stores an entry. A live one of the same prefix is only refreshed: its writer and the time from which
// it can be read stay. The record is in no group.
func (s *slot) write(now, available time.Time, own term, request string) {
	if s.live(now) && !own.restarts {
		return
	}
	if !s.live(now) {
		s.request, s.available = request, available
	}
	if available.Before(s.available) {
		s.available = available
	}
	if s.span == nil {
		s.span = &span{}
	}
	s.span.restart(now, own.long)
}

// New makes an empty cache.
func New(opt Options) *Cache {
	c := &Cache{opt: opt, policy: opt.Policy, records: map[prefix.Hash]*record{}}
	if c.policy == nil {
		c.policy = Anthropic{opt.Linger}
	}
	c.order.prev, c.order.next = &c.order, &c.order
	return c
}

// Len is the number of prefixes remembered.
func (c *Cache) Len() int { return len(c.records) }

// scoped sets the keys of one scope (a workspace) apart from those of another (H-CACHE-8).
func scoped(scope string, chain prefix.Hash) prefix.Hash {
	if scope == "" {
		return chain
	}
	s := xxh3.HashString128(scope).Bytes()
	for i := range chain {
		chain[i] ^= s[i]
	}
	return chain
}

// term is how long an entry lives, and whether a use restarts that.
type term struct {
	long     time.Duration
	restarts bool
}

// lives are the lives of entries, by TTL.
type lives [2]term

func (c *Cache) lives(now time.Time) (out lives) {
	for i, ttl := range [2]time.Duration{model.TTLShort, model.TTLLong} {
		end, restarts := c.policy.Expire(now, ttl)
		out[i] = term{end.Sub(now), restarts}
	}
	return out
}

func slotOf(ttl time.Duration) int {
	if ttl == model.TTLLong {
		return 1
	}
	return 0
}

// stored tells whether an entry can be read by a breakpoint of this TTL.
func (c *Cache) stored(now time.Time, r *record, ttl time.Duration) bool {
	if r == nil {
		return false
	}
	if c.opt.TTLOutsideKey {
		return r.slots[0].readable(now) || r.slots[1].readable(now)
	}
	return r.slots[slotOf(ttl)].readable(now)
}

// record finds or makes the record of a prefix and moves it to the front.
func (c *Cache) record(key prefix.Hash, tokens int, now time.Time) *record {
	r := c.records[key]
	if r == nil {
		r = &record{key: key, tokens: tokens}
		c.records[key] = r
		c.remember(r)
		for len(c.records) > Limit {
			c.evict()
		}
	}
	c.touch(r, now)
	return r
}

// evict drops the prefix not used for longest. A record that its group restarted since it was touched goes to the
// front first; a few such chances are enough to keep what is in use.
func (c *Cache) evict() {
	const chances = 8
	for range chances {
		r := c.order.prev
		s := r.latest()
		if s.span == nil || !s.span.used.After(r.touched) {
			break
		}
		c.touch(r, s.span.used)
	}
	c.drop(c.order.prev)
}

func (c *Cache) touch(r *record, now time.Time) {
	r.touched = now
	if r.next != nil {
		r.prev.next, r.next.prev = r.next, r.prev
	}
	r.prev, r.next = &c.order, c.order.next
	r.next.prev, r.prev.next = r, r
}

func (c *Cache) drop(r *record) {
	r.prev.next, r.next.prev = r.next, r.prev
	r.prev, r.next, r.gone = nil, nil, true
	delete(c.records, r.key)
	c.drops++
}
