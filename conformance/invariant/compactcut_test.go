package invariant

import (
	"fmt"
	"testing"

	"harnessbench/conformance/trace"
)

// TestNoCallIsOpenWhereverABoundaryPoints (CMP-1): the newest answer counts, whatever the boundary names as its
// logical parent, and the server's own calls count too while their turn goes on.
func TestNoCallIsOpenWhereverABoundaryPoints(t *testing.T) {
	const search = `{"type":"server_tool_use","id":"srvtoolu_1","name":"web_search","input":{"query":"x"}}`
	const found = `{"type":"web_search_tool_result","tool_use_id":"srvtoolu_1","content":[]}`
	cuts := func(answer []string, stop, result string, fields func(prompt, leaf string) string) func(h *hand) {
		return long(func(h *hand) {
			h.at(handThreshold)
			p := h.prompt("a")
			h.send()
			h.answer(stop, answer...)
			h.keep(answer...)
			if result != "" {
				h.result(result)
			}
			h.asks()
			h.answer("end_turn", textBlock("so far"))
			own, leaf := fields(p, h.leaf), h.leaf
			if h.leaf = ""; own == "" {
				h.leaf = leaf
			}
			h.entry("system", `"subtype":"compact_boundary",`+own+fmt.Sprintf(`"compactMetadata":{"preservedMessages":{"anchorUuid":"e%d","uuids":[%s]}}`, h.uuids+2, quote(p)))
			h.msgs = nil
			h.entry("user", `"isCompactSummary":true,"message":{"role":"user","content":"so far"}`)
			h.say("user", textBlock("so far"), "")
			h.leaf = p
			h.pin()
			h.say("user", textBlock("a"), "")
			h.send()
			h.reply(textBlock("2"))
		})
	}
	atPrompt := func(prompt, _ string) string { return `"logicalParentUuid":` + quote(prompt) + "," }
	atLeaf := func(_, leaf string) string { return `"logicalParentUuid":` + quote(leaf) + "," }
	none := func(string, string) string { return "" }
	waits := long(func(h *hand) {
		h.at(handThreshold)
		h.prompt("a")
		h.send()
		h.answer("pause_turn", search)
		h.keep(search)
		h.usage = ""
		h.send()
		h.reply(found, textBlock("2"))
	})
	call, pause := []string{toolUse("t1")}, []string{search}
	play(t, []situation{
		{"the boundary points before the open call", "CMP-1", "", cuts(call, "tool_use", "", atPrompt), Broken, H, "which has no result yet", 1},
		{"it points nowhere", "CMP-1", "", cuts(call, "tool_use", "", none), Broken, H, "which has no result yet", 1},
		{"it points before a call that was answered", "CMP-1", "", cuts(call, "tool_use", toolResult("t1", "x"), atPrompt), Held, "", "", 1},
		{"the server's call is open", "CMP-1", "", cuts(pause, "pause_turn", "", atLeaf), Broken, H, "the server has not answered yet", 1},
		{"so no compaction is due then", "CMP-2", "", waits, Unknown, "", "", 0},
		{"the server's call is answered", "CMP-1", "", cuts([]string{search, found}, "pause_turn", "", atLeaf), Held, "", "", 1},
		{"the server's call is open, and the user has spoken since", "CMP-1", "", long(func(h *hand) {
			h.prompt("a")
			h.send()
			h.answer("pause_turn", search)
			h.keep(search)
			h.op(trace.Op{Name: "compact", Breaks: true})
			h.asks()
			h.answer("end_turn", textBlock("so far"))
			h.inOneWrite("so far")
			h.turn("b", "2")
		}), Held, "", "", 1},
	})
}
