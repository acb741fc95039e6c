package rebuild

import (
	"slices"

	"harnessbench/harness/inject"
	"harnessbench/harness/sessionlog"
)

// decided repeats a decision about an entry: where the first of the snipped ones stood is a placeholder that counts
// them all (H-CMP-17), a collapsed span is shown as its summary, at the place of its first entry (H-CMP-30). It
// reports whether the entry itself is left out.
func (c *Conversation) decided(e *sessionlog.Entry) bool {
	if c.opt.Decisions.Snipped[e.UUID] {
		if !c.snipped {
			c.snipped = true
			c.openUser()
			c.user.add(textPiece(sessionlog.Quote(inject.Snipped(c.opt.Decisions.SnipTotal))))
		}
		return true
	}
	for i := range c.opt.Decisions.Collapsed {
		span := &c.opt.Decisions.Collapsed[i]
		if !slices.Contains(span.Span, e.UUID) {
			continue
		}
		if !c.shownSpans[i] {
			c.shownSpans[i] = true
			c.openUser()
			c.user.add(textPiece(span.Summary))
		}
		return true
	}
	return false
}
