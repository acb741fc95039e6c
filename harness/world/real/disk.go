package real

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"harnessbench/harness/world"
)

// half ends the names of files that Replace has not yet put in place. One that a crash left behind is
// no file of the harness: ReadDir does not list it, the next Replace overwrites it.
const half = ".replacing"

func (h handle) ReadFile(path string) ([]byte, error) {
	h.f.pass()
	host, err := h.host("open", path)
	if err != nil {
		return nil, err
	}
	data, err := os.ReadFile(host)
	return data, named(err, path)
}

func (h handle) Append(path string, data []byte) error {
	h.f.pass()
	host, err := h.host("open", path)
	if err != nil {
		return err
	}
	return named(write(host, os.O_APPEND, data, false), path)
}

func (h handle) Replace(path string, data []byte) error {
	h.f.pass()
	host, err := h.host("open", path)
	if err != nil {
		return err
	}
	return named(replace(host, data), path)
}

func (h handle) ReadDir(path string) ([]string, error) {
	h.f.pass()
	host, err := h.host("readdir", path)
	if err != nil {
		return nil, err
	}
	entries, err := os.ReadDir(host)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, named(err, path)
	}
	var names []string
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), half) {
			names = append(names, e.Name())
		}
	}
	return names, nil
}

func (h handle) Stat(path string) (world.Info, error) {
	h.f.pass()
	host, err := h.host("stat", path)
	if err != nil {
		return world.Info{}, err
	}
	info, err := os.Lstat(host)
	if err != nil {
		return world.Info{}, named(err, path)
	}
	out := world.Info{Kind: world.OtherKind, Size: info.Size(), ModTime: info.ModTime(), Links: 1}
	switch mode := info.Mode(); {
	case mode.IsRegular():
		out.Kind = world.Regular
	case mode.IsDir():
		out.Kind = world.Directory
	case mode&fs.ModeSymlink != 0:
		out.Kind = world.Symlink
	}
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		out.Links = int(st.Nlink)
	}
	return out, nil
}

func (h handle) ReadAt(path string, offset int64, n int) ([]byte, error) {
	h.f.pass()
	host, err := h.host("open", path)
	if err != nil {
		return nil, err
	}
	f, err := os.Open(host)
	if err != nil {
		return nil, named(err, path)
	}
	defer f.Close()
	data := make([]byte, max(n, 0))
	got, err := f.ReadAt(data, max(offset, 0))
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return data[:got], named(err, path)
}

func (h handle) Write(path string, data []byte) error {
	h.f.pass()
	host, err := h.host("open", path)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(host), 0o755); err != nil {
		return named(err, path)
	}
	return named(os.WriteFile(host, data, 0o644), path)
}

func (h handle) Remove(path string) error {
	h.f.pass()
	host, err := h.host("remove", path)
	if err != nil {
		return err
	}
	return named(os.Remove(host), path)
}

func (h handle) Resolve(path string) (string, error) {
	h.f.pass()
	host, err := h.host("resolve", path)
	if err != nil {
		return "", err
	}
	root, err := filepath.EvalSymlinks(h.f.p.m.cfg.Root)
	if errors.Is(err, fs.ErrNotExist) {
		return path, nil
	}
	if err != nil {
		return "", named(err, path)
	}
	found, err := filepath.EvalSymlinks(host)
	if errors.Is(err, fs.ErrNotExist) {
		return path, nil
	}
	if err != nil {
		return "", named(err, path)
	}
	inside, ok := strings.CutPrefix(found, root)
	if !ok {
		return path, nil // outside of the machine's root there is no name for it
	}
	return "/" + strings.TrimPrefix(filepath.ToSlash(inside), "/"), nil
}

// host is where a file of the machine stands on this computer.
func (h handle) host(op, path string) (string, error) {
	if err := world.CheckPath(op, path); err != nil {
		return "", err
	}
	return filepath.Join(h.f.p.m.cfg.Root, filepath.FromSlash(path)), nil
}

// named puts the machine's own path in the place of the computer's.
func named(err error, path string) error {
	var inPath *fs.PathError
	var inLink *os.LinkError
	switch {
	case errors.As(err, &inPath):
		return &fs.PathError{Op: inPath.Op, Path: path, Err: inPath.Err}
	case errors.As(err, &inLink):
		return &fs.PathError{Op: inLink.Op, Path: path, Err: inLink.Err}
	default:
		return err
	}
}

// write opens a file, with its directories, and writes in one call.
func write(host string, flag int, data []byte, sync bool) error {
	flag |= os.O_CREATE | os.O_WRONLY
	f, err := os.OpenFile(host, flag, 0o600)
	if errors.Is(err, fs.ErrNotExist) {
		if err := os.MkdirAll(filepath.Dir(host), 0o700); err != nil {
			return err
		}
		f, err = os.OpenFile(host, flag, 0o600)
	}
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err == nil && sync {
		err = f.Sync()
	}
	return errors.Join(err, f.Close())
}

func replace(host string, data []byte) error {
	if err := write(host+half, os.O_TRUNC, data, true); err != nil {
		return err
	}
	if err := os.Rename(host+half, host); err != nil {
		return errors.Join(err, os.Remove(host+half))
	}
	dir, err := os.Open(filepath.Dir(host))
	if err != nil {
		return err
	}
	return errors.Join(dir.Sync(), dir.Close())
}
