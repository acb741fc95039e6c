package harness_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"harnessbench/harness"
	"harnessbench/harness/world"
)

// Whatever hides a part of the conversation, each request for a summary that is made because the one before was too long is
// shorter by what the error states: what is hidden makes nothing shorter by going. The summaries of spans stay in it
// (H-CMP-54, CMP-4, CMP-5).
func TestEachCutOfWhatIsPartlyHiddenIsShorterByWhatWasAsked(t *testing.T) {
	type conversation func(w world.World, r *rig, s *harness.Session)
	prompts := func(n int) conversation {
		return func(w world.World, r *rig, s *harness.Session) {
			for i := range n {
				r.prompt(w, s, fmt.Sprint("p", i, " ", strings.Repeat("plain words ", 100)))
			}
		}
	}
	for name, c := range map[string]struct {
		set   func(*harness.Config)
		play  conversation
		shows string // in each of the requests
	}{
		"snipped":   {func(c *harness.Config) { c.Switches.Snip = true }, prompts(26), ""},
		"collapsed": {func(c *harness.Config) { c.Switches.Collapse, c.Window = true, 100_000 }, prompts(16), "Rounds of the conversation stood here"},
		"cleared": {func(*harness.Config) {}, func(w world.World, r *rig, s *harness.Session) {
			r.prompt(w, s, "loop")
			r.idle(w, s, time.Hour+time.Millisecond)
			prompts(6)(w, r, s)
		}, ""},
	} {
		for _, model := range []string{plain, systems, bound, manual} {
			t.Run(name+" "+model, func(t *testing.T) {
				const over, most = 1_500, 100_000
				r := newRig(t, model, says(text("-")))
				r.long(12_000)
				c.set(&r.cfg)
				main, asking := 0, false
				looped := 0
				r.answer = func() answer {
					switch {
					case asking:
						told := most + over
						return tooLarge(400, fmt.Sprintf("prompt is too long: %d tokens > %d maximum", told, most))
					case r.requests[len(r.requests)-1].Chain == "compact":
						return summary("plums")
					case name == "cleared" && looped < 10:
						looped++
						return says(use(fmt.Sprint("a", looped), "Bash", `{"command":"ls"}`))
					}
					if main++; name == "collapsed" && main == 10 {
						return full(70_000, text(lengthy))
					}
					return says(text(lengthy))
				}
				r.session(func(w world.World, s *harness.Session) {
					c.play(w, r, s)
					asking = true
					require.Error(t, s.Compact(w, ""))
				})
				var asks []string
				for _, q := range r.requests[len(r.requests)-4:] {
					require.Equal(t, "compact", q.Chain)
					legal(t, q.Body)
					asks = append(asks, string(q.Body))
				}
				for i, ask := range asks {
					holds(t, true, ask, c.shows)
					if i > 0 { // the whole request is most tokens and over, so that what goes is a part of it
						least := len(asks[i-1]) * over / (most + over)
						assert.LessOrEqual(t, len(ask), len(asks[i-1])-least, "attempt %d", i)
					}
				}
			})
		}
	}
}

// A summary that ended because the window was full was asked for in a request that is too long: it is made shorter as after a
// refusal, and what came in the end is taken. One that ended as it should is taken at once (H-CMP-54, H-CMP-48).
func TestASummaryThatMetTheWindowIsAskedForInLess(t *testing.T) {
	for _, model := range []string{plain, systems, bound, manual} {
		for full, asked := range map[int]int{0: 1, 1: 2, 3: 4, 9: 4} {
			r := newRig(t, model, says(text("-")))
			asks := 0
			r.answer = func() answer {
				if r.requests[len(r.requests)-1].Chain != "compact" {
					return says(text(lengthy))
				}
				if asks++; asks <= full {
					return stopped("model_context_window_exceeded", text(fmt.Sprint("<summary>\npart ", asks)))
				}
				return summary("plums")
			}
			r.session(func(w world.World, s *harness.Session) {
				for i := range 6 {
					r.prompt(w, s, fmt.Sprint("p", i, lengthy))
				}
				require.NoError(t, s.Compact(w, ""))
				assert.Len(t, r.boundaries(s.File()), 1)
				r.prompt(w, s, "on")
			})
			require.Equal(t, asked, asks, "%d of %s", full, model)
			for i := 7; i < 6+asks; i++ {
				assert.Less(t, len(r.requests[i].Body), len(r.requests[i-1].Body))
				legal(t, r.requests[i].Body)
			}
			last := string(r.requests[len(r.requests)-1].Body)
			holds(t, full < 4, last, "plums")
			holds(t, full > 3, last, "part 4")
		}
	}
}
