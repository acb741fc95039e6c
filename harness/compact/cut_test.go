package compact

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"harnessbench/harness/sessionlog"
)

// over is a path of one prompt and n rounds, 2n+1 messages, with an answer at its end, one more.
func over(n int) []*sessionlog.Entry {
	return history(append(append([]string{"p"}, times(n, "Bash(400)")...), "a")...)
}

// Fifty messages are not more than fifty. Of more, whole rounds go from behind the first three messages until no more than
// thirty are left; the next snip comes when there are more than fifty again (H-CMP-17).
func TestSnip(t *testing.T) {
	limits := Full().Snip
	for rounds, want := range map[int]int{24: 0, 25: 22, 26: 24, 30: 32, 100: 172} {
		path := over(rounds)
		require.Equal(t, 2*rounds+2, Messages(path, &sessionlog.Decisions{}))
		c, ok := limits.Snip(path, &sessionlog.Decisions{}, false)
		assert.Equal(t, want > 0, ok, "%d rounds", rounds)
		assert.Equal(t, want, c.Messages, "%d rounds", rounds)
		assert.Len(t, c.Gone, want)
		if ok {
			assert.Equal(t, "e3", c.Gone[0], "three messages stay at the begin")
			assert.InDelta(t, want/2*(400+100)/4, c.Tokens, float64(want)*12)
		}
	}
	path := over(24)
	_, ok := limits.Snip(append(path, history("p")...), &sessionlog.Decisions{}, false)
	assert.True(t, ok, "a prompt makes 51")

	d := sessionlog.Decisions{}
	path = over(25)
	c, _ := limits.Snip(path, &d, false)
	d.Snip(sessionlog.Removal{Gone: c.Gone}, c.Messages)
	assert.Equal(t, 30, Messages(path, &d))
	_, ok = limits.Snip(path, &d, false)
	assert.False(t, ok, "30 are left, the next is far")
}

// What the model asks for is the same cut, of however many messages; with no round to take there is none (H-CMP-17,
// H-CMP-18).
func TestSnipThatWasAskedFor(t *testing.T) {
	limits := Full().Snip
	for rounds, want := range map[int]int{0: 0, 1: 0, 14: 0, 15: 2, 20: 12} {
		c, ok := limits.Snip(over(rounds), &sessionlog.Decisions{}, true)
		assert.Equal(t, want, c.Messages, "%d rounds", rounds)
		assert.Equal(t, want > 0, ok, "%d rounds", rounds)
	}
	_, ok := limits.Snip(nil, &sessionlog.Decisions{}, true)
	assert.False(t, ok)
}

// The newest prompt and what stands with it is never taken, wherever it stands, nor is the newest round; results go with
// their calls (H-CMP-5, CMP-6).
func TestCutsKeepPromptAndPairs(t *testing.T) {
	words := append(append(times(6, "p", "a"), "p"), times(40, "Bash(9)")...)
	path := history(words...)
	d := sessionlog.Decisions{}
	c, ok := new(SnipLimits).Snip(path, &d, true)
	require.True(t, ok)
	gone := map[string]bool{}
	for _, uuid := range c.Gone {
		gone[uuid] = true
	}
	assert.False(t, gone["e12"], "the newest prompt")
	assert.True(t, gone["e10"], "an older one")
	assert.False(t, gone[path[len(path)-1].UUID] || gone[path[len(path)-2].UUID], "the newest round")
	for i := 13; i+1 < len(path); i += 2 {
		assert.Equal(t, gone[path[i].UUID], gone[path[i+1].UUID], "call and result at %d", i)
	}
}

// A span takes the oldest rounds, up to half of the messages; the next one begins behind it (H-CMP-32).
func TestCollapsePlan(t *testing.T) {
	for rounds, want := range map[int]int{0: 0, 1: 2, 2: 2, 3: 4, 4: 4, 5: 6, 10: 10} {
		c, ok := Collapse(over(rounds), &sessionlog.Decisions{}, false)
		assert.Equal(t, want, c.Messages, "%d rounds", rounds)
		assert.Equal(t, want > 0, ok)
	}
	d := sessionlog.Decisions{}
	path := over(10)
	c, _ := Collapse(path, &d, false)
	assert.Equal(t, "e1", c.Gone[0])
	d.Collapse(sessionlog.Removal{Gone: c.Gone}, []byte(`"s"`))
	next, ok := Collapse(path, &d, false)
	require.True(t, ok)
	assert.Equal(t, fmt.Sprint("e", len(c.Gone)+1), next.Gone[0])
	assert.Equal(t, 6, next.Messages, "half of the twelve that are left")
	assert.False(t, slices.ContainsFunc(next.Gone, func(u string) bool { return slices.Contains(c.Gone, u) }))
}

// Results that were cleared or replaced count in a cut as what is shown of them (H-CMP-38).
func TestCutCountsWhatIsShown(t *testing.T) {
	path := history("p", "Bash(8000)", "Bash(8000)", "Bash(8000)", "a")
	all, ok := new(SnipLimits).Snip(path, &sessionlog.Decisions{}, true)
	require.True(t, ok)
	less, _ := new(SnipLimits).Snip(append(path, boundary("time", "c1")), &sessionlog.Decisions{}, true)
	assert.InDelta(t, all.Tokens-(8000-33)/4, less.Tokens, 30)
	d := sessionlog.Decisions{}
	d.Replace("", "c2", []byte(`"short"`))
	less, _ = new(SnipLimits).Snip(path, &d, true)
	assert.InDelta(t, all.Tokens-8000/4, less.Tokens, 40)
}

// A cut never parts what the user said from what answered it: a prompt that goes takes all of its rounds along, one
// that stays keeps the newest of them. Calls go with their results, the newest prompt and the newest round of its turn
// stay, a cut of a span is no more than half, and what is left counts as many messages less as it says (H-CMP-5,
// H-CMP-17, H-CMP-32).
func TestAPromptGoesWithItsAnswers(t *testing.T) {
	cut, parted := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		var words []string
		for range rapid.IntRange(1, 12).Draw(t, "turns") {
			words = append(words, "p")
			words = append(words, times(rapid.IntRange(0, 7).Draw(t, "rounds"), "Bash(9)")...)
			words = append(words, "a")
		}
		if rapid.Bool().Draw(t, "asked") {
			words = append(words, "p")
		}
		path := history(words...)
		d := sessionlog.Decisions{}
		for range 3 {
			limits := SnipLimits{Head: rapid.IntRange(0, 5).Draw(t, "head"), Left: rapid.IntRange(0, 40).Draw(t, "left")}
			before := Messages(path, &d)
			c, ok := limits.Snip(path, &d, true)
			if rapid.Bool().Draw(t, "span") {
				c, ok = Collapse(path, &d, false)
				require.LessOrEqual(t, c.Messages, before/2)
			}
			if !ok {
				continue
			}
			cut++
			d.Snip(sessionlog.Removal{Gone: c.Gone}, c.Messages)
			require.Equal(t, before-c.Messages, Messages(path, &d))
		}
		newest := newestPrompt(path)
		require.False(t, d.Hides(path[newest].UUID), "the newest prompt")
		require.False(t, d.Hides(path[len(path)-1].UUID), "the newest round")
		for i, e := range path {
			if !e.Typed {
				continue
			}
			answers, gone := 0, 0
			for _, a := range path[i+1:] {
				if a.Typed {
					break
				}
				answers++
				if d.Hides(a.UUID) {
					gone++
				}
			}
			switch {
			case d.Hides(e.UUID):
				require.Equal(t, answers, gone, "answers of the prompt at %d", i)
			case answers > 0:
				require.Less(t, gone, answers, "answers of the prompt at %d", i)
			}
			if gone > 0 && gone < answers {
				parted++
			}
		}
		for i := range path[:len(path)-1] {
			if isResult(path[i+1]) {
				require.Equal(t, d.Hides(path[i].UUID), d.Hides(path[i+1].UUID), "call and result at %d", i)
			}
		}
	})
	require.Positive(t, cut)
	require.Positive(t, parted, "some of the rounds of a prompt that stays")
}

// What stands between the rounds goes with the one before it; what was said while the turn ran goes with what answers that;
// the summary of a compaction, and the answer that begins with one of the server's, stay (H-CMP-5, H-CMP-83).
func TestWhatStandsBetweenTheRounds(t *testing.T) {
	path := history("p", "Bash(9)", "Bash(9)", "Bash(9)", "Bash(9)", "a", "p", "a", "p")
	queued := &sessionlog.Entry{Type: sessionlog.Attachment, UUID: "said", Attach: sessionlog.Attach{Type: "queued_command", Mode: "prompt"}}
	hooked := &sessionlog.Entry{Type: sessionlog.Attachment, UUID: "hook", Attach: sessionlog.Attach{Type: "hook_additional_context"}}
	summary := &sessionlog.Entry{Type: sessionlog.User, UUID: "sum", Summary: true, Hidden: true}
	with := slices.Concat([]*sessionlog.Entry{summary}, path[:3], []*sessionlog.Entry{hooked}, path[3:5], []*sessionlog.Entry{queued}, path[5:])
	var seen [][]string
	sent := sendable(with, &sessionlog.Decisions{})
	for _, s := range steps(sent, 0) {
		seen = append(seen, s.cut(with, sent, &sessionlog.Decisions{}).Gone)
	}
	assert.Equal(t, [][]string{
		{"e1", "e2", "hook"},
		{"e0", "e1", "e2", "hook", "e3", "e4"},
		{"e0", "e1", "e2", "hook", "e3", "e4", "e5", "e6"},
		{"e0", "e1", "e2", "hook", "e3", "e4", "e5", "e6", "e7", "e8"},
		{"e0", "e1", "e2", "hook", "e3", "e4", "said", "e5", "e6", "e7", "e8", "e9"},
		{"e0", "e1", "e2", "hook", "e3", "e4", "said", "e5", "e6", "e7", "e8", "e9", "e10", "e11"},
	}, seen, "the newest round too, for the turn is over")
	condensed := history("a", "p", "a", "p", "a", "p")
	sent = sendable(condensed, &sessionlog.Decisions{})
	assert.Len(t, steps(sent, 0), 2)
	assert.Equal(t, []string{"e1", "e2"}, steps(sent, 0)[0].cut(condensed, sent, &sessionlog.Decisions{}).Gone)
}

// A held request may take what can only go together though it is more than half of the messages; no other may (H-CMP-32).
func TestAHeldSpanMayBeLong(t *testing.T) {
	path := history("p", "Bash(9)", "p")
	_, ok := Collapse(path, &sessionlog.Decisions{}, false)
	assert.False(t, ok)
	c, ok := Collapse(path, &sessionlog.Decisions{}, true)
	assert.True(t, ok)
	assert.Equal(t, []string{"e0", "e1", "e2"}, c.Gone)
	_, ok = Collapse(history("p", "Bash(9)"), &sessionlog.Decisions{}, true)
	assert.False(t, ok, "a turn that goes on")
}
