package harness

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"

	"harnessbench/harness/sessionlog"
	"harnessbench/harness/world"
)

// restoreCode puts every tracked file back to what it was when a prompt came, and deletes those that did not exist then
// (H-CMD-35). What cannot be restored safely is left alone and reported (H-CMD-37).
func (s *Session) restoreCode(w world.World, prompt string) (Restored, error) {
	var r Restored
	versions := s.files.at(s.shotOf(prompt))
	for _, key := range slices.Sorted(maps.Keys(versions)) {
		file := s.fileOf(key)
		switch changed, err := s.restoreFile(w, file, versions[key]); {
		case err != nil:
			r.Skipped = append(r.Skipped, file)
		case changed:
			r.Files = append(r.Files, file)
		}
	}
	if n := len(r.Skipped); n > 0 {
		s.notice(fmt.Sprintf("Restored the code, but skipped %d files", n))
	}
	return r, nil
}

// shotOf is the index of the first checkpoint at a prompt or after it.
func (s *Session) shotOf(prompt string) int {
	for i := range s.files.shots {
		if s.files.shots[i].prompt == prompt {
			return i
		}
	}
	p := s.log.Find(prompt)
	for i := range s.files.shots {
		if e := s.log.Find(s.files.shots[i].prompt); e != nil && p != nil && e.Order > p.Order {
			return i
		}
	}
	return len(s.files.shots)
}

// at gives the version of each file that was valid at a checkpoint: the first one kept from there on, since a file is
// kept before it is edited.
func (c *checkpoints) at(i int) map[string]sessionlog.Backup {
	valid := map[string]sessionlog.Backup{}
	for ; i < len(c.shots); i++ {
		for key, b := range c.shots[i].files { // any order: it fills a map
			if _, known := valid[key]; !known {
				valid[key] = b
			}
		}
	}
	return valid
}

// restoreFile puts one file back. A file reached through a link of either kind, in a directory that is another one by
// now, or whose backup cannot be read is an error, and left alone.
func (s *Session) restoreFile(w world.World, file string, b sessionlog.Backup) (changed bool, err error) {
	info, err := w.Stat(file)
	absent := errors.Is(err, fs.ErrNotExist)
	if err != nil && !absent {
		return false, err
	}
	if absent && b.Name == "" {
		return false, nil
	}
	var want []byte
	if b.Name != "" {
		if want, err = w.ReadFile(s.backupFile(b.Name)); err != nil {
			return false, fmt.Errorf("backup %s of %s: %w", b.Name, file, err)
		}
		if now, err := w.ReadFile(file); err == nil && bytes.Equal(now, want) {
			return false, nil
		}
	}
	if dir, err := w.Resolve(path.Dir(file)); err != nil || dir != path.Dir(file) {
		return false, fmt.Errorf("%s: its directory is now %s", file, dir)
	}
	if !absent && (info.Kind != world.Regular || info.Links > 1) {
		return false, fmt.Errorf("%s: it is a link, a directory or a special file", file)
	}
	if b.Name == "" {
		return true, w.Remove(file)
	}
	return true, w.Write(file, want)
}
