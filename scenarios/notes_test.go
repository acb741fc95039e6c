package scenarios

import (
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A story says what the small model writes into the memory file behind a turn (H-CMP-80).
func TestNotesAreScripted(t *testing.T) {
	sc, err := Load(fstest.MapFS{"s.yaml": {Data: []byte("aux: on\n" + head + "  - prompt: a\n    notes: It is a.\n  - prompt: b\n")}}, "s.yaml")
	require.NoError(t, err)
	assert.Equal(t, "It is a.", sc.Steps[0].Prompt.Notes)
	assert.Empty(t, sc.Steps[1].Prompt.Notes)
}
