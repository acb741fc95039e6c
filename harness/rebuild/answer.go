package rebuild

import (
	"harnessbench/harness/inject"
	"harnessbench/harness/sessionlog"
)

// normal gives the blocks of an answer that are sent: no blank text, no thinking at the end, nothing
// when only thinking is left (H-REB-34, H-REB-35). It changes nothing in place.
func normal(answer []sessionlog.Block) []sessionlog.Block {
	kept := make([]sessionlog.Block, 0, len(answer))
	blank, thought := false, false
	for _, b := range answer {
		thought = thought || b.IsThinking()
		if b.Type == "text" && b.Blank {
			blank = true
			continue
		}
		kept = append(kept, b)
	}
	for len(kept) > 0 && kept[len(kept)-1].IsThinking() {
		kept = kept[:len(kept)-1]
	}
	if len(kept) == 0 && blank && !thought {
		return []sessionlog.Block{{Raw: TextBlock(inject.NoContent), Type: "text"}}
	}
	return kept
}

func callsOf(blocks []sessionlog.Block) []string {
	var ids []string
	for _, b := range blocks {
		if b.Type == "tool_use" {
			ids = append(ids, b.ID)
		}
	}
	return ids
}

// Unanswered lists the calls of the newest answer that have no result yet, in order.
func (c *Conversation) Unanswered() []string {
	calls := c.user.calls
	results := c.user.results
	if kept := normal(c.answer); len(kept) > 0 {
		calls, results = callsOf(kept), nil
	}
	var open []string
	for _, id := range calls {
		if results[id] == nil {
			open = append(open, id)
		}
	}
	return open
}
