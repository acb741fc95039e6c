package invariant

import (
	"strings"
	"testing"

	"harnessbench/conformance/trace"
)

// condensed answers with a summary of the server's and a word behind it; only that is sent from now on.
func (h *hand) condensed(summary, word string) {
	h.reply(`{"type":"compaction","content":`+summary+`}`, textBlock(word))
	h.msgs = h.msgs[len(h.msgs)-1:]
}

// TestWhatSurvivesBehindASummaryOfTheServers (H-CMP-83): what stands before such a summary is not sent, so that nothing of it
// is missing in a request for the client's own summary, or behind its boundary.
func TestWhatSurvivesBehindASummaryOfTheServers(t *testing.T) {
	const gone, whole = "null", `"The log was read."`
	byHand := func(summary string, lost string) func(h *hand) {
		return long(func(h *hand) {
			h.turn("first question", "I read it.")
			h.prompt("second question")
			h.send()
			h.condensed(summary, "A missing key.")
			h.turn("third question", "It is in the file.")
			h.op(trace.Op{Name: "compact", Breaks: true})
			h.edit = func(b string) string { return strings.Replace(b, lost, "Nothing.", 1) }
			h.asks()
			h.edit = nil
			h.answer("end_turn", textBlock("so far"))
			h.boundary("so far")
			h.turn("b", "2")
		})
	}
	partly := func(lost string) func(h *hand) {
		return long(func(h *hand) {
			first := h.prompt("first question")
			h.send()
			h.reply(textBlock("I read it."))
			answered := h.leaf
			second := h.prompt("second question")
			h.send()
			h.condensed(whole, "A missing key.")
			stays := h.msgs
			kept := []string{first, answered, second, "e4", "e5"}
			h.turn("third question", "It is in the file.")
			h.op(trace.Op{Name: "summarize", Breaks: true})
			h.asks()
			h.answer("end_turn", textBlock("one more was asked"))
			h.boundary("one more was asked", kept...)
			h.msgs = append(stays, said{role: "user", blocks: []string{textBlock("one more was asked")}})
			h.edit = func(b string) string { return strings.Replace(b, lost, "Nothing.", 1) }
			h.turn("b", "2")
		})
	}
	play(t, []situation{
		{"what stands before it is no part of the summary", "CMP-6", "", byHand(whole, "-"), Held, "", "", 1},
		{"what stands behind it is", "CMP-6", "", byHand(whole, "It is in the file."), Broken, H, "the first for the summary", 1},
		{"one that failed stands for nothing", "CMP-6", "", byHand(gone, "-"), Broken, H, "the first for the summary", 1},
		{"what is kept before it is not sent", "CMP-6", "", partly("-"), Held, "", "", 1},
		{"what is kept behind it is", "CMP-6", "", partly("A missing key."), Broken, H, "the boundary keeps that entry", 1},
	})
}
