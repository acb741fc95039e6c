package scenarios

import (
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestSummariesAreScriptedAsBlocks(t *testing.T) {
	const story = `story: a summary
model: claude-sonnet-5-5
steps:
  - prompt: go
    model:
      - blocks: [{compaction: what was}, {text: hi}]
  - prompt: go on
    model:
      - blocks: [{compaction_failed: true}, {text: hi}]
`
	sc, err := Load(fstest.MapFS{"s.yaml": {Data: []byte(story)}}, "s.yaml")
	require.NoError(t, err)
	assert.Equal(t, []Block{{Kind: "compaction", Text: "what was"}, {Kind: "text", Text: "hi"}}, sc.Steps[0].Prompt.Model[0].Blocks)
	assert.Equal(t, Block{Kind: "compaction"}, sc.Steps[1].Prompt.Model[0].Blocks[0])

	_, err = Load(fstest.MapFS{"s.yaml": {Data: []byte("story: a\nmodel: claude-sonnet-5-5\nsteps:\n  - prompt: go\n    model: [{blocks: [{compaction_failed: false}]}]\n")}}, "s.yaml")
	assert.Error(t, err)
}
