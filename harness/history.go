package harness

import (
	"errors"
	"fmt"
	"io/fs"

	"harnessbench/harness/account"
	"harnessbench/harness/sessionlog"
	"harnessbench/harness/world"
)

// load reads the session's log under its switches, a large one from its tail where that tells everything a resume needs
// (H-LOG-89). A file that does not exist is an empty log. size is that of the file in bytes.
func (s *Session) load(w world.World) (l *sessionlog.Log, size int64, err error) {
	bridge := s.cfg.Switches.Dangling == DanglingBridge
	info, err := w.Stat(s.writer.File)
	if err == nil {
		size = info.Size
		l, err = sessionlog.LoadTail(func(offset int64, n int) ([]byte, error) {
			return w.ReadAt(s.writer.File, offset, n)
		}, size, bridge)
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return sessionlog.New(), 0, nil
	case err != nil:
		return nil, 0, fmt.Errorf("session log %s: %w", s.writer.File, err)
	}
	return l, size, nil
}

// History reads what the resume of a large log left unread (H-LOG-89): prompts beyond the last boundary, snapshots of
// files, earlier commands, and usage. Operations that need it call it themselves; before it, Prompts and Totals tell
// only of what stands behind the last boundary. Otherwise it does nothing.
func (s *Session) History(w world.World) error {
	if !s.log.Partial {
		return nil
	}
	data, err := s.present(w)
	if err != nil {
		return err
	}
	l := sessionlog.Load(data)
	l.Bridge = s.log.Bridge
	s.take(l)
	path, _ := l.Path(s.leaf)
	s.stand(path)
	return nil
}

// take makes a log the session's, with what is counted over all of it.
func (s *Session) take(l *sessionlog.Log) {
	s.log = l
	s.bash, s.files = bashOf(l), checkpointsOf(l.Snapshots)
	s.ledger = account.New(s.fresh.taken)
	for _, e := range l.Entries {
		s.book(e)
	}
}

// restated is what a compaction of a large log writes behind its boundary, so that the next resume need not look for it
// before that (H-LOG-89). Where somebody else writes to the log its state is not known well enough.
func (s *Session) restated(boundary string) []byte {
	if s.shared || !s.writer.Large() {
		return nil
	}
	return sessionlog.Restated(s.log.State, boundary, s.id)
}
