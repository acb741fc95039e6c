package harness

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"time"

	"harnessbench/harness/account"
	"harnessbench/harness/sessionlog"
	"harnessbench/harness/world"
)

// Resume continues a session; id "" is the newest of the project. It announces nothing to the model and
// writes nothing by itself (H-CMD-40, H-CMD-41).
func Resume(w world.World, cfg Config, id string) (*Session, error) {
	m, err := cfg.check()
	if err != nil {
		return nil, err
	}
	s := &Session{cfg: cfg, model: m, ttl: cfg.Switches.CacheTTL}
	var data []byte
	if id == "" {
		id, data, err = newest(w, s.dir())
	} else {
		data, err = w.ReadFile(sessionlog.File(s.dir(), id))
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		// The wording is that of H-CMD-40.
		return nil, fmt.Errorf("No conversation found with session ID: %s", id)
	case err != nil:
		return nil, fmt.Errorf("resume: %w", err)
	}
	s.open(id, data)
	if s.fresh, err = s.snapshot(w); err != nil {
		return nil, err
	}
	if m.Bound {
		if err := s.thaw(w); err != nil {
			return nil, err
		}
	}
	s.log = sessionlog.Load(data)
	s.leaf, s.pinned = s.log.Leaf(), s.log.Pinned()
	s.bash = bashOf(s.log)
	s.ledger = account.New(s.fresh.taken)
	for _, e := range s.log.Entries {
		s.book(e)
	}
	path, _ := s.log.Path(s.leaf)
	s.stand(path)
	return s, nil
}

// newest finds the session of a project whose file was written last (H-CMD-40). On a disk that does not tell two
// of them apart by time, the one that began later is the newer.
func newest(w world.World, dir string) (id string, data []byte, err error) {
	files, err := sessions(w, dir)
	if err != nil {
		return "", nil, err
	}
	var began string
	var at time.Time
	for _, f := range files {
		if id != "" && f.at.Before(at) {
			break
		}
		body, err := w.ReadFile(sessionlog.File(dir, f.id))
		if err != nil {
			return "", nil, err
		}
		first, listed := sessionlog.Began(body)
		if !listed || id != "" && (began == "" || first != "" && first <= began) { // without entries it has just begun
			continue
		}
		id, data, at, began = f.id, body, f.at, first
	}
	if id == "" {
		return "", nil, fmt.Errorf("no session in %s", dir)
	}
	return id, data, nil
}

// file is a session's log and when it was written last.
type file struct {
	id string
	at time.Time
}

// sessions are the logs of a project, the newest first.
func sessions(w world.World, dir string) ([]file, error) {
	names, err := w.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var out []file
	for _, name := range names {
		id, ok := sessionlog.SessionOf(name)
		if !ok {
			continue
		}
		info, err := w.Stat(dir + "/" + name)
		if err != nil {
			return nil, err
		}
		out = append(out, file{id, info.ModTime})
	}
	slices.SortStableFunc(out, func(a, b file) int { return b.at.Compare(a.at) })
	return out, nil
}

// present is the log file as it is now, empty when there is none yet.
func (s *Session) present(w world.World) ([]byte, error) {
	data, err := w.ReadFile(s.writer.File)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("session log %s: %w", s.writer.File, err)
	}
	return data, nil
}
