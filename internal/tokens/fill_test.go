package tokens

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestATextOfExactlySoManyTokens(t *testing.T) {
	for name, g := range generations {
		for _, n := range []int{20, 21, 22, 23, 50, 100, 379, 1000, 27_529, 200_000} {
			text, err := Fill(g, "", n)
			require.NoError(t, err, "%s: %d", name, n)
			assert.InDelta(t, n, g.Text([]byte(text)), 1e-6, "%s: %d", name, n)
			assert.NotContains(t, text, "  ")
		}
	}
}

func TestAnyBeginningIsFilledUp(t *testing.T) {
	leads := []string{"", "read the log", "what's 2 + 2?", "ends in a number 7", "naïve", "line\n", "trailing blank ", "HTMLParser", "{\"a\": 1}", "'"}
	rapid.Check(t, func(t *rapid.T) {
		lead := strings.Join(rapid.SliceOfN(rapid.SampledFrom(leads), 1, 4).Draw(t, "lead"), " ")
		n := rapid.IntRange(120, 2000).Draw(t, "n")
		for _, g := range generations { // any order: each is judged by itself
			text, err := Fill(g, lead, n)
			require.NoError(t, err)
			assert.True(t, strings.HasPrefix(text, lead))
			assert.InDelta(t, n, g.Text([]byte(text)), 1e-6, "%q", text)
		}
	})
}

func TestATextThatIsTooLongAlreadyIsNotFilled(t *testing.T) {
	_, err := Fill(generations["4.x"], "five words are too many", 5)
	require.EqualError(t, err, "no text of exactly 5 tokens begins with these 23 characters, which alone are 5.20 tokens")
}
