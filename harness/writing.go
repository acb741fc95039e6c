package harness

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"time"

	"harnessbench/harness/sessionlog"
	"harnessbench/harness/world"
)

// Values of log.writers: what becomes of a session when another process appends to its log (H-LOG-87, D11).
const (
	WritersDetect = "detect" // go on and say so once
	WritersRefuse = "refuse" // do not write any more
	WritersFork   = "fork"   // go on in a copy of the own branch
)

// write logs side records (H-LOG-12); entries go through append.
func (s *Session) write(w world.World, lines []byte) error {
	if err := s.watch(w, false); err != nil {
		return err
	}
	return s.hand(w, lines)
}

// hand gives lines to the disk. When it returns without error they survive the process (H-LOG-80); after an error they
// count as not written: no entry becomes a parent, and the operation ends, but the session goes on (H-LOG-81, H-LOG-88).
func (s *Session) hand(w world.World, lines []byte) error {
	if s.cfg.NoPersistence {
		return nil
	}
	err := s.writer.Append(w, lines)
	s.failing.tell(w.Now(), err, s.notice)
	if err != nil {
		return fmt.Errorf("session log %s: %w", s.writer.File, err)
	}
	return nil
}

// watch looks whether somebody else wrote to the log since this process did (H-LOG-87). This detects, it does not lock:
// what comes between the look and the write is seen the next time. Only where entry is true, before an entry, the
// session may move to a copy of its branch.
func (s *Session) watch(w world.World, entry bool) error {
	if s.cfg.NoPersistence {
		return nil
	}
	var size int64
	info, err := w.Stat(s.writer.File)
	switch {
	case err == nil:
		size = info.Size
	case !errors.Is(err, fs.ErrNotExist):
		return nil // the write will say what is wrong
	}
	foreign := s.writer.Foreign(size)
	if foreign == 0 {
		return nil
	}
	switch s.cfg.Switches.Writers {
	case WritersRefuse:
		return fmt.Errorf("session log %s: concurrent_writer: another process writes to it, and log.writers is refuse; "+
			"resume the session again, or fork it", s.writer.File)
	case WritersFork:
		if !entry {
			return nil
		}
		return s.apart(w)
	}
	if !s.shared {
		s.shared = true
		s.notice(sharedText(s.writer.File, foreign))
	}
	s.writer.Accept(size, endsTorn(w, s.writer.File, size))
	return nil
}

func sharedText(file string, foreign int64) string {
	what := fmt.Sprintf("holds %d bytes that this process did not write", foreign)
	if foreign < 0 {
		what = fmt.Sprintf("is %d bytes shorter than this process left it", -foreign)
	}
	return "concurrent_writer: " + file + " " + what + ". Nothing on disk is lost, but each process goes on from the entry it knew, " +
		"and a later resume shows one of the branches alone. Fork the session to keep this one apart."
}

// endsTorn looks at the last byte of a file.
func endsTorn(w world.World, file string, size int64) bool {
	last, err := w.ReadAt(file, size-1, 1)
	return err == nil && sessionlog.Torn(last)
}

// apart goes on in a copy of the session's own branch, from which it has not been distracted. The entries keep their
// uuids, because what runs names them.
func (s *Session) apart(w world.World) error {
	file := s.writer.File
	if s.leaf == "" {
		s.open(w.UUID(), nil)
	} else {
		fork := s.cfg.Switches.Fork
		s.cfg.Switches.Fork = "preserve"
		defer func() { s.cfg.Switches.Fork = fork }()
		c, err := s.copyOf(w, s.leaf, "", nil)
		if err != nil {
			return err
		}
		if err := c.write(w, s); err != nil {
			return err
		}
		if err := s.moveTo(c); err != nil {
			return err
		}
	}
	s.notice("concurrent_writer: another process writes to " + file + ". This session goes on apart, as " + s.id + ".")
	return nil
}

// failure is a run of writes that failed (H-LOG-88).
type failure struct {
	since time.Time
	runs  bool
	told  bool
}

// patience is how long writes may fail before a failure that may pass by itself is told (H-LOG-88).
const patience = time.Minute

// errorCodes are the failures that do not pass by themselves, by the text the system gives them (H-LOG-88).
var errorCodes = [...]struct{ code, text string }{
	{"ENOSPC", "no space left on device"},
	{"EDQUOT", "disk quota exceeded"},
	{"EROFS", "read-only file system"},
	{"EACCES", "permission denied"},
	{"EPERM", "operation not permitted"},
	{"ENAMETOOLONG", "file name too long"},
}

// tell takes in how a write ended: it tells a failure that will not pass at once, another after a minute of them, and
// the end of what was told.
func (f *failure) tell(now time.Time, err error, notice func(string)) {
	if err == nil {
		if f.told {
			notice("The session log can be written again.")
		}
		*f = failure{}
		return
	}
	if !f.runs {
		f.since, f.runs = now, true
	}
	code := ""
	for _, c := range errorCodes {
		if strings.Contains(err.Error(), c.text) {
			code = c.code + ": "
		}
	}
	if f.told || code == "" && now.Sub(f.since) < patience {
		return
	}
	f.told = true
	notice("The session log cannot be written: " + code + err.Error() + ". What is not logged is not sent either; the session goes on when it can be.")
}
