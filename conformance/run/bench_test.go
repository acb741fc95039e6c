package run_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"harnessbench/conformance/run"
	"harnessbench/scenarios"
)

// operations is a session of n prompts, every other with a tool call.
func operations(n int, wait time.Duration) *scenarios.Scenario {
	sc := &scenarios.Scenario{Name: "operations", File: "operations.yaml", Story: "many operations", Model: "claude-sonnet-5-5"}
	for i := 1; i <= n; i++ {
		p := &scenarios.Prompt{Text: fmt.Sprintf("question %d", i)}
		if i%2 == 0 {
			p.Model = append(p.Model, scenarios.Answer{Blocks: []scenarios.Block{{Kind: "thinking", Text: "look"}, {Kind: "tool_use", Name: "Bash", Input: []byte(`{"command":"make"}`)}}})
			p.Tools = map[string][]scenarios.ToolResult{"Bash": {{Output: "ok"}}}
		}
		p.Model = append(p.Model, scenarios.Answer{Blocks: []scenarios.Block{{Kind: "text", Text: fmt.Sprintf("answer %d", i)}}})
		sc.Steps = append(sc.Steps, scenarios.Step{Prompt: p})
		if wait > 0 {
			sc.Steps = append(sc.Steps, scenarios.Step{Wait: &scenarios.Wait{Name: wait.String(), Duration: wait}})
		}
	}
	for i := range sc.Steps {
		sc.Steps[i].Number = i + 1
	}
	return sc
}

func play(b *testing.B, sc *scenarios.Scenario) {
	for b.Loop() {
		res, err := run.Story(sc, run.Options{Seed: 1})
		require.NoError(b, err)
		require.False(b, res.Broken(false))
	}
}

// BenchmarkTwentyOperations: harness, server and all checks; at most 3 ms CPU (architecture.md 7).
func BenchmarkTwentyOperations(b *testing.B) {
	play(b, operations(20, 0))
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N)/1000/3, "x-of-3ms-budget")
}

// BenchmarkSimulatedHour: 20 prompts spread over an hour; at most 25 ms CPU (architecture.md 7).
func BenchmarkSimulatedHour(b *testing.B) {
	play(b, operations(20, 3*time.Minute))
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N)/1000/25, "x-of-25ms-budget")
}
