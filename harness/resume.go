package harness

import (
	"errors"
	"fmt"
	"io/fs"

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
	path, _ := s.log.Path(s.leaf)
	s.stand(path)
	return s, nil
}

// newest finds the session of a project that was written last. The disk port has no times of files, so
// the last timestamp in each log decides; of equal ones the file that began later.
func newest(w world.World, dir string) (id string, data []byte, err error) {
	names, err := w.ReadDir(dir)
	if err != nil {
		return "", nil, err
	}
	var best [2]string
	for _, name := range names {
		session, ok := sessionlog.SessionOf(name)
		if !ok {
			continue
		}
		body, err := w.ReadFile(dir + "/" + name)
		if err != nil {
			return "", nil, err
		}
		first, last, listed := sessionlog.Span(body)
		at := [2]string{last, first}
		if listed && (id == "" || at[0] > best[0] || at[0] == best[0] && at[1] >= best[1]) {
			id, data, best = session, body, at
		}
	}
	if id == "" {
		return "", nil, fmt.Errorf("no session in %s", dir)
	}
	return id, data, nil
}

// present is the log file as it is now, empty when there is none yet.
func (s *Session) present(w world.World) ([]byte, error) {
	data, err := w.ReadFile(s.writer.File)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("session log %s: %w", s.writer.File, err)
	}
	return data, nil
}
