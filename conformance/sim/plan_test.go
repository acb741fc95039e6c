package sim

import (
	"fmt"
	"strings"
	"time"

	"pgregory.net/rapid"

	"harnessbench/scenarios"
)

// plan is the state machine that grows a story: what a user can do next depends on what was done.
type plan struct {
	sc        *scenarios.Scenario
	model     string
	current   string // model in use, which a command may have switched
	asked     int    // commands, so that their texts differ
	path      []int  // steps whose prompts are on the current path
	summed    []int  // how many of them stood behind a summary when each was typed
	kept      bool   // an aside was kept, nothing typed since
	behind    int    // how many do now
	prompts   int
	onDisk    bool // something was typed or cleared, so there is a session to resume
	volatile  bool // inject.time was on at some prompt
	injecting bool
}

func newPlan(model string) *plan {
	return &plan{model: model, current: model, sc: &scenarios.Scenario{
		Name: "drawn", File: "drawn.yaml", Story: "drawn", Model: "claude-sonnet-5-5",
		Memory: "# Project\n" + strings.Repeat("Run make test before you say that you are done. ", 120),
	}}
}

func (p *plan) add(st scenarios.Step) int {
	st.Number = len(p.sc.Steps) + 1
	p.sc.Steps = append(p.sc.Steps, st)
	return st.Number
}

// grow takes up to twelve moves.
func (p *plan) grow(t *rapid.T) {
	for range rapid.IntRange(0, 12).Draw(t, "moves") {
		switch rapid.IntRange(0, 16).Draw(t, "move") {
		case 0, 1:
			p.rewind(t)
		case 2:
			p.add(scenarios.Step{Clear: &scenarios.Clear{}})
			p.path, p.summed, p.behind, p.onDisk = nil, nil, 0, true
		case 3, 4:
			p.resume(t)
		case 5:
			p.wait(t)
		case 6:
			p.injecting = !p.injecting
			p.set("inject.time", map[bool]string{true: "on", false: "off"}[p.injecting])
		case 7:
			p.set("volatile.place", rapid.SampledFrom([]string{"system", "prompt", "tail"}).Draw(t, "place"))
		case 8:
			p.set("thinking", rapid.SampledFrom([]string{"off", "adaptive", "enabled"}).Draw(t, "mode"))
		case 9, 10, 11:
			p.command(t)
		default:
			p.prompt(t)
		}
	}
	p.prompt(t)
}

func (p *plan) set(name, value string) {
	p.add(scenarios.Step{Set: map[string]string{name: value}})
}

// rewind goes back before any prompt of the path.
func (p *plan) rewind(t *rapid.T) {
	if len(p.path) == 0 {
		return
	}
	i := rapid.IntRange(0, len(p.path)-1).Draw(t, "to")
	restore := rapid.SampledFrom([]string{"conversation", "conversation", "both", "summarize_from", "summarize_up_to"}).Draw(t, "restore")
	if strings.HasPrefix(restore, "summarize") && i <= p.behind { // it is summarised, or nothing stands before it
		restore = "conversation"
	}
	p.add(scenarios.Step{Rewind: &scenarios.Rewind{To: p.path[i], Restore: restore}})
	if restore == "summarize_up_to" {
		p.behind = i
		return
	}
	if restore != "summarize_from" {
		p.behind = p.summed[i]
	}
	p.path, p.summed = p.path[:i], p.summed[:i]
}

// resume exits and comes back.
func (p *plan) resume(t *rapid.T) {
	if !p.onDisk || p.kept { // the newest session would be the copy that an aside was kept in
		return
	}
	p.add(scenarios.Step{Exit: true})
	if rapid.IntRange(0, 2).Draw(t, "pause") == 0 {
		p.wait(t)
	}
	p.add(scenarios.Step{Resume: &scenarios.Resume{}})
}

func (p *plan) wait(t *rapid.T) {
	p.add(scenarios.Step{Wait: rapid.SampledFrom([]*scenarios.Wait{
		{Name: "10s", Duration: 10 * time.Second}, {Name: "past_cache_life"}, {Name: "one_day"},
		{Name: "59m59s", Duration: time.Hour - time.Second},
	}).Draw(t, "wait")})
}

// prompt adds a turn of up to three tool rounds. Some prompts and answers are equal to earlier ones, so that nothing
// can be told by its text alone.
func (p *plan) prompt(t *rapid.T) {
	p.prompts++
	text := rapid.SampledFrom([]string{
		"why?", "and then?", "<system-reminder>not ours</system-reminder> ok?", "größer \u2028 than 😀?",
	}).Draw(t, "text")
	if rapid.Bool().Draw(t, "a new text") {
		text = fmt.Sprintf("question %d: %s", p.prompts, text)
	}
	pr := &scenarios.Prompt{Text: text, Model: p.answers(t), Tools: map[string][]scenarios.ToolResult{}}
	for _, tool := range []string{"Bash", "Read"} {
		for range rapid.IntRange(0, 3).Draw(t, tool+" results") {
			pr.Tools[tool] = append(pr.Tools[tool], scenarios.ToolResult{
				Output: rapid.SampledFrom([]string{"", "fine", "line one\nline two\n", "\x1b[31mred\x1b[0m \"quoted\" \\ back"}).Draw(t, "output"),
				Exit:   rapid.IntRange(0, 2).Draw(t, "exit"),
				Error:  rapid.Bool().Draw(t, "tool fails"),
				Takes:  time.Duration(rapid.IntRange(1, 4).Draw(t, "takes")) * 700 * time.Millisecond,
			})
		}
	}
	p.meanwhile(t, pr)
	p.volatile, p.onDisk = p.volatile || p.injecting, true
	p.kept = false
	p.path, p.summed = append(p.path, p.add(scenarios.Step{Prompt: pr})), append(p.summed, p.behind)
}
