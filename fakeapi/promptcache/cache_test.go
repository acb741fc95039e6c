package promptcache

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"harnessbench/internal/model"
	"harnessbench/internal/prefix"
	"harnessbench/internal/wire"
)

// marks are the breakpoints of a test request: message index -> ttl.
type marks map[int]string

// render makes a conversation of one text block a message, on a model without a minimum.
func render(t require.TestingT, prev *prefix.Rendered, texts []string, at marks) *prefix.Rendered {
	m, ok := model.Lookup("claude-sonnet-5-5")
	require.True(t, ok)
	m.MinCacheable = 1
	return renderFor(t, m, prev, texts, at)
}

func renderFor(t require.TestingT, m model.Model, prev *prefix.Rendered, texts []string, at marks) *prefix.Rendered {
	return renderWith(t, m, prev, "", texts, at)
}

// renderSystem has a marked system block before the conversation.
func renderSystem(t require.TestingT, system string, texts []string) *prefix.Rendered {
	m, ok := model.Lookup("claude-sonnet-5-5")
	require.True(t, ok)
	return renderWith(t, m, nil, system, texts, nil)
}

func renderWith(t require.TestingT, m model.Model, prev *prefix.Rendered, system string, texts []string, at marks) *prefix.Rendered {
	type obj = map[string]any
	var msgs []obj
	for i, text := range texts {
		b := obj{"type": "text", "text": text}
		if ttl := at[i]; ttl != "" {
			b["cache_control"] = obj{"type": "ephemeral", "ttl": ttl}
		}
		msgs = append(msgs, obj{"role": [2]string{"user", "assistant"}[i%2], "content": []obj{b}})
	}
	whole := obj{"model": m.ID, "max_tokens": 100, "messages": msgs}
	if system != "" {
		whole["system"] = []obj{{"type": "text", "text": system, "cache_control": obj{"type": "ephemeral"}}}
	}
	body, err := json.Marshal(whole)
	require.NoError(t, err)
	var old *wire.Request
	if prev != nil {
		old = prev.Request
	}
	req, err := wire.Parse(old, body)
	require.NoError(t, err)
	return prefix.Render(prev, req, m, prefix.Options{})
}

func texts(n int) []string {
	var out []string
	for i := range n {
		out = append(out, fmt.Sprintf("message number %d of this conversation", i))
	}
	return out
}

var start = time.Date(2026, 10, 1, 12, 0, 0, 0, time.UTC)

const firstByte = 400 * time.Millisecond

// ask looks a request up and commits it.
func ask(c *Cache, at time.Duration, r *prefix.Rendered) *Look {
	now := start.Add(at)
	l := c.Look(now, "", r, nil)
	l.Commit(fmt.Sprintf("req at %v", at), now.Add(firstByte))
	return l
}

// (H-CACHE-5)
func TestAnEntryLivesExactlyItsTTLFromTheStartOfTheRequest(t *testing.T) {
	for _, tc := range []struct {
		ttl  string
		at   time.Duration
		cold string
	}{
		{"5m", firstByte - 1, NotYet},
		{"5m", firstByte, ""},
		{"5m", 5*time.Minute - 1, ""},
		{"5m", 5 * time.Minute, Expired},
		{"1h", 5 * time.Minute, ""},
		{"1h", time.Hour - 1, ""},
		{"1h", time.Hour, Expired},
	} {
		t.Run(fmt.Sprintf("%s after %v", tc.ttl, tc.at), func(t *testing.T) {
			c := New(Options{})
			r := render(t, nil, texts(3), marks{2: tc.ttl})
			first := ask(c, 0, r)
			assert.Equal(t, First, first.Cold)
			assert.Zero(t, first.Split.Read)
			second := ask(c, tc.at, r)
			assert.Equal(t, tc.cold, second.Cold)
			require.NotNil(t, second.Base)
			assert.Equal(t, tc.at, second.Base.Age)
			written := first.Split.Write5m + first.Split.Write1h
			if tc.cold == "" {
				assert.Equal(t, written, second.Split.Read, "the same request reads what it wrote")
				assert.Zero(t, second.Split.Write5m+second.Split.Write1h)
			} else {
				assert.Zero(t, second.Split.Read)
				assert.Equal(t, written, second.Split.Write5m+second.Split.Write1h)
			}
		})
	}
}

// (H-CACHE-10)
func TestParallelFirstRequestsAllPayAndTheEarlierAnswerCounts(t *testing.T) {
	c := New(Options{})
	r := render(t, nil, texts(3), marks{2: "5m"})
	ask(c, 0, r)
	late := ask(c, 300*time.Millisecond, r)
	assert.Zero(t, late.Split.Read)
	third := ask(c, firstByte, r)
	assert.Equal(t, late.Split.Write5m, third.Split.Read, "readable from the first of the two answers on")
}

// (H-CACHE-5)
func TestUseRestartsTheTTL(t *testing.T) {
	c := New(Options{})
	r := render(t, nil, texts(3), marks{2: "5m"})
	ask(c, 0, r)
	ask(c, 4*time.Minute, r)
	assert.Equal(t, "", ask(c, 9*time.Minute-1, r).Cold)
	assert.Equal(t, Expired, ask(c, 14*time.Minute-1, r).Cold)
}

func TestAHitRestartsShorterEntriesOnItsPath(t *testing.T) {
	for _, tc := range []struct {
		opt  Options
		cold string
	}{{Options{}, ""}, {Options{KeepShorter: true}, Expired}} {
		c := New(tc.opt)
		short := render(t, nil, texts(3), marks{2: "5m"})
		long := render(t, nil, texts(7), marks{6: "5m"})
		ask(c, 0, short)
		ask(c, time.Minute, long)   // reads the short one, writes the long one
		ask(c, 4*time.Minute, long) // hits the long one
		assert.Equal(t, tc.cold, ask(c, 8*time.Minute, short).Cold, "%+v", tc.opt)
	}
}

func TestABreakpointFindsEntriesOfItsOwnTTL(t *testing.T) {
	c := New(Options{})
	five, hour := render(t, nil, texts(3), marks{2: "5m"}), render(t, nil, texts(3), marks{2: "1h"})
	ask(c, 0, five)
	l := ask(c, time.Minute, hour)
	assert.Equal(t, OtherTTL, l.Cold)
	assert.Zero(t, l.Split.Read)
	assert.Positive(t, l.Split.Write1h)
	assert.Equal(t, "", ask(c, 2*time.Minute, five).Cold, "the entry of the first TTL still stands")

	c = New(Options{TTLOutsideKey: true})
	ask(c, 0, five)
	l = ask(c, time.Minute, hour)
	assert.Positive(t, l.Split.Read)
	assert.Zero(t, l.Split.Write1h)
	assert.Equal(t, Expired, ask(c, 6*time.Minute, hour).Cold, "it was read and kept its own TTL")
}

// (H-CACHE-4)
func TestLookbackSeesTwentyPositions(t *testing.T) {
	for _, tc := range []struct {
		last int
		cold string
	}{{2 + 19, ""}, {2 + 20, OutOfWindow}} {
		c := New(Options{})
		ask(c, 0, render(t, nil, texts(3), marks{2: "5m"}))
		l := ask(c, time.Minute, render(t, nil, texts(tc.last+1), marks{tc.last: "5m"}))
		assert.Equal(t, tc.cold, l.Cold, "breakpoint at %d", tc.last)
		assert.Equal(t, tc.cold == "", l.Split.Read > 0)
	}
}

// (H-CACHE-7)
func TestPrefixesBelowTheMinimumAreNotStored(t *testing.T) {
	m, _ := model.Lookup("claude-sonnet-5-5")
	r := renderFor(t, m, nil, texts(3), marks{2: "5m"})
	for _, tc := range []struct {
		minimum int
		cold    string
	}{{r.Blocks.At(2).Tokens, ""}, {r.Blocks.At(2).Tokens + 1, BelowMinimum}} {
		m.MinCacheable = tc.minimum
		c := New(Options{})
		r := renderFor(t, m, nil, texts(3), marks{2: "5m"})
		ask(c, 0, r)
		l := ask(c, time.Minute, r)
		assert.Equal(t, tc.cold, l.Cold)
		assert.Equal(t, tc.cold == "", l.Split.Read > 0)
	}
}

func TestARequestWithoutBreakpointsReadsAndWritesNothing(t *testing.T) {
	c := New(Options{})
	ask(c, 0, render(t, nil, texts(3), marks{2: "5m"}))
	l := ask(c, time.Minute, render(t, nil, texts(5), nil))
	assert.Equal(t, NoBreakpoint, l.Cold)
	assert.Equal(t, prefix.Split{Input: l.Split.Input}, l.Split)
	assert.NotNil(t, l.Base)
}

// (H-CACHE-9)
func TestUsageIsSplitByTTL(t *testing.T) {
	c := New(Options{})
	r := render(t, nil, texts(5), marks{2: "1h", 4: "5m"})
	l := ask(c, 0, r)
	assert.Equal(t, r.Blocks.At(2).Tokens, l.Split.Write1h)
	assert.Equal(t, r.Blocks.At(4).Tokens-r.Blocks.At(2).Tokens, l.Split.Write5m)
	assert.Equal(t, r.Total, l.Split.Read+l.Split.Write1h+l.Split.Write5m+l.Split.Input)
	assert.Equal(t, []int{2, 4}, l.Marks)
	late := ask(c, 10*time.Minute, r)
	assert.Equal(t, r.Blocks.At(2).Tokens, late.Split.Read, "only the hour's entry is left")
	assert.Equal(t, Expired, late.Cold)
}

// (H-CACHE-8) Neither does a conversation that goes on in another scope bring what it knew of the first.
func TestScopesDoNotShare(t *testing.T) {
	c := New(Options{})
	r := render(t, nil, texts(3), marks{2: "5m"})
	path := c.Look(start, "a", r, nil).Commit("req", start)
	assert.Equal(t, First, c.Look(start.Add(time.Second), "b", r, nil).Cold)
	assert.Equal(t, First, c.Look(start.Add(time.Second), "b", r, path).Cold)
	assert.Equal(t, "", c.Look(start.Add(time.Second), "a", r, nil).Cold)
}

func TestALookAloneChangesNothing(t *testing.T) {
	c := New(Options{})
	r := render(t, nil, texts(3), marks{2: "5m"})
	c.Look(start, "", r, nil)
	assert.Zero(t, c.Len())
	assert.Equal(t, First, ask(c, time.Second, r).Cold)
}

func TestMemoryIsBounded(t *testing.T) {
	c := New(Options{})
	for i := range 3 * keepMade {
		c.record(prefix.Hash{byte(i), byte(i >> 8), byte(i >> 16)}, i, start)
	}
	assert.Less(t, len(c.made), 2*keepMade)
	assert.Equal(t, 3*keepMade, c.Len())
	for i := range Limit + 10 {
		c.record(prefix.Hash{1: byte(i), 2: byte(i >> 8), 3: byte(i >> 16), 4: 1}, i, start)
	}
	assert.Equal(t, Limit, c.Len())
	assert.Nil(t, c.records[prefix.Hash{}], "the one not used for longest went first")
}

// One changed byte, wherever it stands, loses its block and all behind it, and nothing in front of it (H-CACHE-1).
func TestOneChangedByteLosesAllBehindIt(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var before []string
		for i := range rapid.IntRange(2, 8).Draw(t, "messages") {
			before = append(before, fmt.Sprintf("message %d %s", i, strings.Repeat("word ", rapid.IntRange(0, 600).Draw(t, "words"))))
		}
		at := rapid.IntRange(0, len(before)-1).Draw(t, "changed message")
		place := rapid.IntRange(0, len(before[at])-1).Draw(t, "changed byte")
		after := slices.Clone(before)
		after[at] = before[at][:place] + "~" + before[at][place+1:]
		m := marks{len(before) - 1: "5m"}
		if at > 0 {
			m[at-1] = "5m"
		}
		c := New(Options{})
		first := render(t, nil, before, m)
		ask(c, 0, first)
		want := 0
		if at > 0 {
			want = first.Blocks.At(at - 1).Tokens
		}
		require.Equal(t, want, c.Look(start.Add(time.Minute), "", render(t, nil, after, m), nil).Split.Read)
		require.Equal(t, first.Total, c.Look(start.Add(time.Minute), "", render(t, nil, before, m), nil).Split.Read+first.Total-first.Blocks.At(len(before)-1).Tokens)
	})
}
