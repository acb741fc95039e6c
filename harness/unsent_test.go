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

// long makes a prompt one whose span is worth its call.
var long = strings.Repeat(" and more of it", 1_000)

// Around a prompt that is not sent any more, since it stands before a summary of the server's, or was snipped or collapsed,
// nothing can be summarised: an error before any call, which changes nothing (H-CMP-83, H-CMP-30, H-CMD-38,
// H-CMD-39). Around the first prompt that is sent it can, and to the older one the conversation can be taken back.
func TestNothingIsSummarisedAroundWhatIsNotSent(t *testing.T) {
	for name, c := range map[string]struct {
		set    func(*harness.Config)
		turns  int
		answer func(turn int) answer
	}{
		"server": {func(c *harness.Config) { c.Switches.CompactServer = true }, 6, func(turn int) answer {
			if turn == 3 {
				return condensed(`"All of it."`)
			}
			return says(thinking("t", "c2ln"), text("So."))
		}},
		"snipped":   {func(c *harness.Config) { c.Switches.Snip = true }, 30, func(int) answer { return says(text("So.")) }},
		"collapsed": {func(c *harness.Config) { c.Switches.Collapse, c.Window = true, 100_000 }, 8, func(turn int) answer { return full(10_000*turn, text("So.")) }},
	} {
		for _, model := range []string{plain, systems, bound, manual} {
			if name == "server" && model == manual {
				continue // it has no compaction of the server's
			}
			for _, action := range []string{harness.SummarizeUpTo, harness.SummarizeFrom} {
				t.Run(fmt.Sprint(name, " ", model, " ", action), func(t *testing.T) {
					r := newRig(t, model, says(text("-")))
					c.set(&r.cfg)
					main := 0
					r.answer = func() answer {
						if r.requests[len(r.requests)-1].Chain == "compact" {
							return summary("plums")
						}
						main++
						return c.answer(main)
					}
					r.session(func(w world.World, s *harness.Session) {
						var p []string
						for i := range c.turns {
							r.prompt(w, s, fmt.Sprintf("p%02d", i)+long)
							p = append(p, s.LastPrompt())
						}
						before, calls := r.read(s.File()), len(r.requests)
						_, err := s.RewindTo(w, p[2], action)
						require.ErrorContains(t, err, "is not sent any more")
						assert.Equal(t, before, r.read(s.File()))
						assert.Len(t, r.requests, calls, "no call was paid")
						_, err = s.RewindTo(w, p[len(p)-1], action)
						require.NoError(t, err)
						assert.Len(t, r.requests, calls+1)
						r.prompt(w, s, "and on")
						holds(t, true, string(r.requests[calls+1].Body), "plums")
						require.NoError(t, s.Rewind(w, p[2]))
						r.prompt(w, s, "again")
					})
					for _, q := range r.requests {
						legal(t, q.Body)
					}
				})
			}
		}
	}
}

// What stands before a summary of the server's counts for no snip and no span, and is in none (H-CMP-83, H-CMP-17,
// H-CMP-32): the nearest right case has as much behind it.
func TestWhatIsNotSentIsNeitherSnippedNorCollapsed(t *testing.T) {
	for _, model := range []string{plain, systems, bound} {
		for _, behind := range []int{3, 40} {
			r := newRig(t, model, says(text("-")))
			r.cfg.Switches.CompactServer, r.cfg.Switches.Snip = true, true
			r.cfg.Switches.Collapse, r.cfg.Window = behind < 40, 100_000
			main := 0
			r.answer = func() answer {
				if r.requests[len(r.requests)-1].Chain == "compact" {
					return summary("plums")
				}
				main++
				switch {
				case main == 24:
					return condensed(`"All of it."`)
				case main == 24+behind:
					return full(70_000, text("So."))
				}
				return says(text("So."))
			}
			r.session(func(w world.World, s *harness.Session) {
				var before []string
				for i := range 24 + behind {
					r.prompt(w, s, fmt.Sprintf("p%02d", i)+long)
					if i < 24 {
						before = append(before, s.LastPrompt())
					}
				}
				snips, spans := r.records(s.File(), "snip"), r.records(s.File(), "collapse-commit")
				assert.Equal(t, behind == 40, len(snips) > 0, model)
				assert.Equal(t, behind == 3, len(spans) > 0, model)
				for _, uuid := range before {
					assert.NotContains(t, fmt.Sprint(snips, spans), uuid, model)
				}
			})
			for _, q := range r.requests {
				legal(t, q.Body)
			}
		}
	}
}
