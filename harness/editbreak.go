package harness

import (
	"harnessbench/harness/compact"
	"harnessbench/harness/inject"
	"harnessbench/harness/rebuild"
	"harnessbench/harness/sessionlog"
	"harnessbench/harness/tool"
	"harnessbench/harness/world"
)

// editsAtBreak tells that on this model the server makes an edit of the history where it can, so that all thinking stays
// valid (thinking.onBreak=server, D1).
func (s *Session) editsAtBreak() bool {
	return s.model.Bound && s.cfg.Switches.OnBreak == OnBreakServer
}

// clearsThinking tells that the server leaves out the thinking of earlier turns (thinking.keep=last-turn, H-CMP-86): it
// stays in the payload, and so stays valid. The server takes that only where the model thinks.
func (s *Session) clearsThinking() bool {
	return s.editsAtBreak() && s.cfg.Switches.ThinkingKeep == KeepLastTurn && s.cfg.Switches.Thinking != "off"
}

// dropsAtBreak tells that an edit of the history costs all thinking before it.
func (s *Session) dropsAtBreak() bool { return s.model.Bound && !s.keepsThinking() }

// edits is what requests ask the server to change: the field, and the header that opens it, are there from the first call
// of a session that may use them, and as long as something is cleared (H-REB-45, H-CACHE-21).
func (s *Session) edits() *rebuild.Edits {
	if s.cfg.Switches.Micro != MicroCached && !s.editsAtBreak() && !s.live.ServerClears() && !s.serverCompacts() {
		return nil
	}
	e := &rebuild.Edits{}
	if s.clearsThinking() {
		e.ThinkingTurns = 1
	}
	for _, d := range tool.Full().Table() {
		if d.Compactable {
			e.Clearable = append(e.Clearable, d.Name)
		}
	}
	return e
}

// editedTo is the Order up to which entries of a path were made in front of another history than the one that is sent
// now, -1 for none: local clearings, snips and collapses came behind them (D1). What the server clears is no such edit.
func (s *Session) editedTo(path []*sessionlog.Entry) int {
	to := -1
	on := make(map[string]bool, len(path))
	for _, e := range path {
		on[e.UUID] = true
		if e.Micro != nil && !e.ServerClears() {
			to = max(to, e.Order)
		}
	}
	for _, r := range s.log.Decisions.Removals {
		leaf := s.log.Find(r.Leaf)
		for _, uuid := range r.Gone {
			if leaf != nil && on[uuid] {
				to = max(to, leaf.Order)
			}
		}
	}
	return to
}

// inOpenThinking tells that the next request goes on with a turn whose thinking must come back as it was, while an edit of
// the history would cost it (H-LOOP-52). The edit then waits for the turn's end: a prompt begins another one, an interrupt
// ends it, but a text that the harness keeps the model going with does not (D11).
func (s *Session) inOpenThinking(path []*sessionlog.Entry) bool {
	if !s.dropsAtBreak() {
		return false
	}
	for i := len(path) - 1; i >= 0; i-- {
		e := path[i]
		switch {
		case compact.Answers(e):
			for j := range e.Message.Blocks {
				if e.Message.Blocks[j].IsThinking() && i >= s.firstThinking(path) {
					return true
				}
			}
		case e.Type == sessionlog.User && !resultOf(e) && !e.Hidden && !goesOn(e):
			return false
		}
	}
	return false
}

// goesOn tells a text of the harness that keeps the model going within a turn.
func goesOn(e *sessionlog.Entry) bool {
	told := madeText(e)
	return told == inject.Continue || told == inject.Condensed
}

// firstThinking is the place on a path of the first entry whose thinking is sent, its length for none.
func (s *Session) firstThinking(path []*sessionlog.Entry) int {
	cut := -1
	if e := s.log.Find(s.cut); e != nil {
		cut = e.Order
	}
	for i, e := range path {
		if !compact.Answers(e) || e.Order <= cut {
			continue
		}
		for j := range e.Message.Blocks {
			if e.Message.Blocks[j].IsThinking() {
				return i
			}
		}
	}
	return len(path)
}

// breakNote says, for a notice, what an edit of the history does to the thinking before it.
func (s *Session) breakNote() string {
	path, _ := s.log.Path(s.leaf)
	switch {
	case !s.model.Bound || s.firstThinking(path) == len(path):
		return ""
	case s.keepsThinking():
		return "; the server is asked to drop the thinking that no longer fits"
	}
	return "; the thinking before it is left out"
}

// decide logs a decision about the payload: side records, and the entry that marks it, nil for none, in one write, so that
// no moment lies between them. The conversation is to be built again afterwards.
func (s *Session) decide(w world.World, records []byte, e *sessionlog.Entry) error {
	if err := s.watch(w, true); err != nil {
		return err
	}
	now := w.Now()
	if e != nil {
		e.UUID, e.Parent, e.Time = w.UUID(), s.leaf, stamp(now)
		records = append(records, e.Encode(s.writer.Envelope)...)
	}
	if err := s.hand(w, records); err != nil {
		return err
	}
	s.ledger.At(now)
	if e != nil {
		s.log.Add(e)
		s.leaf = e.UUID
		s.listener().Logged(e)
	}
	return nil
}

// restand builds the conversation again from its path, after a decision about it.
func (s *Session) restand() {
	path, _ := s.log.Path(s.leaf)
	s.stand(path)
}
