package harness

// Queue takes text typed while a turn runs (H-LOOP-25). Like Interrupt it may be called from another fiber, or from
// inside a port call of the turn itself. Without a turn it waits for the next one.
func (s *Session) Queue(text string) { s.queue = append(s.queue, text) }
