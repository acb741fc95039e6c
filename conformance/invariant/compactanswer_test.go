package invariant

import (
	"strings"
	"testing"
)

// TestASummaryIsMadeOfResultsTooAndIsTheOneAnswered (CMP-6): the request for it holds the results that the
// conversation held, but for those that a record takes out; and what was answered is what is logged (H-CMP-48).
func TestASummaryIsMadeOfResultsTooAndIsTheOneAnswered(t *testing.T) {
	without := func(record string) func(h *hand) {
		return long(func(h *hand) {
			h.prompt("a")
			h.send()
			h.reply(toolUse("t1"))
			h.result(toolResult("t1", "what the tool printed"))
			h.send()
			h.at(handThreshold)
			h.reply(textBlock("1"))
			if record != "" {
				h.line(record)
			}
			h.prompt("b")
			h.edit = func(b string) string { return strings.Replace(b, "what the tool printed", "[gone]", 1) }
			h.asks()
			h.edit = nil
			h.answer("end_turn", textBlock("so far"))
			h.inOneWrite("so far", h.last)
			h.say("user", textBlock("b"), "")
			h.send()
			h.reply(textBlock("2"))
		})
	}
	logs := func(answer, summary string) func(h *hand) {
		return long(func(h *hand) {
			h.at(handThreshold)
			h.turn("a", "1")
			h.prompt("b")
			h.asks()
			h.answer("end_turn", textBlock(answer))
			h.inOneWrite(summary, h.last)
			h.say("user", textBlock("b"), "")
			h.send()
			h.reply(textBlock("2"))
		})
	}
	const around = "This session goes on. Summary:\n%\n\nThe transcript is in a file."
	put := func(s string) string { return strings.Replace(around, "%", s, 1) }
	play(t, []situation{
		{"a result is not in the request for the summary", "CMP-6", "", without(""), Broken, H, "the first for the summary", 1},
		{"a record put another text in its place", "CMP-6", "", without(`"type":"content-replacement","replacements":[{"tool_use_id":"t1","content":"[gone]"}]`), Held, "", "", 1},
		{"another summary is logged", "CMP-6", "", logs("<summary>A key was missing.</summary>", put("Nothing of note.")), Broken, H, "holds neither begin nor end", 1},
		{"the one that was answered", "CMP-6", "", logs("<analysis>Think <summary> first.</analysis>\n<summary>\nA key\n was missing.\n</summary>", put("A key was missing.")), Held, "", "", 1},
		{"without tags", "CMP-6", "", logs("A key was missing.", put("A key was missing.")), Held, "", "", 1},
		{"cut at its end", "CMP-6", "", logs("<summary>"+strings.Repeat("A key was missing. ", 20)+"And so on.</summary>", put(strings.Repeat("A key was missing. ", 9)+"…")), Held, "", "", 1},
	})
}
