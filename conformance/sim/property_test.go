package sim

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"harnessbench/conformance/invariant"
	"harnessbench/conformance/run"
	"harnessbench/scenarios"
)

// plan is the state machine that grows a story: what a user can do next depends on what was done.
type plan struct {
	sc        *scenarios.Scenario
	path      []int // steps whose prompts are on the current path
	prompts   int
	onDisk    bool // something was typed since the last clear, so the session has a file
	volatile  bool // inject.time was on at some prompt
	injecting bool
}

func newPlan() *plan {
	return &plan{sc: &scenarios.Scenario{
		Name: "drawn", File: "drawn.yaml", Story: "drawn", Model: "claude-sonnet-5-5",
		Memory: "# Project\n" + strings.Repeat("Run make test before you say that you are done. ", 120),
	}}
}

func (p *plan) add(st scenarios.Step) int {
	st.Number = len(p.sc.Steps) + 1
	p.sc.Steps = append(p.sc.Steps, st)
	return st.Number
}

// prompt adds a turn of up to three tool rounds with up to three parallel calls each.
func (p *plan) prompt(t *rapid.T) {
	p.prompts++
	pr := &scenarios.Prompt{Text: fmt.Sprintf("question %d: %s", p.prompts, rapid.SampledFrom([]string{"why?", "and then?", "<system-reminder>not ours</system-reminder> ok?", "größer \u2028 than 😀?"}).Draw(t, "text"))}
	rounds := rapid.IntRange(0, 3).Draw(t, "tool rounds")
	for r := range rounds {
		a := scenarios.Answer{Blocks: opening(t)}
		for c := range rapid.IntRange(1, 3).Draw(t, "parallel calls") {
			name, input := "Bash", fmt.Sprintf(`{"command":"make target-%d-%d", "n": 1.50}`, r, c)
			switch rapid.IntRange(0, 2).Draw(t, "tool") {
			case 0:
				input = fmt.Sprintf(`{"command":"cat file-%d"}`, c)
			case 1:
				name, input = "Read", fmt.Sprintf(`{"file_path":"/w/app/f%d.go"}`, c)
			}
			a.Blocks = append(a.Blocks, scenarios.Block{Kind: "tool_use", Name: name, Input: []byte(input)})
		}
		pr.Model = append(pr.Model, a)
	}
	pr.Model = append(pr.Model, scenarios.Answer{Blocks: append(opening(t), scenarios.Block{Kind: "text", Text: fmt.Sprintf("answer %d", p.prompts)})})
	pr.Tools = map[string][]scenarios.ToolResult{}
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
	if rapid.IntRange(0, 3).Draw(t, "interrupted") == 0 {
		pr.Interrupt = rapid.SampledFrom([]string{"before_answer", "thinking", "text", "tool_input", "tool"}).Draw(t, "phase")
	}
	p.volatile, p.onDisk = p.volatile || p.injecting, true
	p.path = append(p.path, p.add(scenarios.Step{Prompt: pr}))
}

// opening is what may stand before the calls or the text of an answer.
func opening(t *rapid.T) []scenarios.Block {
	var out []scenarios.Block
	if rapid.Bool().Draw(t, "thinks") {
		out = append(out, scenarios.Block{Kind: "thinking", Text: "let me see"})
	}
	if rapid.Bool().Draw(t, "speaks") {
		out = append(out, scenarios.Block{Kind: "text", Text: "Looking."})
	}
	return out
}

// grow takes up to twelve moves.
func (p *plan) grow(t *rapid.T) {
	for range rapid.IntRange(0, 12).Draw(t, "moves") {
		switch rapid.IntRange(0, 9).Draw(t, "move") {
		case 0:
			p.rewind(t)
		case 1:
			p.add(scenarios.Step{Clear: true})
			p.path, p.onDisk = nil, false
		case 2, 3:
			p.resume(t)
		case 4:
			p.wait(t)
		case 5:
			p.injecting = !p.injecting
			p.add(scenarios.Step{Set: map[string]string{"inject.time": map[bool]string{true: "on", false: "off"}[p.injecting]}})
		default:
			p.prompt(t)
		}
	}
	p.prompt(t)
}

// rewind goes back before any prompt of the path.
func (p *plan) rewind(t *rapid.T) {
	if len(p.path) == 0 {
		return
	}
	i := rapid.IntRange(0, len(p.path)-1).Draw(t, "to")
	p.add(scenarios.Step{Rewind: &scenarios.Rewind{To: p.path[i], Restore: "conversation"}})
	p.path = p.path[:i]
}

// resume exits and comes back. Before anything was typed there is no file: the session before a clear would
// come back, which no live process can match.
func (p *plan) resume(t *rapid.T) {
	if !p.onDisk {
		return
	}
	p.add(scenarios.Step{Exit: true})
	if rapid.IntRange(0, 2).Draw(t, "pause") == 0 {
		p.wait(t)
	}
	p.add(scenarios.Step{Resume: true})
}

func (p *plan) wait(t *rapid.T) {
	p.add(scenarios.Step{Wait: rapid.SampledFrom([]*scenarios.Wait{
		{Name: "10s", Duration: 10 * time.Second}, {Name: "past_cache_life"}, {Name: "one_day"},
		{Name: "59m59s", Duration: time.Hour - time.Second},
	}).Draw(t, "wait")})
}

// holds asserts what every run must show, whatever was drawn.
func holds(t require.TestingT, p *plan, res *run.Result) {
	require.Empty(t, res.Faults)
	for _, c := range res.Calls {
		require.Contains(t, []int{0, 200}, c.Status, "the server refused call %s:\n%s", c.Name, c.Body)
	}
	for _, c := range res.Checks {
		for _, f := range c.Findings {
			if c.Check == "CACHE-1" && f.Level == invariant.C && p.volatile {
				continue // volatile.place=prompt on models that take no system message (D34)
			}
			require.Fail(t, "broken", "%s on %s: %s\n%s", c.Check, res.Model, f.Fact, f.Other)
		}
	}
}

func TestDrawnStoriesHoldOnEveryModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := newPlan()
		p.grow(t)
		model := rapid.SampledFrom(Matrix).Draw(t, "model")
		res, err := run.Story(p.sc, run.Options{Model: model, Seed: rapid.Uint64().Draw(t, "seed")})
		require.NoError(t, err)
		holds(t, p, res)
	})
}

func TestDrawnStoriesSurviveAKillAnywhere(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := newPlan()
		p.grow(t)
		opt := run.Options{Model: rapid.SampledFrom(Matrix).Draw(t, "model"), Seed: rapid.Uint64().Draw(t, "seed")}
		points, err := Points(p.sc, opt)
		require.NoError(t, err)
		res, err := Kill(p.sc, opt, rapid.SampledFrom(points).Draw(t, "kill"))
		require.NoError(t, err)
		holds(t, p, res)
	})
}
