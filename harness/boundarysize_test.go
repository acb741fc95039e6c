package harness_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"harnessbench/harness"
	"harnessbench/harness/compact"
	"harnessbench/harness/world"
)

// A boundary tells the size before to the token, as the threshold saw it: what the last answer reports and a quarter of
// what came since. Of what comes after it counts the messages, what is restored, kept and said by the memory file among
// them, and neither system nor tools (H-CMP-53).
func TestTheSizesOfABoundary(t *testing.T) {
	sizes := func(prompt, plan, memory string) (before, after float64) {
		r := newRig(t, plain, full(80_000, text("A.")), summary("plums"), says(text("B.")))
		r.cfg.Window = 100_000
		r.cfg.Restorers = []harness.Restorer{standIn{m: compact.Material{Plan: &compact.Plan{Path: "/p", Text: plan}}}}
		r.write(cwd+"/CLAUDE.md", memory)
		r.session(func(w world.World, s *harness.Session) {
			r.prompt(w, s, "one")
			r.prompt(w, s, prompt)
			b := r.boundaries(s.File())
			require.Len(t, b, 1)
			m := b[0]["compactMetadata"].(map[string]any)
			before, after = m["preTokens"].(float64), m["postTokens"].(float64)
		})
		return before, after
	}
	before, after := sizes("two.", "PLAN", "m")
	assert.InDelta(t, 80_000+9+1, before, 0)
	assert.Less(t, after, 500.0, "system and tools have some thousands")
	more := strings.Repeat("x", 4_000)
	for name, c := range map[string]struct {
		prompt, plan, memory string
		before               float64
	}{
		"the prompt that is kept": {"two." + more, "PLAN", "m", 1_000},
		"what is restored":        {"two.", "PLAN" + more, "m", 0},
		"the memory file":         {"two.", "PLAN", "m" + more, 0},
	} {
		b, a := sizes(c.prompt, c.plan, c.memory)
		assert.InDelta(t, before+c.before, b, 0, name)
		assert.InDelta(t, after+1_000, a, 1, name)
	}
}
