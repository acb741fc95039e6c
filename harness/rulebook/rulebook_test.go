package rulebook

import (
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"
)

func TestIDsInAComment(t *testing.T) {
	for comment, want := range map[string][]string{
		"one (H-LOG-10).":                        {"H-LOG-10"},
		"a run (H-REB-2 to\nH-REB-4)":            {"H-REB-2", "H-REB-3", "H-REB-4"},
		"another (H-TOOL-70..72, H-LOG-1)":       {"H-TOOL-70", "H-TOOL-71", "H-TOOL-72", "H-LOG-1"},
		"two families (H-LOG-1 to H-REB-4)":      {"H-LOG-1"},
		"a run that goes down (H-LOG-9..3)":      {"H-LOG-9"},
		"a run without end (H-LOG-1..999999999)": {"H-LOG-1"},
		"D15, none":                              nil,
	} {
		require.Equal(t, want, named(comment), comment)
	}
}

func TestOnlyDocCommentsOfSymbolsAndTestsCount(t *testing.T) {
	m, err := Read(fstest.MapFS{
		"h/a.go": {Data: []byte(`// Package h is no symbol (H-LOG-99).
package h

// T is a type (H-LOG-1).
type T struct {
	F int // a field (H-LOG-2)
	// G too (H-LOG-3).
	G int
}

// M (H-LOG-4, H-LOG-4).
func (t *T) M() {
	// inside (H-LOG-98)
}

// The limits (H-LOG-5).
const (
	A = 1 // (H-LOG-6)
	B = 2
)
`)},
		"h/a_test.go": {Data: []byte(`package h

// TestT shows it (H-LOG-1).
func TestT() {}

// helper shows nothing (H-LOG-2).
func helper() {}
`)},
		"h/testdata/b.txt": {Data: []byte("no source")},
	}, "h")
	require.NoError(t, err)
	require.Equal(t, map[string][]string{"H-LOG-1": {"h.T"}, "H-LOG-2": {"h.T"}, "H-LOG-3": {"h.T"}, "H-LOG-4": {"h.T.M"},
		"H-LOG-5": {"h.A"}, "H-LOG-6": {"h.A"}}, m.Symbols)
	require.Equal(t, map[string][]string{"H-LOG-1": {"h.TestT"}}, m.Tests)
}

func TestWhatKeepsThePageFromBeingHonest(t *testing.T) {
	rules := []Rule{
		{ID: "H-LOG-1", Class: Behaviour}, {ID: "H-LOG-2", Class: Behaviour}, {ID: "H-LOG-3", Class: Statement},
		{ID: "H-LOG-4", Class: Later, Seed: true, Reason: "r"}, {ID: "H-LOG-5", Class: Later, Seed: true, Reason: "r"},
		{ID: "H-LOG-6", Class: Later, Reason: "r"},
	}
	m := Mentions{
		Symbols: map[string][]string{"H-LOG-1": {"h.T"}, "H-LOG-7": {"h.U"}, "H-INJ-1": {"h.V"}},
		Tests:   map[string][]string{"H-LOG-1": {"h.TestT"}},
	}
	require.Equal(t, []string{
		"H-LOG-2: no symbol's doc comment names it",
		"H-LOG-2: no test's doc comment names it",
		"H-LOG-4: behaviour of a seed is put off",
		"H-LOG-7: h.U names it, and there is no such rule",
	}, Gaps(rules, m, map[string]string{"H-LOG-5": "agreed"}))
}

func TestBadLinesOfTheTable(t *testing.T) {
	for line, want := range map[string]string{
		"H-LOG-1 | seed | behaviour":        "3 fields",
		"LOG-1 | seed | behaviour | x":      "no rule id",
		"H-LOG-1 | S0 | behaviour | x":      "want seed or -",
		"H-LOG-1 | seed | maybe | x":        `class "maybe"`,
		"H-LOG-1 | seed | later | x":        "a reason belongs",
		"H-LOG-1 | seed | statement: y | x": "a reason belongs",
	} {
		_, err := parse(line)
		require.ErrorContains(t, err, want)
	}
	rules, err := Rules()
	require.NoError(t, err)
	require.Greater(t, len(rules), 200)
}

func TestARowOfThePage(t *testing.T) {
	page := Page([]Rule{{ID: "H-LOG-1", Class: Later, Reason: "r", Text: "x"}}, Mentions{
		Symbols: map[string][]string{"H-LOG-1": {"h.A", "h.B", "h.C"}}, Tests: map[string][]string{"H-LOG-1": {"h.TestT"}}})
	require.Contains(t, page, "\n| H-LOG-1 | later: r | x | `h.A`, `h.B` and 1 more | `h.TestT` |\n")
}
