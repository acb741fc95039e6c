package worldtest

import (
	"io/fs"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"harnessbench/harness/world"
)

// onDisk is a situation that needs nothing but the ports of one fiber.
func onDisk(name string, f func(t *testing.T, w world.World)) situation {
	return situation{name, func(t *testing.T, s *stage) { s.run(t, func(w world.World) { f(t, w) }) }}
}

var disk = []situation{
	onDisk("a file that is not there", func(t *testing.T, w world.World) {
		_, err := w.ReadFile(file)
		require.ErrorIs(t, err, fs.ErrNotExist)
		var inPath *fs.PathError
		require.ErrorAs(t, err, &inPath)
		require.Equal(t, file, inPath.Path, "errors name the machine's path, not the computer's")
	}),
	onDisk("append makes the file and its directories and adds at the end", func(t *testing.T, w world.World) {
		require.NoError(t, w.Append(file, []byte("one\n")))
		require.NoError(t, w.Append(file, []byte("two\n")))
		data, err := w.ReadFile(file)
		require.NoError(t, err)
		require.Equal(t, "one\ntwo\n", string(data))
	}),
	onDisk("replace makes a file, exchanges it whole, and appends go on from there", func(t *testing.T, w world.World) {
		require.NoError(t, w.Replace(file, []byte("a long first content")))
		require.NoError(t, w.Replace(file, []byte("short")))
		require.NoError(t, w.Append(file, []byte("!")))
		data, err := w.ReadFile(file)
		require.NoError(t, err)
		require.Equal(t, "short!", string(data))
	}),
	onDisk("an empty file is there", func(t *testing.T, w world.World) {
		require.NoError(t, w.Append(file, nil))
		data, err := w.ReadFile(file)
		require.NoError(t, err)
		require.Empty(t, data)
	}),
	onDisk("what was written or read may be changed afterwards", func(t *testing.T, w world.World) {
		written := []byte("same")
		require.NoError(t, w.Append(file, written))
		written[0] = 'X'
		read, err := w.ReadFile(file)
		require.NoError(t, err)
		read[0] = 'Y'
		again, err := w.ReadFile(file)
		require.NoError(t, err)
		require.Equal(t, "same", string(again))
	}),
	onDisk("a directory lists files and directories in it, sorted", func(t *testing.T, w world.World) {
		for _, path := range []string{"/p/c.jsonl", "/p/a.jsonl", "/p/b/deep/file", "/q"} {
			require.NoError(t, w.Append(path, []byte("x")))
		}
		require.NoError(t, w.Replace("/p/aa.json", []byte("x")))
		names, err := w.ReadDir("/p")
		require.NoError(t, err)
		require.Equal(t, []string{"a.jsonl", "aa.json", "b", "c.jsonl"}, names)
		names, err = w.ReadDir("/")
		require.NoError(t, err)
		require.Equal(t, []string{"p", "q"}, names)
	}),
	onDisk("a directory that is not there has no names", func(t *testing.T, w world.World) {
		names, err := w.ReadDir("/nowhere")
		require.NoError(t, err)
		require.Empty(t, names)
	}),
	onDisk("a file tells when it was written last", func(t *testing.T, w world.World) {
		var last time.Time
		for _, write := range []func() error{
			func() error { return w.Append(file, []byte("1")) },
			func() error { return w.Append(file, []byte("2")) },
			func() error { return w.Replace(file, []byte("3")) },
		} {
			require.NoError(t, write())
			info, err := w.Stat(file)
			require.NoError(t, err)
			require.False(t, info.ModTime.Before(last), "%s after %s", info.ModTime, last)
			last = info.ModTime
		}
		require.NoError(t, w.Append("/p/other", []byte("x")))
		_, err := w.ReadFile(file)
		require.NoError(t, err)
		info, err := w.Stat(file)
		require.NoError(t, err)
		require.True(t, info.ModTime.Equal(last), "neither another file nor reading changes it")
		other, err := w.Stat("/p/other")
		require.NoError(t, err)
		require.False(t, other.ModTime.Before(last))
	}),
	onDisk("what stands at a path is a file, a directory or nothing", func(t *testing.T, w world.World) {
		_, err := w.Stat("/p/file")
		require.ErrorIs(t, err, fs.ErrNotExist)
		var inPath *fs.PathError
		require.ErrorAs(t, err, &inPath)
		require.Equal(t, "/p/file", inPath.Path)
		require.NoError(t, w.Append("/p/file", []byte("12345")))
		info, err := w.Stat("/p/file")
		require.NoError(t, err)
		require.Equal(t, world.Regular, info.Kind)
		require.EqualValues(t, 5, info.Size)
		require.Equal(t, 1, info.Links)
		info, err = w.Stat("/p")
		require.NoError(t, err)
		require.Equal(t, world.Directory, info.Kind)
	}),
	onDisk("a part of a file can be read", func(t *testing.T, w world.World) {
		require.NoError(t, w.Append(file, []byte("0123456789")))
		for _, c := range []struct {
			offset int64
			n      int
			want   string
		}{{0, 3, "012"}, {7, 3, "789"}, {7, 9, "789"}, {10, 4, ""}, {11, 4, ""}, {3, 0, ""}} {
			data, err := w.ReadAt(file, c.offset, c.n)
			require.NoError(t, err)
			require.Equal(t, c.want, string(data))
		}
		_, err := w.ReadAt("/p/none", 0, 1)
		require.ErrorIs(t, err, fs.ErrNotExist)
	}),
	onDisk("a file is removed", func(t *testing.T, w world.World) {
		require.NoError(t, w.Write("/p/a", []byte("x")))
		require.NoError(t, w.Write("/p/b", []byte("y")))
		require.NoError(t, w.Remove("/p/a"))
		require.ErrorIs(t, w.Remove("/p/a"), fs.ErrNotExist)
		names, err := w.ReadDir("/p")
		require.NoError(t, err)
		require.Equal(t, []string{"b"}, names)
		require.Error(t, w.Remove("/p"), "a directory that holds something")
	}),
	onDisk("a path without symlinks is its own", func(t *testing.T, w world.World) {
		require.NoError(t, w.Write("/p/a", []byte("x")))
		for _, path := range []string{"/p/a", "/p", "/", "/nowhere/b"} {
			got, err := w.Resolve(path)
			require.NoError(t, err)
			require.Equal(t, path, got)
		}
	}),
	onDisk("files and directories do not stand for each other", func(t *testing.T, w world.World) {
		require.NoError(t, w.Append("/p/file", []byte("x")))
		_, err := w.ReadFile("/p")
		require.Error(t, err)
		require.NotErrorIs(t, err, fs.ErrNotExist)
		_, err = w.ReadDir("/p/file")
		require.Error(t, err)
		require.Error(t, w.Append("/p", []byte("x")))
		require.Error(t, w.Replace("/p", []byte("x")))
		require.Error(t, w.Append("/p/file/below", []byte("x")))
		require.Error(t, w.Replace("/p/file/below", []byte("x")))
		names, err := w.ReadDir("/p")
		require.NoError(t, err)
		require.Equal(t, []string{"file"}, names)
	}),
	onDisk("paths must be absolute and clean", func(t *testing.T, w world.World) {
		for _, path := range []string{"", "notes", "./notes", "/a/../b", "/a//b", "/a/"} {
			_, err := w.ReadFile(path)
			require.ErrorIs(t, err, fs.ErrInvalid, path)
			_, err = w.ReadDir(path)
			require.ErrorIs(t, err, fs.ErrInvalid, path)
			_, err = w.Stat(path)
			require.ErrorIs(t, err, fs.ErrInvalid, path)
			_, err = w.ReadAt(path, 0, 1)
			require.ErrorIs(t, err, fs.ErrInvalid, path)
			_, err = w.Resolve(path)
			require.ErrorIs(t, err, fs.ErrInvalid, path)
			require.ErrorIs(t, w.Write(path, nil), fs.ErrInvalid, path)
			require.ErrorIs(t, w.Remove(path), fs.ErrInvalid, path)
			require.ErrorIs(t, w.Append(path, nil), fs.ErrInvalid, path)
			require.ErrorIs(t, w.Replace(path, nil), fs.ErrInvalid, path)
		}
	}),
	{"files outlive the process", func(t *testing.T, s *stage) {
		out := s.Run(func(w world.World) {
			require.NoError(t, w.Append(file, []byte("kept\n")))
			s.Kill()
			_ = w.Append(file, []byte("lost\n"))
		})
		require.True(t, out.Killed)
		s.run(t, func(w world.World) {
			data, err := w.ReadFile(file)
			require.NoError(t, err)
			require.Equal(t, "kept\n", string(data))
		})
	}},
}
