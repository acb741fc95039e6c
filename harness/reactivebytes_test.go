package harness_test

import (
	"fmt"
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

// Recent messages stay behind a compaction that a refusal caused where there is room for them, and go where there is none
// (H-CMP-74, H-CMP-60).
func TestAReactiveCompactionGivesUpRecentMessages(t *testing.T) {
	for most, kept := range map[int]bool{60_000: false, 190_000: true} {
		for _, model := range []string{plain, systems, bound, manual} {
			r := newRig(t, model, says(text("-")))
			r.answer = func() answer {
				switch n := len(r.requests); {
				case r.requests[n-1].Chain == "compact":
					return summary("plums")
				case n == 7:
					return tooLarge(400, fmt.Sprintf("prompt is too long: 200000 tokens > %d maximum", most))
				default:
					return says(text(strings.Repeat(fmt.Sprint("answer", n, " "), 5_000)))
				}
			}
			r.cfg.Window, r.cfg.Switches.KeepRecent, r.cfg.Switches.NoAuto = 100_000, true, true
			r.session(func(w world.World, s *harness.Session) {
				for i := range 7 {
					out := r.prompt(w, s, fmt.Sprint("p", i))
					assert.Equal(t, harness.Completed, out.Reason, "%s: %v", model, out.Err)
				}
			})
			assert.Equal(t, []string{"compact", "main"}, r.chains()[7:])
			holds(t, kept, string(r.requests[8].Body), "answer6 ", model)
			holds(t, false, string(r.requests[8].Body), "answer2 ", model)
			legal(t, r.requests[8].Body)
		}
	}
}
