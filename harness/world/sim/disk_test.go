package sim_test

import (
	"testing"

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
