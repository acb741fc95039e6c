package rebuild

import (
	"slices"
	"strings"

	"harnessbench/harness/inject"
	"harnessbench/harness/sessionlog"
	"harnessbench/internal/wire"
)

// normal gives the blocks of the open answer that are sent: no blank text, no half of a server tool's pair, no
// thinking at the end, nothing when only thinking is left (H-REB-33 to H-REB-35). It changes nothing in place.
func (c *Conversation) normal() []sessionlog.Block {
	kept := make([]sessionlog.Block, 0, len(c.answer))
	emptied, thought := false, false
	for i, b := range c.answer {
		thought = thought || b.IsThinking()
		switch {
		case b.Type == "text" && b.Blank,
			isServerCall(&b) && (c.given[b.ID] || !c.waits() && !hasResult(c.answer[i+1:], b.ID)):
			emptied = true
		case isServerResult(&b) && !c.served[b.ID] && !hasServerCall(kept, b.ID):
		default:
			kept = append(kept, b)
		}
	}
	for len(kept) > 0 && kept[len(kept)-1].IsThinking() {
		kept = kept[:len(kept)-1]
	}
	if len(kept) == 0 && emptied && !thought {
		return []sessionlog.Block{{Raw: TextBlock(inject.NoContent), Type: "text"}}
	}
	return kept
}

// waits tells that the server may still answer its own calls in the open answer: it paused, or it waits for the
// results of client calls beside them (messages-api.md 2.5).
func (c *Conversation) waits() bool { return c.stop == "pause_turn" || c.stop == "tool_use" }

// serve keeps account of server calls whose result is still to come, as an answer is settled. A call that no result
// can come for is given up.
func (c *Conversation) serve(answer []sessionlog.Block) {
	for i := range answer {
		if b := &answer[i]; isServerResult(b) {
			delete(c.served, b.ID)
		}
	}
	if !c.waits() {
		c.giveUp()
		return
	}
	for i := range answer {
		if b := &answer[i]; isServerCall(b) && !hasResult(answer[i+1:], b.ID) {
			c.served[b.ID] = true
		}
	}
}

// giveUp leaves out the server calls that were waited for: while they are open, the user's side may hold results of
// client calls only (H-REB-33).
func (c *Conversation) giveUp() {
	for id := range c.served { // any order: all of them go
		learn(c, c.given, id)
	}
	clear(c.served)
}

// AwaitsServer tells that the server is yet to answer a call of its own, which it does when it gets the answer with that
// call back.
func (c *Conversation) AwaitsServer() bool {
	if len(c.served) > 0 {
		return true
	}
	for i := range c.answer {
		if b := &c.answer[i]; c.waits() && isServerCall(b) && !c.given[b.ID] && !hasResult(c.answer[i+1:], b.ID) {
			return true
		}
	}
	return false
}

func isServerCall(b *sessionlog.Block) bool {
	return b.Type == "server_tool_use" || b.Type == "mcp_tool_use"
}

func isServerResult(b *sessionlog.Block) bool {
	return b.Type != "tool_result" && strings.HasSuffix(b.Type, "_tool_result")
}

func hasServerCall(blocks []sessionlog.Block, id string) bool {
	return slices.ContainsFunc(blocks, func(b sessionlog.Block) bool { return isServerCall(&b) && b.ID == id })
}

func hasResult(blocks []sessionlog.Block, id string) bool {
	return slices.ContainsFunc(blocks, func(b sessionlog.Block) bool { return isServerResult(&b) && b.ID == id })
}

// failedCompaction tells a block of the server's that holds no summary (H-CMP-83).
func failedCompaction(b *sessionlog.Block) bool {
	return b.Type == "compaction" && !Condenses(b)
}

// Condenses tells a block of the server's that holds a summary of all that stands before it.
func Condenses(b *sessionlog.Block) bool {
	if b.Type != "compaction" {
		return false
	}
	v, err := wire.ParseValue(b.Raw)
	return err == nil && !v.Get("content").IsNull()
}

// Unanswered lists the calls of the newest answer that have no result yet, in order, by their ids in the log.
func (c *Conversation) Unanswered() []string {
	calls := c.user.calls
	results := c.user.results
	if kept := c.normal(); len(kept) > 0 {
		calls, results = c.asks(kept), nil
	}
	var open []string
	for _, a := range calls {
		if results[a.id] == nil {
			open = append(open, a.logged)
		}
	}
	return open
}
