package harness_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"harnessbench/harness"
	"harnessbench/harness/world"
)

// alteringDisk writes other bytes than it was given.
type alteringDisk struct{ world.World }

func (d alteringDisk) Append(path string, data []byte) error {
	return d.World.Append(path, bytes.ReplaceAll(data, []byte("one"), []byte("won")))
}

func (d alteringDisk) Go(key string, f func(world.World)) world.Task {
	return d.World.Go(key, func(w world.World) { f(alteringDisk{w}) })
}

func TestALogThatSaysOtherThanWhatWasSentIsALoudFault(t *testing.T) {
	r := newRig(t, plain, says(text("A.")))
	r.process(func(w world.World) {
		s, err := harness.Start(alteringDisk{w}, r.cfg)
		require.NoError(t, err)
		r.prompt(alteringDisk{w}, s, "one")
		err = s.Close(w)
		require.ErrorContains(t, err, "harness fault")
		assert.ErrorContains(t, err, s.File())
		assert.ErrorContains(t, err, `\"one`)
		assert.ErrorContains(t, err, `\"won`)

		s, err = harness.Start(alteringDisk{w}, r.cfg)
		require.NoError(t, err)
		r.prompt(alteringDisk{w}, s, "two")
		require.NoError(t, s.Close(w), "nothing was altered")
	})
}
