package sessionlog

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

// askAll asks a log everything a session asks.
func askAll(l *Log) {
	leaf := l.Leaf()
	path, _ := l.Path(leaf)
	l.CutOf(leaf)
	l.Whole(leaf)
	l.LastPrompt(leaf)
	l.Claim(path)
	l.Interleaved()
	l.Pinned()
	l.Title()
	l.Entrypoint()
	if len(path) > 0 {
		l.Branches(path[0].UUID)
	}
	l.Bridge = true
	l.Path(leaf)
}

// No bytes make the loader panic or hang, and what it says agrees with itself: a path has each entry once, a tail tells
// what the whole tells, a fork loads to a path of the same length (H-LOG-82 to H-LOG-86, H-LOG-89).
func FuzzLoad(f *testing.F) {
	names, _ := filepath.Glob("testdata/*.jsonl")
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Add(lines("u1<a1", "a1<u1", "b1<a1", "m1<b1", "pin:u1", "u2<m1"))
	f.Add(lines("u1<", boundaryLine("b1", "u1", segmentOf("u1", "m1", "u1")), "m1<b1", "u2<u1", string(Restated(State{Title: "x"}, "b1", "s"))))
	f.Add([]byte("{\"type\":\"user\",\"uuid\":\"a\"}{\"type\":\"user\"\x00\n\xff\xfe{\n[[[[[[{"))
	f.Fuzz(func(t *testing.T, data []byte) {
		l := Load(data)
		askAll(l)
		l.Bridge = false
		leaf := l.Leaf()
		path, _ := l.Path(leaf)
		seen := map[string]bool{}
		for _, e := range path {
			if seen[e.UUID] {
				t.Fatalf("entry %s stands twice on the path", e.UUID)
			}
			seen[e.UUID] = true
		}
		given := 0
		tail, err := loadTail(reader(data, &given), int64(len(data)), false, 64, 32)
		if err != nil {
			t.Fatal(err)
		}
		if tail.Leaf() != leaf {
			t.Fatalf("from the tail the leaf is %q, from all %q", tail.Leaf(), leaf)
		}
		Describe(data)
		n := 0
		fork, err := Fork(l, leaf, ForkOptions{Source: "s", Session: "t", NewID: func() string { n++; return fmt.Sprint("fork", n) }})
		if err != nil {
			return
		}
		if got := len(Load(fork.Lines).Entries); got != n {
			t.Fatalf("a fork of %d entries loads to %d", n, got)
		}
	})
}

// Hostile files take time in proportion to their size: cycles, many children, long strands, many boundaries, deep nesting.
// Bugs l-cycle-hangs, l-duplicate-id-makes-cycle.
func TestHostileFilesTakeLinearTime(t *testing.T) {
	const small, large = 1_000, 10_000
	result := func(i, of int) string {
		return fmt.Sprintf(`{"type":"user","uuid":"r%d","parentUuid":"a%d","message":{"content":[{"type":"tool_result","tool_use_id":"c%d"}]}}`, i, of, i)
	}
	for name, make := range map[string]func(n int) []string{
		"cycle": func(n int) []string {
			out := []string{fmt.Sprintf("u0<u%d", n-1)}
			for i := 1; i < n; i++ {
				out = append(out, fmt.Sprintf("u%d<u%d", i, i-1))
			}
			return out
		},
		"children": func(n int) []string {
			out := []string{"u0<"}
			for i := 1; i < n; i++ {
				out = append(out, fmt.Sprintf("u%d<u0", i))
			}
			return out
		},
		"attachments behind one strand": func(n int) []string {
			out := []string{"t0<"}
			for i := 1; i < n/2; i++ {
				out = append(out, fmt.Sprintf("t%d<t%d", i, i-1))
			}
			for i := n / 2; i < n; i++ {
				out = append(out, fmt.Sprintf("t%d<t%d", i, n/2-1))
			}
			return out
		},
		"results beside the path": func(n int) []string {
			var calls []string
			for i := range n {
				calls = append(calls, fmt.Sprintf(`{"type":"tool_use","id":"c%d","name":"R","input":{}}`, i))
			}
			out := []string{`{"type":"assistant","uuid":"a0","parentUuid":null,"message":{"id":"m","content":[` + strings.Join(calls, ",") + `]}}`}
			for i := range n {
				out = append(out, result(i, 0))
			}
			return append(out, "u1<a0")
		},
		"kept segments that do not hang together": func(n int) []string {
			out := []string{"u0<"}
			for i := 1; i < n; i++ {
				out = append(out, fmt.Sprintf("u%d<u%d", i, i-1))
			}
			for i := range n / 10 {
				out = append(out, boundaryLine(fmt.Sprint("b", i), "", segmentOf("m0", fmt.Sprint("m", i), fmt.Sprint("u", i))), fmt.Sprintf("m%d<b%d", i, i))
			}
			return out
		},
		"kept segments of everything": func(n int) []string {
			out := []string{"u0<"}
			for i := 1; i < n; i++ {
				out = append(out, fmt.Sprintf("u%d<u%d", i, i-1))
			}
			for i := range n / 10 {
				m := fmt.Sprint("m", i)
				out = append(out, boundaryLine(fmt.Sprint("b", i), "", segmentOf("u0", m, fmt.Sprint("u", n-1))), m+"<b"+m[1:])
			}
			return out
		},
		"pins": func(n int) []string {
			out := []string{"u0<"}
			for range n {
				out = append(out, "pin:u0")
			}
			return out
		},
		"copies": func(n int) []string {
			out := []string{"u0<"}
			for range n {
				out = append(out, "u1<u0", "u0<u1")
			}
			return out
		},
		"glued": func(n int) []string {
			return []string{strings.Repeat(`{"type":"user","uuid":"u","message":{"content":"x"}}`, n)}
		},
		"nesting": func(n int) []string {
			return []string{`{"type":"user","uuid":"u","x":` + strings.Repeat("[", n) + strings.Repeat("]", n) + "}", "u1<u"}
		},
	} {
		t.Run(name, func(t *testing.T) {
			took := func(n int) time.Duration {
				file := lines(make(n)...)
				if name == "nesting" || name == "glued" {
					file = []byte(strings.Join(make(n), "\n"))
				}
				best := time.Hour
				for range 3 {
					from := time.Now()
					askAll(Load(bytes.Clone(file)))
					best = min(best, time.Since(from))
				}
				return best
			}
			few, many := took(small), took(large)
			// Ten times the file; quadratic cost would be a hundred times.
			assert.Less(t, many, 40*max(few, 5*time.Millisecond), "%v for %d, %v for %d", few, small, many, large)
		})
	}
}
