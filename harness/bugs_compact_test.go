package harness_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"harnessbench/harness"
	"harnessbench/harness/world"
)

// Whatever tools a turn uses, the size alone decides: a loop that only notes tasks is compacted as any other (H-CMP-39; bug
// c-todo-tool-disables-autosummary).
func TestNotedTasksKeepNoCompactionAway(t *testing.T) {
	for _, model := range []string{plain, systems, bound, manual} {
		note := use("a", "TaskCreate", `{"subject":"fix it","description":"the stub"}`)
		r := newRig(t, model, says(text("Before.")), full(70_000, note), summary("noted"), says(text("B.")))
		r.cfg.Window = 100_000
		r.session(func(w world.World, s *harness.Session) {
			r.prompt(w, s, "zero")
			r.prompt(w, s, "one")
		})
		assert.Equal(t, []string{"main", "main", "compact", "main"}, r.chains(), model)
	}
}
