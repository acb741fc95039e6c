package sim_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"harnessbench/harness/world"
	"harnessbench/harness/world/sim"
)

func TestTheDiskIsSeenAndChangedFromOutside(t *testing.T) {
	d := sim.NewDisk()
	require.NoError(t, d.Write("/memory.md", []byte("planted")))
	m := sim.New(sim.Config{Disk: d})
	m.Run(func(w world.World) {
		data, err := w.ReadFile("/memory.md")
		require.NoError(t, err)
		require.Equal(t, "planted", string(data))
		require.NoError(t, w.Append("/a/log", []byte("x")))
	})
	require.Same(t, d, m.Disk())
	require.Equal(t, []string{"/a/log", "/memory.md"}, d.Files())
	data, err := d.Read("/a/log")
	require.NoError(t, err)
	require.Equal(t, "x", string(data))
}

func TestAFileHasTheVirtualTimeOfItsLastWriteAndWritesOfOneInstantKeepTheirOrder(t *testing.T) {
	start := time.Date(2026, 11, 30, 9, 0, 0, 0, time.UTC)
	d := sim.NewDisk()
	require.NoError(t, d.Write("/before", nil))
	m := sim.New(sim.Config{Disk: d, Start: start})
	m.Run(func(w world.World) {
		at := func(path string) time.Time {
			info, err := w.Stat(path)
			require.NoError(t, err)
			return info.ModTime
		}
		require.True(t, at("/before").Before(start))
		require.NoError(t, w.Append("/a", []byte("1")))
		require.Equal(t, start, at("/a"))
		require.NoError(t, w.Append("/b", []byte("1")))
		require.NoError(t, w.Replace("/c", []byte("1")))
		require.NoError(t, w.Append("/a", []byte("2")))
		require.Equal(t, []time.Time{start.Add(3), start.Add(1), start.Add(2)}, []time.Time{at("/a"), at("/b"), at("/c")})
		require.NoError(t, w.Sleep(time.Minute))
		require.Equal(t, start.Add(3), at("/a"), "time alone changes nothing, nor does reading")
		require.NoError(t, w.Append("/b", nil))
		require.Equal(t, start.Add(time.Minute), at("/b"))
		require.NoError(t, d.Write("/c", nil))
		require.Equal(t, start.Add(time.Minute+1), at("/c"), "from outside")
	})
}

func TestACloneGoesItsOwnWay(t *testing.T) {
	d := sim.NewDisk()
	require.NoError(t, d.Write("/p/log", []byte("1")))
	c := d.Clone()
	require.Equal(t, d, c)
	for _, x := range []*sim.Disk{d, c} {
		sim.New(sim.Config{Disk: x}).Run(func(w world.World) {
			require.NoError(t, w.Append("/p/log", []byte("2")))
		})
	}
	require.NoError(t, c.Write("/p/new", nil))
	require.Equal(t, []string{"/p/log"}, d.Files())
	data, err := d.Read("/p/log")
	require.NoError(t, err)
	require.Equal(t, "12", string(data))
}
