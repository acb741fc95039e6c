package world

import (
	"fmt"
	"io/fs"
	"path"
	"strings"
)

// CheckPath refuses what no Disk takes: op is for the error.
func CheckPath(op, name string) error {
	if !strings.HasPrefix(name, "/") || path.Clean(name) != name {
		return &fs.PathError{Op: op, Path: name,
			Err: fmt.Errorf("%w: want an absolute, clean slash path", fs.ErrInvalid)}
	}
	return nil
}
