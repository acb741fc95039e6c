package invariant

import "testing"

// Behind a summary that the server wrote what stands before it may be left out, and only that; a block without a summary
// lets nothing be left out (H-CMP-83, messages-api.md 8.3).
func TestSummariesOfTheServer(t *testing.T) {
	condensed := func(content string, cut func(h *hand)) func(h *hand) {
		return func(h *hand) {
			h.turn("a", "1")
			h.prompt("b")
			h.send()
			block := `{"type":"compaction","content":` + content + `}`
			h.answer("compaction", block)
			h.keep(block)
			cut(h)
			h.entry("user", `"message":{"role":"user","content":[`+textBlock("again: b")+`]}`)
			h.say("user", textBlock("again: b"), "")
			h.send()
			h.reply(textBlock("2"))
		}
	}
	whole := func(*hand) {}
	behind := func(h *hand) { h.msgs = h.msgs[len(h.msgs)-1:] }
	play(t, []situation{
		{"what stands before it is left out", "LOG-5", "", condensed(`"S"`, behind), Held, "", "", 3},
		{"or sent all the same", "LOG-5", "", condensed(`"S"`, whole), Held, "", "", 3},
		{"the summary itself is left out", "LOG-5", "", condensed(`"S"`, func(h *hand) { h.msgs = nil }), Broken, H, "sends", 3},
		{"a failed one lets nothing be left out", "LOG-5", "", condensed("null", behind), Broken, H, "sends", 3},
		{"it declares a break", "CACHE-1", "", condensed(`"S"`, behind), Held, "", "", 1},
		{"a failed one does not", "CACHE-1", "", condensed("null", behind), Broken, C, "", 2},
	})
}
