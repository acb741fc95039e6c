package invariant

import (
	"fmt"
	"slices"
	"strings"
)

// pairChecks is the family of calls and results (invariants.md 3, PAIR).
func pairChecks() []check {
	return []check{
		{
			Info: Info{ID: "PAIR-1", Level: H, Engines: anyEngine, Source: "invariants.md PAIR-1; messages-api.md 2.5",
				Sentence: "The user message behind an assistant message answers each of its tool calls and nothing else.",
				Mutants:  []string{"drop-tool-result"}},
			idle: "no request held a tool call", begin: func() observer { return eachRound(pair1) },
		},
		{
			Info: Info{ID: "PAIR-2", Level: H, Engines: anyEngine, Source: "invariants.md PAIR-2; messages-api.md 2.5",
				Sentence: "A tool result answers a call of the assistant message before it, on the wire and on the path of the log.",
				Mutants:  []string{"orphan-result"}},
			idle: "no request held a tool result", begin: func() observer { return &pairLog{wire: pair2, log: orphanEntry} },
		},
		{
			Info: Info{ID: "PAIR-3", Level: H, Engines: anyEngine, Source: "invariants.md PAIR-3; messages-api.md 2.5",
				Sentence: "Within one request, and on the path of the log, each call id has one call and one result.",
				Mutants:  []string{"duplicate-result"}},
			idle: "no request held a tool call", begin: func() observer { return &pairLog{wire: pair3, log: secondEntry} },
		},
		{
			Info: Info{ID: "PAIR-4", Level: H, Engines: anyEngine, Source: "invariants.md PAIR-4; messages-api.md 2.5",
				Sentence: "Tool results stand before everything else in their message, in the order of the calls; the order is a matter of cost only.",
				Mutants:  []string{"results-after-text", "results-out-of-order"}},
			idle: "no request held a tool result", begin: func() observer { return eachRound(pair4) },
		},
		{
			Info: Info{ID: "PAIR-6", Level: H, Engines: anyEngine, Source: "invariants.md PAIR-6, D9; messages-api.md 2.3",
				Sentence: "No message and no text block is empty, the first message is the user's, and the last is not the assistant's unless the server paused it.",
				Mutants:  []string{"empty-message"}},
			idle: "no request was seen", begin: func() observer { return &pair6{paused: map[*chain]bool{}} },
		},
	}
}

// eachRound judges the rounds of a request in which something is new, and says whether the request
// was an occasion.
type eachRound func(c *call, t *tally) (occasion bool)

func (f eachRound) see(m *moment, t *tally) {
	if m.Request != nil && m.call != nil && f(m.call, t) {
		t.occasion()
	}
}

func pair1(c *call, t *tally) bool {
	conv := c.chain.conv
	for _, r := range conv.rounds() {
		if r.assistant < 0 {
			continue
		}
		answered := map[string]bool{}
		for i := r.from; i < r.to; i++ {
			for _, res := range conv.msgs[i].results {
				answered[res.id] = true
			}
		}
		for _, u := range conv.msgs[r.assistant].uses {
			if answered[u.id] {
				continue
			}
			t.broken("open "+u.id, fmt.Sprintf("%s: tool_use %s of %s", c.at(r.assistant, u.index), u.id, u.name), c.answers(r))
		}
		for i := r.from; i < r.to; i++ {
			for _, res := range conv.msgs[i].results {
				if !slices.ContainsFunc(conv.msgs[r.assistant].uses, func(u use) bool { return u.id == res.id }) && len(conv.msgs[r.assistant].uses) > 0 {
					t.broken("extra "+res.id, fmt.Sprintf("%s: tool_result for %s", c.at(i, res.index), res.id),
						fmt.Sprintf("%s calls %s only", c.at(r.assistant, -1), useIDs(conv.msgs[r.assistant])))
				}
			}
		}
	}
	return conv.uses.all > 0
}

// answers says what stands behind an assistant message.
func (c *call) answers(r round) string {
	if r.from == r.to {
		if r.to < len(c.chain.conv.msgs) {
			return fmt.Sprintf("%s is a message of role %s", c.at(r.to, -1), c.chain.conv.msgs[r.to].role)
		}
		return fmt.Sprintf("call %d ends with messages.%d", c.number, r.assistant)
	}
	var ids []string
	for i := r.from; i < r.to; i++ {
		for _, res := range c.chain.conv.msgs[i].results {
			ids = append(ids, res.id)
		}
	}
	if len(ids) == 0 {
		return fmt.Sprintf("%s holds no tool_result", c.at(r.from, -1))
	}
	return fmt.Sprintf("%s holds the results of %s only", c.at(r.from, -1), strings.Join(ids, ", "))
}

func useIDs(m message) string {
	var ids []string
	for _, u := range m.uses {
		ids = append(ids, u.id)
	}
	return strings.Join(ids, ", ")
}

func pair2(c *call, t *tally) bool {
	conv := c.chain.conv
	for _, r := range conv.rounds() {
		called := map[string]bool{}
		other := fmt.Sprintf("call %d: no assistant message stands directly before messages.%d", c.number, r.from)
		if r.assistant >= 0 {
			for _, u := range conv.msgs[r.assistant].uses {
				called[u.id] = true
			}
			other = c.at(r.assistant, -1) + " makes no tool call"
			if len(called) > 0 {
				other = fmt.Sprintf("%s calls %s only", c.at(r.assistant, -1), useIDs(conv.msgs[r.assistant]))
			}
		}
		for i := r.from; i < r.to; i++ {
			for _, res := range conv.msgs[i].results {
				if !called[res.id] {
					t.broken("orphan "+res.id, fmt.Sprintf("%s: tool_result for %s", c.at(i, res.index), res.id), other)
				}
			}
		}
	}
	return conv.results.all > 0
}

func pair3(c *call, t *tally) bool {
	conv := c.chain.conv
	for i := conv.fresh; i < len(conv.msgs); i++ {
		for _, u := range conv.msgs[i].uses {
			if conv.uses.of[u.id] > 1 {
				t.broken("use "+u.id, fmt.Sprintf("%s: tool_use %s", c.at(i, u.index), u.id), c.twin(i, u.index, u.id, "tool_use"))
			}
		}
		for _, res := range conv.msgs[i].results {
			if conv.results.of[res.id] > 1 {
				t.broken("result "+res.id, fmt.Sprintf("%s: tool_result for %s", c.at(i, res.index), res.id), c.twin(i, res.index, res.id, "tool_result"))
			}
		}
	}
	return conv.uses.all+conv.results.all > 0
}

// twin names another block of the same kind and id.
func (c *call) twin(msg, index int, id, kind string) string {
	for i, m := range c.chain.conv.msgs {
		for k, b := range m.blocks {
			if b.kind == kind && b.tool == id && (i != msg || k != index) {
				return fmt.Sprintf("%s: %s of the same id", c.at(i, k), kind)
			}
		}
	}
	return fmt.Sprintf("call %d holds the id more than once", c.number)
}

func pair4(c *call, t *tally) bool {
	conv := c.chain.conv
	for _, r := range conv.rounds() {
		other := "" // the first block of the run that is no result
		var order []string
		if r.assistant >= 0 {
			for _, u := range conv.msgs[r.assistant].uses {
				order = append(order, u.id)
			}
		}
		rank, before := -1, ""
		for i := r.from; i < r.to; i++ {
			for k, b := range conv.msgs[i].blocks {
				if b.kind != "tool_result" {
					if other == "" {
						other = fmt.Sprintf("%s: a %s block", c.at(i, k), b.kind)
					}
					continue
				}
				here := fmt.Sprintf("%s: tool_result for %s", c.at(i, k), b.tool)
				if other != "" {
					t.broken("late "+b.tool, here, other+" stands before it")
				}
				n := slices.Index(order, b.tool)
				if n >= 0 && n < rank {
					t.report("order "+b.tool, C, 0, here+" comes behind "+before,
						fmt.Sprintf("%s calls in the order %s", c.at(r.assistant, -1), strings.Join(order, ", ")))
				}
				if n > rank {
					rank, before = n, "the result of "+b.tool
				}
			}
		}
		if r.assistant >= 0 && len(order) > 0 && len(conv.msgs[r.assistant].waiting) > 0 && other != "" {
			t.broken("open server call "+conv.msgs[r.assistant].waiting[0], other,
				fmt.Sprintf("%s: server tool call %s is open, so only results may follow", c.at(r.assistant, -1), conv.msgs[r.assistant].waiting[0]))
		}
	}
	return conv.results.all > 0
}
