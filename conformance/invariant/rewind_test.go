package invariant

import (
	"fmt"
	"strings"
	"testing"

	"harnessbench/conformance/trace"
)

func TestARewindMovesAPointer(t *testing.T) {
	kill := trace.Event{Kind: trace.KindFault, Fault: &trace.Fault{Name: "kill", At: "before disk.append #7"}}
	two := func(h *hand) string {
		h.turn("a", "1")
		p := h.prompt("b")
		h.send()
		h.reply(textBlock("2"))
		return p
	}
	play(t, []situation{
		{"done right, also after a resume", "REW-1", "", func(h *hand) {
			h.rewind(two(h))
			h.turn("c", "3")
			h.again()
			h.turn("d", "4")
		}, Held, "", "", 2},
		{"the same prompt again", "REW-1", "", func(h *hand) {
			h.rewind(two(h))
			h.turn("b", "2")
		}, Held, "", "", 1},
		{"two rewinds, one over the other", "REW-1", "", func(h *hand) {
			p := two(h)
			h.rewind(p)
			h.rewind("e1")
			h.turn("c", "3")
		}, Held, "", "", 1},
		{"to the very start", "REW-1", "", func(h *hand) {
			two(h)
			h.rewind("e1")
			h.turn("c", "3")
		}, Held, "", "", 1},
		{"the branch leaks only after the resume", "REW-1", "", func(h *hand) {
			p := two(h)
			branch := h.msgs
			h.rewind(p)
			h.turn("c", "3")
			h.again()
			h.msgs = append(branch, h.msgs[2:]...)
			h.turn("d", "4")
		}, Broken, H, "left behind by a rewind", 2},
		{"a branch leaks whose texts also stand on the path", "REW-1", "", func(h *hand) {
			h.turn("go", "ok")
			p := h.prompt("go")
			h.send()
			h.reply(textBlock("ok"))
			branch := h.msgs
			h.rewind(p)
			h.msgs = branch
			h.turn("else", "3")
		}, Broken, H, "says the same and was left behind by a rewind", 1},
		{"a repeat that no branch says", "REW-1", "", func(h *hand) {
			h.rewind(two(h))
			h.say("user", textBlock("a"), "")
			h.turn("c", "3")
		}, Held, "", "", 1},
		{"the words of the branch are typed again", "REW-1", "", func(h *hand) {
			h.turn("go", "ok")
			p := h.prompt("go")
			h.send()
			h.reply(textBlock("ok"))
			h.rewind(p)
			h.turn("go", "ok")
			h.again()
			h.turn("go", "ok")
		}, Held, "", "", 2},
		{"a reminder of the newest turn says what one on the branch said", "REW-1", unbound, func(h *hand) {
			h.turn("a", "1")
			p := h.prompt("b")
			h.scoped(reminder("noon"))
			h.send()
			h.op(trace.Op{Name: "interrupt"})
			h.rewind(p)
			h.prompt("c")
			h.volatile("noon")
			h.send()
		}, Held, "", "", 1},
		{"a reminder of the branch stays in an older turn", "REW-1", unbound, func(h *hand) {
			h.turn("a", "1")
			p := h.prompt("b")
			h.scoped(reminder("noon"))
			h.send()
			h.reply(textBlock("2"))
			h.rewind(p)
			h.turn("c", "3")
			h.say("user", textBlock(reminder("noon")), "")
			h.turn("d", "4")
			h.turn("e", "5")
		}, Broken, H, "left behind by a rewind", 3},
		{"what came before is lost too", "REW-1", "", func(h *hand) {
			h.rewind(two(h))
			h.msgs = nil
			h.turn("c", "3")
		}, Broken, H, "the first after the rewind of step 3", 1},
		{"the next prompt makes a new root", "REW-1", "", func(h *hand) {
			h.rewind(two(h))
			h.leaf = ""
			h.turn("c", "3")
		}, Broken, H, `names parent ""`, 1},
		{"killed before it was written, so it did not happen", "REW-1", "", func(h *hand) {
			p := two(h)
			h.op(trace.Op{Name: "rewind", Target: p, Breaks: true})
			h.emit(kill)
			h.op(trace.Op{Name: "resume", Session: "s"})
			h.turn("c", "3")
		}, Unknown, "", "", 0},
		{"killed after it was written", "REW-1", "", func(h *hand) {
			p := two(h)
			leaf, msgs := h.leaf, h.msgs
			h.op(trace.Op{Name: "rewind", Target: p, Breaks: true})
			h.back(p)
			h.pin()
			h.emit(kill)
			h.op(trace.Op{Name: "resume", Session: "s"})
			h.leaf, h.msgs = leaf, msgs
			h.turn("c", "3")
		}, Broken, H, "names parent \"e4\"", 1},
		{"an unknown target changes nothing", "REW-1", "", func(h *hand) {
			two(h)
			h.op(trace.Op{Name: "rewind", Target: "nobody", Breaks: true})
			h.standing()
			h.turn("c", "3")
		}, Unknown, "", "", 0},
		{"an unknown target moves the leaf", "REW-1", "", func(h *hand) {
			two(h)
			h.op(trace.Op{Name: "rewind", Target: "nobody", Breaks: true})
			h.line(`"type":"last-prompt","leafUuid":"e2","explicit":true`)
		}, Broken, H, "had to fail", 0},
		{"a clear ends what is owed", "REW-1", "", func(h *hand) {
			h.rewind(two(h))
			h.op(trace.Op{Name: "clear", Breaks: true})
			h.file, h.offset, h.leaf, h.msgs = "/c/projects/w/s2.jsonl", 0, "", nil
			h.turn("c", "3")
		}, Unknown, "", "", 0},
		{"no rewind", "REW-1", "", func(h *hand) { two(h) }, Unknown, "", "", 0},
	})
}

// TestARewindToTheFirstPromptThatABoundaryKeeps: in a copy of a session behind a partial summary the kept prompt hangs on
// the boundary. Nothing of the conversation stands before it, so an empty path is where a rewind to it leads; behind what
// is kept later, it is not.
func TestARewindToTheFirstPromptThatABoundaryKeeps(t *testing.T) {
	copied := func(target string) func(h *hand) {
		return func(h *hand) {
			h.entry("system", `"subtype":"compact_boundary","compactMetadata":{"preservedSegment":{"headUuid":"e2","anchorUuid":"e1","tailUuid":"e4"}}`)
			h.typed("a")
			h.keep(textBlock("1"))
			h.typed("b")
			h.leaf = "e1"
			h.entry("user", `"isCompactSummary":true,"message":{"role":"user","content":"so far"}`)
			h.say("user", textBlock("so far"), "")
			h.standing()
			h.op(trace.Op{Name: "rewind", Target: target, Breaks: true})
			h.msgs, h.leaf = nil, ""
			h.pin()
			h.standing()
			h.turn("c", "3")
		}
	}
	play(t, []situation{
		{"the first", "REW-1", "", copied("e2"), Held, "", "", 1},
		{"another one", "REW-1", "", copied("e4"), Broken, H, "its parent is e3", 1},
	})
}

// TestARewindInTheTeachingProfile (H-CMP-10, H-CMP-15, H-CMP-20): its layers leave out and replace without a word in the log,
// so that nobody knows whether the rewind lost what they may have taken; what they cannot have taken, it did.
func TestARewindInTheTeachingProfile(t *testing.T) {
	back := func(profile string, rounds int, before, after func(h *hand)) func(h *hand) {
		return func(h *hand) {
			h.events[0].Run.Options = map[string]string{"profile": profile}
			h.prompt("a")
			h.send()
			for i := range rounds {
				id := fmt.Sprintf("r%d", i)
				h.reply(toolUse(id))
				h.result(toolResult(id, "r"))
				h.send()
			}
			h.reply(toolUse("t1"))
			h.result(toolResult("t1", "long"))
			h.send()
			h.reply(textBlock("1"))
			p := h.prompt("b")
			h.send()
			h.reply(textBlock("2"))
			before(h)
			h.rewind(p)
			after(h)
			h.turn("c", "3")
		}
	}
	nothing := func(*hand) {}
	clears := func(h *hand) {
		h.edit = func(b string) string {
			return strings.Replace(b, toolResult("t1", "long"), toolResult("t1", "cleared"), 1)
		}
	}
	loses := func(h *hand) { h.drop(toolUse("t1"), toolResult("t1", "long")) }
	summed := func(h *hand) {
		h.op(trace.Op{Name: "compact", Breaks: true})
		h.asks()
		h.answer("end_turn", textBlock("so far"))
	}
	failed := func(h *hand) {
		h.op(trace.Op{Name: "compact", Breaks: true})
		h.asks()
		h.refused(500)
	}
	again := func(h *hand) { summed(h); h.again() }
	play(t, []situation{
		{"a result in other words", "REW-1", "", back("teaching", 0, nothing, clears), Held, "", "", 1},
		{"a result in other words, where the log would say so", "REW-1", "", back("full", 0, nothing, clears), Broken, H, "does not say what", 1},
		{"a round is gone", "REW-1", "", back("teaching", 0, nothing, loses), Broken, H, "does not say what", 1},
		{"a round is gone from a list of some length", "REW-1", "", back("teaching", 20, nothing, loses), Broken, H, "does not say what", 1},
		{"a round is gone from a long list", "REW-1", "", back("teaching", 25, nothing, loses), Held, "", "", 1},
		{"a round is gone from a long list, where the log would say so", "REW-1", "", back("full", 25, nothing, loses), Broken, H, "does not say what", 1},
		{"a round is gone behind a summary", "REW-1", "", back("teaching", 0, summed, loses), Held, "", "", 1},
		{"a round is gone behind one that was not given", "REW-1", "", back("teaching", 0, failed, loses), Broken, H, "does not say what", 1},
		{"a round is gone behind one that another process had", "REW-1", "", back("teaching", 0, again, loses), Broken, H, "does not say what", 1},
	})
}
