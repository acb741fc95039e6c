package invariant

import (
	"fmt"
	"testing"

	"harnessbench/conformance/trace"
)

// TestWhereABoundaryComesFrom (CMP-7): a boundary is logged behind the answer it is made of, and each answer makes
// one; without a request a memory file may stand for it, where there is one.
func TestWhereABoundaryComesFrom(t *testing.T) {
	full := func(h *hand, options ...string) string {
		for i := 0; i < len(options); i += 2 {
			h.option(options[i], options[i+1])
		}
		h.at(handThreshold)
		h.turn("a", "1")
		return h.prompt("b")
	}
	on := func(h *hand) {
		h.say("user", textBlock("b"), "")
		h.send()
		h.reply(textBlock("2"))
	}
	manual := func(boundaries int) func(h *hand) {
		return long(func(h *hand) {
			h.turn("a", "1")
			h.op(trace.Op{Name: "compact", Breaks: true})
			h.asks()
			h.answer("end_turn", textBlock("so far"))
			for range boundaries {
				h.inOneWrite("so far")
			}
			h.turn("b", "2")
		})
	}
	play(t, []situation{
		{"nothing was asked for", "CMP-7", "", long(func(h *hand) {
			p := full(h)
			h.inOneWrite("made up", p)
			on(h)
		}), Broken, H, "no summary was asked for in this step", 1},
		{"a memory file stands for it", "CMP-7", "", long(func(h *hand) {
			p := full(h, "compact.sessionMemory", "on")
			h.inOneWrite("noted", p)
			on(h)
		}), Unknown, "", "", 0},
		{"the boundary stands there before the request", "CMP-7", "", long(func(h *hand) {
			p := full(h, "compact.sessionMemory", "on")
			msgs, logical := h.msgs, h.leaf
			h.leaf = ""
			h.entry("system", fmt.Sprintf(`"subtype":"compact_boundary","logicalParentUuid":%s,"compactMetadata":{"preservedMessages":{"anchorUuid":"e%d","uuids":[%s]}}`, quote(logical), h.uuids+2, quote(p)))
			h.msgs = msgs
			h.asks()
			h.answer("end_turn", textBlock("so far"))
			h.msgs = nil
			h.entry("user", `"isCompactSummary":true,"message":{"role":"user","content":"so far"}`)
			h.say("user", textBlock("so far"), "")
			h.leaf = p
			h.pin()
			on(h)
		}), Broken, H, "was logged before it", 1},
		{"two boundaries for one answer", "CMP-7", "", manual(2), Broken, H, "stands behind another boundary", 2},
		{"one for one", "CMP-7", "", manual(1), Held, "", "", 1},
		{"each of two commands has its own", "CMP-7", "", long(func(h *hand) {
			h.turn("a", "1")
			for range 2 {
				h.op(trace.Op{Name: "compact", Breaks: true})
				h.asks()
				h.answer("end_turn", textBlock("so far"))
				h.inOneWrite("so far")
			}
			h.turn("b", "2")
		}), Held, "", "", 2},
		{"a layer's word does not say why the turn ended", "CMP-7", "", long(func(h *hand) {
			full(h)
			h.compacts("so far", "b")
			h.emit(trace.Event{Kind: trace.KindNotice, Notice: &trace.Notice{Text: "Micro-compaction (time): 3 old tool results were cleared."}})
			h.turn("c", "3")
		}), Broken, H, "nothing says why it ended", 1},
		{"that the log cannot be written does", "CMP-7", "", long(func(h *hand) {
			full(h)
			h.compacts("so far", "b")
			h.emit(trace.Event{Kind: trace.KindNotice, Notice: &trace.Notice{Text: "The session log cannot be written: no space left."}})
			h.turn("c", "3")
		}), Held, "", "", 1},
	})
}

// TestWhatIsTypedDuringACompactionGoesOut (CMP-7): in some later request, at the latest in that of the next prompt,
// unless the user or a fault stops the turn.
func TestWhatIsTypedDuringACompactionGoesOut(t *testing.T) {
	ahead := func(text string, behind func(h *hand)) func(h *hand) {
		return long(func(h *hand) {
			h.at(handThreshold)
			h.turn("a", "1")
			h.prompt("b")
			h.asks()
			h.op(trace.Op{Name: "queue", Text: text})
			h.reports(10, 0, 0, 10)
			h.answer("end_turn", textBlock("so far"))
			h.inOneWrite("so far", h.last)
			h.say("user", textBlock("b"), "")
			h.send()
			h.reply(textBlock("2"))
			behind(h)
		})
	}
	next := func(h *hand) { h.turn("c", "3") }
	play(t, []situation{
		{"it is lost", "CMP-7", "", ahead("and mind the tests", next), Broken, H, `does not say "and mind the tests"`, 1},
		{"it begins a turn of its own", "CMP-7", "", ahead("and mind the tests", func(h *hand) {
			h.typed("and mind the tests")
			h.send()
			h.reply(textBlock("I do."))
			next(h)
		}), Held, "", "", 1},
		{"it goes with the next prompt", "CMP-7", "", ahead("and mind the tests", func(h *hand) {
			h.op(trace.Op{Name: "prompt", Text: "c"})
			h.typed("and mind the tests")
			h.typed("c")
			h.send()
			h.reply(textBlock("3"))
		}), Held, "", "", 1},
		{"it is a command", "CMP-7", "", ahead("/compact", next), Held, "", "", 1},
		{"the user stops the turn", "CMP-7", "", ahead("and mind the tests", func(h *hand) { h.op(trace.Op{Name: "interrupt"}); next(h) }), Held, "", "", 1},
		{"nothing has come since", "CMP-7", "", ahead("and mind the tests", func(h *hand) {}), Held, "", "", 1},
	})
}
