package harness_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"harnessbench/harness"
	"harnessbench/harness/world"
)

// A long result that could not be saved stays whole with a firing, and its boundary does not count it among what was saved
// (H-CMP-24, H-LOG-47, H-CMP-38).
func TestAFiringCountsNoSpillThatFailed(t *testing.T) {
	for _, model := range []string{plain, systems, bound, manual} {
		saved := map[bool]float64{}
		for _, blocked := range []bool{false, true} {
			r := newRig(t, model, append(loop("a", 8, "Bash", ls), says(text("B.")))...)
			r.long(400)
			var file string
			r.session(func(w world.World, s *harness.Session) {
				r.prompt(w, s, "one")
				r.idle(w, s, 2*time.Hour)
				file = s.File()
			})
			short := strings.Repeat("x", 398) + "a8"
			require.Contains(t, r.read(file), short)
			require.NoError(t, r.disk.Write(file, []byte(strings.ReplaceAll(r.read(file), short, strings.Repeat("y", 60_000)))))
			if blocked {
				require.NoError(t, r.disk.Write(strings.TrimSuffix(file, ".jsonl")+"/tool-results", []byte("in the way")))
			}
			r.resumed(func(w world.World, s *harness.Session) {
				r.prompt(w, s, "two")
				m := r.micros(file)
				require.Len(t, m, 1)
				saved[blocked] = m[0]["tokensSaved"].(float64)
				assert.Equal(t, blocked, strings.Contains(strings.Join(s.Report(), "\n"), "could not be saved and stays whole"))
			})
			holds(t, blocked, string(r.requests[len(r.requests)-1].Body), strings.Repeat("y", 60_000))
		}
		assert.InDelta(t, 285, saved[true], 10, model)
		assert.InDelta(t, (60_000-2_200)/4, saved[false]-saved[true], 10, model)
	}
}
