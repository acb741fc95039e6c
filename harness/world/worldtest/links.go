package worldtest

import (
	"io/fs"
	"testing"

	"github.com/stretchr/testify/require"

	"harnessbench/harness/world"
)

// content reads a file that must be there.
func content(t *testing.T, w world.World, path string) string {
	t.Helper()
	data, err := w.ReadFile(path)
	require.NoError(t, err)
	return string(data)
}

// links are the situations of symlinks and hard links, made from outside.
var links = []situation{
	{"a symlink is read and written through, and tells that it is one", func(t *testing.T, s *stage) {
		s.run(t, func(w world.World) {
			require.NoError(t, w.Write("/p/real", []byte("one")))
			require.NoError(t, s.outside.Symlink("real", "/p/link"))
			require.Equal(t, "one", content(t, w, "/p/link"))
			require.NoError(t, w.Write("/p/link", []byte("two")))
			require.NoError(t, w.Append("/p/link", []byte("!")))
			require.Equal(t, "two!", content(t, w, "/p/real"))
			part, err := w.ReadAt("/p/link", 1, 2)
			require.NoError(t, err)
			require.Equal(t, "wo", string(part))
			info, err := w.Stat("/p/link")
			require.NoError(t, err)
			require.Equal(t, world.Symlink, info.Kind)
			got, err := w.Resolve("/p/link")
			require.NoError(t, err)
			require.Equal(t, "/p/real", got)
		})
	}},
	{"replace puts a file in a symlink's place, and leaves what it led to", func(t *testing.T, s *stage) {
		s.run(t, func(w world.World) {
			require.NoError(t, w.Write("/p/real", []byte("one")))
			require.NoError(t, s.outside.Symlink("real", "/p/link"))
			require.NoError(t, w.Replace("/p/link", []byte("two")))
			require.Equal(t, "one", content(t, w, "/p/real"))
			info, err := w.Stat("/p/link")
			require.NoError(t, err)
			require.Equal(t, world.Regular, info.Kind)
		})
	}},
	{"remove takes the symlink, not the file", func(t *testing.T, s *stage) {
		s.run(t, func(w world.World) {
			require.NoError(t, w.Write("/p/real", []byte("one")))
			require.NoError(t, s.outside.Symlink("real", "/p/link"))
			require.NoError(t, w.Remove("/p/link"))
			require.Equal(t, "one", content(t, w, "/p/real"))
			_, err := w.Stat("/p/link")
			require.ErrorIs(t, err, fs.ErrNotExist)
		})
	}},
	{"a symlink to nothing", func(t *testing.T, s *stage) {
		s.run(t, func(w world.World) {
			require.NoError(t, w.Write("/p/other", nil))
			require.NoError(t, s.outside.Symlink("nothing", "/p/link"))
			_, err := w.ReadFile("/p/link")
			require.ErrorIs(t, err, fs.ErrNotExist)
			got, err := w.Resolve("/p/link")
			require.NoError(t, err)
			require.Equal(t, "/p/link", got)
			require.NoError(t, w.Write("/p/link", []byte("made")))
			require.Equal(t, "made", content(t, w, "/p/nothing"))
		})
	}},
	{"a symlink to itself is an error", func(t *testing.T, s *stage) {
		s.run(t, func(w world.World) {
			require.NoError(t, s.outside.Symlink("link", "/p/link"))
			_, err := w.ReadFile("/p/link")
			require.Error(t, err)
			require.Error(t, w.Write("/p/link", nil))
			info, err := w.Stat("/p/link")
			require.NoError(t, err)
			require.Equal(t, world.Symlink, info.Kind)
		})
	}},
	{"a symlink among the directories", func(t *testing.T, s *stage) {
		s.run(t, func(w world.World) {
			require.NoError(t, w.Write("/p/dir/file", []byte("one")))
			require.NoError(t, s.outside.Symlink("../p/dir", "/q/link"))
			require.Equal(t, "one", content(t, w, "/q/link/file"))
			require.NoError(t, w.Write("/q/link/new", []byte("two")))
			require.Equal(t, "two", content(t, w, "/p/dir/new"))
			info, err := w.Stat("/q/link/file")
			require.NoError(t, err)
			require.Equal(t, world.Regular, info.Kind)
			got, err := w.Resolve("/q/link/file")
			require.NoError(t, err)
			require.Equal(t, "/p/dir/file", got)
			names, err := w.ReadDir("/q/link")
			require.NoError(t, err)
			require.Equal(t, []string{"file", "new"}, names)
			names, err = w.ReadDir("/q")
			require.NoError(t, err)
			require.Equal(t, []string{"link"}, names)
		})
	}},
	{"two names of one file", func(t *testing.T, s *stage) {
		s.run(t, func(w world.World) {
			links := func(path string) int {
				info, err := w.Stat(path)
				require.NoError(t, err)
				return info.Links
			}
			require.NoError(t, w.Write("/p/a", []byte("one")))
			require.NoError(t, s.outside.Link("/p/a", "/q/b"))
			require.Equal(t, []int{2, 2}, []int{links("/p/a"), links("/q/b")})
			require.NoError(t, w.Write("/q/b", []byte("two")))
			require.Equal(t, "two", content(t, w, "/p/a"), "a write is seen under both")
			require.NoError(t, w.Replace("/q/b", []byte("three")))
			require.Equal(t, "two", content(t, w, "/p/a"), "a new file under one name is not")
			require.Equal(t, []int{1, 1}, []int{links("/p/a"), links("/q/b")})
			require.NoError(t, s.outside.Link("/p/a", "/p/c"))
			require.NoError(t, w.Remove("/p/a"))
			require.Equal(t, "two", content(t, w, "/p/c"))
			require.Equal(t, 1, links("/p/c"))
		})
	}},
}
