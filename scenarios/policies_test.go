package scenarios

import (
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"
)

func policies(text string) ([]Policy, error) {
	return LoadPolicies(fstest.MapFS{"p.yaml": {Data: []byte(text)}}, "p.yaml")
}

func TestAListOfPolicies(t *testing.T) {
	got, err := policies("policies:\n  - name: as-is\n  - name: late\n    set: {micro.mode: position, micro.clearAtLeast: 20000, snip: on, cache.hitRate: 0.5}\n")
	require.NoError(t, err)
	require.Equal(t, []Policy{
		{Name: "as-is", Line: 2},
		{Name: "late", Line: 3, Set: map[string]string{"micro.mode": "position", "micro.clearAtLeast": "20000", "snip": "on", "cache.hitRate": "0.5"}},
	}, got)
}

func TestFaultsInAListOfPolicies(t *testing.T) {
	for text, want := range map[string]string{
		"story: x\n":                                      `p.yaml:1:1: unknown key "story" in the file`,
		"policies:\n  - name: a\n  - name: a\n":           `p.yaml:3:11: a second policy "a"; one of each name`,
		"policies:\n  - name: a b\n":                      `p.yaml:2:11: name is "a b"`,
		"policies:\n  - set: {snip: on}\n":                `has no name`,
		"policies:\n  - name: a\n    set: {snip: [on]}\n": `p.yaml:3:17: snip is a list`,
		"policies:\n  - name: a\n    set: {snip: true}\n": `snip is true`,
		"policies:\n  - name: a\n    set: {snip: }\n":     `snip is empty`,
		"policies:\n  - name: a\n    set: {\"1x\": on}\n": `"1x" is no name in set; names of switches, such as cache.ttl`,
		"": `the file is empty`,
	} {
		_, err := policies(text)
		require.ErrorContains(t, err, want, text)
	}
	_, err := LoadPolicies(fstest.MapFS{}, "p.yaml")
	require.ErrorContains(t, err, "p.yaml: cannot be read: file does not exist; a file that lists policies")
}
