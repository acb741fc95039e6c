package compare_test

import (
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"harnessbench/conformance/compare"
	"harnessbench/conformance/run"
	"harnessbench/scenarios"
)

// TestFindingsAreExpectedOfTheStoryAsItStands: another policy is not excused by them, nor blamed where it has none.
func TestFindingsAreExpectedOfTheStoryAsItStands(t *testing.T) {
	sc, err := scenarios.Load(fstest.MapFS{"s.yaml": {Data: []byte("story: s\nmodel: claude-haiku-4-5\nplant: empty-message\nsteps:\n" +
		"  - prompt: hello\n    model: [{text: hi}]\nexpect: {findings: [PAIR-6, {check: CACHE-4, models: claude-sonnet-5}]}\n")}}, "s.yaml")
	require.NoError(t, err)
	policies := []compare.Policy{{Name: "story"}, {Name: "changed", Set: map[string]string{"cache.ttl": "5m"}}}
	rows, err := compare.Play(sc, policies, run.Options{Seed: 1}, false, func(string) {})
	require.NoError(t, err)
	require.False(t, rows[0].Broken)
	require.True(t, rows[1].Broken)
	require.Empty(t, rows[1].Missed)
	for _, r := range rows {
		require.Len(t, r.Findings, 1, "a finding is shown, expected or not")
	}
}
