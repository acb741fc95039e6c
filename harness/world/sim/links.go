package sim

import (
	"io/fs"
	"path"
	"strings"
	"time"

	"harnessbench/harness/world"
)

// symlink is a name that leads to another path.
type symlink struct {
	target string // as it was given
	made   time.Time
}

// maxSymlinks is how many symlinks one name may lead through.
const maxSymlinks = 40

// Symlink makes a symlink at name, from outside. The target is an absolute path, or one relative to the symlink's
// directory; it need not exist.
func (d *Disk) Symlink(target, name string) error {
	at, err := d.followDirs("symlink", name)
	if err != nil {
		return err
	}
	if d.files[at] != nil || d.symlinks[at].target != "" || target == "" {
		return &fs.PathError{Op: "symlink", Path: name, Err: errExists}
	}
	if err := d.place(at, name); err != nil {
		return err
	}
	d.last = d.last.Add(1)
	d.symlinks[at] = symlink{target, d.last}
	return nil
}

// Link gives a file another name, from outside.
func (d *Disk) Link(old, name string) error {
	from, err := d.followDirs("link", old)
	if err != nil {
		return err
	}
	node := d.files[from]
	if node == nil {
		return &fs.PathError{Op: "link", Path: old, Err: fs.ErrNotExist}
	}
	at, err := d.followDirs("link", name)
	if err != nil {
		return err
	}
	if d.files[at] != nil || d.symlinks[at].target != "" {
		return &fs.PathError{Op: "link", Path: name, Err: errExists}
	}
	if err := d.place(at, name); err != nil {
		return err
	}
	d.files[at] = node
	node.links++
	return nil
}

// resolve is the path without symlinks; what does not exist stays as it is named.
func (d *Disk) resolve(name string) (string, error) {
	at, err := d.follow("resolve", name)
	if err != nil {
		return "", err
	}
	if d.files[at] == nil && !d.isDir(at) {
		return name, nil
	}
	return at, nil
}

// follow is the path that a name leads to through all symlinks.
func (d *Disk) follow(op, name string) (string, error) {
	at, err := d.followDirs(op, name)
	for n := 0; err == nil; n++ {
		link, ok := d.symlinks[at]
		if !ok {
			return at, nil
		}
		if n == maxSymlinks {
			return "", &fs.PathError{Op: op, Path: name, Err: errLoop}
		}
		at, err = d.followDirs(op, link.from(at))
	}
	return "", err
}

// followDirs is the path of a name with the symlinks among its directories followed, its last part not.
func (d *Disk) followDirs(op, name string) (string, error) {
	if err := world.CheckPath(op, name); err != nil {
		return "", err
	}
	if len(d.symlinks) == 0 || name == "/" {
		return name, nil
	}
	at, left := "/", strings.Split(name[1:], "/")
	for n := 0; len(left) > 1; {
		at, left = path.Join(at, left[0]), left[1:]
		link, ok := d.symlinks[at]
		if !ok {
			continue
		}
		if n++; n > maxSymlinks {
			return "", &fs.PathError{Op: op, Path: name, Err: errLoop}
		}
		at, left = "/", append(strings.Split(link.from(at)[1:], "/"), left...)
	}
	return path.Join(at, left[0]), nil
}

// from is the path that a symlink at this place names.
func (l symlink) from(at string) string {
	if path.IsAbs(l.target) {
		return path.Clean(l.target)
	}
	return path.Join(path.Dir(at), l.target)
}
