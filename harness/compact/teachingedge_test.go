package compact

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"harnessbench/internal/wire"
)

// The numbers of the teaching profile, each just below, at, and just above its edge. What each one does there stands in
// the tests of its layer; one retry, three failures and 50,000 tokens are the session's and shown there.

// talks is a list of so many texts, the first of the user.
func talks(n int) List {
	var l List
	for i := range n {
		l = append(l, Said{[]string{"user", "assistant"}[i%2], Ask(fmt.Sprint("number ", i)).Blocks})
	}
	return l
}

// Fifty messages are not too many; of more, three stay at the head and forty-seven at the tail (H-CMP-15).
func TestFiftyThreeAndFortySeven(t *testing.T) {
	limits := Teaching().Snip
	for n, want := range map[int]int{0: -1, 2: -1, 49: -1, 50: -1, 51: 1, 52: 2, 97: 47} {
		l := talks(n)
		got := l.Snip(&limits)
		if want < 0 {
			assert.Equal(t, l, got, "%d messages", n)
			continue
		}
		require.Len(t, got, 3+1+47, "%d messages", n)
		assert.Equal(t, l[:3], got[:3], "%d messages", n)
		assert.Equal(t, want, snipped(got, 3), "%d messages", n)
		assert.Equal(t, l[n-47:], got[4:], "%d messages", n)
	}
}

// The guards move each end by as many messages as a pair needs: the head over the results of its last call, the tail back to
// the call of its first results. Where they meet nothing goes and the list grows by one (H-CMP-15, H-CMP-16).
func TestTheGuardsOfTheSnip(t *testing.T) {
	limits := Teaching().Snip
	with := func(n int, at ...int) List { // calls at places, with their results behind them
		l := talks(n)
		for _, i := range at {
			pair := lesson("c", "r(9)")
			l[i], l[i+1] = pair[0], pair[1]
		}
		return l
	}
	for _, c := range []struct {
		name             string
		list             List
		len, head, taken int
	}{
		{"no pair at an edge", with(60), 51, 3, 10},
		{"a pair ends at the head", with(60, 1), 51, 3, 10},
		{"a pair begins at the last of the head", with(60, 2), 52, 4, 9},
		{"a pair begins behind the head", with(60, 3), 51, 3, 10},
		{"a pair ends before the tail", with(60, 11), 51, 3, 10},
		{"a pair ends in the first of the tail", with(60, 12), 52, 3, 9},
		{"a pair begins in the first of the tail", with(60, 13), 51, 3, 10},
		{"both", with(60, 2, 12), 53, 4, 8},
		{"one is left to take", with(52, 2), 52, 4, 1},
		{"they meet by the head", with(51, 2), 52, 4, 0},
		{"they meet by the tail", with(51, 3), 52, 3, 0},
	} {
		got := c.list.Snip(&limits)
		require.Len(t, got, c.len, c.name)
		assert.Equal(t, c.taken, snipped(got, c.head), c.name)
		assert.Equal(t, c.list[:c.head], got[:c.head], c.name)
		assert.Equal(t, c.list[len(c.list)-(c.len-c.head-1):], got[c.head+1:], c.name)
	}
}

// Three results stay whatever their length; of those before them 120 characters stay and 121 do not (H-CMP-20).
func TestThreeResultsAndAHundredAndTwentyCharacters(t *testing.T) {
	limits := Teaching().Micro
	for results, cleared := range map[int]int{0: 0, 2: 0, 3: 0, 4: 1, 5: 2} {
		words := []string{"u"}
		for range results {
			words = append(words, "c", "r(121)")
		}
		got := lesson(words...).Micro(&limits)
		assert.Equal(t, cleared, strings.Count(string(got.JSON()), "[Earlier tool result compacted"), "%d results", results)
	}
	for chars, cleared := range map[int]int{0: 0, 119: 0, 120: 0, 121: 1, 122: 1} {
		got := lesson("u", "c", fmt.Sprintf("r(%d)", chars), "c", "r(9)+r(9)+r(9)").Micro(&limits)
		assert.Equal(t, cleared, strings.Count(string(got.JSON()), "[Earlier tool result compacted"), "%d characters", chars)
	}
}

// 200,000 characters of results fit, by one or by several; of what is saved 2,000 are shown (H-CMP-10, H-CMP-12).
func TestTwoHundredThousandAndTwoThousandCharacters(t *testing.T) {
	limits := Teaching()
	saved := func(l List) (n int, shown []string) {
		got, err := l.Budget(&limits, func(_, _ string) (string, error) { n++; return "/saved", nil })
		require.NoError(t, err)
		for _, b := range got[len(got)-1].Blocks {
			v, err := wire.ParseValue(b)
			require.NoError(t, err)
			shown = append(shown, contentText(v))
		}
		return n, shown
	}
	for chars, want := range map[int]int{199_999: 0, 200_000: 0, 200_001: 1} {
		n, _ := saved(lesson("u", "c", fmt.Sprintf("r(%d)", chars)))
		assert.Equal(t, want, n, "%d characters", chars)
		n, _ = saved(lesson("u", "c", fmt.Sprintf("r(%d)+r(50000)", chars-50_000)))
		assert.Equal(t, want, n, "%d characters of two", chars)
	}
	for chars, want := range map[int]int{1_999: 1_999, 2_000: 2_000, 2_001: 2_000} { // the longest of many is short enough
		words := fmt.Sprintf("r(%d)", chars) + strings.Repeat("+r(1990)", 101)
		_, shown := saved(lesson("u", "c", words))
		assert.Equal(t, want, strings.Count(shown[0], "x"), "%d characters", chars)
	}
}

// Five messages stay behind a refusal, fewer where there are fewer, and one more for the call of a first result (H-CMP-61).
func TestFiveMessages(t *testing.T) {
	limits := Teaching().Reactive
	for n, kept := range map[int]int{0: 0, 1: 1, 4: 4, 5: 5, 6: 5, 7: 5} {
		l := talks(n)
		assert.Equal(t, append(List{Ask("[Reactive compact]\n\nS")}, l[n-kept:]...), l.Reactive("S", limits.Tail), "%d messages", n)
	}
	for _, c := range []struct {
		list List
		kept int
	}{
		{lesson("r(9)", "a", "u", "a", "u"), 5}, // there is no message before
		{lesson("c", "r(9)", "a", "u", "a", "u"), 6},
		{lesson("a", "r(9)", "a", "u", "a", "u"), 5}, // and none that calls
		{lesson("u", "c", "r(9)", "a", "u", "a"), 5},
	} {
		assert.Len(t, c.list.Reactive("S", limits.Tail), c.kept+1)
	}
	assert.Equal(t, 1, limits.Retries)
	assert.Equal(t, 3, Teaching().Auto.Failures)
}
