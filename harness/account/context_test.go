package account

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"
)

// The text of /context: one line in by one, the rest by two, numbers with one decimal, whole percent for the sum
// (H-ACC-1, H-ACC-3).
func TestTextOfContext(t *testing.T) {
	parts := Parts{System: 28_800, Tools: 40_800, Agents: 4, Memory: 2_000, Skills: 0, Messages: 100_000}
	got := ContextOf("Claude Opus 4.6", 1_000_000, 967_000, parts, 160_200).Text()
	assert.Equal(t, ` Context Usage
  Opus 4.6 (1M context)
  160.2k/1m tokens (16%)

  Estimated usage by category
  ⛁ System prompt: 26.9k tokens (2.7%)
  ⛁ System tools: 38.1k tokens (3.8%)
  ⛁ Custom agents: 0.0k tokens (0.0%)
  ⛁ Memory files: 1.9k tokens (0.2%)
  ⛁ Skills: 0.0k tokens (0.0%)
  ⛁ Messages: 93.4k tokens (9.3%)
  ⛁ Autocompact buffer: 33.0k tokens (3.3%)
  ⛁ Free space: 806.8k tokens (80.7%)
`, got)
	got = ContextOf("Claude Haiku 4.5", 200_000, 167_000, Parts{System: 28_800, Deferred: 40_000, MCPTools: 8}, 0).Text()
	assert.Contains(t, got, "\n  Haiku 4.5\n  7.2k/200k tokens (4%)\n\n")
	assert.Contains(t, got, "\n  ⛁ MCP tools: 0.0k tokens (0.0%)\n  ⛁ Custom agents")
	assert.Contains(t, got, "\n  ⛁ Deferred tools: 10.0k tokens (5.0%)\n  ⛁ Autocompact buffer: 33.0k tokens (16.5%)\n")
	got = ContextOf("Claude Opus 4.6", 1_000_000, 967_000, Parts{Messages: 4}, 1_140_000).Text()
	assert.Contains(t, got, "\n  1.1m/1m tokens (114%)\n\n")
	assert.Contains(t, got, "\n  ⛁ Messages: 1.1m tokens (114.0%)\n")
}

// The buffer is what lies above the threshold, free is what is left below it, never less than nothing; an exceeded
// limit is named (H-ACC-2, H-CMP-35).
func TestLimitsOfContext(t *testing.T) {
	at := func(used int) Context { return ContextOf("m", 200_000, 167_000, Parts{Messages: 4}, used) }
	row := func(c Context, name string) Category {
		for _, r := range c.Categories {
			if r.Name == name {
				return r
			}
		}
		return Category{}
	}
	assert.Equal(t, Category{"Autocompact buffer", Buffer, 33_000}, row(at(100_000), "Autocompact buffer"))
	assert.Equal(t, Category{"Free space", Free, 67_000}, row(at(100_000), "Free space"))
	within, over, far := at(167_000), at(167_001), at(200_300)
	assert.Zero(t, within.Over)
	assert.Equal(t, 1, over.Over)
	assert.Equal(t, CompactionWindow, over.OverKind)
	assert.Zero(t, row(over, "Free space").Tokens)
	assert.Equal(t, 300, far.Over)
	assert.Equal(t, HardLimit, far.OverKind)
	assert.Contains(t, far.Text(), "  0.3k tokens over the window\n")
	assert.Contains(t, at(168_000).Text(), "  1.0k tokens over the size at which the conversation is compacted\n")
}

// Without an answer four bytes are a token, rounded up by part (H-ACC-4); deferred tools are of their own kind and outside the
// sum (H-ACC-1, H-ACC-2).
func TestEstimate(t *testing.T) {
	c := ContextOf("m", 1000, 900, Parts{System: 5, Tools: 4, Messages: 1, Deferred: 400}, 0)
	assert.Equal(t, 2+1+1, c.Used)
	assert.Equal(t, Category{"Deferred tools", Deferred, 100}, c.Categories[6])
}

// Whatever the parts, the used rows add up to what the last answer reported, and no row is negative (H-ACC-4).
func TestRowsAddUp(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		n := rapid.IntRange(0, 1_000_000)
		p := Parts{System: n.Draw(rt, "system"), Tools: n.Draw(rt, "tools"), Memory: n.Draw(rt, "memory"), Messages: n.Draw(rt, "messages")}
		reported := n.Draw(rt, "reported")
		c := ContextOf("m", 200_000, 167_000, p, reported)
		sum := 0
		for _, r := range c.Categories {
			assert.GreaterOrEqual(rt, r.Tokens, 0)
			if r.Kind == Used {
				sum += r.Tokens
			}
		}
		assert.Equal(rt, c.Used, sum)
		if reported > 0 && p != (Parts{}) {
			assert.Equal(rt, reported, c.Used)
		}
	})
}
