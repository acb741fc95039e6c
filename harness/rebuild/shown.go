package rebuild

import (
	"harnessbench/harness/inject"
	"harnessbench/harness/sessionlog"
)

// Shown are the entries of a path as a conversation shows them, so that they can be counted and cut by what is sent: where
// a snip or a span is left out stands a user's entry with its text, results have the content that stands for theirs, and
// what is not sent is not there, thinking and cleared attachments included (H-CMP-3, H-CMP-54). The same conversation comes
// of them without the decisions. The path's entries stay as they are.
func Shown(path []*sessionlog.Entry, opt Options) []*sessionlog.Entry {
	c := Of(path, opt)
	c.reset() // what hindsight learned stays
	turn := 0
	var out []*sessionlog.Entry
	for _, e := range path {
		if unsent(e) {
			continue
		}
		switch text, span, hidden := c.stand(e); {
		case text != nil:
			stands := &sessionlog.Entry{Type: sessionlog.User, Order: e.Order, Message: sessionlog.Message{Text: text}}
			if span {
				stands.Subtype = sessionlog.SpanShown
			}
			out = append(out, stands)
		case hidden, e.Micro != nil && !e.ServerClears():
		case e.Type == sessionlog.Attachment && c.cleared[e.UUID]:
		default:
			if e.Type == sessionlog.User && e.Typed {
				turn++
			}
			out = append(out, c.shownAs(e, e.Order > opt.NoThinkingTo && !c.stripped[turn]))
		}
	}
	return out
}

// shownAs is an entry with the blocks of it that are sent, as they are sent.
func (c *Conversation) shownAs(e *sessionlog.Entry, thinks bool) *sessionlog.Entry {
	if len(e.Message.Blocks) == 0 {
		return e
	}
	shown := *e
	shown.Message.Blocks = nil
	for _, b := range e.Message.Blocks {
		switch {
		case b.IsThinking() && (!thinks || !b.Signed):
			continue
		case e.Type == sessionlog.User && c.imageless[e.UUID]:
			b = withoutImages(b)
		}
		if e.Type == sessionlog.User && b.Type == "tool_result" {
			b.Raw = c.resultOf(b.ID, b.Raw)
		}
		shown.Message.Blocks = append(shown.Message.Blocks, b)
	}
	return &shown
}

// stand is what stands for an entry that a decision left out: the placeholder of all that was snipped where the first of it
// stood (H-CMP-17), the summary of a span at the place of its first entry (H-CMP-30), nil behind those.
func (c *Conversation) stand(e *sessionlog.Entry) (text []byte, span, hidden bool) {
	if c.opt.Decisions.Snipped[e.UUID] {
		if !c.snipped {
			text = sessionlog.Quote(inject.Snipped(c.opt.Decisions.SnipTotal))
		}
		c.snipped = true
		return text, false, true
	}
	at := c.opt.Decisions.SpanOf(e.UUID)
	if at < 0 {
		return nil, false, false
	}
	if !c.shownSpans[at] {
		text = c.opt.Decisions.Collapsed[at].Summary
	}
	c.shownSpans[at] = true
	return text, true, true
}
