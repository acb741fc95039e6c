package world_test

import (
	"io/fs"
	"testing"

	"github.com/stretchr/testify/require"

	"harnessbench/harness/world"
)

func TestUUIDShapes128BitsAsVersion4(t *testing.T) {
	require.Equal(t, "00000000-0000-4000-8000-000000000000", world.FormatUUID(0, 0))
	require.Equal(t, "ffffffff-ffff-4fff-bfff-ffffffffffff", world.FormatUUID(^uint64(0), ^uint64(0)))
	require.Equal(t, "01234567-89ab-4def-9edc-ba9876543210", world.FormatUUID(0x0123456789abcdef, 0xdedcba9876543210))
}

func TestPathsAreAbsoluteAndClean(t *testing.T) {
	for _, path := range []string{"/", "/a", "/a/b.jsonl", "/a b/ü"} {
		require.NoError(t, world.CheckPath("open", path), path)
	}
	for _, path := range []string{"", "a", "/a/", "//a", "/a/../b", "/./a"} {
		require.ErrorIs(t, world.CheckPath("open", path), fs.ErrInvalid, path)
	}
}

func index(list []int, i int) int { return list[i] }

func TestPanicTextNamesValueAndStackAndIsTheSameTwice(t *testing.T) {
	text := func(i int) (s string) {
		defer func() { s = world.PanicText(recover()) }()
		index(nil, i)
		return ""
	}
	var got []string
	for range 2 {
		got = append(got, text(3))
	}
	require.Equal(t, got[0], got[1])
	require.Contains(t, got[0], "index out of range [3] with length 0\n\tharnessbench/harness/world_test.index world_test.go:")
	require.NotContains(t, got[0], "0x")
	require.NotContains(t, got[0], "runtime.")
}
