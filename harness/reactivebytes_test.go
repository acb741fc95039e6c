package harness_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"harnessbench/harness"
	"harnessbench/harness/world"
)

// What comes of a compaction that a refusal caused has fewer bytes than what was refused: a summary that is longer than what
// it replaces is not taken, and where the wrapping of a summary alone is, none is asked for (H-CMP-60, CMP-8, CMP-3; bug
// c-summary-larger-than-original). The nearest right case has a shorter one.
func TestAReactiveCompactionLeavesFewerBytes(t *testing.T) {
	refused := tooLarge(413, "Request exceeds the maximum size")
	for name, c := range map[string]struct {
		answer, summary string
		want            []string
		told            string
	}{
		"shorter":       {lengthy, "plums", []string{"main", "main", "compact", "main"}, ""},
		"longer":        {lengthy, lengthy + lengthy, []string{"main", "main", "compact"}, "bytes, it must have less than"},
		"never shorter": {"A.", "plums", []string{"main", "main"}, "no compaction could make it short enough"},
	} {
		for _, model := range []string{plain, systems, bound, manual} {
			for _, off := range []bool{false, true} {
				t.Run(name+" "+model, func(t *testing.T) {
					r := newRig(t, model, says(thinking("t", "c2ln"), text(c.answer)), refused, says(text("<summary>"+c.summary+"</summary>")), says(text("B.")))
					r.cfg.Switches.NoAuto = off
					r.session(func(w world.World, s *harness.Session) {
						r.prompt(w, s, "one")
						out := r.prompt(w, s, "two")
						assert.Equal(t, c.told == "", out.Reason == harness.Completed)
						if c.told != "" {
							assert.Equal(t, harness.PromptTooLong, out.Reason)
							assert.Contains(t, strings.Join(s.Report(), "\n"), c.told)
							assert.Empty(t, r.boundaries(s.File()))
						}
					})
					assert.Equal(t, c.want, r.chains())
					if c.told == "" {
						assert.Less(t, len(r.requests[3].Body), len(r.requests[1].Body))
					}
				})
			}
		}
	}
}
