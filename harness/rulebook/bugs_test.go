package rulebook

import (
	"os"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"
)

// TestThePageOfBugsIsHonest: each shown case names a test or story that is there, each named case stands in the table,
// and the page is the one that `make rules` writes.
func TestThePageOfBugsIsHonest(t *testing.T) {
	bugs, err := Bugs()
	require.NoError(t, err)
	module := os.DirFS("../..")
	found, err := ReadBugs(module)
	require.NoError(t, err)
	require.Empty(t, BugGaps(bugs, found))
	page, err := os.ReadFile("../BUGS.md")
	require.NoError(t, err)
	require.Equal(t, BugPage(bugs, found), string(page), "run make rules")
}

func TestBugsInAComment(t *testing.T) {
	for comment, want := range map[string][]string{
		"one (bug l-two-writers).":                         {"l-two-writers"},
		"Bug l-u2028-splits-lines: a line":                 {"l-u2028-splits-lines"},
		"several (H-LOG-1; bugs p-a-b, s-c,\nl-d and o-e)": {"p-a-b", "s-c", "l-d", "o-e"},
		"# bug r-fallback-skipped":                         {"r-fallback-skipped"},
		"a bug that is none, l-two-writers":                nil,
		"debug l-two-writers":                              nil,
	} {
		require.Equal(t, want, namedBugs(comment), comment)
	}
}

func TestOnlyTestsAndCommentLinesOfStoriesNameBugs(t *testing.T) {
	found, err := ReadBugs(fstest.MapFS{
		"h/a.go": {Data: []byte("package h\n\n// A avoids bug l-none.\nfunc A() {}\n")},
		"h/a_test.go": {Data: []byte(`package h

// TestA shows bug l-one.
func TestA() {
	// bug l-none
}

// helper for bug l-none
func helper() {}
`)},
		"scenarios/one.yaml":   {Data: []byte("# bug l-one\nstory: bug l-none\n")},
		"scenarios/t/two.yaml": {Data: []byte("# bug l-none\n")},
	})
	require.NoError(t, err)
	require.Equal(t, map[string][]string{"l-one": {"h.TestA", "scenarios/one.yaml"}}, found)
}

func TestWhatKeepsThePageOfBugsFromBeingHonest(t *testing.T) {
	bugs := []Bug{
		{ID: "l-a", State: Shown}, {ID: "l-b", State: Shown}, {ID: "l-c", State: Waits, Reason: "r"}, {ID: "l-d", State: Waits, Reason: "r"},
	}
	require.Equal(t, []string{
		"l-b: no test or story names it",
		"l-d: it waits, and h.TestD names it",
		"s-x: h.TestX names it, and there is no such case",
	}, BugGaps(bugs, map[string][]string{
		"l-a": {"h.TestA"}, "l-d": {"h.TestD"}, "s-x": {"h.TestX"}, "b-of-another-area": {"h.TestK"},
	}))
}

func TestBadLinesOfTheTableOfBugs(t *testing.T) {
	for line, want := range map[string]string{
		"l-a | 5 | shown":          "3 fields",
		"L-a | 5 | shown | x":      "no id of a bug",
		"l-a | 4 | shown | x":      `area "4", the letter says 5`,
		"b-a | 10 | shown | x":     `area "10", the letter says 0`,
		"l-a | x | shown | x":      `area "x"`,
		"l-a | 5 | maybe | x":      `state "maybe"`,
		"l-a | 5 | waits | x":      "a reason belongs",
		"l-a | 5 | shown: why | x": "a reason belongs",
	} {
		_, err := parseBug(line)
		require.ErrorContains(t, err, want, line)
	}
}

func TestARowOfThePageOfBugs(t *testing.T) {
	page := BugPage([]Bug{{ID: "l-a", Area: 5, State: Waits, Reason: "agents", Text: "x"}, {ID: "l-b", Area: 5, State: Shown, Text: "y"}},
		map[string][]string{"l-b": {"h.TestB"}})
	require.Contains(t, page, "\n2 cases: 1 shown, 1 wait.\n")
	require.Contains(t, page, "\n| l-a | 5 | waits: agents | x |  |\n| l-b | 5 | shown | y | `h.TestB` |\n")
}
