package run

import (
	"encoding/json"
	"sync"
	"time"

	"harnessbench/harness/tool"
	"harnessbench/harness/world"
	"harnessbench/scenarios"
)

// toolTime is how long a tool runs when the story does not say.
const toolTime = time.Second

// toolbox answers tool calls and questions to the user from the step under way. Results are dealt in the order of the
// model's calls, not of their starts, so that parallel calls cannot swap them. A story names tools as the full profile
// does; in the teaching profile the model calls the same ones by other names.
type toolbox struct {
	mu     sync.Mutex // the real world runs tools side by side
	prompt *scenarios.Prompt
	next   map[string]int
	dealt  map[string]scenarios.ToolResult   // by tool_use id
	lines  map[string][]scenarios.ToolResult // of Bash, by command line; "" for calls that name none
}

func newToolbox() *toolbox { return &toolbox{dealt: map[string]scenarios.ToolResult{}} }

// step begins a step with its own results; nil has none.
func (t *toolbox) step(p *scenarios.Prompt) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.prompt, t.next, t.lines = p, map[string]int{}, map[string][]scenarios.ToolResult{}
}

// called deals the next result of a tool to a call the model made.
func (t *toolbox) called(id, name string, input []byte) {
	t.mu.Lock()
	defer t.mu.Unlock()
	name = tool.FullName(name)
	r, scripted := scenarios.ToolResult{Output: "ok"}, false
	if t.prompt != nil {
		if list := t.prompt.Tools[name]; len(list) > 0 {
			r, scripted = list[min(t.next[name], len(list)-1)], true
			t.next[name]++
		}
	}
	if scripted {
		t.dealt[id] = r
	}
	if name == tool.BashName {
		var in struct{ Command string }
		_ = json.Unmarshal(input, &in) // a broken input names no command
		t.lines[in.Command] = append(t.lines[in.Command], r)
	}
}

// run answers a call as the story says. What it says nothing about the harness runs itself, and so it does with
// commands, which get to exec.
func (t *toolbox) run(call world.ToolCall) (world.ToolResult, time.Duration) {
	t.mu.Lock()
	defer t.mu.Unlock()
	r, ok := t.dealt[call.ID]
	if call.Own != nil && (!ok || tool.FullName(call.Name) == tool.BashName && !r.Error) {
		return world.ToolResult{Own: true}, 0
	}
	if !ok {
		r.Output = "ok"
	}
	return world.ToolResult{Output: r.Output, Exit: r.Exit, IsError: r.Error}, lasts(r)
}

func lasts(r scenarios.ToolResult) time.Duration {
	if r.Takes == 0 {
		return toolTime
	}
	return r.Takes
}

// exec runs a command line: what it does is what the story says of the call that asked for it. all is its whole
// output, of which the exit holds what came before a timeout: nothing. A line that no call asked for is the harness's
// own, and this machine has no such command.
func (t *toolbox) exec(cmd world.Command) (exit world.Exit, all string, takes time.Duration) {
	t.mu.Lock()
	defer t.mu.Unlock()
	line := cmd.Line
	if len(t.lines[line]) == 0 {
		line = "" // a call that repeats an earlier command names none
	}
	if len(t.lines[line]) == 0 {
		return world.Exit{Output: "sh: command not found\n", Code: 127, Dir: cmd.Dir}, "", 0
	}
	r := t.lines[line][0]
	t.lines[line] = t.lines[line][1:]
	takes = lasts(r)
	switch {
	case cmd.Background:
		return world.Exit{Running: true, Dir: cmd.Dir}, r.Output, 0
	case cmd.Timeout > 0 && takes > cmd.Timeout:
		return world.Exit{Running: cmd.File != "", Stopped: cmd.File == "", Dir: cmd.Dir}, r.Output, cmd.Timeout
	}
	return world.Exit{Output: r.Output, Code: r.Exit, Dir: cmd.Dir}, r.Output, takes
}

// approve answers for the user.
func (t *toolbox) approve(call world.ToolCall) (world.Approval, time.Duration) {
	if t.prompt == nil {
		return world.Approval{Allow: true}, 0
	}
	denial, denied := t.prompt.Approve[call.Name]
	return world.Approval{Allow: !denied, Feedback: denial.Feedback}, 0
}
