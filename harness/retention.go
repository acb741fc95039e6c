package harness

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"time"

	"harnessbench/harness/sessionlog"
	"harnessbench/harness/world"
)

// RetentionDays is cleanupPeriodDays where nothing else is set, in days (H-LOG-7).
const RetentionDays = 30

// Retain deletes what was last written more than so many days ago (H-LOG-7): session logs with what lies beside them,
// checkpoints and plan files, of all projects; auto memory stays whatever its age. days 0 is RetentionDays, less than
// 1 is refused. What a log in use needs is as young as its log. It gives the files removed, sorted; what could not be
// removed is an error at the end, after all the rest was done.
func Retain(w world.World, cfg Config, days int) (removed []string, err error) {
	if _, err := cfg.check(); err != nil {
		return nil, err
	}
	if days == 0 {
		days = RetentionDays
	}
	if days < 1 {
		return nil, fmt.Errorf("retention: %d days, want 1 or more, or 0 for %d", days, RetentionDays)
	}
	r := retention{w: w, before: w.Now().Add(-time.Duration(days) * 24 * time.Hour), alive: map[string]bool{}}
	r.projects(cfg)
	r.history(cfg)
	r.tree(sessionlog.Plans(cfg.ConfigDir))
	slices.Sort(r.removed)
	return r.removed, errors.Join(r.errs...)
}

type retention struct {
	w       world.World
	before  time.Time
	alive   map[string]bool // sessions whose log stays
	removed []string
	errs    []error
}

func (r *retention) projects(cfg Config) {
	dirs, err := allProjects(r.w, cfg)
	if err != nil {
		r.errs = append(r.errs, err)
		return
	}
	for _, dir := range dirs {
		logs, err := sessionFiles(r.w, []string{dir})
		if err != nil {
			r.errs = append(r.errs, err)
			continue
		}
		for _, l := range logs {
			if !l.Written.Before(r.before) {
				r.alive[l.Session] = true
			}
		}
		for _, name := range r.names(dir) {
			path := dir + "/" + name
			if path == sessionlog.Memory(dir) || r.alive[strings.TrimSuffix(name, ".jsonl")] {
				continue
			}
			r.visit(path)
		}
		r.empty(dir)
	}
}

// history is the checkpoints of sessions that are no longer there.
func (r *retention) history(cfg Config) {
	root := sessionlog.FileHistory(cfg.ConfigDir, "")
	root = strings.TrimSuffix(root, "/")
	for _, session := range r.names(root) {
		if !r.alive[session] {
			r.visit(root + "/" + session)
		}
	}
}

func (r *retention) names(dir string) []string {
	names, err := r.w.ReadDir(dir)
	if err != nil {
		r.errs = append(r.errs, fmt.Errorf("retention: %w", err))
	}
	return names
}

// tree visits all that stands in a directory.
func (r *retention) tree(dir string) {
	for _, name := range r.names(dir) {
		r.visit(dir + "/" + name)
	}
}

// visit removes an old file, and a directory that this emptied. Symlinks and devices are not ours.
func (r *retention) visit(path string) {
	info, err := r.w.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		r.errs = append(r.errs, fmt.Errorf("retention: %w", err))
	case info.Kind == world.Directory:
		r.tree(path)
		r.empty(path)
	case info.Kind == world.Regular && info.ModTime.Before(r.before):
		if err := r.w.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			r.errs = append(r.errs, fmt.Errorf("retention: %w", err))
			return
		}
		r.removed = append(r.removed, path)
	}
}

// empty removes a directory that holds nothing any more. One that something was put into meanwhile stays.
func (r *retention) empty(dir string) {
	if len(r.removed) == 0 || !strings.HasPrefix(r.removed[len(r.removed)-1], dir+"/") || len(r.names(dir)) > 0 {
		return
	}
	_ = r.w.Remove(dir) // the next retention finds it again
}
