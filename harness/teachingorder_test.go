package harness_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"harnessbench/harness"
	"harnessbench/harness/world"
)

// Before a call of the teaching profile the budget saves what is too long before micro takes it away: of five results of
// one answer the two longest are on disk, whole, though they are the oldest (H-CMP-2, H-CMP-1).
func TestTheBudgetSavesBeforeMicroClearsInTheTeachingProfile(t *testing.T) {
	sizes := map[string]int{"a": 90_000, "b": 80_000, "c": 40_000, "d": 40_000, "e": 40_000}
	for _, model := range everyModel {
		r := taughtRig(t, model, 10, says(use("a", "bash", ls), use("b", "bash", ls), use("c", "bash", ls), use("d", "bash", ls), use("e", "bash", ls)),
			says(text("B.")))
		r.tool = func(call world.ToolCall) (world.ToolResult, time.Duration) {
			return world.ToolResult{Output: strings.Repeat(call.ID, sizes[call.ID])}, time.Second
		}
		r.cfg.NoAutoCompact = true
		saved := map[string]int{}
		r.session(func(w world.World, s *harness.Session) {
			r.prompt(w, s, "one")
			for _, file := range r.disk.Files() {
				if id, ok := strings.CutSuffix(file[strings.LastIndex(file, "/")+1:], ".txt"); ok {
					saved[id] = strings.Count(r.content(file), id)
				}
			}
		})
		assert.Equal(t, map[string]int{"a": 90_000, "b": 80_000}, saved, model)
		assert.Equal(t, 2, strings.Count(string(r.requests[1].Body), "[Earlier tool result compacted."), model)
		legal(t, r.requests[1].Body)
	}
}
