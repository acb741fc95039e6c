package promptcache

import "time"

// A hit restarts every shorter live entry on its path (messages-api.md 5.4). In a long conversation those are
// many, and each turn restarts them all to the same moment; so the entries of one conversation share their
// span, and a turn restarts that.

// span is the life of an entry, or of several that always restart together.
type span struct{ used, expires time.Time }

func (s *span) live(now time.Time) bool { return now.Before(s.expires) }

func (s *span) restart(now time.Time, life time.Duration) { s.used, s.expires = now, now.Add(life) }

// group are the records that one conversation restarts together: those on its path that no other conversation
// was seen to use.
type group struct {
	lives lives
	head  *Path     // the newest path of the conversation; another branch begins a group of its own
	spans [2]*span  // of the live entries of the steps that head has taken in, by TTL
	apart []*record // on the path too, but restarted by themselves
}

// restart restarts the live entries of the first n steps of its head.
func (g *group) restart(n int, now time.Time) {
	p := g.head
	for i := n; i < p.taken; i++ { // beyond the hit this time
		g.release(p.steps[i].rec)
	}
	p.taken = min(p.taken, n)
	for i := range g.spans {
		if g.spans[i] == nil || !g.spans[i].live(now) {
			g.spans[i] = &span{} // what shared the old one stays dead
		}
		g.spans[i].restart(now, g.lives[i].long)
	}
	for ; p.taken < n; p.taken++ {
		g.take(p.steps[p.taken].rec, now)
	}
	keep := g.apart[:0]
	for _, r := range g.apart {
		if at := p.index(r); at >= 0 && at < n {
			r.restart(now, g.lives)
			keep = append(keep, r)
		}
	}
	clear(g.apart[len(keep):])
	g.apart = keep
}

// take makes a record one of the group, or one to be restarted by itself when others use it too.
func (g *group) take(r *record, now time.Time) {
	if r.group == g {
		return
	}
	if r.group != nil {
		r.group.setApart(r)
	}
	if r.common {
		r.restart(now, g.lives)
		g.apart = append(g.apart, r)
		return
	}
	r.group = g
	for i := range r.slots {
		if r.slots[i].live(now) && g.lives[i].restarts {
			r.slots[i].span = g.spans[i]
		}
	}
}

// release lets go of a record that is no longer on the path of the conversation's hits.
func (g *group) release(r *record) {
	if r.group == g {
		r.own()
	}
}

// setApart makes a record of the group one that is restarted by itself.
func (g *group) setApart(r *record) {
	r.own()
	r.common = true
	g.apart = append(g.apart, r)
}

// own gives a record spans of its own, as they stand.
func (r *record) own() {
	r.group = nil
	for i := range r.slots {
		if s := r.slots[i].span; s != nil {
			own := *s
			r.slots[i].span = &own
		}
	}
}

// restart restarts the live entries of a record that is in no group.
func (r *record) restart(now time.Time, l lives) {
	for i := range r.slots {
		if r.slots[i].live(now) && l[i].restarts {
			r.slots[i].span.restart(now, l[i].long)
		}
	}
}
