package model

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestTableIsReadStrictly(t *testing.T) {
	_, err := decode(tableJSON)
	require.NoError(t, err)
	for name, c := range map[string]struct{ data, want string }{
		"unknown member":  {`[{"id":"a","colour":"red"}]`, "colour"},
		"no id":           {`[{"aliases":["x"]}]`, "row 0 has no id"},
		"name held twice": {`[{"id":"a"},{"id":"b","aliases":["a"]}]`, "a is a name of both a and b"},
		"more behind":     {`[] []`, "behind"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := decode([]byte(c.data))
			assert.ErrorContains(t, err, c.want)
		})
	}
}

// Every member of the struct is written in every row: a forgotten one would read as 0 or false.
func TestEveryRowHasEveryMember(t *testing.T) {
	var rows []map[string]json.RawMessage
	require.NoError(t, json.Unmarshal(tableJSON, &rows))
	full, err := json.Marshal(Model{})
	require.NoError(t, err)
	var want map[string]json.RawMessage
	require.NoError(t, json.Unmarshal(full, &want))
	for _, r := range rows {
		for k := range want {
			assert.Contains(t, r, k, "row %s", r["id"])
		}
	}
}

func TestRowsAreSane(t *testing.T) {
	one := func(s string, of ...string) {
		t.Helper()
		assert.Contains(t, of, s)
	}
	for _, m := range All() {
		t.Run(m.ID, func(t *testing.T) {
			one(m.Line, "haiku", "sonnet", "opus", "fable", "mythos", "claude")
			one(m.Lifecycle, "active", "deprecated", "retired")
			one(m.ThinkingDefault, "on", "off")
			one(m.ThinkingAdaptive, "yes", "no")
			one(m.ThinkingBudget, "yes", "no", "deprecated")
			one(m.ThinkingDisabled, "yes", "no", "effort_high_or_below")
			one(m.ThinkingBetween, "no", "effort_high_or_below")
			one(m.DisplayDefault, "summarized", "omitted")
			one(m.Interleaved, "automatic", "beta_header", "none")
			one(m.BoundAccounts, "all", "created_from_2026-08-31", "")
			one(m.Sampling, "yes", "defaults_only")
			one(m.Tokenizer, "3.x", "4.x", "4.7+")
			one(m.Confidence, "documented", "inferred")
			assert.Positive(t, m.rank())
			assert.Greater(t, m.Window, m.MaxOutput)
			assert.Equal(t, m.Bound, m.BoundAccounts != "", "bound to whom")
			assert.Equal(t, len(m.Effort) > 0, m.EffortDefault != "")
			if m.EffortDefault != "" {
				assert.True(t, m.TakesEffort(m.EffortDefault))
			}
			if m.Price.Input > 0 && m.Caches() {
				assert.Less(t, m.Price.Read, m.Price.Input)
				assert.Less(t, m.Price.Input, m.Price.Write5m)
				assert.Less(t, m.Price.Write5m, m.Price.Write1h)
			}
			if m.Bound {
				assert.True(t, m.SystemMessages && m.KeepsThinking)
			}
			for _, a := range m.Aliases {
				got, ok := Lookup(a)
				assert.True(t, ok)
				assert.Equal(t, m.ID, got.ID)
			}
		})
	}
}

func TestNamesAreFound(t *testing.T) {
	for name, id := range map[string]string{
		"claude-haiku-4-5":         "claude-haiku-4-5-20251001",
		"claude-sonnet-4-0":        "claude-sonnet-4-20250514",
		"claude-3-opus-latest":     "claude-3-opus-20240229",
		"claude-3-5-sonnet-latest": "claude-3-5-sonnet-20241022",
		"claude-sonnet-5-5":        "claude-sonnet-5-5",
		"claude-instant-1.2":       "claude-instant-1.2",
	} {
		m, ok := Lookup(name)
		assert.True(t, ok, name)
		assert.Equal(t, id, m.ID)
	}
	for _, name := range []string{"", "claude-sonet-4-5", "Claude-sonnet-5"} {
		_, ok := Lookup(name)
		assert.False(t, ok, name)
	}
}

func TestMinimaOfThePrefix(t *testing.T) { // messages-api.md 5.6
	for id, min := range map[string]int{
		"claude-sonnet-5-5": 512, "claude-opus-5": 512, "claude-fable-5-2": 512,
		"claude-sonnet-5": 1024, "claude-sonnet-4-6": 1024, "claude-opus-4-8": 1024, "claude-3-opus-20240229": 1024,
		"claude-opus-4-7": 2048, "claude-3-5-haiku-20241022": 2048, "claude-3-haiku-20240307": 2048,
		"claude-haiku-4-5": 4096, "claude-opus-4-6": 4096, "claude-opus-4-5": 4096,
	} {
		m, ok := Lookup(id)
		require.True(t, ok, id)
		assert.False(t, m.Cacheable(min-1), id)
		assert.True(t, m.Cacheable(min), id)
	}
	old, _ := Lookup("claude-2.1")
	assert.False(t, old.Cacheable(1_000_000))
}

func TestWhoReadsWhoseThinking(t *testing.T) { // messages-api.md 6.6
	all := func(names string) []string { return strings.Fields(names) }
	for reader, c := range map[string]struct{ yes, no []string }{
		"claude-fable-5-2":  {all("claude-fable-5-2 claude-mythos-5-2 claude-fable-5-1 claude-opus-5-5 claude-sonnet-5 claude-haiku-4-5"), all("claude-sonnet-5-5 claude-haiku-5-5")},
		"claude-fable-5-1":  {all("claude-mythos-5-1 claude-opus-5-5 claude-opus-5 claude-sonnet-5"), all("claude-fable-5-2 claude-mythos-5-2 claude-sonnet-5-5 claude-haiku-5-5")},
		"claude-opus-5-5":   {all("claude-opus-5-5 claude-opus-5 claude-sonnet-5-5 claude-haiku-5-5 claude-sonnet-4-6"), all("claude-fable-5-1 claude-mythos-5 claude-fable-5")},
		"claude-sonnet-5-5": {all("claude-sonnet-5-5 claude-sonnet-5 claude-opus-4-8 claude-haiku-4-5 claude-haiku-5-5"), all("claude-opus-5 claude-opus-5-5 claude-fable-5")},
		"claude-haiku-5-5":  {all("claude-haiku-5-5 claude-sonnet-5 claude-opus-4-8 claude-haiku-4-5"), all("claude-sonnet-5-5 claude-opus-5")},
		"claude-sonnet-5":   {all("claude-sonnet-5 claude-sonnet-4-6 claude-opus-4-8"), all("claude-sonnet-5-5 claude-opus-5-5 claude-fable-5-1")},
		"claude-haiku-4-5":  {all("claude-sonnet-4-5 claude-haiku-4-5"), all("claude-sonnet-4-6 claude-opus-5")},
	} {
		r, _ := Lookup(reader)
		for _, p := range c.yes {
			m, ok := Lookup(p)
			assert.True(t, ok && r.ReadsThinkingOf(m), "%s reads %s", reader, p)
		}
		for _, p := range c.no {
			m, ok := Lookup(p)
			assert.True(t, ok && !r.ReadsThinkingOf(m), "%s does not read %s", reader, p)
		}
	}
}

func TestCostOfACall(t *testing.T) {
	s, _ := Lookup("claude-sonnet-5-5")
	spent := Spent{Input: 3, Write5m: 100, Write1h: 200, Read: 5000, Output: 40}
	assert.InDelta(t, (3*2+100*2.5+200*4+5000*0.1+40*10)/1e6, s.Cost(spent), 1e-12)
	assert.InDelta(t, (5303*2+40*10)/1e6, s.NoCacheCost(spent), 1e-12)
	h, _ := Lookup("claude-haiku-5-5")
	assert.InDelta(t, 0.01, h.Cost(Spent{Input: 100_000}), 1e-12, "the limit itself has the lower price")
	assert.InDelta(t, (1*0.5+100_000*0.05)/1e6, h.Cost(Spent{Input: 1, Read: 100_000}), 1e-12, "reads count to the length")
}

// Fast mode and batches are factors of every price, the cache's among them, and stack (5.11, 10).
func TestFactorsOfThePrice(t *testing.T) {
	m, _ := Lookup("claude-opus-5")
	spent := Spent{Input: 3, Write5m: 100, Write1h: 200, Read: 5000, Output: 40}
	plain, without := m.Cost(spent), m.NoCacheCost(spent)
	for _, c := range []struct {
		served Served
		factor float64
	}{{Served{}, 1}, {Served{Fast: true}, 2}, {Served{Batch: true}, 0.5}, {Served{Fast: true, Batch: true}, 1}} {
		spent.Served = c.served
		assert.InDelta(t, plain*c.factor, m.Cost(spent), 1e-12)
		assert.InDelta(t, without*c.factor, m.NoCacheCost(spent), 1e-12)
	}
	assert.InDelta(t, (10*1_000_000+50*1_000_000)/1e6, m.Cost(Spent{Input: 1_000_000, Output: 1_000_000, Served: Served{Fast: true}}), 1e-9,
		"the prices quoted for fast mode")
}
