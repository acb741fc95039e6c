package run_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"harnessbench/conformance/invariant"
)

// TestTheTeachingProfileShowsItsFaults plays one story of so many reads in both profiles. The layers of the teaching
// profile change a list in memory alone, so that requests hold what no entry does and each one breaks the cache of the one
// before: findings, by name. The full profile is silent on the same story (H-CMP-3, H-CMP-16, H-CMP-20).
func TestTheTeachingProfileShowsItsFaults(t *testing.T) {
	const words = "one plum, two pears, three apples, four quinces, five cherries, six figs, seven melons, eight medlars, nine limes"
	for _, tc := range []struct {
		name, says string
		reads      int
	}{
		{"results are cleared before each call", "[Earlier tool result com", 8},
		{"the middle is taken out before each call", "[snipped ", 28},
	} {
		t.Run(tc.name, func(t *testing.T) {
			var files, reads strings.Builder
			for i := range tc.reads {
				fmt.Fprintf(&files, "  list-%d.txt: basket %d has %s\n", i, i, words)
				fmt.Fprintf(&reads, "      - tool_use: {name: Read, input: {file_path: /w/app/list-%d.txt}}\n", i)
			}
			story := "files:\n" + files.String() + "steps:\n  - prompt: read all lists\n    model:\n" + reads.String() + "      - text: Read.\n"
			broken := func(set string) map[string]string {
				res, _ := told(t, set+story, nil)
				out := map[string]string{}
				for _, c := range res.Checks {
					for _, f := range c.Findings {
						require.Equal(t, invariant.Broken, c.Verdict)
						out[c.Check] += f.Fact + "\n" + f.Other + "\n"
					}
				}
				return out
			}
			found := broken("set: {profile: teaching}\n")
			require.Contains(t, found["CACHE-1"], tc.says)
			require.Contains(t, found, "LOG-6")
			require.Empty(t, broken(""))
		})
	}
}
