package promptcache

import (
	"time"

	"harnessbench/internal/prefix"
)

// Inner is an entry that the server writes of its own accord, behind the result of a server tool inside its loop
// (messages-api.md 5.8).
type Inner struct {
	Chain   prefix.Hash
	Tokens  int
	TTL     time.Duration
	Request string
	// Unlike: the result as it is sent back later differs from what the loop had, so that nothing finds the entry.
	Unlike bool
}

// Store writes such an entry.
func (c *Cache) Store(now, available time.Time, scope string, e Inner) {
	if e.Unlike {
		return // it is written and billed, and no later request has its prefix
	}
	rec := c.record(scoped(scope, e.Chain), e.Tokens, now)
	if rec.group != nil {
		rec.group.setApart(rec)
	}
	i := slotOf(e.TTL)
	rec.slots[i].write(now, available, c.lives(now)[i], e.Request)
}
