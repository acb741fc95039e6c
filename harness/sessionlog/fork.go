package sessionlog

// ForkOptions say how a chain is copied.
type ForkOptions struct {
	Session  string        // id of the copy
	Preserve bool          // log.fork=preserve: the entries keep their uuids (H-CMD-52)
	NewID    func() string // uuids of a remapped copy, in chain order
	Now      string        // timestamp of the last entry (H-CMD-51)
}

// Copy is a chain under another session's id.
type Copy struct {
	Lines []byte
	IDs   map[string]string // new uuids by the old ones
}

// Fork copies the active chain that ends at leaf (H-CMD-50, D6): no branch that was left, no sidechain, no progress.
func Fork(l *Log, leaf string, o ForkOptions) Copy {
	path, _ := l.Path(leaf)
	c := Copy{IDs: map[string]string{}}
	before := ""
	for i, e := range path {
		if e.Sidechain || e.Type == Progress {
			continue
		}
		copied := *e
		if copied.UUID = e.UUID; !o.Preserve {
			copied.UUID = o.NewID()
		}
		c.IDs[e.UUID] = copied.UUID
		copied.Parent, copied.Logical, copied.CallEntry = before, c.IDs[e.Logical], ""
		if i == len(path)-1 {
			copied.Time = o.Now
		}
		c.Lines = append(c.Lines, copied.Encode(Envelope{Session: o.Session})...)
		before = copied.UUID
	}
	return c
}
