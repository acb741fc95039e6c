package harness

import (
	"errors"
	"io/fs"

	"harnessbench/harness/compact"
	"harnessbench/harness/inject"
	"harnessbench/harness/sessionlog"
	"harnessbench/harness/world"
)

// remember puts the session's memory file in the place of the conversation, without a call: it is the summary of what
// stands before a tail of some messages (compact.sessionMemory, H-CMP-80). done is false where the summary has to be asked
// for: the file is not there, is empty or no text, tells of another path or of too little, the user wants something of the
// summary, the conversation would stay too long, or the tail would hold a tool loop whose thinking has to go back
// (H-LOOP-52).
func (s *Session) remember(w world.World, c cutting) (done bool, err error) {
	if !s.cfg.Switches.SessionMemory || !c.restores || c.words != "" {
		return false, nil
	}
	notes, err := s.notes(w)
	switch {
	case err != nil:
		s.notice("The session's memory file cannot be read, so a summary is asked for: " + err.Error() + ".")
		return false, nil
	case notes.Text == "":
		return false, nil
	}
	path, _ := s.log.Path(s.leaf)
	told, ok := notes.Behind(path)
	limits := s.limits().Memory
	at := limits.Tail(path, told)
	if !ok || at > told || conversational(path[:at]) == 0 || at <= len(path)-len(sentOf(path)) || s.inOpenThinking(path) {
		return false, nil
	}
	c.keepFrom(path, at)
	if c.most == 0 || c.most > s.threshold() {
		c.most = s.threshold()
	}
	err = s.stands(w, c, notes.Text, nil)
	if errors.As(err, new(stillLong)) {
		return false, nil
	}
	return err == nil, err
}

// notes reads the session's memory file; it gives none for a file that is not there, is empty or no text.
func (s *Session) notes(w world.World) (compact.Notes, error) {
	file, err := w.ReadFile(sessionlog.SessionMemory(s.dir(), s.id))
	if errors.Is(err, fs.ErrNotExist) {
		return compact.Notes{}, nil
	}
	notes, _ := compact.ParseNotes(file)
	return notes, err
}

// takeNotes brings the session's memory file up to date behind a turn, once enough was said since (aux and
// compact.sessionMemory, H-CMP-80). The small model is shown the notes and what was said behind them, as text: a prefix of
// its own without a breakpoint (H-ARCH-30), so that neither the cache nor the thinking of the conversation has to do with
// it. Where the notes tell of another path, or of what a summary has replaced since, they are written anew from the path.
// One call is made behind a turn at most; where there is more than it may show, the rest waits for the next turn. Nothing
// of it is logged, and its cost alone counts. The file is exchanged as a whole. Whatever fails, the file stays as it was,
// and nothing is tried again before as much was said once more.
func (t *turn) takeNotes() (interrupted bool) {
	s := t.s
	if _, over := s.overBudget(); over || !s.keepsNotes() {
		return false
	}
	old, err := s.notes(t.w)
	if err != nil {
		return false // told where the file would be needed
	}
	path, _ := s.log.Path(s.leaf)
	from, ok := old.Behind(path)
	if !ok {
		old, from = compact.Notes{}, 0
	} else if old.UpTo == "" {
		from = 0
	}
	limits := s.limits().Memory
	stretch := limits.Due(path, from, s.unnoted)
	if len(stretch) == 0 {
		return false
	}
	said := inject.NotesSoFar(old.Text, compact.Transcript(stretch, &s.log.Decisions))
	r := s.askSmall(t.w, small(limits.Answer, inject.Notes, said))
	s.unnoted = s.leaf
	text, err := textOf(r)
	if err != nil || r.answer.StopReason != stopEnd {
		return r.interrupted
	}
	now := compact.Notes{UpTo: stretch[len(stretch)-1].UUID, Text: text}
	if err := t.w.Replace(sessionlog.SessionMemory(s.dir(), s.id), now.Encode()); err != nil {
		s.notice("The session's memory file cannot be written: " + err.Error() + ".")
		return false
	}
	s.unnoted = ""
	return false
}

// keepsNotes tells that the memory file is kept up: what would use it is not switched off.
func (s *Session) keepsNotes() bool {
	return s.cfg.Aux && s.cfg.Switches.SessionMemory && !s.cfg.NoCompact && !s.cfg.NoPersistence && !s.taught()
}
