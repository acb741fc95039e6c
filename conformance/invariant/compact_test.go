package invariant

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"harnessbench/conformance/trace"
)

// long plays from a hand at a small window, which play makes without.
func long(do func(h *hand)) func(h *hand) {
	return func(h *hand) {
		*h = *newLong(h.model)
		do(h)
	}
}

// at reports a conversation of so many tokens with the next answers, all counts of the prompt and the output together.
func (h *hand) at(tokens int) { h.reports(7, tokens-1107, 1000, 100) }

// refusedFor delivers an error with its message.
func (h *hand) refusedFor(status int, message string) {
	h.emit(trace.Event{Kind: trace.KindResponse, Response: &trace.Response{Call: h.calls, Status: status, Ended: true,
		Body: trace.JSONText(`{"type":"error","error":{"type":"invalid_request_error","message":` + quote(message) + `}}`)}})
}

// TestTheThresholdIsKeptToTheToken (H-CMP-35 to H-CMP-40): one token under it no compaction is due, at it one is, and
// none is too early that an estimate allows.
func TestTheThresholdIsKeptToTheToken(t *testing.T) {
	goesOn := func(tokens int, options ...string) func(h *hand) {
		return long(func(h *hand) {
			for i := 0; i < len(options); i += 2 {
				h.option(options[i], options[i+1])
			}
			h.at(tokens)
			h.turn("a", "1")
			h.usage = ""
			h.turn("b", "2")
		})
	}
	compactsAt := func(tokens, logged int) func(h *hand) {
		return long(func(h *hand) {
			h.at(tokens)
			h.turn("a", "1")
			h.prompt(strings.Repeat("word ", logged/5))
			h.compacts("so far", strings.Repeat("word ", logged/5))
			h.send()
			h.reply(textBlock("2"))
		})
	}
	refusedSummary := func(status, rounds int, options ...string) func(h *hand) {
		return long(func(h *hand) {
			for i := 0; i < len(options); i += 2 {
				h.option(options[i], options[i+1])
			}
			h.at(handThreshold)
			h.turn("a", "1")
			h.asks()
			h.refusedFor(status, "summaries are off")
			h.turn("b", "2")
			for range rounds {
				h.turn("c", "3")
			}
		})
	}
	play(t, []situation{
		{"a summary of the same was refused for good, the rest is kept", "CMP-2", "", refusedSummary(400, 5, "compact.keepRecent", "20"), Held, "", "", 7},
		{"a summary of more would not be the same", "CMP-2", "", refusedSummary(400, 1), Broken, H, "the threshold is 67000", 3},
		{"a refusal that passes is none for good", "CMP-2", "", refusedSummary(429, 1, "compact.keepRecent", "20"), Broken, H, "the threshold is 67000", 3},
		{"one token under it", "CMP-2", "", goesOn(handThreshold - 1), Unknown, "", "", 0},
		{"at it", "CMP-2", "", goesOn(handThreshold), Broken, H, "the threshold is 67000", 1},
		{"cached tokens count as all others", "CMP-2", "", long(func(h *hand) {
			h.reports(0, handThreshold, 0, 0)
			h.turn("a", "1")
			h.turn("b", "2")
		}), Broken, H, "the threshold is 67000", 1},
		{"a share of the window lowers it", "CMP-2", "", goesOn(50_000, "compact.percent", "50"), Broken, H, "the threshold is 50000", 1},
		{"a token under the share", "CMP-2", "", goesOn(49_999, "compact.percent", "50"), Unknown, "", "", 0},
		{"a share that would raise it does not", "CMP-2", "", goesOn(handThreshold, "compact.percent", "90"), Broken, H, "the threshold is 67000", 1},
		{"the window of the model", "CMP-2", "claude-haiku-4-5", goesOn(167_000, "compact.window", ""), Broken, H, "the threshold is 167000", 1},
		{"a token under 83.5 percent of it", "CMP-2", "claude-haiku-4-5", goesOn(166_999, "compact.window", ""), Unknown, "", "", 0},
		{"it is off", "CMP-2", "", goesOn(90_000, "compact.auto", "off"), Unknown, "", "", 0},
		{"collapse takes its place", "CMP-2", "", goesOn(90_000, "collapse", "on"), Unknown, "", "", 0},
		{"the server compacts", "CMP-2", "", goesOn(90_000, "compact.server", "on"), Unknown, "", "", 0},
		{"another profile counts otherwise", "CMP-2", "", goesOn(90_000, "profile", "teaching"), Unknown, "", "", 0},
		{"more than the window is no count", "CMP-2", "claude-haiku-4-5", goesOn(200_001 + 100), Unknown, "", "", 0},
		{"what was logged since carries it over", "CMP-2", "", compactsAt(handThreshold-5000, 20_000), Held, "", "", 1},
		{"what was logged since does not", "CMP-2", "", compactsAt(handThreshold-5000, 10_000), Broken, H, "at most; the threshold is 67000", 1},
		{"the user may compact at any size", "CMP-2", "", long(func(h *hand) {
			h.at(30_000)
			h.turn("a", "1")
			h.op(trace.Op{Name: "compact", Breaks: true})
			h.asks()
			h.answer("end_turn", textBlock("so far"))
			h.boundary("so far")
			h.usage = ""
			h.turn("b", "2")
		}), Unknown, "", "", 0},
		{"so may a refusal as too long", "CMP-2", "", long(func(h *hand) {
			h.at(30_000)
			h.turn("a", "1")
			h.prompt("b")
			h.send()
			h.refusedFor(400, "prompt is too long: 100001 tokens > 100000 maximum")
			h.compacts("so far", "b")
			h.send()
			h.reply(textBlock("2"))
		}), Unknown, "", "", 0},
		{"a rewind leaves another conversation", "CMP-2", "", long(func(h *hand) {
			h.turn("a", "1")
			p := h.prompt("b")
			h.send()
			h.at(90_000)
			h.reply(textBlock("2"))
			h.rewind(p)
			h.usage = ""
			h.turn("c", "3")
		}), Unknown, "", "", 0},
	})
}

// TestCompactionsThatFollowEachOther: the controls of CMP-3, CMP-4 and CMP-7.
func TestCompactionsThatFollowEachOther(t *testing.T) {
	manual := func(h *hand) {
		h.op(trace.Op{Name: "compact", Breaks: true})
		h.asks()
		h.answer("end_turn", textBlock("so far"))
		h.boundary("so far")
	}
	failed := func(h *hand, n int, what func(h *hand)) {
		h.at(handThreshold)
		h.turn("a", "1")
		for i := range n {
			h.prompt(fmt.Sprintf("b %d", i))
			what(h)
			h.send()
			h.reply(textBlock("2"))
		}
	}
	fails := func(h *hand) { h.asks(); h.refused(500) }
	play(t, []situation{
		{"the user may compact twice", "CMP-3", "", long(func(h *hand) { h.turn("a", "1"); manual(h); manual(h); h.turn("b", "2") }), Held, "", "", 2},
		{"an answer lies between two", "CMP-3", "", long(func(h *hand) {
			h.at(handThreshold)
			h.turn("a", "1")
			for range 2 {
				h.prompt("b")
				h.compacts("so far", "b")
				h.send()
				h.at(handThreshold)
				h.reply(textBlock("2"))
			}
		}), Held, "", "", 2},
		{"one that failed may be followed by another", "CMP-3", "", long(func(h *hand) {
			failed(h, 1, func(h *hand) { fails(h); h.compacts("so far", "b 0") })
		}), Held, "", "", 2},
		{"what is left is over the threshold by the newest prompt alone", "CMP-3", "", long(func(h *hand) {
			h.at(handThreshold)
			h.turn("a", "1")
			huge := strings.Repeat("words of one prompt ", 16_000)
			h.prompt(huge)
			h.compacts("so far", huge)
			h.send()
			h.reply(textBlock("2"))
		}), Held, "", "", 1},
		{"three fail", "CMP-4", "", long(func(h *hand) { failed(h, 3, fails) }), Held, "", "", 3},
		{"a fourth is too many", "CMP-4", "", long(func(h *hand) { failed(h, 4, fails) }), Broken, H, "3 such compactions failed in a row", 4},
		{"what the user stops has not failed", "CMP-4", "", long(func(h *hand) {
			failed(h, 5, func(h *hand) { h.asks(); h.op(trace.Op{Name: "interrupt"}); h.refused(0) })
		}), Held, "", "", 5},
		{"a success between them counts anew", "CMP-4", "", long(func(h *hand) {
			failed(h, 2, fails)
			h.prompt("c")
			h.compacts("so far", "c")
			h.send()
			h.reply(textBlock("3"))
			failed(h, 3, fails)
		}), Held, "", "", 6},
		{"a span shown as a summary is no failure", "CMP-4", "", long(func(h *hand) {
			failed(h, 2, fails)
			for range 5 {
				h.prompt("c")
				h.asks()
				h.reply(textBlock("so far"))
				h.line(`"type":"collapse-commit","leafUuid":"e2"`)
				h.send()
				h.reply(textBlock("3"))
			}
			failed(h, 3, fails)
		}), Held, "", "", 10},
		{"a summary of which the teaching profile logs nothing is no failure", "CMP-4", "", long(func(h *hand) {
			h.option("profile", "teaching")
			for range 5 {
				h.prompt("c")
				h.asks()
				h.answer("end_turn", textBlock("so far"))
				h.msgs = nil
				h.say("user", textBlock("[Compacted] so far"), "")
				h.send()
				h.reply(textBlock("3"))
			}
		}), Held, "", "", 5},
		{"a summary that came and was not shown has failed there too", "CMP-4", "", long(func(h *hand) {
			h.option("profile", "teaching")
			failed(h, 4, func(h *hand) { h.asks(); h.answer("end_turn", textBlock("so far")) })
		}), Broken, H, "3 such compactions failed in a row", 4},
		{"behind spans a fourth that fails is too many", "CMP-4", "", long(func(h *hand) {
			h.prompt("c")
			h.asks()
			h.reply(textBlock("so far"))
			h.line(`"type":"collapse-commit","leafUuid":"e2"`)
			h.send()
			h.reply(textBlock("3"))
			failed(h, 4, fails)
		}), Broken, H, "3 such compactions failed in a row", 5},
		{"the cool-down is over", "CMP-4", "", long(func(h *hand) {
			h.option("compact.cooldown", "10m")
			failed(h, 3, fails)
			h.wait(10 * time.Minute)
			failed(h, 1, fails)
		}), Held, "", "", 4},
		{"the cool-down is not over", "CMP-4", "", long(func(h *hand) {
			h.option("compact.cooldown", "10m")
			failed(h, 3, fails)
			h.wait(9 * time.Minute)
			failed(h, 1, fails)
		}), Broken, H, "3 such compactions", 4},
		{"a refusal that may pass is asked again as it was", "CMP-4", "", long(func(h *hand) {
			failed(h, 1, func(h *hand) { h.asks(); h.refused(429); h.asks(); h.refused(529); h.compacts("so far", "b 0") })
		}), Held, "", "", 1},
		{"the user may ask again for what was refused", "CMP-4", "", long(func(h *hand) {
			h.turn("a", "1")
			h.op(trace.Op{Name: "compact", Breaks: true})
			h.asks()
			h.refusedFor(401, "no key")
			manual(h)
		}), Held, "", "", 2},
		{"full again twice", "CMP-4", "", long(func(h *hand) {
			h.at(handThreshold)
			h.turn("a", "1")
			h.prompt("b")
			for i := range 3 {
				h.compacts("so far", "b")
				h.send()
				h.at(handThreshold)
				h.reply(toolUse(fmt.Sprintf("t%d", i)))
				h.result(toolResult(fmt.Sprintf("t%d", i), "x"))
			}
		}), Held, "", "", 3},
		{"three shorter requests", "CMP-5", "", long(func(h *hand) { cuts(h, 3) }), Held, "", "", 4},
		{"a fourth", "CMP-5", "", long(func(h *hand) { cuts(h, 4) }), Broken, H, "3 shorter ones are the limit", 5},
		{"the turn was stopped behind the compaction", "CMP-7", "", long(func(h *hand) {
			failed(h, 1, func(h *hand) { h.compacts("so far", "b 0") })
			h.at(handThreshold)
			h.turn("c", "3")
			h.prompt("d")
			h.compacts("so far", "d")
			h.op(trace.Op{Name: "interrupt"})
			h.prompt("e")
		}), Held, "", "", 2},
		{"the turn says why it ends", "CMP-7", "", long(func(h *hand) {
			h.at(handThreshold)
			h.turn("a", "1")
			h.prompt("b")
			h.compacts("so far", "b")
			h.emit(trace.Event{Kind: trace.KindNotice, Notice: &trace.Notice{Text: "Autocompact is thrashing"}})
			h.prompt("c")
		}), Held, "", "", 1},
		{"the process ends behind the compaction", "CMP-7", "", long(func(h *hand) {
			h.at(handThreshold)
			h.turn("a", "1")
			h.prompt("b")
			h.compacts("so far", "b")
			h.killed()
			h.prompt("c")
		}), Held, "", "", 1},
		{"a boundary without an answer", "CMP-7", "", long(func(h *hand) {
			h.at(handThreshold)
			h.turn("a", "1")
			h.prompt("b")
			h.asks()
			h.refused(500)
			h.boundary("so far", h.last)
			h.say("user", textBlock("b"), "")
			h.send()
		}), Broken, H, "was not answered in full", 1},
	})
}

// cuts asks for a summary, refused as too long so many times and then answered, each time with less.
func cuts(h *hand, n int) {
	for i := range n {
		h.turn(fmt.Sprintf("a %d with some words", i), "1")
	}
	h.at(handThreshold)
	h.turn("a", "1")
	h.prompt("b")
	whole := h.msgs
	for i := range n {
		h.asks()
		h.refusedFor(400, "prompt is too long: 100001 tokens > 100000 maximum")
		h.msgs = append([]said{whole[0]}, whole[2*i+2:]...)
	}
	h.asks()
	h.answer("end_turn", textBlock("so far"))
	h.msgs = whole
	h.boundary("so far", h.last)
	h.say("user", textBlock("b"), "")
	h.send()
	h.usage = ""
	h.reply(textBlock("2"))
}

// TestWhatSurvivesACompaction: the controls of CMP-1 and CMP-6.
func TestWhatSurvivesACompaction(t *testing.T) {
	full := func(h *hand) {
		h.at(handThreshold)
		h.turn("a", "1")
	}
	play(t, []situation{
		{"an open call that stays", "CMP-1", "", long(func(h *hand) {
			full(h)
			h.prompt("b")
			h.send()
			h.reply(toolUse("t1"))
			call := h.leaf
			h.asks()
			h.answer("end_turn", textBlock("so far"))
			h.boundary("so far", h.last, call)
		}), Held, "", "", 1},
		{"a whole round stays", "CMP-1", "", long(func(h *hand) {
			full(h)
			h.prompt("b")
			h.send()
			h.reply(toolUse("t1"))
			call := h.leaf
			h.result(toolResult("t1", "x"))
			result := h.leaf
			h.asks()
			h.answer("end_turn", textBlock("so far"))
			h.boundary("so far", h.last, call, result)
		}), Held, "", "", 1},
		{"the teaching profile summarises the newest prompt", "CMP-6", "", long(func(h *hand) {
			h.option("profile", "teaching")
			full(h)
			h.prompt("b")
			h.asks()
			h.answer("end_turn", textBlock("so far"))
			h.boundary("so far")
			h.send()
			h.reply(textBlock("2"))
		}), Held, "", "", 1},
		{"another style was set before it", "CMP-6", "", long(func(h *hand) {
			full(h)
			h.op(trace.Op{Name: "set", Text: "style=short", Breaks: true})
			h.system = "You are brief. " + h.system
			h.prompt("b")
			h.compacts("so far", "b")
			h.send()
			h.reply(textBlock("2"))
		}), Held, "", "", 1},
		{"what stays is missing", "CMP-6", "", long(func(h *hand) {
			full(h)
			h.prompt("b")
			h.send()
			h.reply(textBlock("words that stay"))
			kept := h.leaf
			h.at(handThreshold)
			h.prompt("c")
			h.asks()
			h.answer("end_turn", textBlock("so far"))
			h.boundary("so far", kept, h.last)
			h.say("user", textBlock("c"), "")
			h.send()
			h.reply(textBlock("2"))
		}), Broken, H, "the boundary keeps that entry", 1},
		{"the newest prompt comes twice", "CMP-6", "", long(func(h *hand) {
			full(h)
			h.prompt("b")
			h.compacts("so far", "b")
			h.say("user", textBlock("b"), "")
			h.send()
			h.reply(textBlock("2"))
		}), Broken, H, "says 2 times", 1},
	})
}
