package sim

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"harnessbench/conformance/invariant"
	"harnessbench/conformance/run"
	"harnessbench/scenarios"
)

// long is what a long conversation is drawn from.
type long struct {
	model string
	turns int
	sizes []int // bytes of tool results to draw from
	set   map[string]string
	pick  func(n int, what string) int // below n
}

// story is a conversation of turns with tools; each prompt and each answer holds a string of its own.
func (l long) story() *scenarios.Scenario {
	sc := &scenarios.Scenario{Name: "long", File: "long.yaml", Story: "long", Model: l.model, Set: l.set, Start: scenarios.Start{Window: 100_000}}
	for i := range l.turns {
		p := &scenarios.Prompt{Text: fmt.Sprintf("question %d of many", i), Tools: map[string][]scenarios.ToolResult{}}
		calls := l.pick(3, "calls")
		for k := range calls {
			size := l.sizes[l.pick(len(l.sizes), "size")]
			p.Model = append(p.Model, scenarios.Answer{Blocks: []scenarios.Block{
				{Kind: "thinking", Text: "which one"},
				{Kind: "tool_use", Name: "Bash", Input: []byte(`{"command":"part ` + strconv.Itoa(i) + " " + strconv.Itoa(k) + `"}`)},
			}})
			p.Tools["Bash"] = append(p.Tools["Bash"], scenarios.ToolResult{Output: strings.Repeat("a line of the log\n", size/18)})
		}
		end := fmt.Sprintf("answer %d", i)
		p.Model = append(p.Model, scenarios.Answer{Blocks: []scenarios.Block{{Kind: "text", Text: end}}})
		for n := range 3 { // wherever a summary cuts the loop, what is answered behind it ends the turn
			p.Summaries = append(p.Summaries, scenarios.Summary{Text: fmt.Sprintf("summary %d.%d", i, n),
				Model: []scenarios.Answer{{Blocks: []scenarios.Block{{Kind: "text", Text: end}}}}})
		}
		sc.Steps = append(sc.Steps, scenarios.Step{Number: i + 1, Prompt: p})
	}
	return sc
}

// play runs the conversation: no request is refused, each fits, pairs and roles are legal, every compaction keeps what it
// must, the log only grows, and what a rebuild would send is what was sent (the harness checks that on every call, and
// the run at its end).
func (l long) play(t require.TestingT) *run.Result {
	res, err := run.Story(l.story(), run.Options{Model: l.model, Seed: 1})
	require.NoError(t, err)
	require.Empty(t, res.Faults)
	for _, c := range res.Calls {
		require.Equal(t, 200, c.Status, "the server refused call %s: %s", c.Name, c.Refusal)
	}
	for _, c := range res.Checks {
		for _, f := range c.Findings {
			require.NotEqual(t, invariant.H, f.Level, "%s on %s: %s\n%s", c.Check, res.Model, f.Fact, f.Other)
		}
	}
	last := res.Calls[len(res.Calls)-1]
	require.Contains(t, string(last.Body), fmt.Sprintf("question %d of many", l.turns-1), "the newest input")
	return res
}

// layers are the settings under which long conversations are played.
var layers = []map[string]string{
	{}, {"snip": "on"}, {"micro.mode": "cached"}, {"micro.mode": "position"}, {"collapse": "on"}, {"compact.keepRecent": "20"},
	{"snip": "on", "micro.mode": "position"}, {"micro.mode": "off"},
}

// TestConversationsOfFourHundredTurnsHold plays them on each model of the matrix, with results from nothing to a megabyte:
// they are compacted again and again, and CMP-1 to CMP-7 meet occasions. A plain run gives each model layers of its own,
// the tag sweep gives all of them to each.
func TestConversationsOfFourHundredTurnsHold(t *testing.T) {
	turns := 400
	if testing.Short() {
		turns = 60
	}
	for i, model := range Matrix {
		t.Run(model, func(t *testing.T) {
			t.Parallel()
			met := map[string]int{}
			for k, set := range layers {
				if stride > 1 && k != i {
					continue
				}
				t.Run(fmt.Sprint(set), func(t *testing.T) {
					draw := rand.New(rand.NewPCG(uint64(i), 400+uint64(k)))
					l := long{model: model, turns: turns, sizes: []int{0, 900, 20_000, 29_000, 29_900, 60_000, 1 << 20}, set: set,
						pick: func(n int, _ string) int { return draw.IntN(n) }}
					for _, c := range l.play(t).Checks {
						met[c.Check] += c.Occasions
					}
				})
			}
			for check, n := range met {
				if strings.HasPrefix(check, "CMP-") && check != "CMP-8" && !testing.Short() {
					require.Positive(t, n, check)
				}
			}
		})
	}
}

// TestDrawnLongConversationsHold draws the layers, the number of turns and the sizes. Whatever is cut off, calls and results
// stay together (bugs p-inflight-calls-dropped-by-normaliser, p-summariser-cutoff-orphan and
// p-truncate-first-kept-is-result).
func TestDrawnLongConversationsHold(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := long{
			model: rapid.SampledFrom(Matrix).Draw(t, "model"),
			turns: rapid.IntRange(1, 12).Draw(t, "turns"),
			sizes: rapid.SliceOfN(rapid.SampledFrom([]int{0, 1, 5_000, 29_000, 31_000, 200_000, 1 << 20}), 1, 3).Draw(t, "sizes"),
			set:   rapid.SampledFrom(layers).Draw(t, "layers"),
			pick:  func(n int, what string) int { return rapid.IntRange(0, n-1).Draw(t, what) },
		}
		l.play(t)
	})
}
