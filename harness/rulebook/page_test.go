package rulebook

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"
)

// putOff are behaviour rules of a seed that come later, and where that was agreed.
var putOff = map[string]string{
	"H-TRACE-7": "the order for log, rebuild, loop and commands asks for H-TRACE-1 to H-TRACE-6 alone",
	"H-TRACE-8": "the same",
}

// TestThePageIsTrue: every behaviour has a symbol and a test that name it, no id is made up, and RULES.md says what
// the sources say.
func TestThePageIsTrue(t *testing.T) {
	rules, err := Rules()
	require.NoError(t, err)
	mentions, err := Read(os.DirFS("../.."), Dirs[:]...)
	require.NoError(t, err)
	require.Empty(t, Gaps(rules, mentions, putOff))
	page, err := os.ReadFile("../RULES.md")
	require.NoError(t, err)
	require.Equal(t, Page(rules, mentions), string(page), "make rules writes the page")
}
