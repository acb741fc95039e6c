package scenarios

import (
	"errors"
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"
)

// FuzzLoad: whatever stands in a file, Load answers with a story or with typed faults inside the file.
func FuzzLoad(f *testing.F) {
	all, err := LoadAll(os.DirFS("."), ".")
	if err != nil {
		f.Fatal(err)
	}
	for _, s := range all {
		data, err := os.ReadFile(s.File)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	for _, group := range [][]struct{ name, text, want string }{badFiles, impossible, unreadable} {
		for _, tc := range group {
			f.Add([]byte(tc.text))
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := Load(fstest.MapFS{"x.yaml": {Data: data}}, "x.yaml")
		if err == nil {
			require.NotEmpty(t, s.Steps)
			return
		}
		var all Errors
		require.True(t, errors.As(err, &all))
		lines := strings.Count(string(data), "\n") + strings.Count(string(data), "\r") + 2
		for _, e := range all {
			require.Equal(t, "x.yaml", e.File)
			require.True(t, e.Line >= 1 && e.Line <= lines, "line %d", e.Line)
			require.True(t, e.Column >= 1, "column %d", e.Column)
			require.NotEmpty(t, e.What)
			require.NotEmpty(t, e.Want)
		}
	})
}

func TestNestingAndSizeAreBoundedBeforeTheParserRecurses(t *testing.T) {
	for name, text := range map[string]string{
		"brackets": strings.Repeat("[", maxBytes),
		"braces":   "story: " + strings.Repeat("{a: ", maxBytes/8),
		"dashes":   strings.Repeat("- ", maxBytes/4),
		"marks":    strings.Repeat("? ", maxBytes/4),
		"indents":  indents(600),
		"size":     "story: " + strings.Repeat("a", maxBytes),
	} {
		t.Run(name, func(t *testing.T) {
			_, err := load(t, text)
			require.Error(t, err)
		})
	}
}

// indents nests n maps by indentation alone; the bound on size bounds n.
func indents(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(strings.Repeat(" ", i) + "a:\n")
	}
	return b.String()
}
