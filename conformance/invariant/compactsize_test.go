package invariant

import (
	"strings"
	"testing"
)

// TestAnAnswerThatWasThrownAwayIsNoPartOfTheConversation (H-LOOP-31): the same request is made again with a higher limit, for
// which no compaction is due; where the answer stays, one is.
func TestAnAnswerThatWasThrownAwayIsNoPartOfTheConversation(t *testing.T) {
	cut := func(stop string, then func(h *hand)) func(h *hand) {
		return long(func(h *hand) {
			h.prompt("a")
			h.send()
			h.at(handThreshold)
			h.answer(stop, textBlock("words and more"))
			then(h)
			h.send()
			h.usage = ""
			h.reply(textBlock("whole"))
		})
	}
	again := func(h *hand) {
		h.edit = func(b string) string { return strings.Replace(b, `"max_tokens":1000`, `"max_tokens":64000`, 1) }
	}
	goesOn := func(h *hand) {
		h.keep(textBlock("words and more"))
		h.typed(continueTag + " Go on.")
	}
	play(t, []situation{
		{"it is asked for again", "CMP-2", "", cut("max_tokens", again), Unknown, "", "", 0},
		{"it is gone on with", "CMP-2", "", cut("max_tokens", goesOn), Broken, H, "the threshold is 67000", 1},
		{"nothing was cut", "CMP-2", "", cut("end_turn", again), Broken, H, "the threshold is 67000", 1},
	})
}

// TestWhatNoCompactionCouldHelp: where the newest prompt by itself reaches the threshold, none has to be tried; in the turn
// behind it one has.
func TestWhatNoCompactionCouldHelp(t *testing.T) {
	prompt := func(words int, queued bool) func(h *hand) {
		return long(func(h *hand) {
			h.turn("a", "1")
			h.prompt(strings.Repeat("words of one prompt ", words/4))
			h.send()
			h.at(90_000)
			h.reply(toolUse("t1"))
			h.result(toolResult("t1", "x"))
			if queued {
				h.typed("and this")
			}
			h.send()
			h.reply(textBlock("2"))
		})
	}
	behind := func(h *hand) {
		prompt(70_000, false)(h)
		h.turn("b", "3")
	}
	play(t, []situation{
		{"it is all there is", "CMP-2", "", prompt(70_000, false), Held, "", "", 1},
		{"it is, and the user has typed more since", "CMP-2", "", prompt(70_000, true), Held, "", "", 1},
		{"the rest could go", "CMP-2", "", prompt(40_000, false), Broken, H, "the threshold is 67000", 1},
		{"the turn is over", "CMP-2", "", behind, Broken, H, "the threshold is 67000", 2},
	})
}

// TestTextThatTheServerCountsHigher: a harness estimates by bytes, and the server counts more for other scripts and for digits.
// Neither makes a compaction one that gained nothing, or left too much.
func TestTextThatTheServerCountsHigher(t *testing.T) {
	behind := func(prompt string, prepare func(h *hand)) func(h *hand) {
		return long(func(h *hand) {
			prepare(h)
			h.at(handThreshold)
			h.turn("a", "1")
			h.prompt(prompt)
			h.compacts("so far", prompt)
			h.send()
			h.reply(textBlock("2"))
		})
	}
	share := func(system string) func(h *hand) {
		return func(h *hand) {
			h.option("compact.percent", "5")
			h.system = system
		}
	}
	huge := long(func(h *hand) {
		h.at(handThreshold)
		h.turn("a", "1")
		h.prompt("b")
		h.compacts(strings.Repeat("测试文字内容", 14_000), "b")
		h.send()
		h.reply(textBlock("2"))
	})
	play(t, []situation{
		{"a prompt in another script", "CMP-3", "", behind(strings.Repeat("测试文字内容", 4_000), func(*hand) {}), Held, "", "", 1},
		{"a summary in another script", "CMP-3", "", huge, Broken, H, "reported 67000 tokens before", 1},
		{"a front of digits, by estimate under the threshold", "CMP-3", "", behind("b", share(strings.Repeat("90 ", 3_000))), Held, "", "", 1},
		{"a front over the threshold by either", "CMP-3", "", behind("b", share(strings.Repeat("You are an agent that runs tests. ", 900))), Broken, H, "the threshold is 5000", 1},
	})
}
