package prefix

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// The oracle knows a request as a row of cells and a prefix as the text of all cells up to one. It
// follows messages-api.md 5.3 and 5.4 word by word and shares no code with the package; token sums are
// taken over from the rendering.
type cell struct {
	level, role, kind, text string
	ttl                     time.Duration // 0: no mark
	tokens                  int
}

type oracle struct {
	cells []cell
	min   int
	total int
}

// position numbers: every cell its own, but for runs.
func (o oracle) positions() (numbers []int, ends map[int]int) {
	ends = map[int]int{}
	n := -1
	for i, c := range o.cells {
		run := i > 0 && c.kind != "text" && c.kind == o.cells[i-1].kind && c.role == o.cells[i-1].role
		if !run {
			n++
		}
		numbers = append(numbers, n)
		ends[n] = i
	}
	return numbers, ends
}

func (o oracle) prefix(i int) string {
	var b strings.Builder
	for _, c := range o.cells[:i+1] {
		fmt.Fprintf(&b, "%s/%s/%s/%s;", c.level, c.role, c.kind, c.text)
	}
	return b.String()
}

func (o oracle) breakpoints() (list []int) {
	for i, c := range o.cells {
		if c.ttl != 0 && c.tokens >= o.min {
			list = append(list, i)
		}
	}
	return list
}

func (o oracle) lookup(live func(prefix string, ttl time.Duration) bool) (hit, from int) {
	numbers, ends := o.positions()
	bps := o.breakpoints()
	for j := len(bps) - 1; j >= 0; j-- {
		bp := bps[j]
		for k := 0; k <= 19; k++ {
			p := numbers[bp] - k
			if p < 0 {
				break
			}
			i := ends[p]
			if k == 0 {
				i = bp
			}
			if live(o.prefix(i), o.cells[bp].ttl) {
				return i, bp
			}
		}
	}
	return -1, -1
}

func (o oracle) split(hit int) (read, w1h, w5m, input int, writes []int) {
	tokens := func(i int) int {
		if i < 0 {
			return 0
		}
		return o.cells[i].tokens
	}
	a, b, c := hit, hit, hit
	for _, bp := range o.breakpoints() {
		if bp > a {
			writes = append(writes, bp)
			c = bp
			if o.cells[bp].ttl == time.Hour {
				b = bp
			}
		}
	}
	return tokens(a), tokens(b) - tokens(a), tokens(c) - tokens(b), o.total - tokens(c), writes
}

func drawCell(t *rapid.T, level string, role string) cell {
	c := cell{level: level, role: role, kind: "text", text: fmt.Sprint("w", rapid.IntRange(0, 2).Draw(t, "text"))}
	switch {
	case level == "tools":
	case role == "user":
		c.kind = rapid.SampledFrom([]string{"text", "tool_result", "tool_result"}).Draw(t, "kind")
	case role == "assistant":
		c.kind = rapid.SampledFrom([]string{"text", "tool_use", "tool_use"}).Draw(t, "kind")
	}
	return c
}

// write puts the cells down as a request; each message cell of its own role change opens a message, and
// some messages are split in two, which changes nothing.
func (o oracle) write(t *rapid.T) string {
	d := draft{model: "claude-sonnet-4-6"}
	for i, c := range o.cells {
		mark := ""
		switch c.ttl {
		case 5 * time.Minute:
			mark = `,"cache_control":{"type":"ephemeral"}`
		case time.Hour:
			mark = `,"cache_control":{"type":"ephemeral","ttl":"1h"}`
		}
		switch c.level {
		case "tools":
			d.tools = append(d.tools, fmt.Sprintf(`{"name":"%s","input_schema":{}%s}`, c.text, mark))
			continue
		case "system":
			d.system = append(d.system, fmt.Sprintf(`{"type":"text","text":"%s"%s}`, c.text, mark))
			continue
		}
		block := fmt.Sprintf(`{"type":"text","text":"%s"%s}`, c.text, mark)
		switch c.kind {
		case "tool_use":
			block = fmt.Sprintf(`{"type":"tool_use","id":"i","name":"n","input":{"a":"%s"}%s}`, c.text, mark)
		case "tool_result":
			block = fmt.Sprintf(`{"type":"tool_result","tool_use_id":"i","content":"%s"%s}`, c.text, mark)
		}
		if n := len(d.messages); n == 0 || o.cells[i-1].role != c.role || rapid.IntRange(0, 3).Draw(t, "split") == 0 {
			d.messages = append(d.messages, draftMessage{role: c.role})
		}
		m := &d.messages[len(d.messages)-1]
		m.content = append(m.content, block)
	}
	return d.String()
}

func drawOracle(t *rapid.T) oracle {
	o := oracle{min: rapid.SampledFrom([]int{1, 1, 700, 760}).Draw(t, "min")}
	for range rapid.IntRange(0, 2).Draw(t, "tools") {
		o.cells = append(o.cells, drawCell(t, "tools", ""))
	}
	for range rapid.IntRange(0, 2).Draw(t, "system") {
		o.cells = append(o.cells, drawCell(t, "system", ""))
	}
	return o
}

// grow adds cells in the way conversations do: a run of calls, the run of their results, text.
func (o *oracle) grow(t *rapid.T) {
	for range rapid.IntRange(1, 3).Draw(t, "turns") {
		role := rapid.SampledFrom([]string{"user", "assistant"}).Draw(t, "role")
		for range rapid.IntRange(1, 8).Draw(t, "cells") {
			o.cells = append(o.cells, drawCell(t, "messages", role))
		}
	}
}

func (o *oracle) mark(t *rapid.T) {
	for i := range o.cells {
		o.cells[i].ttl = 0
	}
	for range rapid.IntRange(0, 4).Draw(t, "marks") {
		i := len(o.cells) - 1 - rapid.IntRange(0, len(o.cells)-1).Draw(t, "at")
		o.cells[i].ttl = rapid.SampledFrom([]time.Duration{5 * time.Minute, time.Hour}).Draw(t, "ttl")
	}
}

func TestLookupAndSplitAgreeWithTheOracle(t *testing.T) {
	m := modelOf(t, "claude-sonnet-4-6")
	rapid.Check(t, func(t *rapid.T) {
		type entry struct {
			prefix string
			ttl    time.Duration
		}
		naive := map[entry]bool{}
		type stored struct {
			chain Hash
			ttl   time.Duration
		}
		store := map[stored]bool{}
		o := drawOracle(t)
		o.grow(t)
		for range rapid.IntRange(2, 6).Draw(t, "calls") {
			o.mark(t)
			m.MinCacheable = o.min
			body := o.write(t)
			r := Render(nil, parse(t, body), m, Options{})
			require.Equal(t, len(o.cells), r.Blocks.Len(), body)
			for i := range o.cells {
				o.cells[i].tokens = r.Blocks.At(i).Tokens
			}
			o.total = r.Total

			hit, from := o.lookup(func(p string, ttl time.Duration) bool { return naive[entry{p, ttl}] })
			got := r.Lookup(func(c Hash, ttl time.Duration) bool { return store[stored{c, ttl}] })
			require.Equal(t, Hit{hit, from}, got, body)

			read, w1h, w5m, input, writes := o.split(hit)
			split := r.Split(got)
			require.Equal(t, Split{Read: read, Write1h: w1h, Write5m: w5m, Input: input, Writes: writes}, split, body)
			require.Equal(t, r.Total, split.Read+split.Write1h+split.Write5m+split.Input)
			require.Positive(t, split.Input, "the tail is never 0 (D32)")
			for _, i := range writes {
				naive[entry{o.prefix(i), o.cells[i].ttl}] = true
				store[stored{r.Blocks.At(i).Cache, r.Mark(i).TTL}] = true
			}
			switch rapid.IntRange(0, 5).Draw(t, "next") {
			case 0: // an edit somewhere
				i := rapid.IntRange(0, len(o.cells)-1).Draw(t, "edit")
				o.cells[i].text += "x"
			case 1: // rewind
				n := rapid.IntRange(1, len(o.cells)).Draw(t, "rewind")
				o.cells = o.cells[:n:n]
				if o.cells[n-1].level != "messages" {
					o.grow(t)
				}
			case 2: // the same again
			default:
				o.grow(t)
			}
		}
	})
}

// The example of messages-api.md 5.3: an entry at block 15 is seen from 34 and not from 35.
func TestLookbackReachesTwentyPositions(t *testing.T) {
	request := func(n int) *Rendered {
		var blocks []string
		for i := range n {
			mark := ""
			if i == n-1 {
				mark = `,"cache_control":{"type":"ephemeral"}`
			}
			blocks = append(blocks, fmt.Sprintf(`{"type":"text","text":"block %d"%s}`, i, mark))
		}
		req := parse(t, sonnet(`"messages":[{"role":"user","content":[`+strings.Join(blocks, ",")+`]}]`))
		m := modelOf(t, req.Model())
		m.MinCacheable = 1
		return Render(nil, req, m, Options{})
	}
	entry := request(16).Blocks.At(15).Cache
	stored := func(c Hash, _ time.Duration) bool { return c == entry }
	assert.Equal(t, Hit{15, 34}, request(35).Lookup(stored))
	assert.Equal(t, Hit{-1, -1}, request(36).Lookup(stored))
}

func TestAPrefixUnderTheMinimumTakesNoPart(t *testing.T) {
	r := render(t, sonnet(`"messages":[{"role":"user","content":[{"type":"text","text":"short","cache_control":{"type":"ephemeral"}}]}]`))
	always := func(Hash, time.Duration) bool { return true }
	assert.Equal(t, Hit{-1, -1}, r.Lookup(always))
	assert.Equal(t, Split{Input: r.Total}, r.Split(Hit{-1, -1}))
	assert.Len(t, r.Marked(), 1, "the mark itself is still there to be counted")
}
