package harness

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"harnessbench/harness/sessionlog"
	"harnessbench/harness/world"
)

// projectDir is where new sessions of a project begin (H-LOG-1 to H-LOG-4). The working directory is resolved first,
// so that a symlink to a project is that project.
func projectDir(w world.World, cfg Config) (string, error) {
	cwd, err := w.Resolve(cfg.Cwd)
	if err != nil {
		return "", fmt.Errorf("project directory %s: %w", cfg.Cwd, err)
	}
	return sessionlog.Dir(cfg.ConfigDir, cwd, cfg.ProjectDirName), nil
}

// projectDirs are the directories that may hold sessions of a project: its own first, then those of other runtimes
// that cut a long slug and hash it another way (H-LOG-3).
func projectDirs(w world.World, cfg Config, own string) ([]string, error) {
	dirs := []string{own}
	prefix, long := sessionlog.LongSlugPrefix(strings.TrimPrefix(own, sessionlog.Projects(cfg.ConfigDir)+"/"))
	if !long {
		return dirs, nil
	}
	all, err := allProjects(w, cfg)
	if err != nil {
		return nil, err
	}
	for _, dir := range all {
		name := strings.TrimPrefix(dir, sessionlog.Projects(cfg.ConfigDir)+"/")
		if dir != own && strings.HasPrefix(name, prefix) {
			dirs = append(dirs, dir)
		}
	}
	return dirs, nil
}

// allProjects are the directories of all projects, sorted.
func allProjects(w world.World, cfg Config) ([]string, error) {
	root := sessionlog.Projects(cfg.ConfigDir)
	names, err := w.ReadDir(root)
	if err != nil {
		return nil, fmt.Errorf("sessions in %s: %w", root, err)
	}
	var dirs []string
	for _, name := range names {
		info, err := w.Stat(root + "/" + name)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		if info.Kind == world.Directory {
			dirs = append(dirs, root+"/"+name)
		}
	}
	return dirs, nil
}

// List gives the sessions of the project, the one written last first (H-LOG-5, H-LOG-71, H-LOG-72). It reads the
// files themselves; there is no index that could be stale.
func List(w world.World, cfg Config) ([]sessionlog.Listed, error) {
	if _, err := cfg.check(); err != nil {
		return nil, err
	}
	own, err := projectDir(w, cfg)
	if err != nil {
		return nil, err
	}
	dirs, err := projectDirs(w, cfg, own)
	if err != nil {
		return nil, err
	}
	var out []sessionlog.Listed
	files, err := sessionFiles(w, dirs)
	if err != nil {
		return nil, err
	}
	for _, f := range files {
		l, err := describe(w, f)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		if l.InList() {
			out = append(out, l)
		}
	}
	slices.SortStableFunc(out, func(a, b sessionlog.Listed) int {
		if c := b.Written.Compare(a.Written); c != 0 {
			return c
		}
		return strings.Compare(b.Began, a.Began) // a disk may not tell two files apart by time
	})
	return out, nil
}

// sessionFiles are the logs in some directories, the one written last first; only what needs no reading is told.
func sessionFiles(w world.World, dirs []string) ([]sessionlog.Listed, error) {
	var out []sessionlog.Listed
	for _, dir := range dirs {
		names, err := w.ReadDir(dir)
		if err != nil {
			return nil, fmt.Errorf("sessions in %s: %w", dir, err)
		}
		for _, name := range names {
			id, ok := sessionlog.SessionOf(name)
			if !ok {
				continue
			}
			file := sessionlog.File(dir, id)
			info, err := w.Stat(file)
			if errors.Is(err, fs.ErrNotExist) { // gone since
				continue
			}
			if err != nil {
				return nil, fmt.Errorf("session log %s: %w", file, err)
			}
			if info.Kind != world.Directory {
				out = append(out, sessionlog.Listed{Session: id, File: file, Written: info.ModTime, Size: info.Size})
			}
		}
	}
	slices.SortStableFunc(out, func(a, b sessionlog.Listed) int { return b.Written.Compare(a.Written) })
	return out, nil
}

// describe reads the rest of what is told about a session.
func describe(w world.World, f sessionlog.Listed) (sessionlog.Listed, error) {
	data, err := w.ReadFile(f.File)
	if err != nil {
		return f, fmt.Errorf("session log %s: %w", f.File, err)
	}
	l := sessionlog.Describe(data)
	l.Session, l.File, l.Written, l.Size = f.Session, f.File, f.Written, f.Size
	return l, nil
}
