package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"harnessbench/conformance/invariant"
)

// TestTheReadmeShowsWhatIsTrue: the output in it is pasted from a run, the story is the shipped one, the checks are
// those of the catalogue.
func TestTheReadmeShowsWhatIsTrue(t *testing.T) {
	root := filepath.Join("..", "..")
	raw, err := os.ReadFile(filepath.Join(root, "README.md"))
	require.NoError(t, err)
	readme := string(raw)

	var out, errs bytes.Buffer
	require.Zero(t, cli([]string{"run", filepath.Join(root, "scenarios", "rewind.yaml"), "-v"}, &out, &errs), errs.String())
	shown := 0
	for _, block := range fenced(readme) {
		if strings.HasPrefix(block, "rewind ") || strings.HasPrefix(block, "step 3 ") {
			shown++
			require.Contains(t, out.String(), block)
		}
	}
	require.Equal(t, 2, shown, "the verdict and the excerpt of the trace")

	const figure = "no-micro,prune-always,micro-position,micro-cached"
	require.Contains(t, readme, "bench compare scenarios/compare/sixty_turns.yaml --policies "+figure+"\n")
	out.Reset()
	require.Zero(t, cli([]string{"compare", filepath.Join(root, "scenarios", "compare", "sixty_turns.yaml"), "--policies", figure}, &out, &errs), errs.String())
	require.Contains(t, fenced(readme), out.String(), "the comparison of policies")

	story, err := os.ReadFile(filepath.Join(root, "scenarios", "rewind.yaml"))
	require.NoError(t, err)
	_, text, _ := strings.Cut(string(story), "\n") // the line for editors
	require.Contains(t, readme, text)

	for _, info := range invariant.Catalogue() {
		require.Contains(t, readme, fmt.Sprintf("| %s | %s | %s |\n", info.ID, info.Level, info.Sentence))
	}
}

// fenced are the texts between lines of three backticks.
func fenced(text string) (blocks []string) {
	parts := strings.Split(text, "\n```")
	for i := 1; i < len(parts); i += 2 {
		_, body, _ := strings.Cut(parts[i], "\n")
		blocks = append(blocks, body+"\n")
	}
	return blocks
}
