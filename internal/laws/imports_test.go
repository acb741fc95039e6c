package laws

import (
	"slices"
	"strings"
	"testing"
)

func TestRoomsThatNeverMeet(t *testing.T) { roomsThatNeverMeet(load(t), t.Errorf) }

// roomsThatNeverMeet is laws 1, 2 and 4 of architecture.md 2.
func roomsThatNeverMeet(tr tree, broken broken) {
	laws := []struct {
		from, never []string
		reason      string
	}{
		{[]string{"harness"}, []string{"fakeapi", "conformance", "scenarios", "golden", "cmd"},
			"law 1: the harness meets the server only at internal/; otherwise both could share a mistake"},
		{[]string{"fakeapi"}, []string{"harness", "conformance", "scenarios", "golden", "cmd"},
			"law 1: the server meets the harness only at internal/; otherwise both could share a mistake"},
		{[]string{"conformance/trace", "conformance/invariant"}, []string{"harness", "fakeapi"},
			"law 2: the judge knows only wire bytes and log bytes, so that it can judge any harness and any server"},
		{[]string{"golden", "conformance/report"}, []string{"conformance/invariant", "conformance/run", "harness"},
			"law 4: golden and report render what the trace holds; they compute no verdicts"},
		{[]string{"internal"}, []string{"harness", "fakeapi", "conformance", "scenarios", "golden", "cmd"},
			"internal/ is where the rooms meet; it knows none of them"},
		{[]string{"scenarios"}, []string{"harness", "fakeapi", "conformance", "golden"},
			"a story is data: loading it runs nothing"},
	}
	for _, law := range laws {
		for _, pkg := range tr.packages() {
			if !slices.ContainsFunc(law.from, func(r string) bool { return in(pkg, r) }) {
				continue
			}
			via := tr.reach(pkg)
			for _, target := range sortedKeys(via) {
				if slices.ContainsFunc(law.never, func(r string) bool { return in(target, r) }) {
					broken("%s reaches %s (imported by %s)\n\t%s", pkg, target, via[target], law.reason)
				}
			}
		}
	}
}

// outside lists what touches the world beyond the process, and what to use instead.
var outside = map[string]string{
	"os":            "the Disk port, an fs.FS, or a value from cmd",
	"os/exec":       "the Tools port",
	"os/user":       "a value from cmd",
	"os/signal":     "nothing: only cmd hears signals",
	"io/ioutil":     "the Disk port, or an fs.FS",
	"path/filepath": "path on slash paths: filepath asks the disk and differs by system",
	"log/slog":      "an event of the trace, or an error",
	"net":           "the Transport port",
	"net/http":      "the Transport port; fakeapi.Request for the server",
	"syscall":       "a port",
	"crypto/rand":   "the UUID port or a seeded stream",
	"math/rand":     "a stream seeded from the run (math/rand/v2 with an explicit source)",
	"hash/maphash":  "xxh3: maphash differs from process to process",
	"log":           "an event of the trace, or an error",
	"unsafe":        "nothing",
}

// rooms that law 3 lets touch the world.
var worldly = []string{"cmd", "harness/world/real", "fakeapi/httpfront", "conformance/suite"}

func TestOnlyTheEdgesTouchTheWorld(t *testing.T) { onlyTheEdgesTouchTheWorld(load(t), t.Errorf) }

// onlyTheEdgesTouchTheWorld is law 3 of architecture.md 2.
func onlyTheEdgesTouchTheWorld(tr tree, broken broken) {
	const reason = "law 3: readers, fs.FS and ports come in from outside; only cmd, harness/world/real, fakeapi/httpfront and the suites open files, sockets, processes, clock or environment"
	for _, f := range tr.files {
		if f.test || slices.ContainsFunc(worldly, func(r string) bool { return in(f.pkg, r) }) {
			continue
		}
		for _, im := range f.ast.Imports {
			if path := im.Path.Value; im.Name != nil && (path == `"time"` || path == `"math/rand/v2"` || path == `"fmt"` || path == `"maps"`) {
				broken("%s: import of %s under another name, which hides it from the laws\n\t%s", tr.where(im), path, reason)
			}
		}
		for _, im := range f.imports {
			if use, bad := outside[im]; bad {
				broken("%s imports %s; use %s\n\t%s", f.path, im, use, reason)
			}
		}
		for _, call := range selectors(f, "time") {
			if slices.Contains([]string{"Now", "Since", "Until", "Sleep", "After", "AfterFunc", "Tick", "NewTimer", "NewTicker"}, call.Sel.Name) {
				broken("%s: time.%s; use the clock port\n\t%s", tr.where(call), call.Sel.Name, reason)
			}
		}
		for _, call := range selectors(f, "rand") {
			if !slices.Contains([]string{"New", "NewPCG", "NewChaCha8", "Rand", "Source", "PCG"}, call.Sel.Name) {
				broken("%s: rand.%s draws from global randomness; draw from a seeded stream\n\tlaw 5: the same seed gives the same bytes", tr.where(call), call.Sel.Name)
			}
		}
	}
}

func sortedKeys(m map[string]string) []string {
	out := make([]string, 0, len(m))
	for k := range m { // any order: sorted below
		out = append(out, k)
	}
	slices.SortFunc(out, strings.Compare)
	return out
}
