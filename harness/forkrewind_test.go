package harness_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"harnessbench/harness"
	"harnessbench/harness/world"
)

// In a fork the first prompt that a summary of the later part kept hangs from the boundary. Nothing stands before it: going
// back to it leaves an empty path, also where a further summary kept a part of the same (H-CMD-31, H-CMD-38, H-LOG-45).
func TestRewindToTheFirstPromptAForkKept(t *testing.T) {
	for _, again := range []bool{false, true} {
		r := newRig(t, systems, answer{})
		r.answer = func() answer {
			if n := len(r.requests); r.requests[n-1].Chain != "compact" {
				return says(text(fmt.Sprintf("answer %d", n)))
			}
			return says(text("<summary>what was said later</summary>"))
		}
		r.m.Run(func(w world.World) {
			s, err := harness.Start(w, r.cfg)
			require.NoError(t, err)
			for i := 1; i <= 3; i++ {
				r.prompt(w, s, fmt.Sprintf("prompt %d", i))
			}
			_, err = s.RewindTo(w, s.Prompts()[2].UUID, harness.SummarizeFrom)
			require.NoError(t, err)
			require.NoError(t, s.Fork(w, ""))
			first := s.Prompts()[0]
			if again {
				_, err = s.RewindTo(w, s.Prompts()[1].UUID, harness.SummarizeUpTo)
				require.NoError(t, err)
			}
			require.NoError(t, s.Rewind(w, first.UUID))
			r.prompt(w, s, "another way")
			require.NoError(t, s.Close(w), "the log gives the same conversation")
			said := strings.Join(messages(t, r.requests[len(r.requests)-1].Body), "\n")
			require.NotContains(t, said, "prompt")
			require.NotContains(t, said, "what was said later")
			require.Contains(t, said, "another way")
		})
	}
}
