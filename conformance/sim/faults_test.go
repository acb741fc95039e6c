package sim

import (
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"harnessbench/conformance/invariant"
	"harnessbench/conformance/run"
	"harnessbench/fakeapi/fault"
	"harnessbench/scenarios"
)

// breakable are the faults that a harness must take without a legal word too many.
func breakable() []string { return fault.Kinds() }

// breakCalls draws faults for the prompts of a plan, at any place.
func (p *plan) breakCalls(t *rapid.T) {
	places := []string{"", "after_headers", "before_headers", "end", "event 1", "event 3", "byte 9 of event 3", "event content_block_stop",
		"event content_block_stop of tool_use", "event content_block_stop of thinking", "byte 30 of event input_json_delta 2", "event signature_delta", "event message_delta"}
	for _, st := range p.sc.Steps {
		if st.Prompt == nil || rapid.IntRange(0, 2).Draw(t, "broken") > 0 {
			continue
		}
		for range rapid.IntRange(1, 2).Draw(t, "faults") {
			f := scenarios.Fault{Do: rapid.SampledFrom(breakable()).Draw(t, "do"), Call: rapid.IntRange(0, 3).Draw(t, "call")}
			if f.Do == "refuse" {
				f.With = append(f.With, scenarios.Setting{Name: "status", Value: strconv.Itoa(rapid.SampledFrom([]int{400, 401, 403, 404, 413, 418, 500}).Draw(t, "status"))})
			}
			if at := rapid.SampledFrom(places).Draw(t, "at"); at != "" {
				f.With = append(f.With, scenarios.Setting{Name: "at", Value: at})
				if !valid(f) {
					f.With = f.With[:len(f.With)-1]
				}
			}
			st.Prompt.Faults = append(st.Prompt.Faults, f)
		}
	}
}

func valid(f scenarios.Fault) bool {
	built := fault.Fault{Do: f.Do}
	for _, s := range f.With {
		if built.Set(s.Name, s.Value) != nil {
			return false
		}
	}
	return built.Check() == nil
}

// TestNoFaultBreaksHarnessOrJudge: whatever the server does wrong, nothing panics or hangs, the log stays legal, and
// no request is refused for what it holds. The same story gives the same calls again.
func TestNoFaultBreaksHarnessOrJudge(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := newPlan(rapid.SampledFrom(Matrix).Draw(t, "model"))
		p.grow(t)
		p.breakCalls(t)
		opt := run.Options{Model: p.model, Seed: rapid.Uint64().Draw(t, "seed")}
		res, err := run.Story(p.sc, opt)
		require.NoError(t, err)
		require.Empty(t, res.Faults)
		for _, c := range res.Checks {
			for _, f := range c.Findings {
				require.NotEqual(t, invariant.H, f.Level, "%s on %s: %s\n%s", c.Check, res.Model, f.Fact, f.Other)
			}
		}
		again, err := run.Story(p.sc, opt)
		require.NoError(t, err)
		require.Equal(t, res.Calls, again.Calls)
	})
}

// TestAfterAnyFaultTheNextPromptWorks: each fault at each of its calls in one story.
func TestAfterAnyFaultTheNextPromptWorks(t *testing.T) {
	for _, do := range breakable() {
		for call := 1; call <= 2; call++ {
			f := scenarios.Fault{Do: do, Call: call}
			if do == "refuse" {
				f.With = []scenarios.Setting{{Name: "status", Value: "503"}}
			}
			sc := &scenarios.Scenario{Name: "one", File: "one.yaml", Story: "one", Model: "claude-sonnet-5-5", Steps: []scenarios.Step{
				{Number: 1, Prompt: &scenarios.Prompt{Text: "größer?", Faults: []scenarios.Fault{f}, Model: []scenarios.Answer{
					{Blocks: []scenarios.Block{{Kind: "thinking", Text: "hm"}, {Kind: "tool_use", Name: "Bash", Input: []byte(`{"command":"größer"}`)}}},
					{Blocks: []scenarios.Block{{Kind: "text", Text: "größer"}}},
				}, Tools: map[string][]scenarios.ToolResult{"Bash": {{Output: "ok"}}}}},
				{Number: 2, Wait: &scenarios.Wait{Name: "1s", Duration: time.Second}},
				{Number: 3, Prompt: &scenarios.Prompt{Text: "again", Model: []scenarios.Answer{{Blocks: []scenarios.Block{{Kind: "text", Text: "yes"}}}}}},
			}}
			for _, model := range Matrix {
				res, err := run.Story(sc, run.Options{Model: model, Seed: 1})
				require.NoError(t, err)
				require.Empty(t, res.Faults, "%s at call %d on %s", do, call, model)
				require.False(t, res.Broken(false) && len(res.Expect) == 0, "%s at call %d on %s: %v", do, call, model, res.Checks)
				last := res.Calls[len(res.Calls)-1]
				require.Equal(t, 3, last.Step)
				require.Equal(t, 200, last.Status, "%s at call %d on %s: %s", do, call, model, last.Body)
				require.True(t, last.Done)
			}
		}
	}
}
