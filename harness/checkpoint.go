package harness

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"harnessbench/harness/sessionlog"
	"harnessbench/harness/world"
)

// keptCheckpoints is how many of the newest checkpoints keep their backups; the first of each file stays besides
// (H-CMD-37).
const keptCheckpoints = 100

// checkpoints is what a session keeps of the files its tools edit (H-LOG-60 to H-LOG-65). Only files that Write, Edit or
// NotebookEdit touched are tracked; what commands, agents or others do to further files is not (H-CMD-37).
type checkpoints struct {
	shots []shot                       // one per prompt, in file order
	last  map[string]sessionlog.Backup // newest version of each tracked file, by its path in the log
	first map[string]string            // name of the first backup of each, "" when it did not exist
}

// shot is the state of the tracked files when a prompt came.
type shot struct {
	prompt string
	files  map[string]sessionlog.Backup
	edited map[string]bool // files edited in the prompt's turn
}

// checkpointsOf reads them from the records of a log. Within a prompt the first version of a file holds: later ones come
// from after its turn had begun.
func checkpointsOf(records []sessionlog.Snapshot) checkpoints {
	var c checkpoints
	for i := range records {
		r := &records[i]
		s := c.shot(r.Prompt)
		for _, b := range r.Files {
			if r.Update {
				s.edited[b.Path] = true
			}
			c.take(s, b)
		}
	}
	return c
}

// shot is the one of a prompt, made when there is none.
func (c *checkpoints) shot(prompt string) *shot {
	for i := len(c.shots) - 1; i >= 0; i-- {
		if c.shots[i].prompt == prompt {
			return &c.shots[i]
		}
	}
	c.shots = append(c.shots, shot{prompt, map[string]sessionlog.Backup{}, map[string]bool{}})
	return &c.shots[len(c.shots)-1]
}

func (c *checkpoints) take(s *shot, b sessionlog.Backup) {
	if c.last == nil {
		c.last, c.first = map[string]sessionlog.Backup{}, map[string]string{}
	}
	if _, known := c.first[b.Path]; !known {
		c.first[b.Path] = b.Name
	}
	if before, known := c.last[b.Path]; !known || b.Version >= before.Version {
		c.last[b.Path] = b
	}
	if _, known := s.files[b.Path]; !known {
		s.files[b.Path] = b
	}
}

// changedSince tells whether a tool edited a tracked file in the turn of a prompt or in one that came later (H-CMD-36).
func (c *checkpoints) changedSince(prompt string) bool {
	for i := len(c.shots) - 1; i >= 0; i-- {
		if len(c.shots[i].edited) > 0 {
			return true
		}
		if c.shots[i].prompt == prompt {
			return false
		}
	}
	return false
}

// checkpointPrompt logs the state of the tracked files when a prompt has come, before its turn runs (H-LOG-61). A file
// that changed since its last backup, by whatever hand, gets a new one.
func (s *Session) checkpointPrompt(w world.World) error {
	shot := s.files.shot(s.prompt)
	for _, key := range slices.Sorted(maps.Keys(s.files.last)) {
		s.files.take(shot, s.backup(w, key))
	}
	if err := s.logShot(w, shot, false); err != nil {
		return err
	}
	s.prune(w)
	return nil
}

// checkpoint keeps the state of a file, an absolute path, before the first edit in the turn of the newest prompt
// (H-LOG-61, H-TOOL-22). A backup that cannot be made does not keep the edit from being made: it is reported, and a
// restore will say that it skipped the file.
func (s *Session) checkpoint(w world.World, file string) error {
	key, err := s.trackedAs(w, file)
	if err != nil {
		return err
	}
	shot := s.files.shot(s.prompt)
	if shot.edited[key] {
		return nil
	}
	if _, known := shot.files[key]; !known {
		s.files.take(shot, s.backup(w, key))
	}
	shot.edited[key] = true
	return s.logShot(w, shot, true)
}

func (s *Session) logShot(w world.World, shot *shot, update bool) error {
	r := sessionlog.Snapshot{Prompt: shot.prompt, Update: update, Time: stamp(w.Now())}
	for _, key := range slices.Sorted(maps.Keys(shot.files)) {
		if !update || shot.edited[key] {
			r.Files = append(r.Files, shot.files[key])
		}
	}
	return s.write(w, r.Encode())
}

// backup gives the version of a file that holds what the file holds now, and makes it when there is none yet.
func (s *Session) backup(w world.World, key string) sessionlog.Backup {
	before, known := s.files.last[key]
	now, err := w.ReadFile(s.fileOf(key))
	absent := errors.Is(err, fs.ErrNotExist)
	switch {
	case known && absent && before.Name == "":
		return before
	case known && err == nil && before.Name != "":
		if then, err := w.ReadFile(s.backupFile(before.Name)); err == nil && bytes.Equal(then, now) {
			return before
		}
	}
	b := sessionlog.Backup{Path: key, Version: before.Version + 1, Time: stamp(w.Now())}
	if absent {
		return b
	}
	b.Name = fmt.Sprintf("%s@v%d", s.backupHash(s.fileOf(key), now), b.Version)
	if err == nil {
		err = w.Replace(s.backupFile(b.Name), now)
	}
	if err != nil { // the name stays without a file, so that a restore does not take another version for this one
		s.notice(fmt.Sprintf("There is no backup of %s: %v", s.fileOf(key), err))
	}
	return b
}

// backupHash begins the name of a backup: 16 hex digits of the content, or of the path (H-LOG-62, log.backupName).
func (s *Session) backupHash(file string, content []byte) string {
	if s.cfg.Switches.BackupName == "path" {
		content = []byte(file)
	}
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:])[:16]
}

func (s *Session) backupFile(name string) string {
	return sessionlog.HistoryDir(s.cfg.ConfigDir, s.id) + "/" + path.Base(name)
}

// trackedAs is the path of a file in the log: relative to the project directory when inside it (H-LOG-64). Its directory
// is resolved, so that a file has one name.
func (s *Session) trackedAs(w world.World, file string) (string, error) {
	dir, err := w.Resolve(path.Dir(file))
	if err != nil {
		return "", fmt.Errorf("checkpoint of %s: %w", file, err)
	}
	file = path.Join(dir, path.Base(file))
	if in, ok := strings.CutPrefix(file, s.cfg.Cwd+"/"); ok {
		return in, nil
	}
	return file, nil
}

// fileOf is the absolute path of a tracked file.
func (s *Session) fileOf(key string) string {
	if path.IsAbs(key) {
		return path.Clean(key)
	}
	return path.Join(s.cfg.Cwd, key)
}

// prune deletes the backups that only checkpoints beyond the kept ones use.
func (s *Session) prune(w world.World) {
	old := len(s.files.shots) - keptCheckpoints
	if old <= 0 {
		return
	}
	needed := map[string]bool{}
	for _, name := range s.files.first { // any order: it fills a set
		needed[name] = true
	}
	for i := old; i < len(s.files.shots); i++ {
		for _, b := range s.files.shots[i].files { // any order: it fills a set
			needed[b.Name] = true
		}
	}
	gone := &s.files.shots[old-1]
	for _, key := range slices.Sorted(maps.Keys(gone.files)) {
		name := gone.files[key].Name
		if needed[name] || name == "" {
			continue
		}
		needed[name] = true
		if err := w.Remove(s.backupFile(name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			s.notice(fmt.Sprintf("The old backup %s could not be deleted: %v", s.backupFile(name), err))
		}
	}
}
