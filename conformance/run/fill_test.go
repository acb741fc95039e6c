package run_test

import (
	"bytes"
	"fmt"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"harnessbench/conformance/run"
	"harnessbench/conformance/sim"
	"harnessbench/scenarios"
)

// filledStory asks for texts of exactly so many tokens.
func filledStory(t *testing.T, prompt, output int) *scenarios.Scenario {
	t.Helper()
	file := fmt.Sprintf(`story: texts of a known size
model: claude-sonnet-5-5
steps:
  - prompt: read the log
    fill: {tokens: %d}
    model: [{tool_use: {name: Bash, input: {command: cat log}}}, {text: Read.}]
    tools: {Bash: {output: "first line", fill: {tokens: %d}}}
  - prompt: thanks
    model: [{text: Welcome.}]
`, prompt, output)
	sc, err := scenarios.Load(fstest.MapFS{"x.yaml": {Data: []byte(file)}}, "x.yaml")
	require.NoError(t, err)
	return sc
}

func totals(t *testing.T, sc *scenarios.Scenario, model string) (out []int) {
	t.Helper()
	res, err := run.Story(sc, run.Options{Model: model, Seed: 1})
	require.NoError(t, err)
	require.Empty(t, res.Faults)
	require.Len(t, res.Calls, 3)
	for _, c := range res.Calls {
		require.True(t, bytes.Contains(c.Body, []byte("read the log the")), "the prompt begins as written")
		out = append(out, c.Usage.Fresh+c.Usage.Read+c.Usage.Write)
	}
	return out
}

func TestAFilledTextHasExactlySoManyTokens(t *testing.T) {
	for _, model := range sim.Matrix {
		base := totals(t, filledStory(t, 400, 900), model)
		more := totals(t, filledStory(t, 421, 900), model)
		both := totals(t, filledStory(t, 421, 931), model)
		for i := range base {
			assert.Equal(t, base[i]+21, more[i], "%s: call %d, 21 tokens more in the prompt", model, i)
		}
		assert.Equal(t, more[0], both[0], model)
		assert.Equal(t, []int{more[1] + 31, more[2] + 31}, both[1:], "%s: 31 tokens more in the output", model)
	}
}

func TestAFillingBelowItsTextIsSaidWithItsPlace(t *testing.T) {
	_, err := run.Story(filledStory(t, 400, 1), run.Options{Seed: 1})
	require.ErrorContains(t, err, "x.yaml:4: the output of Bash of step 1: no text of exactly 1 tokens begins with these 10 characters")
}
