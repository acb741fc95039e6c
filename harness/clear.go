package harness

import (
	"strings"

	"harnessbench/harness/sessionlog"
	"harnessbench/harness/world"
)

// Clear begins a new session in a new file; the old file stays as it is and can be resumed (H-CMD-10,
// H-CMD-11). Memory, date and latches are taken afresh; a title the user gave, the model and the permission mode carry
// over. The new file is there at once, with a record that its path is empty, so that a resume does not undo the clear
// (CLR-1). After an error the old session goes on.
func (s *Session) Clear(w world.World) error { return s.clear(w, "") }

// ClearAs is Clear, and gives the old session a title first, unless it is empty (/clear NAME, H-CMD-12).
func (s *Session) ClearAs(w world.World, title string) error {
	return s.clear(w, strings.TrimSpace(title))
}

func (s *Session) clear(w world.World, title string) error {
	if err := s.ready("clear"); err != nil {
		return err
	}
	if err := s.reread(w); err != nil {
		return err
	}
	fresh, err := s.snapshot(w)
	if err != nil {
		return err
	}
	state := s.log.State // what the new session goes on with; the name for the old one is not part of it
	if title != "" {
		if err := s.write(w, sessionlog.CustomTitle(s.id, title)); err != nil {
			return err
		}
		s.log.State.Title = title
	}
	before := *s
	s.begin(w.UUID(), fresh)
	lines := sessionlog.Pin(s.id, "")
	s.log.State = sessionlog.State{Title: state.Title, Mode: state.Mode, Model: state.Model, Effort: state.Effort}
	lines = append(lines, s.log.State.Encode(s.id)...)
	if err := s.write(w, lines); err != nil {
		*s = before
		return err
	}
	s.pinned = true
	return nil
}

// Close ends the process cleanly. Every entry is on disk already (H-LOG-80); what remains is the full
// re-read of H-ARCH-12.
func (s *Session) Close(w world.World) error {
	if err := s.ready("close"); err != nil {
		return err
	}
	s.closed = true
	return s.reread(w)
}
