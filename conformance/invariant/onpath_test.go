package invariant

import (
	"testing"

	"harnessbench/conformance/trace"
)

func TestTheHarnessStandsAtTheLeafOfTheLog(t *testing.T) {
	play(t, []situation{
		{"a tail of metadata is the place to go on", "LOG-5", "", func(h *hand) {
			h.turn("a", "1")
			h.entry("system", `"subtype":"turn_duration"`)
			h.standing()
			h.turn("b", "2")
		}, Held, "", "", 3},
		{"the harness forgot the tail", "LOG-5", "", func(h *hand) {
			h.turn("a", "1")
			message := h.leaf
			h.entry("system", `"subtype":"turn_duration"`)
			h.leaf = message
			h.standing()
		}, Broken, H, "the harness stands at e2", 2},
		{"an attachment may be a parent", "LOG-5", "", func(h *hand) {
			h.prompt("a")
			h.entry("attachment", `"attachment":{"type":"task_reminder"}`)
			h.send()
			h.reply(textBlock("1"))
		}, Held, "", "", 1},
		{"a progress entry may not", "LOG-5", "", func(h *hand) {
			h.prompt("a")
			h.entry("progress", `"data":{}`)
			h.send()
			h.reply(textBlock("1"))
		}, Broken, H, "a progress entry", 1},
		{"nor a sidechain entry", "LOG-5", "", func(h *hand) {
			h.turn("a", "1")
			h.line(`"parentUuid":null,"isSidechain":true,"type":"user","uuid":"x1","message":{"role":"user","content":"sub"}`)
			h.leaf = "x1"
			h.prompt("b")
		}, Broken, H, "a sidechain entry", 1},
		{"a message of the path is not sent", "LOG-5", "", func(h *hand) {
			h.turn("a", "1")
			h.turn("b", "2")
			h.forget(textBlock("b"))
			h.msgs = append(h.msgs[:2], h.msgs[3:]...)
			h.turn("c", "3")
		}, Broken, H, "without what s1.jsonl line 3", 3},
		{"thinking may be left out", "LOG-5", unbound, func(h *hand) {
			h.prompt("a")
			h.send()
			h.reply(thinking("hm", "s1"), textBlock("1"))
			h.drop(thinking("hm", "s1"))
			h.turn("b", "2")
		}, Held, "", "", 2},
		{"an error note of the harness is not sent", "LOG-5", "", func(h *hand) {
			h.turn("a", "1")
			h.entry("assistant", `"isApiErrorMessage":true,"message":{"id":"x","role":"assistant","model":"<synthetic>","content":[{"type":"text","text":"overloaded"}]}`)
			h.turn("b", "2")
		}, Held, "", "", 2},
		{"an unanswered prompt joins the next", "LOG-5", "", func(h *hand) {
			h.prompt("a")
			h.send()
			h.op(trace.Op{Name: "kill"})
			h.op(trace.Op{Name: "resume", Session: "s"})
			h.standing()
			h.turn("b", "2")
		}, Held, "", "", 3},
		{"an unanswered prompt is lost", "LOG-5", "", func(h *hand) {
			h.prompt("a")
			h.send()
			h.op(trace.Op{Name: "kill"})
			h.op(trace.Op{Name: "resume", Session: "s"})
			h.msgs = nil
			h.turn("b", "2")
		}, Broken, H, "without what s1.jsonl line 1", 2},
		{"blocks of an older session", "LOG-5", "", func(h *hand) {
			h.turn("a", "1")
			h.op(trace.Op{Name: "clear", Breaks: true})
			h.file, h.offset, h.leaf = "/c/projects/w/s2.jsonl", 0, ""
			h.turn("b", "2")
		}, Broken, H, "stands in s1.jsonl", 2},
		{"a message is sent more often than it stands on the path", "LOG-5", "", func(h *hand) {
			h.turn("a", "1")
			h.say("user", textBlock("a"), "")
			h.say("assistant", textBlock("1"), "")
			h.turn("b", "2")
		}, Broken, H, "was sent before it already", 2},
		{"a text of an answer is sent twice", "LOG-5", unbound, func(h *hand) {
			h.turn("a", "1")
			h.msgs[1].blocks = append(h.msgs[1].blocks, textBlock("1"))
			h.turn("b", "2")
		}, Broken, H, "messages.1.content.1", 2},
		{"a result is sent twice", "LOG-5", "", func(h *hand) {
			h.prompt("a")
			h.send()
			h.reply(toolUse("t1"))
			h.result(toolResult("t1", "r"))
			h.say("user", toolResult("t1", "r"), "")
			h.send()
		}, Broken, H, "was sent before it already", 2},
		{"equal prompts and answers, each logged", "LOG-5", "", func(h *hand) { h.turn("go", "ok"); h.turn("go", "ok"); h.again(); h.turn("go", "ok") }, Held, "", "", 5},
		{"equal prompts that were never answered are one message", "LOG-5", "", func(h *hand) {
			h.prompt("go")
			h.send()
			h.op(trace.Op{Name: "interrupt"})
			h.prompt("go")
			h.send()
			h.op(trace.Op{Name: "interrupt"})
			h.turn("go", "ok")
		}, Held, "", "", 3},
		{"a summary says what a message before it said", "LOG-5", "", func(h *hand) {
			h.turn("so far", "1")
			h.leaf = ""
			h.entry("system", `"subtype":"compact_boundary"`)
			h.entry("user", `"isCompactSummary":true,"message":{"role":"user","content":"so far"}`)
			h.msgs = nil
			h.say("user", textBlock("so far"), "")
			h.turn("so far", "2")
		}, Held, "", "", 2},
		{"a reminder is repeated", "LOG-5", "", func(h *hand) {
			h.prompt("a")
			h.entry("attachment", `"attachment":{"type":"file"},"rendered":[{"content":"<system-reminder>file</system-reminder>"}]`)
			h.say("user", textBlock("<system-reminder>file</system-reminder>"), "")
			h.send()
			h.reply(toolUse("t1"))
			h.result(toolResult("t1", "r"))
			h.say("user", textBlock("<system-reminder>file</system-reminder>"), "")
			h.send()
		}, Held, "", "", 2},
		{"a reminder of the newest turn that says what an older one said in a system message", "LOG-5", unbound, func(h *hand) {
			h.prompt("a")
			h.scoped(reminder("noon"))
			h.send()
			h.op(trace.Op{Name: "interrupt"})
			h.msgs = h.msgs[:1]
			h.prompt("b")
			h.volatile("noon")
			h.send()
		}, Held, "", "", 2},
		{"a clear leaves them behind", "LOG-5", "", func(h *hand) {
			h.turn("a", "1")
			h.op(trace.Op{Name: "clear", Breaks: true})
			h.file, h.offset, h.leaf, h.msgs = "/c/projects/w/s2.jsonl", 0, "", nil
			h.emit(trace.Event{Kind: trace.KindLeaf, Leaf: &trace.Leaf{Session: "s2", File: h.file}})
			h.turn("b", "2")
			h.standing()
		}, Held, "", "", 3},
		{"the pin holds over a resume", "LOG-5", "", func(h *hand) {
			h.turn("a", "1")
			p := h.prompt("b")
			h.send()
			h.reply(textBlock("2"))
			h.rewind(p)
			h.again()
			h.turn("c", "3")
			h.standing()
		}, Held, "", "", 7},
		{"the pin was not written, so a resume goes astray", "LOG-5", "", func(h *hand) {
			h.turn("a", "1")
			p := h.prompt("b")
			h.send()
			h.reply(textBlock("2"))
			h.op(trace.Op{Name: "rewind", Target: p, Breaks: true})
			h.back(p)
			h.standing()
		}, Broken, H, "the leaf is s1.jsonl line 4", 3},
		{"a rewind to the very start", "LOG-5", "", func(h *hand) {
			p := h.prompt("a")
			h.send()
			h.reply(textBlock("1"))
			h.rewind(p)
			h.again()
			h.turn("b", "2")
			h.standing()
		}, Held, "", "", 6},
		{"a record of the newest prompt lifts the pin", "LOG-5", "", func(h *hand) {
			h.turn("a", "1")
			p := h.prompt("b")
			h.send()
			h.reply(textBlock("2"))
			h.rewind(p)
			h.turn("c", "3")
			h.line(`"type":"last-prompt","lastPrompt":"c","leafUuid":` + quote(h.leaf))
			h.turn("d", "4")
			h.standing()
		}, Held, "", "", 6},
		{"a record this judge does not follow", "LOG-5", "", func(h *hand) {
			h.turn("a", "1")
			h.line(`"type":"snip","removedUuids":["e1"]`)
			h.msgs = nil
			h.turn("b", "2")
		}, Held, "", "", 1},
		{"a replaced result", "LOG-5", "", func(h *hand) {
			h.prompt("a")
			h.send()
			h.reply(toolUse("t1"))
			h.entry("user", `"message":{"role":"user","content":[`+toolResult("t1", "very long")+`]}`)
			h.line(`"type":"content-replacement","replacements":[{"tool_use_id":"t1","replacement":"short"}]`)
			h.say("user", toolResult("t1", "short"), "")
			h.send()
		}, Held, "", "", 2},
	})
}
