package harness

import (
	"errors"
	"fmt"
	"io/fs"

	"harnessbench/harness/rebuild"
	"harnessbench/harness/sessionlog"
	"harnessbench/harness/world"
	"harnessbench/internal/wire"
)

// frozenSet is what a bound model's path must send again unchanged: one set per compact boundary, so
// that a rewind across one finds the older bytes (H-REB-46, D1).
type frozenSet struct {
	boundary string // uuid of the boundary the path begins at, "" for a root
	since    string // uuid of the newest entry when the set came into force, "" for none: thinking up to there is not valid under it
	snapshot
}

// stand takes a path as the conversation's: it chooses what is in force before it and builds both
// conversations from its entries.
func (s *Session) stand(path []*sessionlog.Entry) {
	s.log.Claim(path)
	s.log.Decisions.Stand(path)
	s.force, s.cut, s.reads, s.sized = s.fresh, "", nil, nil
	to := s.cutAt(path)
	if s.model.Bound {
		set := s.setFor(path)
		s.force = set.snapshot
		if e := s.log.Find(set.since); e != nil && !s.keepsThinking() {
			to = max(to, e.Order)
		}
	}
	s.lesson = lesson{}
	s.answered, s.freed, s.unrestored = lastAnswer{}, s.freedSince(path), ""
	s.memory, s.date, s.prompt = s.force.memory, s.force.date, ""
	for _, e := range s.log.Whole(s.leaf) {
		if e.Typed {
			s.prompt = e.UUID
		}
	}
	last := -1
	for _, e := range path {
		s.met(e)
		if e.Order <= to && e.Order > last { // what a boundary kept may stand behind a summary that is younger
			last, s.cut = e.Order, e.UUID
		}
	}
	s.sent = sent{leaf: s.leaf}
	opt := s.options(s.log)
	s.live, s.shadow = rebuild.Of(path, opt), rebuild.Of(path, opt)
}

// options are what the conversation is built with, for entries numbered as in log.
func (s *Session) options(log *sessionlog.Log) rebuild.Options {
	opt := rebuild.Options{
		Head:           s.force.head,
		SystemMessages: s.model.SystemMessages,
		Bound:          s.model.Bound,
		KeepThinking:   s.keepsThinking(),
		LastTurn:       s.cfg.Switches.ThinkingKeep == KeepLastTurn && !s.clearsThinking(),
		Decisions:      &log.Decisions,
		NoThinkingTo:   -1,
	}
	if e := log.Find(s.cut); e != nil {
		opt.NoThinkingTo = e.Order
	}
	return opt
}

// setFor finds the set of a path. A path that has none, as in a log of another writer, takes what disk
// and clock gave, and its thinking so far is left out: a declared break.
func (s *Session) setFor(path []*sessionlog.Entry) frozenSet {
	boundary, since := "", ""
	if len(path) > 0 {
		if path[0].Boundary() {
			boundary = path[0].UUID
		}
		since = path[len(path)-1].UUID
	}
	for i := len(s.frozen) - 1; i >= 0; i-- {
		if s.frozen[i].boundary == boundary {
			return s.frozen[i]
		}
	}
	set := frozenSet{boundary, since, s.fresh}
	s.frozen, s.saved = append(s.frozen, set), false
	return set
}

// freeze puts the sets on disk before the first request that uses them.
func (s *Session) freeze(w world.World) error {
	if !s.model.Bound || s.saved || s.cfg.NoPersistence {
		return nil
	}
	file := sessionlog.FrozenFile(s.dir(), s.id)
	if err := w.Replace(file, encodeFrozen(s.frozen)); err != nil {
		return fmt.Errorf("frozen request parts %s: %w", file, err)
	}
	s.saved = true
	return nil
}

// thaw reads the sets of a session. A file that is not there, or not whole, gives none.
func (s *Session) thaw(w world.World) error {
	file := sessionlog.FrozenFile(s.dir(), s.id)
	data, err := w.ReadFile(file)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return fmt.Errorf("frozen request parts %s: %w", file, err)
	}
	s.frozen = decodeFrozen(data)
	s.saved = len(s.frozen) > 0
	return nil
}

func encodeFrozen(sets []frozenSet) []byte {
	b := []byte(`{"version":1,"sets":[`)
	for i, set := range sets {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(append(b, `{"boundary":`...), sessionlog.Quote(set.boundary)...)
		b = append(append(b, `,"since":`...), sessionlog.Quote(set.since)...)
		b = append(append(b, `,"date":`...), sessionlog.Quote(set.date)...)
		b = append(append(b, `,"memory":`...), sessionlog.Quote(set.memory)...)
		b = append(append(b, `,"tools":`...), set.tools...)
		b = append(b, `,"system":[`...)
		for j, block := range set.system {
			if j > 0 {
				b = append(b, ',')
			}
			b = append(b, block...)
		}
		b = append(append(append(b, `],"head":`...), set.head...), '}')
	}
	return append(b, "]}\n"...)
}

// decodeFrozen hands out the bytes as they stand in the file.
func decodeFrozen(data []byte) []frozenSet {
	root, err := wire.ParseValue(data)
	if n, ok := root.Get("version").Int(); err != nil || !ok || n != 1 {
		return nil
	}
	var sets []frozenSet
	for _, v := range root.Get("sets").Elems() {
		set := frozenSet{v.Get("boundary").Text(), v.Get("since").Text(), snapshot{
			tools:  v.Get("tools").Raw(),
			head:   v.Get("head").Raw(),
			memory: v.Get("memory").Text(),
			date:   v.Get("date").Text(),
		}}
		for _, block := range v.Get("system").Elems() {
			set.system = append(set.system, block.Raw())
		}
		if len(set.system) == 0 || len(set.head) == 0 || len(set.tools) == 0 {
			return nil
		}
		sets = append(sets, set)
	}
	return sets
}
