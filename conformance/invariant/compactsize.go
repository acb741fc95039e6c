package invariant

import (
	"bytes"
	"slices"
	"unicode/utf8"

	"harnessbench/internal/prefix"
)

// size is what some blocks of a request have, as far as the model is shown them: as the server counts them, and as a
// harness estimates them that counts bytes (H-ACC-4) and images by their own measure (H-CMP-38).
func (c *call) size(of func(b *prefix.Block) bool) (counted, guessed int) {
	before := 0
	for _, b := range c.rendered.Blocks.All() {
		if !b.Shown {
			continue
		}
		own := b.Tokens - before
		before = b.Tokens
		if !of(b) {
			continue
		}
		counted += own
		raw := c.rendered.Value(b).Raw()
		if images := bytes.Count(raw, []byte(`"base64"`)); images > 0 {
			guessed += images * imageEstimate
			continue
		}
		guessed += (len(raw) + 3) / 4
	}
	return counted, guessed
}

// stays is what no summary takes the place of: tools, system, and what the user has said in the turn under way, which the
// entry opened; where that is not known, the newest turn. It is the larger of count and estimate: where it reaches the
// threshold by either, no compaction can help.
func (c *call) stays(opened *entry) int {
	from := c.turn
	if opened != nil {
		at := slices.IndexFunc(c.chain.conv.msgs, func(m message) bool { return m.role == "user" && m.holds(opened) })
		if at >= 0 {
			from = at
		}
	}
	return max(c.size(func(b *prefix.Block) bool {
		return b.Level != prefix.Messages || b.Message >= from && b.Role == "user" && b.Type == "text"
	}))
}

// holds tells whether a message has a block of an entry.
func (m *message) holds(e *entry) bool {
	return slices.ContainsFunc(m.blocks, func(b block) bool {
		return slices.ContainsFunc(e.blocks, func(own block) bool { return own.digest == b.digest })
	})
}

// came is the least that the user and the tools have said in a request behind what an earlier one held: count or estimate,
// by characters and without what only this judge may take for part of it.
func (c *call) came(base *call) int {
	const sure, spared = 98, 100 // percent, tokens
	from, counted, guessed, before := base.req.MessageCount(), 0, 0, 0
	for _, b := range c.rendered.Blocks.All() {
		if !b.Shown {
			continue
		}
		own := b.Tokens - before
		before = b.Tokens
		if b.Level != prefix.Messages || b.Message < from || b.Role != "user" || c.isReminder(b) {
			continue
		}
		raw := c.rendered.Value(b).Raw()
		if bytes.Contains(raw, []byte(`"base64"`)) {
			continue
		}
		counted += own
		guessed += utf8.RuneCount(raw) / 4
	}
	return max(0, min(counted, guessed)*sure/100-spared)
}

// repeats tells whether a request has the same blocks as an earlier one, to the last.
func (c *call) repeats(before *call) bool {
	a, b := &before.rendered.Blocks, &c.rendered.Blocks
	return a.Len() == b.Len() && firstDifference(before.rendered, c.rendered) == a.Len()
}
