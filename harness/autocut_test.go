package harness_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"harnessbench/harness"
	"harnessbench/harness/world"
)

// Between two compactions that nobody asked for lies an answer that came whole: one that was interrupted, or broke off, is
// none, though what came of it is kept (H-CMP-39, CMP-3). The nearest right case comes whole.
func TestACutAnswerStandsBetweenNoTwoCompactions(t *testing.T) {
	for name, c := range map[string]struct {
		cut  func(s *harness.Session)
		want []string
	}{
		"whole":       {nil, []string{"main", "compact", "main", "compact", "main"}},
		"interrupted": {(*harness.Session).Interrupt, []string{"main", "compact", "main", "main"}},
	} {
		for _, model := range []string{plain, systems, bound, manual} {
			t.Run(name+" "+model, func(t *testing.T) {
				r := newRig(t, model, full(70_000, text("A.")), summary("plums"), full(30_000, text("It begins."), text("It ends.")), says(text("C.")))
				if c.cut == nil {
					r.script = append(r.script[:3], summary("pears"), says(text("C.")))
				}
				r.cfg.Window = 100_000
				r.session(func(w world.World, s *harness.Session) {
					r.prompt(w, s, "one")
					reads := 0
					_, err := s.Prompt(world.Hooked(w, &hook{before: func(_ int, op, _ string) {
						if op != string(world.OpRead) || len(r.requests) < 3 {
							return
						}
						if reads++; reads == 7 && c.cut != nil {
							c.cut(s)
						}
					}}), "two")
					require.NoError(t, err)
					assert.Contains(t, r.read(s.File()), "It begins.")
					assert.Equal(t, c.cut == nil, strings.Contains(r.read(s.File()), "It ends."))
					out := r.prompt(w, s, strings.Repeat("word ", 44_000))
					assert.Equal(t, "C.", out.Text)
				})
				assert.Equal(t, c.want, r.chains())
				for _, q := range r.requests {
					legal(t, q.Body)
				}
			})
		}
	}
}
