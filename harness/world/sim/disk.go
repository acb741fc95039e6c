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
// as something stands in them. It is not for several goroutines.
//
// A file's time is the virtual time of its last write, but at least a nanosecond after that of the write before, on
// any file: what was written at one instant keeps its order. A write from outside comes right behind the newest.
type Disk struct {
	files    map[string]*inode
	symlinks map[string]symlink
	last     time.Time // of the newest write
	dirs     map[string]map[string]bool
}

// inode is the content of a file, which several names may share.
type inode struct {
	data  []byte
	time  time.Time
	links int
}

// NewDisk is an empty disk.
func NewDisk() *Disk {
	return &Disk{files: map[string]*inode{}, symlinks: map[string]symlink{}, dirs: map[string]map[string]bool{}}
}

// Read gives a copy of a file.
func (d *Disk) Read(name string) ([]byte, error) {
	at, err := d.follow("open", name)
	if err != nil {
		return nil, err
	}
	switch node := d.files[at]; {
	case node != nil:
		return bytes.Clone(node.data), nil
	case d.isDir(at):
		return nil, &fs.PathError{Op: "read", Path: name, Err: errIsDir}
	default:
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
}

// Write puts a whole file in place, from outside.
func (d *Disk) Write(name string, data []byte) error { return d.put(name, data, d.last) }

// Remove deletes a file, from outside.
func (d *Disk) Remove(name string) error { return d.remove(name) }

// put writes a file as a program does: through symlinks, and seen under each of its names.
func (d *Disk) put(name string, data []byte, now time.Time) error {
	node, err := d.open(name)
	if err != nil {
		return err
	}
	node.data = append([]byte{}, data...)
	d.stamp(node, now)
	return nil
}

// replace puts a new file where the name stands, as a rename does: a symlink there is gone, other names keep the old
// content.
func (d *Disk) replace(name string, data []byte, now time.Time) error {
	at, err := d.followDirs("open", name)
	if err != nil {
		return err
	}
	if old := d.files[at]; old != nil && old.links > 1 {
		old.links--
		delete(d.files, at)
	}
	delete(d.symlinks, at)
	node, err := d.at(at, name)
	if err != nil {
		return err
	}
	node.data = append([]byte{}, data...)
	d.stamp(node, now)
	return nil
}

func (d *Disk) append(name string, data []byte, now time.Time) error {
	node, err := d.open(name)
	if err != nil {
		return err
	}
	node.data = append(node.data, data...)
	d.stamp(node, now)
	return nil
}

// open is the file a name leads to; it is made when there is none.
func (d *Disk) open(name string) (*inode, error) {
	at, err := d.follow("open", name)
	if err != nil {
		return nil, err
	}
	return d.at(at, name)
}

// at is the file at a path without symlinks; it is made when there is none. name is for the error.
func (d *Disk) at(at, name string) (*inode, error) {
	if node := d.files[at]; node != nil {
		return node, nil
	}
	if err := d.place(at, name); err != nil {
		return nil, err
	}
	d.files[at] = &inode{links: 1}
	return d.files[at], nil
}

// Files lists all files, sorted; symlinks are not among them.
func (d *Disk) Files() []string { return slices.Sorted(maps.Keys(d.files)) }

// Clone is an independent copy of the disk as it is now.
func (d *Disk) Clone() *Disk {
	c := NewDisk()
	c.last, c.symlinks = d.last, maps.Clone(d.symlinks)
	copies := map[*inode]*inode{}
	for name, node := range d.files { // any order: a copy
		if copies[node] == nil {
			copies[node] = &inode{bytes.Clone(node.data), node.time, node.links}
		}
		c.files[name] = copies[node]
	}
	for name, names := range d.dirs { // any order: a copy
		c.dirs[name] = maps.Clone(names)
	}
	return c
}

func (d *Disk) stamp(node *inode, now time.Time) {
	if !now.After(d.last) {
		now = d.last.Add(1)
	}
	node.time, d.last = now, now
}

func (d *Disk) isDir(at string) bool { return d.dirs[at] != nil || at == "/" }

func (d *Disk) stat(name string) (world.Info, error) {
	at, err := d.followDirs("stat", name)
	if err != nil {
		return world.Info{}, err
	}
	if node := d.files[at]; node != nil {
		return world.Info{Kind: world.Regular, Size: int64(len(node.data)), ModTime: node.time, Links: node.links}, nil
	}
	if link, ok := d.symlinks[at]; ok {
		return world.Info{Kind: world.Symlink, Size: int64(len(link.target)), ModTime: link.made, Links: 1}, nil
	}
	if d.isDir(at) {
		return world.Info{Kind: world.Directory, Links: 1}, nil
	}
	return world.Info{}, &fs.PathError{Op: "stat", Path: name, Err: fs.ErrNotExist}
}

func (d *Disk) readAt(name string, offset int64, n int) ([]byte, error) {
	at, err := d.follow("open", name)
	if err != nil {
		return nil, err
	}
	node := d.files[at]
	if node == nil {
		return d.Read(name) // which says what is wrong
	}
	from := max(0, min(offset, int64(len(node.data))))
	return bytes.Clone(node.data[from:min(from+int64(max(n, 0)), int64(len(node.data)))]), nil
}

// remove deletes a file or a symlink, and the directories above it that nothing is left in.
func (d *Disk) remove(name string) error {
	at, err := d.followDirs("remove", name)
	if err != nil {
		return err
	}
	node, isLink := d.files[at], d.symlinks[at].target != ""
	if node == nil && !isLink {
		if d.isDir(at) {
			return &fs.PathError{Op: "remove", Path: name, Err: errNotEmpty}
		}
		return &fs.PathError{Op: "remove", Path: name, Err: fs.ErrNotExist}
	}
	if node != nil {
		node.links--
	}
	delete(d.files, at)
	delete(d.symlinks, at)
	for child := at; child != "/"; child = path.Dir(child) {
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
	at, err := d.follow("readdir", name)
	if err != nil {
		return nil, err
	}
	if d.files[at] != nil {
		return nil, &fs.PathError{Op: "readdir", Path: name, Err: errNotDir}
	}
	return slices.Sorted(maps.Keys(d.dirs[at])), nil
}

// place makes sure that something can stand at a path without symlinks, with the directories above it.
func (d *Disk) place(at, name string) error {
	if d.isDir(at) {
		return &fs.PathError{Op: "open", Path: name, Err: errIsDir}
	}
	for dir := path.Dir(at); dir != "/"; dir = path.Dir(dir) {
		if d.files[dir] != nil {
			return &fs.PathError{Op: "open", Path: name, Err: fmt.Errorf("%s: %w", dir, errNotDir)}
		}
	}
	for child := at; child != "/"; child = path.Dir(child) {
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
	errExists   diskError = "file exists"
	errLoop     diskError = "too many levels of symbolic links"
)

type diskError string

func (e diskError) Error() string { return string(e) }
