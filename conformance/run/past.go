package run

import "time"

// past is what the driver knows of the sessions of a run.
type past struct {
	sessions map[string]*known // by id
	titles   map[string]string // title -> id
	newest   string            // id of the session that was written last
}

// known is what a resume must know of a session.
type known struct {
	born time.Time // when its head was made
	sent bool      // a request of it went out
}

func newPast() past { return past{sessions: map[string]*known{}, titles: map[string]string{}} }

func (p *past) began(id string, now time.Time) {
	p.sessions[id], p.newest = &known{born: now}, id
}

// copied notes that a session goes on in a copy, which has the head of its source.
func (p *past) copied(from *known, id, title string) {
	head := *from
	p.sessions[id], p.newest = &head, id
	p.titled(id, title)
}

func (p *past) titled(id, title string) {
	if title != "" {
		p.titles[title] = id
	}
}

func (p *past) sent() {
	if s := p.sessions[p.newest]; s != nil {
		s.sent = true
	}
}

// of is the session that a title or an id names, the newest for "".
func (p *past) of(ref string) *known {
	id := p.newest
	if named, ok := p.titles[ref]; ok {
		id = named
	} else if ref != "" {
		id = ref
	}
	if s := p.sessions[id]; s != nil {
		return s
	}
	return &known{}
}

// nextDay tells whether a process that starts now sees another date than the session's head has.
func (s *known) nextDay(now time.Time) bool {
	return now.UTC().Format(time.DateOnly) != s.born.UTC().Format(time.DateOnly)
}

// resumed notes that a process continues a session; on another day its head is made anew.
func (p *past) resumed(id string, now time.Time) {
	s := p.sessions[id]
	if s == nil {
		s = &known{}
		p.sessions[id] = s
	}
	p.newest = id
	if s.nextDay(now) {
		s.born = now
	}
}
