package golden

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"

	"github.com/aymanbagabas/go-udiff"
)

// Files is where goldens are kept. Read's error is fs.ErrNotExist when there is none.
type Files struct {
	Read  func(path string) ([]byte, error)
	Write func(path string, data []byte) error
}

// Compare holds a text against the agreed one. diff is empty when they are equal, else a unified diff
// from what is wanted to what was got. With update, a text that differs is written instead and diff
// is empty. A golden that does not exist differs in every line.
func (f Files) Compare(path string, got []byte, update bool) (diff string, err error) {
	want, err := f.Read(path)
	missing := errors.Is(err, fs.ErrNotExist)
	if err != nil && !missing {
		return "", fmt.Errorf("golden %s: %w", path, err)
	}
	if !missing && bytes.Equal(want, got) {
		return "", nil
	}
	if update {
		if err := f.Write(path, got); err != nil {
			return "", fmt.Errorf("golden %s: %w", path, err)
		}
		return "", nil
	}
	if missing {
		path += " (there is none yet; --update writes it)"
	}
	return udiff.Unified("want "+path, "got", string(want), string(got)), nil
}
