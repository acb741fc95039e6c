package tokens

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"harnessbench/internal/model"
)

// A kept weight is the very number that the counter of whichever model reads the text comes to, also of a model that
// the table does not hold.
func TestWeightsAreThoseOfEveryModelsCounter(t *testing.T) {
	require.Len(t, order, len(generations))
	models := append(model.All(), model.Model{ID: "other"})
	rapid.Check(t, func(t *rapid.T) {
		text := []byte(rapid.String().Draw(t, "text"))
		w := WeightsOf(text)
		for _, m := range models {
			assert.Equal(t, For(m).Text(text), w.For(m), m.ID)
		}
	})
}
