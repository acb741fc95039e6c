package harness

import (
	"harnessbench/harness/sessionlog"
	"harnessbench/harness/world"
)

// Clear begins a new session in a new file; the old file stays as it is and can be resumed (H-CMD-10,
// H-CMD-11). Memory, date and latches are taken afresh. The new file is there at once, with a record that its
// path is empty, so that a resume does not undo the clear (CLR-1). After an error the old session goes on.
func (s *Session) Clear(w world.World) error {
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
	before := *s
	s.begin(w.UUID(), fresh)
	if err := s.write(w, sessionlog.Pin(s.id, "")); err != nil {
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
