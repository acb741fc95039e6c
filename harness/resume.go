package harness

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"
	"time"

	"harnessbench/harness/sessionlog"
	"harnessbench/harness/world"
)

// Resume continues a session: "" is the newest of the project, otherwise ref is a session id, of whatever project, or
// the exact title of a session of this one. It announces nothing to the model and writes nothing by itself (H-CMD-40,
// H-CMD-41). The session goes on in its own file, wherever that lies; what stands before the conversation is made from
// disk again (H-CMD-43).
func Resume(w world.World, cfg Config, ref string) (*Session, error) {
	m, err := cfg.check()
	if err != nil {
		return nil, err
	}
	s := &Session{cfg: cfg, model: m, ttl: cfg.ttl()}
	s.heedPercent()
	if s.project, err = projectDir(w, cfg); err != nil {
		return nil, err
	}
	file, err := find(w, cfg, s.project, ref)
	if err != nil {
		return nil, err
	}
	s.home = path.Dir(file.File)
	s.open(file.Session, nil)
	var size int64
	if s.log, size, err = s.load(w); err != nil {
		return nil, fmt.Errorf("resume: %w", err)
	}
	if size == 0 {
		return nil, notFound(ref)
	}
	s.writer.Accept(size, s.log.Report.Open)
	s.writer.Entrypoint = cmp.Or(s.log.Entrypoint(), s.cfg.Entrypoint)
	s.leaf, s.pinned = s.log.Leaf(), s.log.Pinned()
	s.resumedAt = s.leaf
	s.restoreState()
	if s.fresh, err = s.snapshot(w); err != nil {
		return nil, err
	}
	if s.model.Bound {
		if err := s.thaw(w); err != nil {
			return nil, err
		}
	}
	s.take(s.log)
	path, _ := s.log.Path(s.leaf)
	s.stand(path)
	s.tellOddities()
	return s, nil
}

// tellOddities tells what the load passed over, and a path that does not reach its root (H-LOG-83, H-LOG-84), or a
// second branch that grew beside it (H-CMD-47).
func (s *Session) tellOddities() {
	for _, text := range s.log.Report.Sentences() {
		s.notice(text)
	}
	if c, ok := s.log.CutOf(s.leaf); ok {
		s.notice(fmt.Sprintf("The conversation begins at entry %s, because the parent %s is not in the log: %d earlier entries are not reached. "+
			"With resume.dangling=bridge it goes on at the nearest one.", c.Entry, c.Missing, c.Lost))
	}
	if at := s.log.Interleaved(); at != "" {
		s.notice("concurrent_writer: two branches of the log grew side by side behind entry " + at + ", as when two processes share a session. " +
			"One of them is shown; the other is in the file.")
	}
}

// notFound has the wording of H-CMD-40.
func notFound(ref string) error { return fmt.Errorf("No conversation found with session ID: %s", ref) }

// find looks for the session a ref names.
func find(w world.World, cfg Config, own, ref string) (sessionlog.Listed, error) {
	dirs, err := projectDirs(w, cfg, own)
	if err != nil {
		return sessionlog.Listed{}, err
	}
	switch {
	case ref == "":
		return newest(w, cfg, dirs)
	case sessionlog.IsUUID(ref):
		return byID(w, cfg, dirs, ref)
	}
	return byTitle(w, cfg, ref)
}

// byID looks in the project first, then on the whole machine, where the id must be unique.
func byID(w world.World, cfg Config, dirs []string, id string) (sessionlog.Listed, error) {
	all, err := allProjects(w, cfg)
	if err != nil {
		return sessionlog.Listed{}, err
	}
	for _, in := range [][]string{dirs, all} {
		var found []sessionlog.Listed
		for _, dir := range in {
			file := sessionlog.File(dir, id)
			info, err := w.Stat(file)
			switch {
			case errors.Is(err, fs.ErrNotExist):
			case err != nil:
				return sessionlog.Listed{}, fmt.Errorf("session log %s: %w", file, err)
			default:
				found = append(found, sessionlog.Listed{Session: id, File: file, Written: info.ModTime, Size: info.Size})
			}
		}
		if len(found) == 1 {
			return found[0], nil
		}
	}
	return sessionlog.Listed{}, notFound(id)
}

// byTitle takes the one session of the project with exactly this title.
func byTitle(w world.World, cfg Config, title string) (sessionlog.Listed, error) {
	list, err := List(w, cfg)
	if err != nil {
		return sessionlog.Listed{}, err
	}
	var found []sessionlog.Listed
	var ids []string
	for _, l := range list {
		if l.Title == title {
			found, ids = append(found, l), append(ids, l.Session)
		}
	}
	switch len(found) {
	case 0:
		return sessionlog.Listed{}, notFound(title)
	case 1:
		return found[0], nil
	}
	return sessionlog.Listed{}, fmt.Errorf("resume: %d sessions are titled %q; name one by its id: %s", len(found), title, strings.Join(ids, ", "))
}

// newest finds the session of the project whose file was written last (H-CMD-40). On a disk that does not tell two
// of them apart by time, the one that began later is the newer. What a program began stays the program's.
func newest(w world.World, cfg Config, dirs []string) (sessionlog.Listed, error) {
	files, err := sessionFiles(w, dirs)
	if err != nil {
		return sessionlog.Listed{}, err
	}
	var best sessionlog.Listed
	var at time.Time
	for _, f := range files {
		if best.Session != "" && f.Written.Before(at) {
			break
		}
		l, err := glance(w, f)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return sessionlog.Listed{}, err
		}
		if !l.Continuable || ofProgram(l.Entrypoint) && !ofProgram(cfg.Entrypoint) {
			continue
		}
		if best.Session != "" && (best.Began == "" || l.Began != "" && l.Began <= best.Began) { // without entries it has just begun
			continue
		}
		best, at = l, l.Written
	}
	if best.Session == "" {
		return best, fmt.Errorf("no session in %s", dirs[0])
	}
	return best, nil
}

// ofProgram tells the entrypoints of sessions that no person talks to.
func ofProgram(entrypoint string) bool { return strings.HasPrefix(entrypoint, "sdk") }

// glanced is how much of a file glance reads first, in bytes.
const glanced = 64 << 10

// glance tells of a session what its beginning shows, and reads the rest only where that leaves open whether it can be
// gone on with.
func glance(w world.World, f sessionlog.Listed) (sessionlog.Listed, error) {
	head, err := w.ReadAt(f.File, 0, glanced)
	if err != nil {
		return f, fmt.Errorf("session log %s: %w", f.File, err)
	}
	l := sessionlog.Describe(head)
	if !l.Continuable && f.Size > glanced {
		return describe(w, f)
	}
	l.Session, l.File, l.Written, l.Size = f.Session, f.File, f.Written, f.Size
	return l, nil
}

// present is the log file as it is now, empty when there is none yet.
func (s *Session) present(w world.World) ([]byte, error) {
	data, err := w.ReadFile(s.writer.File)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("session log %s: %w", s.writer.File, err)
	}
	return data, nil
}
