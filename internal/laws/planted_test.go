package laws

import (
	"fmt"
	"go/token"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestEveryLawCatchesItsPlantedFault plants the smallest breach of each law and sees it named, and the
// nearest legal neighbour stay silent.
func TestEveryLawCatchesItsPlantedFault(t *testing.T) {
	imports := exports(t, load(t))
	order := func(tr tree, b broken) { mapOrderReachesNothing(t, tr, imports, b) }
	cases := []struct {
		name       string
		law        func(tree, broken)
		bad, legal map[string]string
	}{
		{"the harness imports the server, by a detour", roomsThatNeverMeet,
			map[string]string{"harness/a/a.go": `import _ "harnessbench/internal/x"`, "internal/x/x.go": `import _ "harnessbench/fakeapi"`},
			map[string]string{"harness/a/a.go": `import _ "harnessbench/internal/x"`, "internal/x/x.go": ``}},
		{"the judge imports the harness", roomsThatNeverMeet,
			map[string]string{"conformance/invariant/a.go": `import _ "harnessbench/harness/world"`},
			map[string]string{"conformance/run/a.go": `import _ "harnessbench/harness/world"`}},
		{"golden imports the judge", roomsThatNeverMeet,
			map[string]string{"golden/a.go": `import _ "harnessbench/conformance/invariant"`},
			map[string]string{"golden/a.go": `import _ "harnessbench/conformance/trace"`}},
		{"a core room opens files", onlyTheEdgesTouchTheWorld,
			map[string]string{"scenarios/a.go": `import _ "os"`},
			map[string]string{"scenarios/a.go": `import _ "io/fs"`, "cmd/bench/a.go": `import _ "os"`}},
		{"a core room reads the clock", onlyTheEdgesTouchTheWorld,
			map[string]string{"fakeapi/a.go": "import \"time\"\nvar _ = time.Now"},
			map[string]string{"fakeapi/a.go": "import \"time\"\nvar _ = time.Second"}},
		{"global randomness", onlyTheEdgesTouchTheWorld,
			map[string]string{"fakeapi/a.go": "import \"math/rand/v2\"\nvar _ = rand.IntN"},
			map[string]string{"fakeapi/a.go": "import \"math/rand/v2\"\nvar _ = rand.NewPCG"}},
		{"a core room reads the clock under another name", onlyTheEdgesTouchTheWorld,
			map[string]string{"fakeapi/a.go": "import clock \"time\"\nvar _ = clock.Now"},
			map[string]string{"fakeapi/a.go": "import clock \"strings\"\nvar _ = clock.ToLower"}},
		{"a core room asks the disk", onlyTheEdgesTouchTheWorld,
			map[string]string{"fakeapi/a.go": `import _ "path/filepath"`},
			map[string]string{"fakeapi/a.go": `import _ "path"`}},
		{"go in the harness", noConcurrencyWords,
			map[string]string{"harness/a.go": `func f() { go f() }`},
			map[string]string{"harness/world/real/a.go": `func f() { go f() }`}},
		{"a channel in the harness", noConcurrencyWords,
			map[string]string{"harness/a.go": `func f(c chan int) {}`},
			map[string]string{"harness/a.go": `func f(c []int) {}`}},
		{"recover in the harness", noConcurrencyWords,
			map[string]string{"harness/a.go": `func f() { recover() }`},
			map[string]string{fiberRoot: `func f() { recover() }`}},
		{"package state", noMutablePackageState,
			map[string]string{"golden/a.go": "var n int\nfunc f() { n++ }"},
			map[string]string{"golden/a.go": "var n int\nfunc f() { n := n; n++ }"}},
		{"map order", order,
			map[string]string{"golden/a.go": "func f(m map[string]int) (s string) { for k := range m { s += k }; return s }"},
			map[string]string{"golden/a.go": "func f(m map[string]int) (n int) { for range m { // any order: a count\n n++ }; return n }"}},
		{"map order by an iterator", order,
			map[string]string{"golden/a.go": "import \"maps\"\nfunc f(m map[string]int) (s string) { for k := range maps.Keys(m) { s += k }; return s }"},
			map[string]string{"golden/a.go": "import (\"maps\"; \"slices\")\nfunc f(m map[string]int) []string { return slices.Sorted(maps.Keys(m)) }"}},
		{"an address", order,
			map[string]string{"golden/a.go": "import \"fmt\"\nfunc f(m *int) string { return fmt.Sprintf(\"%p\", m) }"},
			map[string]string{"golden/a.go": "import \"fmt\"\nfunc f(m *int) string { return fmt.Sprintf(\"%d\", *m) }"}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			require.NotEmpty(t, planted(t, c.law, c.bad))
			require.Empty(t, planted(t, c.law, c.legal))
		})
	}
}

// planted runs a law over made-up files and returns what it says.
func planted(t *testing.T, law func(tree, broken), files map[string]string) []string {
	t.Helper()
	tr := tree{fset: token.NewFileSet()}
	for path, src := range files { // any order: each file is judged by itself
		require.NoError(t, tr.add(path, []byte("package p\n"+src)))
	}
	var said []string
	law(tr, func(format string, args ...any) { said = append(said, fmt.Sprintf(format, args...)) })
	return said
}
