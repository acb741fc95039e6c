package compact

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"harnessbench/harness/sessionlog"
)

// The tail behind a memory file goes back until it has both its tokens and its texts, never beyond the most tokens, and no
// result begins it. It goes back at least to where the file ends, or it is none (H-CMP-80).
func TestTail(t *testing.T) {
	long := func(tokens int) string { return strings.Repeat("x", 4*tokens-40) }
	talk := []*sessionlog.Entry{typed("a"), saying("b"), typed("c"), saying("d"), typed("e"), saying("f")}
	for name, c := range map[string]struct {
		limits MemoryLimits
		path   []*sessionlog.Entry
		want   int
	}{
		"texts and tokens":      {MemoryLimits{Tokens: 1, Texts: 5, Most: 1_000}, talk, 1},
		"tokens are missing":    {MemoryLimits{Tokens: 1_000, Texts: 2, Most: 2_000}, talk, 0},
		"one text more":         {MemoryLimits{Tokens: 1, Texts: 2, Most: 1_000}, talk, 4},
		"the most is the limit": {MemoryLimits{Tokens: 1_000, Texts: 5, Most: 500}, []*sessionlog.Entry{typed("a"), saying(long(600)), typed("b"), saying("c")}, 2},
		"nothing fits":          {MemoryLimits{Tokens: 1_000, Texts: 5, Most: 500}, []*sessionlog.Entry{typed("a"), saying(long(600))}, 2},
		"calls are no texts": {MemoryLimits{Tokens: 1, Texts: 2, Most: 1_000},
			[]*sessionlog.Entry{typed("a"), saying("b"), typed("c"), toolUse("u"), toolResult("u", "U"), saying("d")}, 2},
		"a result brings its call": {MemoryLimits{Tokens: 1, Texts: 1, Most: 500},
			[]*sessionlog.Entry{typed("a"), toolUse("u"), toolResult("u", "U")}, 0},
		"not without its call": {MemoryLimits{Tokens: 1, Texts: 9, Most: 100},
			[]*sessionlog.Entry{saying(long(300)), toolUse("u"), toolResult("u", long(200)), saying("d")}, 3},
	} {
		assert.Equal(t, c.want, c.limits.Tail(c.path, len(c.path)), name)
	}
	for told, want := range map[int]int{6: 4, 5: 4, 4: 4, 3: 3, 2: 2, 1: 1, 0: 0} {
		limits := MemoryLimits{Tokens: 1, Texts: 2, Most: 1_000}
		assert.Equal(t, want, limits.Tail(talk[:6], told), "what the file does not tell of stays: told %d", told)
	}
	short := MemoryLimits{Tokens: 1, Texts: 2, Most: Tokens(talk[3:])}
	assert.Greater(t, short.Tail(talk, 1), 1, "too much was said since")
	full := Full()
	assert.Equal(t, MemoryLimits{Tokens: 10_000, Texts: 5, Most: 40_000, Grown: 10_000, Request: 40_000, Answer: 4_000}, full.Memory)
}
