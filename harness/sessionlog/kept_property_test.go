package sessionlog

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// written is a file as its writer knows it: of each entry the path it stands on. The writer looks at no link.
type written struct {
	n     int
	lines []string
	stood map[string][]string // by entry: as when it was written, or as the newest boundary that kept it has it
	stem  map[string]bool     // summaries and boundaries behind which entries were kept: nothing is written there
	cuts  map[string]bool     // boundaries
	path  []string            // ends at the leaf
}

func (w *written) name(kind string) string {
	w.n++
	return fmt.Sprint(kind, w.n)
}

func (w *written) leaf() string {
	if len(w.path) == 0 {
		return ""
	}
	return w.path[len(w.path)-1]
}

func (w *written) say() {
	e := w.name("u")
	w.lines = append(w.lines, e+"<"+w.leaf())
	w.path = append(slices.Clip(w.path), e)
	w.stood[e] = w.path
}

// back goes back to an entry, on whatever branch.
func (w *written) back(t *rapid.T) {
	var all []string
	for e := range w.stood {
		if !w.stem[e] {
			all = append(all, e)
		}
	}
	if len(all) == 0 {
		return
	}
	slices.Sort(all)
	w.path = w.stood[rapid.SampledFrom(all).Draw(t, "to")]
}

// compact keeps some of the path in one of the forms of a boundary.
func (w *written) compact(t *rapid.T) {
	said := w.path
	if len(said) > 0 && w.cuts[said[0]] {
		said = said[1:]
	}
	if len(said) == 0 {
		return
	}
	b, m, leaf := w.name("b"), w.name("m"), w.leaf()
	w.cuts[b] = true
	behind := []string{m + "<" + b}
	head := []string{b, m}
	at := rapid.IntRange(0, len(said)-1).Draw(t, "at")
	kept := ""
	switch rapid.SampledFrom([]string{"nothing", "list", "list and restored", "end", "begin"}).Draw(t, "form") {
	case "nothing":
		w.path = head
	case "list":
		list := some(t, said)
		kept, w.path = listOf(m, list), slices.Concat(head, list)
	case "list and restored":
		r := w.name("t")
		behind = append(behind, r+"<"+m)
		list := append([]string{r}, some(t, said)...)
		kept, w.path = listOf(m, list), slices.Concat(head, list)
	case "end":
		kept, w.path = segmentOf(said[at], m, leaf), slices.Concat(head, said[at:])
	case "begin":
		kept, w.path = segmentOf(said[0], b, said[at]), slices.Concat([]string{b}, said[:at+1], []string{m})
		w.stem[b] = true
	}
	if kept != "" && !w.stem[b] {
		w.stem[m] = true
	}
	w.lines = append(append(w.lines, boundaryLine(b, leaf, kept)), behind...)
	for i, e := range w.path {
		w.stood[e] = w.path[:i+1]
	}
	delete(w.stood, b)
}

func some(t *rapid.T, said []string) (out []string) {
	for _, e := range said {
		if rapid.Bool().Draw(t, "kept") {
			out = append(out, e)
		}
	}
	if out == nil {
		out = said[len(said)-1:]
	}
	return out
}

func listOf(anchor string, uuids []string) string {
	return fmt.Sprintf(`"preservedMessages":{"anchorUuid":%q,"uuids":["%s"]}`, anchor, strings.Join(uuids, `","`))
}

// forked goes on in a copy of the path.
func (w *written) forked(t *rapid.T) {
	if len(w.path) == 0 {
		return
	}
	l := Load(lines(w.lines...))
	w.holds(t, l, w.leaf())
	f, err := Fork(l, w.leaf(), ForkOptions{Source: "s", Session: "t", NewID: func() string {
		return w.name("f")
	}})
	require.NoError(t, err)
	copied := make([]string, len(w.path))
	w.stood, w.stem, w.cuts = map[string][]string{}, map[string]bool{}, map[string]bool{f.IDs[w.path[0]]: w.cuts[w.path[0]]}
	for i, e := range w.path {
		copied[i] = f.IDs[e]
		w.stood[copied[i]] = copied[:i+1]
	}
	if w.cuts[copied[0]] {
		w.stem[copied[0]] = true
	}
	w.path, w.lines = copied, strings.Split(strings.TrimSuffix(string(f.Lines), "\n"), "\n")
}

// However many boundaries keep the same entries, in whatever form, on whatever branch, the path of each entry is the one
// its writer had: the newest boundary that kept it tells, and one that came later on another path does not count
// (H-LOG-45, H-CMP-78). A log that grew by the entry says what one says that is read.
func TestThePathBehindManyBoundariesIsItsWriters(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := &written{stood: map[string][]string{}, stem: map[string]bool{}, cuts: map[string]bool{}}
		for range rapid.IntRange(1, 25).Draw(t, "steps") {
			switch rapid.SampledFrom([]string{"say", "say", "compact", "compact", "back", "fork"}).Draw(t, "step") {
			case "say":
				w.say()
			case "compact":
				w.compact(t)
			case "back":
				w.back(t)
			case "fork":
				w.forked(t)
			}
		}
		l := Load(lines(w.lines...))
		grown := New()
		for _, e := range l.Entries {
			copied := *e
			grown.Add(&copied)
			grown.Path(e.UUID)
		}
		for e := range w.stood { // any order
			w.holds(t, l, e)
			w.holds(t, grown, e)
		}
	})
}

// holds: the path of an entry is the writer's.
func (w *written) holds(t *rapid.T, l *Log, e string) {
	path, cut := l.Path(e)
	require.False(t, cut)
	require.Equal(t, strings.Join(w.stood[e], " "), strings.Join(ids(path), " "), "to %s of\n%s", e, strings.Join(w.lines, "\n"))
}
