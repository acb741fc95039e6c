package harness

import "harnessbench/harness/world"

// Clear begins a new session in a new file; the old file stays as it is and can be resumed (H-CMD-10,
// H-CMD-11). Memory, date and latches are taken afresh.
func (s *Session) Clear(w world.World) error {
	if err := s.ready("clear"); err != nil {
		return err
	}
	if err := s.reread(w); err != nil {
		return err
	}
	return s.begin(w)
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
