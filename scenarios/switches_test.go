package scenarios

import (
	"testing"

	"github.com/stretchr/testify/require"

	"harnessbench/harness"
)

func TestTheHarnessTakesEverySwitchAStoryCanSet(t *testing.T) {
	for _, k := range setShape("").named {
		for _, v := range k.shape.choices {
			_, err := harness.ParseSwitches(map[string]string{k.name: v})
			require.NoError(t, err, "%s: %s", k.name, v)
		}
	}
	_, err := harness.ParseSwitches(map[string]string{"cache.tll": "5m"})
	require.Error(t, err)
}

// TestTheHeadOfAStorySetsTheClearing: limits of the clearing of old results are numbers, and reach the harness (H-CMP-26).
func TestTheHeadOfAStorySetsTheClearing(t *testing.T) {
	const rest = "steps:\n  - prompt: a\n"
	text := "story: s\nmodel: claude-sonnet-5\nset: {micro.clearAtLeast: 5000, micro.expectedCalls: 20, cache.breakpoints: two}\n" + rest
	s, err := load(t, text)
	require.NoError(t, err)
	require.NoError(t, compiled(t).Validate(value(t, []byte(text))))
	require.Equal(t, map[string]string{"micro.clearAtLeast": "5000", "micro.expectedCalls": "20", "cache.breakpoints": "two"}, s.Set)
	sw, err := harness.ParseSwitches(s.Set)
	require.NoError(t, err)
	require.Equal(t, harness.Switches{MicroClearAtLeast: "5000", MicroExpectedCalls: "20", Breakpoints: "two"}, sw)
	_, err = load(t, "story: s\nmodel: claude-sonnet-5\nset: {micro.clearAtLeast: -1}\n"+rest)
	require.ErrorContains(t, err, "micro.clearAtLeast is the number -1; a whole number from 0")
}
