package harness

// notice keeps a sentence for whoever runs the session: something that is no error of an operation, but that a person
// wants to know.
func (s *Session) notice(text string) { s.notices = append(s.notices, text) }

// Report gives the notices since it was last asked, oldest first, each a plain sentence.
func (s *Session) Report() []string {
	out := s.notices
	s.notices = nil
	return out
}
