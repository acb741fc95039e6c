package harness_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"harnessbench/harness"
	"harnessbench/harness/world"
)

// A text by which the harness has a cut answer go on ends no turn: on a model that checks, the layers wait for the next
// prompt, and all thinking of the loop goes back as it was (H-LOOP-52, D11, D1). Elsewhere they need not wait, and behind
// an interrupt or a new prompt none does.
func TestACutAnswerEndsNoOpenTurn(t *testing.T) {
	for name, set := range map[string]func(*harness.Config){
		"micro": func(c *harness.Config) { c.Switches.MicroUnconditional = true },
		"snip":  func(c *harness.Config) { c.Switches.Snip = true },
	} {
		for _, model := range []string{plain, systems, bound, manual} {
			t.Run(name+" "+model, func(t *testing.T) {
				n := map[string]int{"micro": 8, "snip": 28}[name]
				script := loop("a", n, "Bash", ls)[:n]
				cut := stopped("max_tokens", text("cut here"))
				script = append(script, cut, cut, says(text("Done.")), says(text("B.")))
				r := newRig(t, model, script...)
				r.long(2_000)
				set(&r.cfg)
				r.session(func(w world.World, s *harness.Session) {
					r.prompt(w, s, "one")
					r.prompt(w, s, "two")
				})
				edited := func(body string) bool {
					return strings.Contains(body, "[snipped ") || strings.Contains(body, "[Old tool result content")
				}
				last := len(r.requests) - 1
				gone := string(r.requests[last-1].Body) // behind the text that keeps it going
				holds(t, true, gone, "Output token limit hit")
				if model == bound {
					assert.Equal(t, n, strings.Count(gone, `"type":"thinking"`))
				}
				assert.Equal(t, model != bound, edited(gone))
				assert.True(t, edited(string(r.requests[last].Body)))
				for _, q := range r.requests {
					legal(t, q.Body)
				}
			})
		}
	}
}
