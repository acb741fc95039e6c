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
}

// Limit is how many prefixes are remembered, live or not; the ones not used for longest go first. About
// 400 bytes each.
const Limit = 1 << 17

// Cache is one organisation's cache. It is not safe for concurrent use.
type Cache struct {
	opt     Options
	records map[prefix.Hash]*record
	order   record // ring: order.next is the record touched last, order.prev the one touched first
	made    []*record
	madeAt  uint64 // sequence number of made[0]
}

// record is one prefix that some request marked.
type record struct {
	key      prefix.Hash
	tokens   int
	slots    [2]slot // by TTL: short, long
	tooShort slot    // the last mark here that lay below the model's minimum; it stores nothing
	gone     bool

	prev, next *record
}

// slot is an entry, live or expired; the zero slot is none.
type slot struct {
	request   string // that wrote it
	used      time.Time
	available time.Time
	expires   time.Time
}

func (s *slot) live(now time.Time) bool     { return s.request != "" && now.Before(s.expires) }
func (s *slot) readable(now time.Time) bool { return s.live(now) && !now.Before(s.available) }

func (s *slot) restart(now time.Time, ttl time.Duration) { s.used, s.expires = now, now.Add(ttl) }

// write stores an entry. A live one of the same prefix is only refreshed: its writer and the time from which
// it can be read stay.
func (s *slot) write(now, available time.Time, ttl time.Duration, request string) {
	if !s.live(now) {
		s.request, s.available = request, available
	}
	if available.Before(s.available) {
		s.available = available
	}
	s.restart(now, ttl)
}

// New makes an empty cache.
func New(opt Options) *Cache {
	c := &Cache{opt: opt, records: map[prefix.Hash]*record{}}
	c.order.prev, c.order.next = &c.order, &c.order
	return c
}

// Len is the number of prefixes remembered.
func (c *Cache) Len() int { return len(c.records) }

// scoped sets the keys of one scope (a workspace) apart from those of another.
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

var ttls = [2]time.Duration{model.TTLShort, model.TTLLong}

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
func (c *Cache) record(key prefix.Hash, tokens int) *record {
	r := c.records[key]
	if r == nil {
		r = &record{key: key, tokens: tokens}
		c.records[key] = r
		c.remember(r)
		for len(c.records) > Limit {
			c.drop(c.order.prev)
		}
	}
	c.touch(r)
	return r
}

func (c *Cache) touch(r *record) {
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
}
