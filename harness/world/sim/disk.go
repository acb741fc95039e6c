package sim

import (
	"bytes"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"time"

	"harnessbench/harness/world"
)

// Disk is a tree of files in memory. It outlives the processes of a machine. Directories exist as far
// as files stand in them. It is not for several goroutines.
//
// A file's time is the virtual time of its last write, but at least a nanosecond after that of the write before, on
// any file: what was written at one instant keeps its order. A write from outside comes right behind the newest.
type Disk struct {
	files map[string][]byte
	times map[string]time.Time
	last  time.Time                  // of the newest write
	dirs  map[string]map[string]bool // directory -> names in it
}

// NewDisk is an empty disk.
func NewDisk() *Disk {
	return &Disk{files: map[string][]byte{}, times: map[string]time.Time{}, dirs: map[string]map[string]bool{}}
}

// Read gives a copy of a file.
func (d *Disk) Read(name string) ([]byte, error) {
	if err := world.CheckPath("open", name); err != nil {
		return nil, err
	}
	data, ok := d.files[name]
	switch {
	case ok:
		return bytes.Clone(data), nil
	case d.dirs[name] != nil:
		return nil, &fs.PathError{Op: "read", Path: name, Err: errIsDir}
	default:
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
}

// Write puts a whole file in place, from outside.
func (d *Disk) Write(name string, data []byte) error { return d.replace(name, data, d.last) }

func (d *Disk) replace(name string, data []byte, now time.Time) error {
	if err := d.place(name); err != nil {
		return err
	}
	d.files[name] = append([]byte{}, data...)
	d.stamp(name, now)
	return nil
}

// Files lists all files, sorted.
func (d *Disk) Files() []string { return slices.Sorted(maps.Keys(d.files)) }

// Clone is an independent copy of the disk as it is now.
func (d *Disk) Clone() *Disk {
	c := NewDisk()
	c.last, c.times = d.last, maps.Clone(d.times)
	for name, data := range d.files { // any order: a copy
		c.files[name] = bytes.Clone(data)
	}
	for name, names := range d.dirs { // any order: a copy
		c.dirs[name] = maps.Clone(names)
	}
	return c
}

func (d *Disk) append(name string, data []byte, now time.Time) error {
	if err := d.place(name); err != nil {
		return err
	}
	d.files[name] = append(d.files[name], data...)
	d.stamp(name, now)
	return nil
}

func (d *Disk) stamp(name string, now time.Time) {
	if !now.After(d.last) {
		now = d.last.Add(1)
	}
	d.times[name], d.last = now, now
}

func (d *Disk) stat(name string) (world.Info, error) {
	if err := world.CheckPath("stat", name); err != nil {
		return world.Info{}, err
	}
	if data, ok := d.files[name]; ok {
		return world.Info{Kind: world.Regular, Size: int64(len(data)), ModTime: d.times[name], Links: 1}, nil
	}
	if d.dirs[name] != nil {
		return world.Info{Kind: world.Directory, Links: 1}, nil
	}
	return world.Info{}, &fs.PathError{Op: "stat", Path: name, Err: fs.ErrNotExist}
}

func (d *Disk) readAt(name string, offset int64, n int) ([]byte, error) {
	data, err := d.Read(name)
	if err != nil {
		return nil, err
	}
	from := max(0, min(offset, int64(len(data))))
	return data[from:min(from+int64(max(n, 0)), int64(len(data)))], nil
}

// remove deletes a file, and the directories above it that nothing is left in.
func (d *Disk) remove(name string) error {
	if err := world.CheckPath("remove", name); err != nil {
		return err
	}
	if _, ok := d.files[name]; !ok {
		if d.dirs[name] != nil {
			return &fs.PathError{Op: "remove", Path: name, Err: errNotEmpty}
		}
		return &fs.PathError{Op: "remove", Path: name, Err: fs.ErrNotExist}
	}
	delete(d.files, name)
	delete(d.times, name)
	for child := name; child != "/"; child = path.Dir(child) {
		dir := path.Dir(child)
		delete(d.dirs[dir], path.Base(child))
		if len(d.dirs[dir]) > 0 {
			break
		}
		delete(d.dirs, dir)
	}
	return nil
}

func (d *Disk) readDir(name string) ([]string, error) {
	if err := world.CheckPath("readdir", name); err != nil {
		return nil, err
	}
	if _, ok := d.files[name]; ok {
		return nil, &fs.PathError{Op: "readdir", Path: name, Err: errNotDir}
	}
	return slices.Sorted(maps.Keys(d.dirs[name])), nil
}

// place makes sure that a file can stand at name, with the directories above it.
func (d *Disk) place(name string) error {
	if err := world.CheckPath("open", name); err != nil {
		return err
	}
	if _, ok := d.files[name]; ok {
		return nil
	}
	if d.dirs[name] != nil || name == "/" {
		return &fs.PathError{Op: "open", Path: name, Err: errIsDir}
	}
	for dir := path.Dir(name); dir != "/"; dir = path.Dir(dir) {
		if _, ok := d.files[dir]; ok {
			return &fs.PathError{Op: "open", Path: name, Err: fmt.Errorf("%s: %w", dir, errNotDir)}
		}
	}
	for child := name; child != "/"; child = path.Dir(child) {
		dir := path.Dir(child)
		if d.dirs[dir] == nil {
			d.dirs[dir] = map[string]bool{}
		}
		d.dirs[dir][path.Base(child)] = true
	}
	return nil
}

const (
	errIsDir    diskError = "is a directory"
	errNotDir   diskError = "not a directory"
	errNotEmpty diskError = "directory not empty"
)

type diskError string

func (e diskError) Error() string { return string(e) }
