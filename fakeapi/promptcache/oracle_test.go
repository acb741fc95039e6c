package promptcache

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"harnessbench/internal/model"
	"harnessbench/internal/prefix"
)

// naive is the cache as messages-api.md 5.3 and 5.4 word it: a list of stored texts, walked every time.
type naive struct{ entries []*naiveEntry }

type naiveEntry struct {
	text     string // of all messages up to the marked one
	ttl      string
	from, to time.Duration
}

func (n *naive) find(text, ttl string) *naiveEntry {
	for _, e := range n.entries {
		if e.text == text && e.ttl == ttl {
			return e
		}
	}
	return nil
}

func life(ttl string) time.Duration {
	if ttl == "1h" {
		return model.TTLLong
	}
	return model.TTLShort
}

// ask returns the usage split and the length in messages of the longest prefix marked before, 0 for none.
func (n *naive) ask(at time.Duration, r *prefix.Rendered, texts []string, m marks) (want prefix.Split, base int) {
	text := func(i int) string { return strings.Join(texts[:i+1], "|") }
	for i := range texts {
		if n.find(text(i), "5m") != nil || n.find(text(i), "1h") != nil {
			base = i + 1
		}
	}
	tokens := func(i int) int {
		if i < 0 {
			return 0
		}
		return r.Blocks.At(i).Tokens
	}
	a := -1
	var hit *naiveEntry
search:
	for i := len(texts) - 1; i >= 0; i-- {
		if m[i] == "" {
			continue
		}
		for k := 0; k < 20 && i-k >= 0; k++ {
			if e := n.find(text(i-k), m[i]); e != nil && at >= e.from && at < e.to {
				a, hit = i-k, e
				break search
			}
		}
	}
	b, c := a, a
	for i := range texts {
		if i > a && m[i] == "1h" {
			b = i
		}
		if i > a && m[i] != "" {
			c = i
			want.Writes = append(want.Writes, i)
		}
	}
	want.Read, want.Write1h, want.Write5m = tokens(a), tokens(b)-tokens(a), tokens(c)-tokens(b)
	want.Input = r.Total - tokens(c)
	if hit != nil {
		hit.to = at + life(hit.ttl)
		for i := range a {
			for _, ttl := range []string{"5m", "1h"} {
				if e := n.find(text(i), ttl); e != nil && at < e.to {
					e.to = at + life(ttl)
				}
			}
		}
	}
	for _, i := range want.Writes {
		e := n.find(text(i), m[i])
		if e == nil {
			e = &naiveEntry{text: text(i), ttl: m[i]}
			n.entries = append(n.entries, e)
		}
		if at >= e.to || at+firstByte < e.from {
			e.from = at + firstByte
		}
		e.to = at + life(m[i])
	}
	return want, base
}

// The cache, against the words of messages-api.md: a prefix from the first byte, stored at breakpoints, found from twenty
// positions behind; A stays readable beside A with B (H-CACHE-1, H-CACHE-3, H-CACHE-4, H-CACHE-51).
func TestTheCacheAgreesWithItsNaiveDescription(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c, n := New(Options{}), &naive{}
		at := time.Duration(0)
		var texts []string
		var paths []*Path
		for step := range rapid.IntRange(2, 14).Draw(t, "requests") {
			texts = append([]string(nil), texts[:rapid.IntRange(0, len(texts)).Draw(t, "keep")]...)
			for range rapid.IntRange(1, 24).Draw(t, "add") {
				texts = append(texts, fmt.Sprintf("text %d", rapid.IntRange(0, 2).Draw(t, "which")))
			}
			m := marks{}
			ttl := "1h"
			for _, i := range rapid.SliceOfNDistinct(rapid.IntRange(0, len(texts)-1), 0, 4, rapid.ID[int]).Draw(t, "marks") {
				m[i] = "?"
			}
			for i := range texts {
				if m[i] != "" {
					if ttl == "1h" && rapid.Bool().Draw(t, "short from here") {
						ttl = "5m"
					}
					m[i] = ttl
				}
			}
			at += rapid.SampledFrom([]time.Duration{0, 1, firstByte, time.Second, 2 * time.Minute, model.TTLShort - 1, model.TTLShort, model.TTLLong}).Draw(t, "time")
			var prev *Path
			switch which := rapid.IntRange(0, 3).Draw(t, "from an earlier request"); {
			case which == 0 || len(paths) == 0:
			case which == 1:
				prev = rapid.SampledFrom(paths).Draw(t, "path")
			default:
				prev = paths[len(paths)-1]
			}
			r := render(t, nil, texts, m)
			now := start.Add(at)
			l := c.Look(now, "", r, prev)
			cold := c.Look(now, "", r, nil)
			require.True(t, slices.Equal(cold.path.steps, l.path.steps), "the path does not depend on the one before")
			want, base := n.ask(at, r, texts, m)
			require.Equal(t, want, l.Split, "step %d", step)
			if base == 0 {
				require.Nil(t, l.Base)
			} else {
				require.Equal(t, base-1, l.Base.Block)
			}
			require.Equal(t, l.Base != nil && want.Read == l.Base.Tokens, l.Cold == "", "cold: %q", l.Cold)
			paths = append(paths, l.Commit(fmt.Sprintf("req %d", step), now.Add(firstByte)))
		}
	})
}
