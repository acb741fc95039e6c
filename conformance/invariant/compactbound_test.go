package invariant

import (
	"fmt"
	"strings"
	"testing"
)

// TestRefusalsAreBounded (CMP-4): however different the requests for one summary are that are refused for good, and
// however often the prompt itself is refused as too long in a turn.
func TestRefusalsAreBounded(t *testing.T) {
	const long413 = "prompt is too long: 100001 tokens > 100000 maximum"
	refused := func(n int) func(h *hand) {
		return long(func(h *hand) {
			h.at(handThreshold)
			h.turn("a", "1")
			h.prompt("b")
			for i := range n {
				h.edit = func(b string) string {
					return strings.Replace(b, "Summarise the", fmt.Sprint("Summarise ", i, " the"), 1)
				}
				h.asks()
				h.refusedFor(400, "no")
			}
			h.edit = nil
			h.send()
			h.reply(textBlock("2"))
		})
	}
	react := func(n int, between func(h *hand)) func(h *hand) {
		return long(func(h *hand) {
			h.at(30_000)
			h.turn("a", "1")
			h.prompt("b")
			for range n {
				h.send()
				h.refusedFor(400, long413)
				h.asks()
				h.refused(500)
				between(h)
			}
		})
	}
	foreign := func(n int, words string) func(h *hand) {
		return func(h *hand) {
			h.events[0].Run.Engine = "process"
			body := strings.Replace(`{"model":"`+h.model+`","max_tokens":9,"messages":[{"role":"user","content":"a long story"},{"role":"assistant","content":"ah"},{"role":"user","content":"%"}]}`, "%", words, 1)
			for range n {
				h.sendOn("chain-1", body)
				h.refusedFor(400, long413)
			}
			h.sendOn("chain-1", body)
			h.answer("end_turn", textBlock("so far"))
		}
	}
	nothing := func(*hand) {}
	play(t, []situation{
		{"forty requests, each another", "CMP-4", "", refused(40), Broken, H, "refused with an error that stays", 1},
		{"as many as may be", "CMP-4", "", refused(maxLasting), Held, "", "", 1},
		{"the prompt is refused ten times in a turn, and no summary comes", "CMP-4", "", react(10, nothing), Broken, H, "3 such compactions failed", 10},
		{"three times", "CMP-4", "", react(3, nothing), Held, "", "", 3},
		{"ten prompts are refused", "CMP-4", "", react(10, func(h *hand) { h.prompt("c") }), Held, "", "", 10},
		{"a foreign harness sends it again and again as it was", "CMP-4", "", foreign(5, "Summarise all this."), Broken, H, "4 such requests before it were refused", 5},
		{"a foreign harness gets it through", "CMP-4", "", foreign(3, "Summarise all this."), Held, "", "", 3},
		{"what a foreign harness sends is no request for a summary", "CMP-4", "", foreign(5, "Go on."), Unknown, "", "", 0},
	})
}
