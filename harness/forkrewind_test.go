package harness_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"harnessbench/harness"
	"harnessbench/harness/world"
)

// In a fork the first prompt that a partial summary kept hangs from the summary's anchor. Going back to it stands right
// behind the anchor, and what is said next is not put behind what was kept (H-CMD-31, H-CMD-38, H-CMD-39, H-LOG-45).
func TestRewindToTheFirstPromptAForkKept(t *testing.T) {
	for action, summary := range map[string]string{harness.SummarizeFrom: "", harness.SummarizeUpTo: "what was said first"} {
		t.Run(action, func(t *testing.T) {
			r := newRig(t, systems, answer{})
			r.answer = func() answer {
				if n := len(r.requests); r.requests[n-1].Chain != "compact" {
					return says(text(fmt.Sprintf("answer %d", n)))
				}
				return says(text("<summary>what was said first</summary>"))
			}
			r.m.Run(func(w world.World) {
				s, err := harness.Start(w, r.cfg)
				require.NoError(t, err)
				for i := 1; i <= 3; i++ {
					r.prompt(w, s, fmt.Sprintf("prompt %d", i))
				}
				_, err = s.RewindTo(w, s.Prompts()[1].UUID, action)
				require.NoError(t, err)
				require.NoError(t, s.Fork(w, ""))
				kept := s.Prompts()[0]
				require.NoError(t, s.Rewind(w, kept.UUID))
				r.prompt(w, s, "another way")
				require.NoError(t, s.Close(w), "the log gives the same conversation")
				said := strings.Join(messages(t, r.requests[len(r.requests)-1].Body), "\n")
				require.NotContains(t, said, kept.Text)
				require.Contains(t, said, "another way")
				require.Equal(t, summary != "", strings.Contains(said, "what was said first"), said)
			})
		})
	}
}
