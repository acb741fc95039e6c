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

const helper = `{"description":"d","prompt":"p"}`

// filled is a turn of n rounds whose last answer reports so many tokens.
func filled(n, tokens int) []answer {
	script := loop("a", n, "Agent", helper)
	script[n].input = tokens - 9
	return script
}

// With collapse on, the oldest rounds, up to half of the messages, are shown as a summary at the threshold and not a token
// below it; the log keeps them and records the span, nothing is compacted by itself, and later requests and a resume
// repeat it (H-CMP-30, H-CMP-31, H-CMP-32).
func TestCollapseShowsTheOldestRoundsAsASummary(t *testing.T) {
	for _, model := range []string{plain, systems, bound, manual} {
		t.Run(model, func(t *testing.T) {
			for _, tokens := range []int{67_000 - 1, 67_000 - 2} { // a prompt of three letters is one more
				r := newRig(t, model, append(filled(6, tokens), summary("rounds one to three"), says(thinking("n", "bmV3"), text("B.")))...)
				r.long(40_000)
				r.cfg.Switches.Collapse, r.cfg.Window = true, 100_000
				fires := tokens == 67_000-1
				if !fires {
					r.script = append(r.script[:7], r.script[8:]...)
				}
				var file string
				r.session(func(w world.World, s *harness.Session) {
					file = s.File()
					r.prompt(w, s, "one")
					r.prompt(w, s, "two")
					assert.Equal(t, fires, strings.Contains(strings.Join(s.Report(), "\n"), "Collapse: 6 messages are shown as a summary"))
				})
				require.Empty(t, r.boundaries(file))
				if !fires {
					require.Empty(t, r.records(file, "collapse-commit"))
					continue
				}
				require.Len(t, r.records(file, "collapse-commit"), 1)
				assert.Equal(t, "compact", r.requests[7].Chain)
				assert.NotContains(t, string(r.requests[7].Body), `"a4"`, "the span alone")
				sent := r.shape(8)
				assert.Equal(t, "user: text(The project keeps instru) text(one) text([Rounds of the conversat)", sent[0])
				assert.Contains(t, sent[1], "tool_use(a4)")
				assert.Contains(t, string(r.requests[8].Body), "rounds one to three")
				assert.Equal(t, model != bound, strings.Contains(string(r.requests[8].Body), `"thinking":"ta6"`))
				before := messages(t, r.requests[8].Body)
				r.resumed(func(w world.World, s *harness.Session) { r.prompt(w, s, "three") })
				assert.Equal(t, before, messages(t, r.requests[9].Body)[:len(before)])
				assert.Contains(t, r.read(file), `"id":"a1"`)
				for _, q := range r.requests {
					legal(t, q.Body)
				}
			}
		})
	}
}

// At the threshold another span follows the ones that are shown as summaries, in a later turn and in another process, and
// all of them stay shown (H-CMP-30, H-CMP-32).
func TestCollapseGoesOnWhereItStopped(t *testing.T) {
	r := newRig(t, plain, says(text("-")))
	r.cfg.Switches.Collapse, r.cfg.Window = true, 100_000
	main, asked := 0, 0
	r.answer = func() answer {
		if r.requests[len(r.requests)-1].Chain == "compact" {
			asked++
			return summary(fmt.Sprint("span ", asked))
		}
		if main++; main%8 == 0 {
			return full(70_000, text(lengthy))
		}
		return says(text(lengthy))
	}
	var file string
	turns := func(w world.World, s *harness.Session) {
		file = s.File()
		for range 9 {
			r.prompt(w, s, "p"+long)
		}
	}
	r.session(turns)
	r.resumed(turns)
	require.Len(t, r.records(file, "collapse-commit"), 2)
	last := string(r.requests[len(r.requests)-1].Body)
	first, second := strings.Index(last, "span 1"), strings.Index(last, "span 2")
	assert.True(t, 0 < first && first < second, "%d, %d", first, second)
	legal(t, r.requests[len(r.requests)-1].Body)
}

// Where no call may be made any more, spans are collapsed until the size is below the threshold; the turn ends when none
// is left to collapse (H-CMP-32, H-CMP-40).
func TestCollapseHoldsTheRequest(t *testing.T) {
	r := newRig(t, plain, append(filled(8, 79_000), summary("first"), summary("second"), says(text("B.")))...)
	r.long(10_000)
	r.cfg.Switches.Collapse, r.cfg.Window = true, 100_000
	r.session(func(w world.World, s *harness.Session) {
		r.prompt(w, s, "one")
		out := r.prompt(w, s, "two")
		assert.Equal(t, harness.Completed, out.Reason)
		assert.Equal(t, []string{"compact", "compact", "main"}, r.chains()[9:])
		assert.Equal(t, 2, strings.Count(string(r.requests[11].Body), "Rounds of the conversation stood here"))
	})
	r = newRig(t, plain, full(80_000, text("A.")), summary("never asked for"))
	r.cfg.Switches.Collapse, r.cfg.Window = true, 100_000
	r.session(func(w world.World, s *harness.Session) {
		r.prompt(w, s, "one")
		out := r.prompt(w, s, "two")
		assert.Equal(t, harness.BlockingLimit, out.Reason)
		assert.Len(t, r.requests, 1)
	})
}

// A turn that ended because its newest results alone fill the context is over when the next prompt comes: it is shown as a
// summary then, and the session goes on (H-CMP-32, H-CMP-40).
func TestCollapseFreesABlockedTurn(t *testing.T) {
	const page = `{"url":"https://example.com/","prompt":"all"}`
	for _, model := range []string{plain, systems, bound, manual} {
		r := newRig(t, model, says(thinking("n", "bmV3"), use("c1", "WebFetch", page), use("c2", "WebFetch", page)), summary("pages"), says(text("B.")))
		r.script[0].input = 60_000
		r.long(49_000)
		r.cfg.Switches.Collapse, r.cfg.Window = true, 100_000
		r.session(func(w world.World, s *harness.Session) {
			out := r.prompt(w, s, "one")
			if !assert.Equal(t, harness.BlockingLimit, out.Reason, model) {
				return
			}
			out = r.prompt(w, s, "two")
			assert.Equal(t, harness.Completed, out.Reason, model)
			legal(t, r.requests[len(r.requests)-1].Body)
		})
	}
}

// A span whose summary fails changes nothing and the call is made; after three failures in a row none is tried, and
// /compact still works (H-CMP-31, H-CMP-63, H-CMP-65).
func TestCollapseThatFails(t *testing.T) {
	bad := says(text("<summary> </summary>"))
	again := func() answer { return full(70_000, text("B.")) }
	r := newRig(t, plain, append(filled(6, 70_000), bad, again(), bad, again(), bad, again(), again(), summary("s"), says(text("C.")))...)
	r.long(20_000)
	r.cfg.Switches.Collapse, r.cfg.Window = true, 100_000
	r.session(func(w world.World, s *harness.Session) {
		for range 5 {
			out := r.prompt(w, s, "p")
			require.Equal(t, harness.Completed, out.Reason)
		}
		assert.Equal(t, []string{"compact", "main", "compact", "main", "compact", "main", "main"}, r.chains()[7:])
		assert.Empty(t, r.records(s.File(), "collapse-commit"))
		require.NoError(t, s.Compact(w, ""))
		assert.Len(t, r.boundaries(s.File()), 1)
		r.prompt(w, s, "after")
	})
	assert.Len(t, r.shape(len(r.requests)-1), 1)
}

// A span that comes begins the count of failures anew, and compact.cooldown lets one attempt through as it does for a
// summary of everything (H-CMP-63).
func TestCollapseTriesAgain(t *testing.T) {
	bad, again := says(text("<summary> </summary>")), full(70_000, text("B."))
	script := filled(6, 70_000)
	for _, a := range []answer{bad, bad, summary("s"), bad, bad, bad} {
		script = append(script, a, again)
	}
	r := newRig(t, plain, append(script, again, bad, again, again)...)
	r.long(20_000)
	r.cfg.Switches.Collapse, r.cfg.Switches.Cooldown, r.cfg.Window = true, "30m", 100_000
	r.session(func(w world.World, s *harness.Session) {
		r.prompt(w, s, "one")
		calls := func() []string {
			before := len(r.requests)
			require.Equal(t, harness.Completed, r.prompt(w, s, "p").Reason)
			return r.chains()[before:]
		}
		for i := range 6 {
			require.Equal(t, []string{"compact", "main"}, calls(), "attempt %d", i)
		}
		assert.Len(t, r.records(s.File(), "collapse-commit"), 1)
		assert.Equal(t, []string{"main"}, calls(), "three failures in a row")
		require.NoError(t, w.Sleep(30*time.Minute))
		assert.Equal(t, []string{"compact", "main"}, calls(), "one attempt is let through")
		assert.Equal(t, []string{"main"}, calls(), "it failed")
	})
}
