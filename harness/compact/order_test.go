package compact

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"harnessbench/internal/wire"
)

// layered is what the layers make of a list in an order, with what the budget saved, by call.
func layered(t require.TestingT, l List, order string) (List, map[string]string) {
	limits, saved := Teaching(), map[string]string{}
	for _, name := range strings.Fields(order) {
		switch name {
		case "budget":
			var err error
			l, err = l.Budget(&limits, func(call, text string) (string, error) {
				saved[call] = text
				return call + ".txt", nil
			})
			require.NoError(t, err)
		case "snip":
			l = l.Snip(&limits.Snip)
		case "micro":
			l = l.Micro(&limits.Micro)
		}
	}
	return l, saved
}

// texts are the texts of the results of a list, by call, the newest last.
func texts(l List) (calls []string, of map[string]string) {
	of = map[string]string{}
	for _, m := range l {
		for _, b := range m.Blocks {
			if v, err := wire.ParseValue(b); err == nil && v.Get("type").Text() == "tool_result" {
				calls = append(calls, v.Get("tool_use_id").Text())
				of[v.Get("tool_use_id").Text()] = contentText(v)
			}
		}
	}
	return calls, of
}

// unsaved is the check of H-CMP-2: what the budget takes out of a list by itself is saved, whatever the other layers do. It
// names the results that are lost.
func unsaved(t require.TestingT, before List, saved map[string]string) (lost []string) {
	_, due := layered(t, before, "budget")
	for _, call := range slices.Sorted(maps.Keys(due)) {
		if saved[call] != due[call] {
			lost = append(lost, call)
		}
	}
	return lost
}

// notWhole is the check of H-CMP-20: the newest three results of the list that is sent are what they were. It names those
// that are not.
func notWhole(before, after List, saved map[string]string) (broken []string) {
	_, was := texts(before)
	calls, is := texts(after)
	for _, call := range calls[max(0, len(calls)-Teaching().Micro.Keep):] {
		if is[call] != was[call] && saved[call] == "" {
			broken = append(broken, call)
		}
	}
	return broken
}

// longLesson draws a list of rounds with up to five calls each, results of all sizes, and prompts without any.
func longLesson(t *rapid.T, most int) List {
	var words []string
	for range rapid.IntRange(1, most).Draw(t, "rounds") {
		if rapid.IntRange(0, 2).Draw(t, "what") == 0 {
			words = append(words, "u", "a")
			continue
		}
		n := rapid.IntRange(1, 5).Draw(t, "calls")
		words = append(words, strings.Repeat("c+", n-1)+"c")
		var results []string
		for range n {
			results = append(results, fmt.Sprintf("r(%d)", rapid.SampledFrom([]int{0, 100, 121, 121, 2_000, 2_000, 110_000}).Draw(t, "chars")))
		}
		words = append(words, strings.Join(results, "+"))
	}
	l := lesson(words...)
	n := 0
	for i := range l { // each result answers a call of its own
		for j, b := range l[i].Blocks {
			if v, err := wire.ParseValue(b); err == nil && typeOf(b) == "tool_result" {
				n++
				l[i].Blocks[j] = wire.Apply(b, wire.Replace(v.Get("tool_use_id"), fmt.Appendf(nil, `"c%d"`, n)))
			}
		}
	}
	return l
}

// Budget and micro do not commute: micro first takes away what the budget would have saved, and the check of H-CMP-2 names
// it. In the fixed order nothing is lost (H-CMP-1, H-CMP-2).
func TestMicroBeforeBudgetLosesWhatWasNotSaved(t *testing.T) {
	l := longLessonOf("c+c+c+c+c", "r(90000)+r(80000)+r(40000)+r(40000)+r(40000)")
	_, saved := layered(t, l, "budget micro")
	assert.Empty(t, unsaved(t, l, saved))
	_, saved = layered(t, l, "micro budget")
	assert.Equal(t, []string{"c1", "c2"}, unsaved(t, l, saved))
	rapid.Check(t, func(t *rapid.T) {
		l := longLesson(t, 6)
		_, saved := layered(t, l, "budget snip micro")
		require.Empty(t, unsaved(t, l, saved))
	})
}

// longLessonOf is a lesson whose results answer calls of their own.
func longLessonOf(words ...string) List {
	l := lesson(words...)
	for i := range l[1].Blocks {
		v, _ := wire.ParseValue(l[1].Blocks[i])
		l[1].Blocks[i] = wire.Apply(l[1].Blocks[i], wire.Replace(v.Get("tool_use_id"), fmt.Appendf(nil, `"c%d"`, i+1)))
	}
	return l
}

// Budget and snip commute: the budget looks at the last message alone, and a snip never takes that one (H-CMP-10,
// H-CMP-15). The property proves it for lists of any length.
func TestBudgetAndSnipCommute(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := longLesson(t, 32)
		a, savedA := layered(t, l, "budget snip")
		b, savedB := layered(t, l, "snip budget")
		require.Equal(t, string(a.JSON()), string(b.JSON()))
		require.Equal(t, savedA, savedB)
	})
}

// Snip and micro do not commute: micro first counts results that the snip then takes away, so that fewer than three whole
// ones are sent, and the check of H-CMP-20 names what is not whole. In the fixed order the newest three of what is sent
// are (H-CMP-1).
func TestMicroBeforeSnipClearsWhatIsNewest(t *testing.T) {
	words := []string{"c", "r(500)"}
	for range 3 {
		words = append(words, "c", "r(600)")
	}
	for range 24 {
		words = append(words, "u", "a")
	}
	l := lesson(words...)
	right, saved := layered(t, l, "snip micro")
	assert.Empty(t, notWhole(l, right, saved))
	wrong, saved := layered(t, l, "micro snip")
	assert.Equal(t, []string{"c1"}, notWhole(l, wrong, saved))
	rapid.Check(t, func(t *rapid.T) {
		l := longLesson(t, 32)
		after, saved := layered(t, l, "budget snip micro")
		require.Empty(t, notWhole(l, after, saved))
	})
}

// Micro and auto do not commute: what micro makes small enough needs no summary, and the check of H-CMP-4 counts those
// that are asked for without need.
func TestAutoBeforeMicroAsksForASummaryWithoutNeed(t *testing.T) {
	limits := Teaching()
	var words []string
	for range 10 {
		words = append(words, "c", "r(25000)")
	}
	l := lesson(words...)
	asks := func(order ...string) (n int) {
		at := l
		for _, layer := range order {
			switch {
			case layer == "micro":
				at = at.Micro(&limits.Micro)
			case at.Tokens() > limits.Auto.Fixed:
				n, at = n+1, Compacted("so far")
			}
		}
		return n
	}
	assert.Equal(t, 0, asks("micro", "auto"))
	assert.Equal(t, 1, asks("auto", "micro"))
}
