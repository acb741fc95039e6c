package validate

import (
	"slices"
	"strconv"
	"strings"

	"harnessbench/internal/wire"
)

// call is one tool_use block of a client tool.
type call struct {
	id      string
	message int
	code    bool // made by code execution
}

// result is one tool_result block.
type result struct {
	id             string
	message, block int
	late           bool // another block stands before it
}

var (
	idsUnique = rule{id: "pairing.unique", area: "pairing", source: "messages-api.md 2.5", confidence: "high",
		text: "{path}: `tool_use` ids must be unique"}
	noResult = rule{id: "pairing.no-result", area: "pairing", source: "messages-api.md 2.5", confidence: "high", era: "2025-03 on",
		text: "messages.{n}: `tool_use` ids were found without `tool_result` blocks immediately after: {ids}. Each `tool_use` block must have a corresponding `tool_result` block in the next message."}
	orphanResult = rule{id: "pairing.no-call", area: "pairing", source: "messages-api.md 2.5", confidence: "high",
		text: "{path}: unexpected `tool_use_id` found in `tool_result` blocks: {id}. Each `tool_result` block must have a corresponding `tool_use` block in the previous message."}
	doubleResult = rule{id: "pairing.double-result", area: "pairing", source: "messages-api.md 2.5", confidence: "high",
		text: "{path}: each tool_use must have a single result. Found multiple `tool_result` blocks with id: {id}"}
)

func itoa(n int) string { return strconv.Itoa(n) }

func blockPath(message, block int) string {
	return "messages." + itoa(message) + ".content." + itoa(block)
}

// call takes up a tool_use, whose id must be new in the request. In later turns that holds for ids of the API's own
// form: a repeat of another vendor's id was recorded as accepted there (Sonnet 4.5, 2026-08).
func (c *conversation) call(b wire.Block) {
	id := b.Get("id").Text()
	switch {
	case c.calledInTurn(id) || c.knows(id):
		c.report(rankUnique, idsUnique.fault("path", blockPath(b.Message, b.Index)))
	case strings.HasPrefix(id, "toolu_"):
		c.note(id, b.Message)
	}
	c.turn.calls = append(c.turn.calls, call{id, b.Message, c.called(b, id)})
	if c.inTurn != nil {
		c.inTurn[id] = true
	}
}

// fewCalls are so few calls of a turn that looking at each is faster than a set.
const fewCalls = 16

// calledInTurn tells whether the open turn has a call of that id.
func (c *conversation) calledInTurn(id string) bool {
	if len(c.turn.calls) <= fewCalls {
		return slices.ContainsFunc(c.turn.calls, func(k call) bool { return k.id == id })
	}
	if c.inTurn == nil {
		c.inTurn = make(map[string]bool, 2*len(c.turn.calls))
		for _, k := range c.turn.calls {
			c.inTurn[k.id] = true
		}
	}
	return c.inTurn[id]
}

func (c *conversation) result(b wire.Block) {
	c.turn.results = append(c.turn.results, result{b.Get("tool_use_id").Text(), b.Message, b.Index, c.turn.others})
}

// answered judges a user turn against the calls of the assistant turn before it. An unanswered call stands
// earlier in the array than any fault of the results, so it speaks first; which of the two the API reports
// is not settled (messages-api.md 13, item 6).
func (c *conversation) answered(t turn) {
	if f := unanswered(t.calls, t.results); f != nil {
		c.report(rankPairing, f)
		return
	}
	open := make(map[string]bool, len(t.calls))
	for _, k := range t.calls {
		open[k.id] = true
	}
	for _, r := range t.results {
		first, called := open[r.id]
		path := blockPath(r.message, r.block)
		if !called {
			c.report(rankPairing, orphanResult.fault("path", path, "id", r.id))
			return
		}
		if !first {
			c.report(rankPairing, doubleResult.fault("path", path, "id", r.id))
			return
		}
		open[r.id] = false
	}
}

// unanswered is the refusal of calls without a result before any other block; nil when all have one. It
// names the message of the first such call and the ids sorted as strings.
func unanswered(calls []call, results []result) *Fault {
	if len(calls) == 0 {
		return nil
	}
	have := make(map[string]bool, len(results))
	for _, r := range results {
		if !r.late {
			have[r.id] = true
		}
	}
	var ids []string
	at := -1
	for _, k := range calls {
		if !have[k.id] {
			ids = append(ids, k.id)
			if at < 0 {
				at = k.message
			}
		}
	}
	if at < 0 {
		return nil
	}
	slices.Sort(ids)
	return noResult.fault("n", itoa(at), "ids", strings.Join(ids, ", "))
}
