package harness_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"harnessbench/harness"
	"harnessbench/harness/world"
)

// A request for a summary holds the thinking that the main requests hold, and no more: what thinking.keep=last-turn left
// out of them when a turn was over does not come back because the request ends before that turn's successor (H-LOOP-54,
// H-CMP-46, CACHE-6). What they hold stays, and so does the thinking of
// a turn that goes on.
func TestASummaryBringsNoThinkingBack(t *testing.T) {
	for _, model := range []string{plain, systems, bound, manual} {
		for _, keep := range []string{"all", "last-turn"} {
			for upTo := 1; upTo <= 4; upTo++ {
				r := newRig(t, model, says(thinking("hm", "c2ln"), text("A.")))
				r.cfg.Switches.ThinkingKeep = keep
				r.session(func(w world.World, s *harness.Session) {
					prompts := r.asked(w, s, "one", "two", "three", "four", "five")
					r.answer = func() answer { return summary("plums") }
					_, err := s.RewindTo(w, prompts[upTo], harness.SummarizeUpTo)
					require.NoError(t, err)
				})
				want := map[string][]string{"all": {"T", "TT", "TTT", "TTTT"}, "last-turn": {"-", "--", "---", "----"}}[keep][upTo-1]
				assert.Equal(t, want, thoughts(t, r.requests[5].Body), "%s, %s, up to prompt %d", model, keep, upTo)
				legal(t, r.requests[5].Body)
			}
		}
	}
}

// Where the recent messages that stay begin inside a turn, the request for the summary of those before them ends in the
// middle of that turn, and holds its thinking as little as the main requests (H-LOOP-54, H-CMP-74).
func TestASummaryUpToTheMiddleOfATurn(t *testing.T) {
	for _, model := range []string{plain, systems, bound, manual} {
		script := loop("a", 2, "Bash", ls)
		for range 9 {
			script = append(script, says(thinking("k", "c2ln"), text("A.")))
		}
		script[len(script)-1].input = 70_000
		r := newRig(t, model, append(script, summary("plums"), says(text("B.")))...)
		r.cfg.Window, r.cfg.Switches.KeepRecent, r.cfg.Switches.ThinkingKeep = 100_000, true, "last-turn"
		r.session(func(w world.World, s *harness.Session) {
			for i := range 11 {
				r.prompt(w, s, fmt.Sprint("prompt ", i))
			}
		})
		main, ask := r.requests[11], r.requests[12]
		require.Equal(t, "compact", ask.Chain)
		assert.Contains(t, r.shape(12)[len(r.shape(12))-1], "tool_result(a2", "it ends inside the first turn")
		was, now := messages(t, main.Body), messages(t, ask.Body)
		assert.Equal(t, was[:len(now)-1], now[:len(now)-1], model)
		legal(t, ask.Body)
	}
}

// In a loop that goes on, a summary that leaves its newest rounds where they are is asked for with the thinking of the
// rounds before them (H-LOOP-54, H-CMP-74).
func TestASummaryInALoopKeepsItsThinking(t *testing.T) {
	for _, model := range []string{plain, systems, manual} {
		script := append([]answer{says(thinking("old", "c2ln"), text("A."))}, loop("a", 14, "Bash", ls)[:14]...)
		script[14].input = 70_000
		r := newRig(t, model, append(script, summary("plums"), says(text("B.")))...)
		r.cfg.Window, r.cfg.Switches.KeepRecent, r.cfg.Switches.ThinkingKeep = 100_000, true, "last-turn"
		r.session(func(w world.World, s *harness.Session) {
			r.prompt(w, s, "one")
			r.prompt(w, s, "two")
		})
		require.Equal(t, "compact", r.requests[15].Chain)
		got := thoughts(t, r.requests[15].Body)
		assert.Equal(t, "-TTTT", got[:5], fmt.Sprint(model, got))
		was, now := messages(t, r.requests[14].Body), messages(t, r.requests[15].Body)
		assert.Equal(t, was[:len(now)-1], now[:len(now)-1])
	}
}
