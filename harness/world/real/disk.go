package real

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

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

func (h handle) ModTime(path string) (time.Time, error) {
	h.f.pass()
	host, err := h.host("stat", path)
	if err != nil {
		return time.Time{}, err
	}
	info, err := os.Stat(host)
	switch {
	case err != nil:
		return time.Time{}, named(err, path)
	case info.IsDir():
		return time.Time{}, &fs.PathError{Op: "stat", Path: path, Err: syscall.EISDIR}
	}
	return info.ModTime(), nil
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
