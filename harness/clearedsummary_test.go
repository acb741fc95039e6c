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

// What main requests hold cleared does not come back in a request for the summary of a part, wherever the boundary that
// cleared it stands: behind the part, or between it and the prompt that set off both; the server is asked for the same
// clearing too (H-CMP-28, H-CMP-46, CACHE-6).
func TestASummaryOfAPartHoldsNoClearedResult(t *testing.T) {
	upTo := func(t *testing.T, w world.World, s *harness.Session, prompt string) {
		_, err := s.RewindTo(w, prompt, harness.SummarizeUpTo)
		require.NoError(t, err)
	}
	for name, c := range map[string]struct {
		set  func(*harness.Config)
		size int // of the conversation before the second prompt
		then func(t *testing.T, w world.World, s *harness.Session, prompt string)
	}{
		"up to":          {func(*harness.Config) {}, 9_000, upTo},
		"at the server":  {func(c *harness.Config) { c.Switches.Micro = harness.MicroCached }, 9_000, upTo},
		"auto":           {func(*harness.Config) {}, 70_000, nil},
		"auto, recent":   {func(c *harness.Config) { c.Switches.KeepRecent = true }, 70_000, nil},
		"manual, recent": {func(c *harness.Config) { c.Switches.KeepRecent = true }, 9_000, func(t *testing.T, w world.World, s *harness.Session, _ string) { require.NoError(t, s.Compact(w, "")) }},
		"collapsed":      {func(c *harness.Config) { c.Switches.Collapse = true }, 70_000, nil},
	} {
		for _, model := range []string{plain, systems, bound, manual} {
			t.Run(name+" "+model, func(t *testing.T) {
				const n = 14
				script := loop("a", n, "Bash", `{"command":"ls `+strings.Repeat("long/", 600)+`"}`) // a span that is worth its call
				script[n].input = c.size
				r := newRig(t, model, script...)
				r.long(900)
				r.answer = func() answer {
					if r.requests[len(r.requests)-1].Chain == "compact" {
						return summary("plums")
					}
					if main := strings.Count(strings.Join(r.chains(), " "), "main"); main <= len(script) {
						return script[main-1]
					}
					return says(text("B."))
				}
				r.cfg.Window = 100_000
				c.set(&r.cfg)
				r.session(func(w world.World, s *harness.Session) {
					r.prompt(w, s, "one")
					r.idle(w, s, time.Hour+time.Millisecond)
					r.prompt(w, s, "two")
					require.Len(t, r.micros(s.File()), 1)
					if c.then != nil {
						p := s.LastPrompt()
						r.prompt(w, s, "three")
						c.then(t, w, s, p)
					}
				})
				asks := 0
				for _, q := range r.requests {
					legal(t, q.Body)
					if q.Chain != "compact" {
						continue
					}
					asks++
					in := map[string]bool{}
					for _, id := range resultsWith(t, q.Body, "") {
						in[id] = true
					}
					require.True(t, in["a1"])
					var want []string
					for i := range n - 5 {
						if id := fmt.Sprint("a", i+1); in[id] {
							want = append(want, id)
						}
					}
					if name == "at the server" {
						assert.Contains(t, managed(t, q.Body), `"keep":{"type":"tool_uses","value":5}`)
						want = nil
					}
					assert.Equal(t, want, cleared(t, q.Body))
				}
				assert.Equal(t, 1, asks)
			})
		}
	}
}
