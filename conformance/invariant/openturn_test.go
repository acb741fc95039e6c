package invariant

import (
	"strings"
	"testing"

	"harnessbench/conformance/trace"
)

func TestThinkingThatCannotBeSentBackMayGo(t *testing.T) {
	first, last := thinking("hm", "s1"), thinking("well", "s2")
	loop := func(answer []string, kept ...string) func(h *hand) {
		return func(h *hand) {
			h.prompt("a")
			h.send()
			h.answer("tool_use", answer...)
			h.keep(kept...)
			h.result(toolResult("t1", "r"))
			h.send()
		}
	}
	play(t, []situation{
		{"thinking behind the call", "THINK-1", "", loop([]string{first, toolUse("t1"), last}, first, toolUse("t1")), Held, "", "", 1},
		{"blank text behind it changes nothing", "THINK-1", "", loop([]string{first, toolUse("t1"), last, textBlock("\n")}, first, toolUse("t1")), Held, "", "", 1},
		{"thinking before the call goes with it", "THINK-1", "", loop([]string{first, toolUse("t1"), last}, toolUse("t1")), Broken, H, "answer block 0: thinking", 1},
		{"thinking between two texts", "THINK-1", "", loop([]string{textBlock("x"), first, textBlock("y"), toolUse("t1")}, textBlock("x"), textBlock("y"), toolUse("t1")), Broken, H, "answer block 1: thinking", 1},
		{"thinking behind the call is sent, but altered", "THINK-1", "", loop([]string{toolUse("t1"), last}, toolUse("t1"), thinking("other", "s2")), Broken, H, "not these bytes", 1},
		{"an answer of thinking alone failed and is asked for again", "THINK-1", "", func(h *hand) {
			h.prompt("a")
			h.send()
			h.answer("end_turn", first)
			h.send()
			h.reply(textBlock("done"))
		}, Unknown, "", "", 0},
		{"an answer of thinking alone inside a tool loop", "THINK-1", "", func(h *hand) {
			h.prompt("a")
			h.send()
			h.reply(first, toolUse("t1"))
			h.result(toolResult("t1", "r"))
			h.send()
			h.answer("end_turn", last)
			h.send()
			h.reply(textBlock("done"))
		}, Held, "", "", 2},
	})
}

// Once the server refused the thinking of an open turn, it may be left out; another refusal excuses nothing, nor does one
// excuse a change of the bytes.
func TestThinkingThatWasRefusedMayGo(t *testing.T) {
	loop := func(message string, then ...string) func(h *hand) {
		return func(h *hand) {
			h.prompt("a")
			h.send()
			h.reply(thinking("hm", "s1"), toolUse("t1"))
			h.result(toolResult("t1", "r"))
			h.send()
			h.emit(trace.Event{Kind: trace.KindResponse, Response: &trace.Response{Call: h.calls, Status: 400, Ended: true,
				Body: trace.JSONText(`{"type":"error","error":{"type":"invalid_request_error","message":` + quote(message) + `}}`)}})
			h.drop(then...)
			h.send()
			h.reply(textBlock("done"))
		}
	}
	const refused = "messages.1.content.0: Invalid `signature` in `thinking` block"
	play(t, []situation{
		{"left out behind its refusal", "THINK-1", "", loop(refused, thinking("hm", "s1")), Held, "", "", 2},
		{"left out behind another refusal", "THINK-1", "", loop("messages: too many", thinking("hm", "s1")), Broken, H, "answer block 0: thinking", 2},
		{"sent again all the same", "THINK-1", "", loop(refused), Held, "", "", 2},
	})
}

func TestAnAnswerDroppedWholeTakesItsThinkingAlong(t *testing.T) {
	first, second := thinking("hm", "s1"), thinking("well", "s2")
	play(t, []situation{
		{"asked again in traffic without operations", "THINK-1", "", func(h *hand) {
			h.say("user", textBlock("a"), "")
			h.send()
			h.answer("end_turn", first, textBlock("done"))
			h.send()
			h.answer("end_turn", second, textBlock("done"))
			h.say("assistant", second, "")
			h.say("assistant", textBlock("done"), "")
			h.say("user", textBlock(reminder("go on")), "")
			h.send()
		}, Held, "", "", 1},
		{"asked again, and the second answer loses its thinking", "THINK-1", "", func(h *hand) {
			h.say("user", textBlock("a"), "")
			h.send()
			h.answer("end_turn", first, textBlock("done"))
			h.send()
			h.answer("end_turn", second, textBlock("done"))
			h.say("assistant", textBlock("done"), "")
			h.say("user", textBlock(reminder("go on")), "")
			h.send()
		}, Broken, H, "call 2, answer block 0: thinking", 1},
		{"dropped after it was carried once", "THINK-1", "", func(h *hand) {
			h.prompt("a")
			h.send()
			h.reply(first, toolUse("t1"))
			h.result(toolResult("t1", "r"))
			h.send()
			h.msgs = h.msgs[:1]
			h.send()
		}, Held, "", "", 1},
		{"words of an answer before it are not words of it", "THINK-1", "", func(h *hand) {
			h.prompt("a")
			h.send()
			h.reply(textBlock("ok"), toolUse("t1"))
			h.result(toolResult("t1", "r"))
			h.send()
			h.answer("end_turn", first, textBlock("ok"))
			h.send()
		}, Unknown, "", "", 0},
		{"a text put before the prompt opens no new turn", "THINK-1", "", func(h *hand) {
			h.prompt("a")
			h.send()
			h.answer("tool_use", first, toolUse("t1"))
			h.keep(toolUse("t1"))
			h.result(toolResult("t1", "r"))
			h.msgs[0].blocks = []string{h.msgs[0].blocks[0], textBlock("steer"), h.msgs[0].blocks[1]}
			h.send()
		}, Broken, H, "answer block 0: thinking", 1},
		{"another prompt in its place does", "THINK-1", "", func(h *hand) {
			h.say("user", textBlock("a"), "")
			h.send()
			h.answer("tool_use", first, toolUse("t1"))
			h.keep(toolUse("t1"))
			h.result(toolResult("t1", "r"))
			h.msgs[0].blocks[1] = textBlock("A")
			h.send()
		}, Unknown, "", "", 0},
		{"half of it is carried on", "THINK-1", "", func(h *hand) {
			h.prompt("a")
			h.send()
			h.answer("tool_use", first, textBlock("Looking."), toolUse("t1"))
			h.keep(textBlock("Looking."))
			h.say("user", textBlock(reminder("go on")), "")
			h.send()
		}, Broken, H, "no such block", 1},
	})
}

// tailed answers with thinking and a call under a reminder that stands at the tail of each call.
func tailed(first string, kept ...string) func(h *hand) {
	return func(h *hand) {
		h.prompt("a")
		h.say("user", textBlock(reminder("noon")), "")
		h.send()
		h.answer("tool_use", first, toolUse("t1"))
		h.forget(textBlock(reminder("noon")))
		h.keep(kept...)
		h.result(toolResult("t1", "r"))
		h.say("user", textBlock(reminder("noon")), "")
		h.send()
	}
}

func TestVolatileTextThatMovesEndsTheBindingOfThinking(t *testing.T) {
	th := thinking("hm", "s1")
	option := func(place string, do func(h *hand)) func(h *hand) {
		return func(h *hand) {
			h.events[0].Run.Options = map[string]string{"volatile.place": place}
			do(h)
		}
	}
	set := func(place string, do func(h *hand)) func(h *hand) {
		return func(h *hand) {
			h.op(trace.Op{Name: "set", Text: "volatile.place=" + place, Breaks: true})
			do(h)
		}
	}
	play(t, []situation{
		{"at the tail, by the options of the run", "THINK-1", "", option("tail", tailed(th, toolUse("t1"))), Held, "", "", 1},
		{"at the tail, set later", "THINK-1", "", set("tail", tailed(th, toolUse("t1"))), Held, "", "", 1},
		{"set back again", "THINK-1", "", option("tail", set("system", tailed(th, toolUse("t1")))), Broken, H, "no such block", 1},
		{"nobody chose the tail", "THINK-1", "", tailed(th, toolUse("t1")), Broken, H, "no such block", 1},
		{"on a model without binding", "THINK-1", unbound, option("tail", tailed(th, toolUse("t1"))), Broken, H, "no such block", 1},
		{"altered all the same", "THINK-1", "", option("tail", tailed(th, thinking("ho", "s1"), toolUse("t1"))), Broken, H, "not these bytes", 1},
		{"kept, though its binding is gone", "THINK-6", "", option("tail", tailed(th, th, toolUse("t1"))), Broken, H, "another conversation", 1},
		{"no volatile text was there to move", "THINK-1", "", option("tail", func(h *hand) {
			h.prompt("a")
			h.send()
			h.answer("tool_use", th, toolUse("t1"))
			h.keep(toolUse("t1"))
			h.result(toolResult("t1", "r"))
			h.send()
		}), Broken, H, "no such block", 1},
		{"before the prompt it stays for the turn", "THINK-1", "", option("prompt", func(h *hand) {
			h.prompt("a")
			h.volatile("noon")
			h.send()
			h.answer("tool_use", th, toolUse("t1"))
			h.keep(toolUse("t1"))
			h.result(toolResult("t1", "r"))
			h.send()
		}), Broken, H, "no such block", 1},
		{"a resume after a kill drops what stood behind it", "CACHE-3", "", option("prompt", killedBehindVolatile(th, func(h *hand) { h.drop(th) })), Held, "", "", 1},
		{"a resume after a kill drops more", "CACHE-3", "", option("prompt", killedBehindVolatile(th, func(h *hand) { h.drop(th, textBlock("Looking.")) })), Broken, C, "Looking.", 1},
		{"by default nothing may go", "CACHE-3", "", killedBehindVolatile(th, func(h *hand) { h.drop(th) }), Broken, C, "thinking", 1},
		{"on a model without binding nothing may go", "CACHE-3", "claude-sonnet-4-6", option("prompt", killedBehindVolatile(th, func(h *hand) { h.drop(th) })), Broken, C, "thinking", 1},
	})
}

// killedBehindVolatile kills the process in a turn with volatile text before its prompt.
func killedBehindVolatile(th string, resumed func(h *hand)) func(h *hand) {
	return func(h *hand) {
		h.prompt("a")
		h.volatile("noon")
		h.send()
		h.reply(th, textBlock("Looking."), toolUse("t1"))
		h.result(toolResult("t1", "r"))
		h.send()
		h.answer("end_turn", textBlock("lost"))
		h.killed()
		h.forget(textBlock(reminder("noon")))
		resumed(h)
		h.turn("b", "2")
	}
}

func TestAnAnswerWithBothKindsOfThinkingIsJudgedBlockByBlock(t *testing.T) {
	redacted := `{"type":"redacted_thinking","data":"d"}`
	play(t, []situation{{"the redacted one goes", "THINK-1", "", func(h *hand) {
		h.prompt("a")
		h.send()
		h.reply(thinking("hm", "s1"), redacted, toolUse("t1"))
		h.result(toolResult("t1", "r"))
		h.edit = func(b string) string { return strings.Replace(b, redacted+",", "", 1) }
		h.send()
	}, Broken, H, "answer block 1: redacted_thinking", 1}})
}

// TestThinkingBehindASummaryThatNothingLogs (D1, H-CMP-60): in the teaching profile a summary comes in front of the newest
// messages of an open turn, and no log says so. On a bound model their thinking may be left out then; without a summary in
// front, elsewhere, or in other bytes it may not, and later answers of the turn keep theirs.
func TestThinkingBehindASummaryThatNothingLogs(t *testing.T) {
	th := thinking("hm", "s1")
	reacts := func(profile string, summary bool, after func(h *hand)) func(h *hand) {
		return func(h *hand) {
			h.events[0].Run.Options = map[string]string{"profile": profile}
			h.prompt("a")
			h.send()
			h.reply(th, toolUse("t1"))
			h.result(toolResult("t1", "r"))
			h.send()
			h.refusedFor(400, "prompt is too long: 210000 tokens > 200000 maximum")
			h.asks()
			h.answer("end_turn", textBlock("so far"))
			if summary {
				h.msgs[0].blocks = append([]string{textBlock("[Reactive compact]\n\nso far")}, h.msgs[0].blocks...)
			}
			after(h)
			h.send()
			h.reply(textBlock("done"))
		}
	}
	drop := func(h *hand) { h.drop(th) }
	play(t, []situation{
		{"left out", "THINK-1", "", reacts("teaching", true, drop), Held, "", "", 2},
		{"sent", "THINK-1", "", reacts("teaching", true, func(*hand) {}), Held, "", "", 2},
		{"left out, and no summary in front", "THINK-1", "", reacts("teaching", false, drop), Broken, H, "no such block", 2},
		{"left out where nothing is bound", "THINK-1", unbound, reacts("teaching", true, drop), Broken, H, "no such block", 2},
		{"left out where the log would say so", "THINK-1", "", reacts("full", true, drop), Broken, H, "no such block", 2},
		{"altered", "THINK-1", "", reacts("teaching", true, func(h *hand) {
			h.edit = func(b string) string { return strings.Replace(b, th, thinking("ho", "s1"), 1) }
		}), Broken, H, "not these bytes", 2},
		{"left out of an answer that came later", "THINK-1", "", reacts("teaching", true, func(h *hand) {
			h.drop(th)
			h.send()
			h.reply(thinking("ok", "s2"), toolUse("t2"))
			h.result(toolResult("t2", "r"))
			h.drop(thinking("ok", "s2"))
		}), Broken, H, "call 4, answer block 0", 3},
	})
}
