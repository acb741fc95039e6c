package invariant

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"harnessbench/conformance/trace"
)

// drawn is one line of a drawn log.
type drawn struct {
	pin, clears bool
	leaf        int // pin: index of the entry, -1 for the empty path
	parent      int // entry: index of the parent, -1 for none
	kind        string
	meta, side  bool
}

// TestTheTipIsTheOneTheRulesName compares the tip, kept while a log grows, with the rules H-REB-2 to
// H-REB-4 carried out on the whole file at each line, and the path with a walk over the parents.
func TestTheTipIsTheOneTheRulesName(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h := newHand(bound)
		l := newLogs()
		var lines []drawn
		var entries []int // lines that are entries
		for range rapid.IntRange(1, 14).Draw(t, "lines") {
			d := drawn{pin: len(entries) > 0 && rapid.IntRange(0, 4).Draw(t, "what") == 0}
			if d.pin {
				d.leaf = rapid.IntRange(-1, len(entries)-1).Draw(t, "leaf")
				d.clears = d.leaf >= 0 && rapid.Bool().Draw(t, "plain")
				switch {
				case d.clears:
					h.line(fmt.Sprintf(`"type":"last-prompt","leafUuid":"u%d"`, d.leaf))
				case d.leaf < 0:
					h.line(`"type":"last-prompt","leafUuid":null,"explicit":true,"emptyPath":true`)
				default:
					h.line(fmt.Sprintf(`"type":"last-prompt","leafUuid":"u%d","explicit":true`, d.leaf))
				}
			} else {
				d.parent = max(-1, len(entries)-1-rapid.SampledFrom([]int{0, 0, 0, 0, 1, 2, 5, 99}).Draw(t, "back"))
				d.kind = rapid.SampledFrom([]string{"user", "assistant", "attachment", "system"}).Draw(t, "kind")
				d.meta = rapid.IntRange(0, 9).Draw(t, "meta") == 0
				d.side = rapid.IntRange(0, 9).Draw(t, "side") == 0
				parent := "null"
				if d.parent >= 0 {
					parent = fmt.Sprintf(`"u%d"`, d.parent)
				}
				h.line(fmt.Sprintf(`"uuid":"u%d","parentUuid":%s,"type":%q,"isMeta":%t,"isSidechain":%t`, len(entries), parent, d.kind, d.meta, d.side))
				entries = append(entries, len(lines))
			}
			lines = append(lines, d)
			f := l.take(h.events[len(h.events)-1].Log).file
			want := tipByTheRules(lines, entries)
			require.Equal(t, want, f.path.tip)
			var up []int
			for i := want; i >= 0; i = lines[entries[i]].parent {
				up = append([]int{i}, up...)
			}
			require.Equal(t, up, append([]int(nil), f.active()...))
		}
	})
}

// tipByTheRules reads the whole file again.
func tipByTheRules(lines []drawn, entries []int) int {
	pinned, leaf, since := false, 0, 0
	for n, d := range lines {
		switch {
		case d.pin && !d.clears:
			pinned, leaf, since = true, d.leaf, n
		case d.pin && (!pinned || d.leaf != leaf):
			pinned = false
		}
	}
	// What may hold the tip: all, or what grew from the pinned leaf since.
	allowed := map[int]bool{}
	for i, n := range entries {
		d := lines[n]
		switch {
		case !pinned:
			allowed[i] = true
		case n > since && !d.side:
			allowed[i] = d.parent == leaf || d.parent >= 0 && allowed[d.parent] && entries[d.parent] > since
		}
	}
	parent := map[int]bool{}
	for _, n := range entries {
		parent[lines[n].parent] = true
	}
	best, tip, spare, spareTip, bare := -1, -1, -1, -1, -1
	for i := range entries {
		if parent[i] || !allowed[i] {
			continue
		}
		m := i
		for m >= 0 && lines[entries[m]].kind != "user" && lines[entries[m]].kind != "assistant" {
			m = lines[entries[m]].parent
		}
		if m < 0 {
			bare = i
			continue
		}
		if d := lines[entries[m]]; d.meta || d.side {
			if m >= spare {
				spare, spareTip = m, i
			}
		} else if m >= best {
			best, tip = m, i
		}
	}
	switch {
	case tip >= 0:
		return tip
	case spareTip >= 0:
		return spareTip
	case bare >= 0:
		return bare
	case pinned:
		return leaf
	}
	return -1
}

func TestALogWithoutItsLastLineFeedIsNotReadYet(t *testing.T) {
	l := newLogs()
	w := l.take(&trace.Log{File: "/a.jsonl", Data: trace.JSONText(`{"type":"user","uuid":"a","parentUuid":null}`)})
	require.Empty(t, w.entries)
	w = l.take(&trace.Log{File: "/a.jsonl", Offset: w.file.end, Data: trace.JSONText("\n")})
	require.Len(t, w.entries, 1)
}
