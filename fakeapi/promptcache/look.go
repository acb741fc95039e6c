package promptcache

import (
	"math/rand/v2"
	"time"

	"harnessbench/internal/model"
	"harnessbench/internal/prefix"
)

// Why nothing, or less than the longest marked prefix, was read.
const (
	First        = "first"
	Expired      = "expired"
	NotYet       = "not yet available"
	BelowMinimum = "below minimum"
	NoBreakpoint = "no breakpoint"
	OutOfWindow  = "outside the lookback window"
	OtherTTL     = "ttl differs"
	Chance       = "missed by chance"
)

// Look is what a request finds: prefixes from the first byte on, by their chain of hashes, so that one changed byte loses
// all behind it (H-CACHE-1). Nothing is stored or refreshed until Commit.
type Look struct {
	Hit   prefix.Hit
	Split prefix.Split
	Marks []int  // blocks that carry a breakpoint, in render order
	Base  *Found // the longest prefix that an earlier request marked, live or not
	Read  *Found // the entry read
	Cold  string // why Base was not read in full; "" when it was

	cache *Cache
	now   time.Time
	path  *Path
	plan  Plan
	ttl   time.Duration // of the entry that was hit
	drawn bool          // what is left to chance is found this time
}

// Found is a marked prefix: the block of this rendering it ends at, who wrote it and how long ago it was
// last used.
type Found struct {
	Block   int
	Request string
	Tokens  int
	Age     time.Duration
}

// Look looks a rendering up. prev, which may be nil, is the path of an earlier request of the conversation.
// Entries of one scope are never found from another.
func (c *Cache) Look(now time.Time, scope string, r *prefix.Rendered, prev *Path) *Look {
	l := &Look{Marks: r.Marked(), cache: c, now: now, path: c.path(prev, scope, r)}
	l.plan = c.policy.Plan(r)
	l.drawn = c.policy.Hit(rand.New(rand.NewPCG(c.opt.Seed, c.commits)))
	l.find(scope)
	l.Split = c.policy.Report(r, l.plan, l.Hit).Disjoint()
	l.Split.Writes = l.plan.writes(l.Hit)
	if l.Hit.Block >= 0 {
		rec, s := l.hit()
		l.Read = found(now, l.Hit.Block, rec, s)
	}
	if n := len(l.path.steps); n > 0 {
		st := l.path.steps[n-1]
		l.Base = found(now, st.block, st.rec, st.rec.latest())
	}
	l.Cold = l.cold()
	return l
}

// find tries the positions of the plan.
func (l *Look) find(scope string) {
	l.Hit = prefix.Hit{Block: -1, Breakpoint: -1}
	for p := range l.plan.Look {
		if !p.Sure && !l.drawn {
			continue
		}
		rec := l.cache.records[scoped(scope, l.path.r.Blocks.At(p.Block).Cache)]
		if l.cache.stored(l.now, rec, p.TTL) {
			l.Hit, l.ttl = p.Hit, p.TTL
			return
		}
	}
}

func found(now time.Time, block int, r *record, s *slot) *Found {
	return &Found{Block: block, Request: s.request, Tokens: r.tokens, Age: now.Sub(s.span.used)}
}

// hit is the record and the entry that the lookup found.
func (l *Look) hit() (*record, *slot) {
	r := l.path.r
	rec := l.cache.records[scoped(l.path.scope, r.Blocks.At(l.Hit.Block).Cache)]
	s := &rec.slots[slotOf(l.ttl)]
	if !s.readable(l.now) { // only when the TTL is no part of the key
		s = &rec.slots[1-slotOf(l.ttl)]
	}
	return rec, s
}

// latest is the entry used last, or the mark below the minimum when nothing was ever stored.
func (r *record) latest() *slot {
	a, b := &r.slots[0], &r.slots[1]
	switch {
	case a.request == "" && b.request == "":
		return &r.tooShort
	case a.request == "", b.request != "" && b.span.used.After(a.span.used):
		return b
	}
	return a
}

// cold finds the first reason, from the entry outwards: was it stored, does it live, does a breakpoint see it.
func (l *Look) cold() string {
	r := l.path.r
	if l.Base == nil {
		return First
	}
	if l.Hit.Block >= 0 && r.Blocks.At(l.Hit.Block).Cache == r.Blocks.At(l.Base.Block).Cache {
		return ""
	}
	base := l.path.steps[len(l.path.steps)-1]
	live, readable := false, false
	for i := range base.rec.slots {
		live = live || base.rec.slots[i].live(l.now)
		readable = readable || base.rec.slots[i].readable(l.now)
	}
	switch {
	case !l.plan.Automatic && (len(l.Marks) == 0 || l.Marks[len(l.Marks)-1] < base.block):
		return NoBreakpoint
	case base.rec.slots[0].request == "" && base.rec.slots[1].request == "":
		return BelowMinimum
	case !live:
		return Expired
	case !readable:
		return NotYet
	case !l.drawn:
		return Chance
	}
	return l.unseen(base)
}

// unseen is why no breakpoint saw a readable entry.
func (l *Look) unseen(base step) string {
	r := l.path.r
	why := OutOfWindow
	for _, m := range l.Marks {
		inWindow := m >= base.block && r.Blocks.At(m).Pos-r.Blocks.At(base.block).Pos < model.LookbackPositions
		switch {
		case !inWindow:
		case !l.Eligible(m):
			why = BelowMinimum
		case !l.cache.stored(l.now, base.rec, r.Mark(m).TTL):
			return OtherTTL
		}
	}
	return why
}

// Eligible tells whether a marked block takes part: it is shown and its prefix reaches the minimum (H-CACHE-7,
// messages-api.md 5.6).
func (l *Look) Eligible(block int) bool { return l.plan.stores(block) }

// OnMarks tells whether the request has breakpoints and they decide what is stored.
func (l *Look) OnMarks() bool { return len(l.Marks) > 0 && !l.plan.Automatic }

// Commit stores what an accepted request writes, beside what was there (H-CACHE-3), and restarts what it used.
// available is when its answer begins, from which on others can read it (H-CACHE-10). The path serves the next request
// of the conversation.
func (l *Look) Commit(request string, available time.Time) *Path {
	c, r := l.cache, l.path.r
	c.commits++
	lives := c.lives(l.now)
	l.path.adopt(lives)
	if l.Hit.Block >= 0 {
		l.refresh()
	}
	for _, m := range l.plan.Write {
		if m.Block <= l.Hit.Block {
			continue
		}
		rec := c.record(scoped(l.path.scope, r.Blocks.At(m.Block).Cache), r.Blocks.At(m.Block).Tokens, l.now)
		if rec.group != nil {
			rec.group.setApart(rec)
		}
		i := slotOf(m.TTL)
		rec.slots[i].write(l.now, available, lives[i], request)
		l.path.add(step{l.path.first(m.Block), rec})
	}
	for _, b := range l.Marks {
		if r.Blocks.At(b).Shown && !l.plan.Automatic && !l.Eligible(b) {
			rec := c.record(scoped(l.path.scope, r.Blocks.At(b).Cache), r.Blocks.At(b).Tokens, l.now)
			rec.tooShort.write(l.now, available, lives[slotOf(r.Mark(b).TTL)], request)
			l.path.add(step{l.path.first(b), rec})
		}
	}
	l.path.settle()
	l.path.seen = c.now()
	return l.path
}

// first is the first block that ends the same prefix as block b.
func (p *Path) first(b int) int {
	for b > 0 && p.r.Blocks.At(b-1).Cache == p.r.Blocks.At(b).Cache {
		b--
	}
	return b
}

// refresh restarts the entry that was hit and every shorter live entry on its path (messages-api.md 5.4).
func (l *Look) refresh() {
	rec, s := l.hit()
	l.cache.touch(rec, l.now)
	if !l.cache.opt.KeepShorter {
		l.path.group.restart(l.path.index(rec), l.now)
		if rec.group != nil { // of another conversation
			rec.group.setApart(rec)
		}
	}
	own := l.cache.lives(l.now)[0]
	if s == &rec.slots[1] {
		own = l.cache.lives(l.now)[1]
	}
	if own.restarts {
		s.span.restart(l.now, own.long)
	}
}
