package run

import (
	"bytes"
	"encoding/json"
	"path"
	"strings"
	"time"

	"harnessbench/conformance/trace"
)

// past is what the driver knows of the sessions of a run.
type past struct {
	sessions map[string]*known // by id
	titles   map[string]string // title -> id
	newest   string            // id of the session that was written last
	// A prompt in a fork has another uuid than in its source (H-CMD-52): first is the uuid it was typed under, and
	// copied the one it has in a session, by session id and first uuid.
	first  map[string]string
	copied map[string]map[string]string
}

// known is what a resume must know of a session.
type known struct {
	born time.Time // when its head was made
	sent bool      // a request of it went out
	uses string    // model that the user switched to, "" for the story's
}

func newPast() past {
	return past{sessions: map[string]*known{}, titles: map[string]string{}, first: map[string]string{}, copied: map[string]map[string]string{}}
}

func (p *past) began(id string, now time.Time) {
	p.sessions[id], p.newest = &known{born: now}, id
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

// log reads what a session is called, and which of its entries are copies of another session's: the copy has the head
// of its source, which is the session under way.
func (p *past) log(l *trace.Log) {
	copies, titles := bytes.Contains(l.Data, []byte(`"forkedFrom"`)), bytes.Contains(l.Data, []byte(`"custom-title"`))
	if !copies && !titles {
		return
	}
	id := strings.TrimSuffix(path.Base(l.File), ".jsonl")
	if p.copied[id] == nil {
		p.copied[id] = map[string]string{}
	}
	if p.sessions[id] == nil {
		head := *p.of("")
		p.sessions[id] = &head
	}
	for line := range bytes.Lines(l.Data) {
		var e struct {
			UUID        string
			CustomTitle string
			ForkedFrom  struct{ MessageUUID string }
		}
		if json.Unmarshal(line, &e) != nil {
			continue
		}
		if e.CustomTitle != "" {
			p.titles[e.CustomTitle] = id
		}
		if source := e.ForkedFrom.MessageUUID; source != "" {
			p.first[e.UUID] = p.typedAs(source)
			p.copied[id][p.typedAs(source)] = e.UUID
		}
	}
}

// typedAs is the uuid an entry was first written under.
func (p *past) typedAs(uuid string) string {
	if first, ok := p.first[uuid]; ok {
		return first
	}
	return uuid
}

// in is the uuid that an entry has in a session.
func (p *past) in(session, uuid string) string {
	if copy, ok := p.copied[session][p.typedAs(uuid)]; ok {
		return copy
	}
	return uuid
}
