package account

import (
	"strings"

	"harnessbench/internal/wire"
)

// Changed counts the lines that the structured result of a tool says were added and removed (H-ACC-14): those of
// its patch, or all lines of a file that was created. Results of other shapes change nothing.
func Changed(structured []byte) (added, removed int) {
	v, err := wire.ParseValue(structured)
	if err != nil {
		return 0, 0
	}
	patch := v.Get("structuredPatch")
	if patch.Kind() != '[' {
		return 0, 0
	}
	for _, hunk := range patch.Elems() {
		for _, line := range hunk.Get("lines").Elems() {
			switch text := line.Text(); {
			case strings.HasPrefix(text, "+"):
				added++
			case strings.HasPrefix(text, "-"):
				removed++
			}
		}
	}
	if content := v.Get("content").Text(); patch.Len() == 0 && v.Get("type").Text() == "create" && content != "" {
		added = strings.Count(strings.TrimSuffix(content, "\n"), "\n") + 1
	}
	return added, removed
}
