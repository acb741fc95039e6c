package harness_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"harnessbench/harness"
	"harnessbench/harness/world"
)

// A request for a summary that was refused with its size is cut so far that what the error states is covered although the
// estimate is off by a little, in one text more than in another (H-CMP-54, CMP-5).
func TestTheStatedOvershootIsCovered(t *testing.T) {
	for _, model := range []string{plain, systems, bound, manual} {
		r := newRig(t, model, says(thinking("t", "c2ln"), text("A.")))
		var sizes []int
		r.answer = func() answer {
			q := r.requests[len(r.requests)-1]
			if q.Chain != "compact" {
				return says(text("A."))
			}
			words := strings.Count(string(q.Body), "word ")
			sizes = append(sizes, words*6/5+(len(q.Body)-5*words)*28/100) // of ordinary words the estimate says 5/4
			if n := sizes[len(sizes)-1]; n > 50_000 {
				return tooLarge(400, fmt.Sprintf("prompt is too long: %d tokens > 50000 maximum", n))
			}
			return summary("plums")
		}
		r.session(func(w world.World, s *harness.Session) {
			r.prompt(w, s, strings.Repeat("word ", 60_000))
			require.NoError(t, s.Compact(w, ""))
		})
		require.Len(t, sizes, 2, "%s: %v", model, sizes)
		assert.InDelta(t, 49_000, sizes[1], 1_000, model)
	}
}
