package run

import (
	"time"

	"harnessbench/harness/world"
	"harnessbench/scenarios"
)

// toolTime is how long a tool runs when the story does not say.
const toolTime = time.Second

// toolbox answers tool calls from the step under way. Results are dealt in the order of the model's
// calls, not of their starts, so that parallel calls cannot swap them.
type toolbox struct {
	results map[string][]scenarios.ToolResult
	next    map[string]int
	dealt   map[string]scenarios.ToolResult // by tool_use id
}

func newToolbox() *toolbox { return &toolbox{dealt: map[string]scenarios.ToolResult{}} }

// step begins a step with its own results.
func (t *toolbox) step(results map[string][]scenarios.ToolResult) {
	t.results, t.next = results, map[string]int{}
}

// called deals the next result of a tool to a call the model made.
func (t *toolbox) called(id, name string) {
	list := t.results[name]
	if len(list) == 0 {
		t.dealt[id] = scenarios.ToolResult{Output: "ok"}
		return
	}
	t.dealt[id] = list[min(t.next[name], len(list)-1)]
	t.next[name]++
}

func (t *toolbox) run(call world.ToolCall) (world.ToolResult, time.Duration) {
	r, ok := t.dealt[call.ID]
	if !ok {
		r = scenarios.ToolResult{Output: "ok"}
	}
	takes := r.Takes
	if takes == 0 {
		takes = toolTime
	}
	return world.ToolResult{Output: r.Output, Exit: r.Exit, IsError: r.Error}, takes
}
