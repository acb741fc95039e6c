package validate

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// Every rule says when it was seen: the dates of its row in the catalogue, or that it is of the present surface.
func TestEveryRuleHasItsEra(t *testing.T) {
	listed := map[string]string{}
	for _, r := range Rules() {
		assert.NotEmpty(t, r.Era, r.ID)
		assert.NotEmpty(t, r.Source, r.ID)
		listed[r.ID] = r.Era
	}
	assert.Equal(t, "2025-08 to 2026-06", listed["pairing.double-result"], "of the catalogue")
	assert.Equal(t, "2026", listed["strict.tools"], "its own")
	assert.Equal(t, "current (2026-11)", listed["tools.custom.name.missing"], "of the surface")
	for id := range eras {
		assert.Contains(t, listed, id, "a date of no rule")
	}
}
