package invariant

import (
	"strings"
	"testing"

	"harnessbench/conformance/trace"
)

// write writes raw bytes to a file at an offset.
func (h *hand) write(file string, offset int64, data string) {
	h.emit(trace.Event{Kind: trace.KindLog, Log: &trace.Log{File: file, Offset: offset, Data: trace.JSONText(data)}})
}

func TestTheLinesOfTheLogHangTogether(t *testing.T) {
	play(t, []situation{
		{"a logical parent that exists", "LOG-3", "", func(h *hand) {
			h.turn("a", "1")
			last := h.leaf
			h.leaf = ""
			h.entry("system", `"subtype":"compact_boundary","logicalParentUuid":`+quote(last))
			h.entry("user", `"isCompactSummary":true,"message":{"role":"user","content":"so far"}`)
		}, Held, "", "", 4},
		{"a logical parent that does not", "LOG-3", "", func(h *hand) {
			h.turn("a", "1")
			h.leaf = ""
			h.entry("system", `"subtype":"compact_boundary","logicalParentUuid":"e77"`)
		}, Broken, H, "logical parent e77", 3},
		{"the entry behind a boundary hangs elsewhere", "LOG-3", "", func(h *hand) {
			h.turn("a", "1")
			last := h.leaf
			h.leaf = ""
			h.entry("system", `"subtype":"compact_boundary"`)
			h.leaf = last
			h.entry("user", `"message":{"role":"user","content":"so far"}`)
		}, Broken, H, "is the boundary", 4},
		{"a new root after a rewind to the first prompt", "LOG-3", "", func(h *hand) {
			p := h.prompt("a")
			h.send()
			h.reply(textBlock("1"))
			h.rewind(p)
			h.turn("b", "2")
		}, Held, "", "", 4},
		{"a new root in a session file alone is no contradiction", "LOG-3", "", func(h *hand) {
			h.typed("a")
			h.leaf = ""
			h.typed("b")
		}, Held, "", "", 2},
		{"a sidechain has its own root", "LOG-3", "", func(h *hand) {
			h.turn("a", "1")
			h.line(`"parentUuid":null,"isSidechain":true,"type":"user","uuid":"x1","message":{"role":"user","content":"sub"}`)
			h.turn("b", "2")
		}, Held, "", "", 5},
		{"the file began before the stream", "LOG-3", "", func(h *hand) {
			h.offset, h.leaf = 500, "old"
			h.turn("a", "1")
		}, Held, "", "", 2},
		{"a parent later in the file", "LOG-3", "", func(h *hand) {
			h.leaf = "e2"
			h.typed("a")
			h.leaf = ""
			h.typed("b")
		}, Broken, H, "names parent e2", 2},
		{"a torn line costs only itself", "LOG-3", "", func(h *hand) {
			h.turn("a", "1")
			torn := `{"type":"user","uuid":"lost","parentUuid":"nobody"` + "\n"
			h.write(h.file, h.offset, torn)
			h.offset += int64(len(torn))
			h.turn("b", "2")
		}, Held, "", "", 4},
		{"glued lines are two", "LOG-3", "", func(h *hand) {
			glued := `{"type":"user","uuid":"a","parentUuid":null}{"type":"user","uuid":"b","parentUuid":"a"}` + "\n"
			h.write(h.file, 0, glued)
		}, Held, "", "", 2},
		{"a line in two writes", "LOG-3", "", func(h *hand) {
			h.write(h.file, 0, `{"type":"user","uuid":"a",`)
			h.write(h.file, 26, `"parentUuid":null}`+"\n"+`{"type":"user","uuid":"b","parentUuid":"a"}`+"\n")
		}, Held, "", "", 2},
		{"no log", "LOG-3", "", raw(`{"role":"user","content":"a"}`), Unknown, "", "", 0},
	})
}

func TestTheFileOnlyGrows(t *testing.T) {
	play(t, []situation{
		{"two files grow by turns", "LOG-12", "", func(h *hand) {
			h.write("/a.jsonl", 0, "{}\n")
			h.write("/b.jsonl", 0, "{}\n")
			h.write("/a.jsonl", 3, "{}\n")
		}, Held, "", "", 3},
		{"a file that was there before", "LOG-12", "", func(h *hand) { h.write("/a.jsonl", 10, "{}\n"); h.write("/a.jsonl", 13, "{}\n") }, Held, "", "", 2},
		{"bytes of somebody else between", "LOG-12", "", func(h *hand) { h.write("/a.jsonl", 0, "{}\n"); h.write("/a.jsonl", 10, "{}\n") }, Held, "", "", 2},
		{"a missing line feed is added first", "LOG-12", "", func(h *hand) { h.write("/a.jsonl", 0, "{}"); h.write("/a.jsonl", 2, "\n{}\n") }, Held, "", "", 2},
		{"a byte is written twice", "LOG-12", "", func(h *hand) { h.write("/a.jsonl", 0, "{}\n"); h.write("/a.jsonl", 2, "\n") }, Broken, H, "3 bytes stood in it", 2},
	})
}

func TestTheLogExplainsTheRequest(t *testing.T) {
	play(t, []situation{
		{"another encoder wrote the log", "LOG-6", "", func(h *hand) {
			h.prompt("a")
			h.send()
			h.answer("tool_use", toolUse("t1"))
			h.entry("assistant", `"message":{"id":"m","role":"assistant","content":[{"name":"Bash","id":"t1","input":{"command":"run t1"},"type":"tool_use"}]}`)
			h.say("assistant", toolUse("t1"), "")
			h.entry("user", `"message":{"role":"user","content":[{"tool_use_id":"t1","type":"tool_result","is_error":false,"content":[{"type":"text","text":"r"}]}]}`)
			h.say("user", toolResult("t1", "r"), "")
			h.send()
		}, Held, "", "", 2},
		{"a second reminder at the head", "LOG-6", "", func(h *hand) {
			h.turn("a", "1")
			h.msgs[0].blocks = append([]string{textBlock(reminder("more"))}, h.msgs[0].blocks...)
			h.turn("b", "2")
		}, Broken, H, "messages.0.content.1", 2},
		{"volatile text of the newest turn", "LOG-6", "claude-sonnet-4-6", func(h *hand) {
			h.turn("a", "1")
			h.prompt("b")
			h.volatile("noon")
			h.send()
			h.reply(toolUse("t1"))
			h.result(toolResult("t1", "r"))
			h.send()
			h.reply(textBlock("2"))
			h.forget(textBlock(reminder("noon")))
			h.turn("c", "3")
		}, Held, "", "", 4},
		{"volatile text of a turn that goes on behind a cut answer, with a prompt typed since", "LOG-6", "claude-sonnet-4-6", func(h *hand) {
			h.prompt("one")
			h.volatile("noon")
			h.send()
			h.answer("max_tokens", textBlock("words"))
			h.keep(textBlock("words"))
			h.typed(continueTag + " Go on.")
			h.typed("and this")
			h.send()
		}, Held, "", "", 2},
		{"volatile text that outlives its turn", "LOG-6", "claude-sonnet-4-6", func(h *hand) {
			h.turn("a", "1")
			h.prompt("b")
			h.volatile("noon")
			h.send()
			h.reply(textBlock("2"))
			h.turn("c", "3")
		}, Broken, H, "call 3, messages.2.content.0", 3},
		{"volatile text in a system message, logged", "LOG-6", "", func(h *hand) {
			h.prompt("a")
			h.scoped("noon")
			h.send()
			h.reply(toolUse("t1"))
			h.result(toolResult("t1", "r"))
			h.msgs = append(h.msgs, h.msgs[1]) // repeated behind the results
			h.send()
		}, Held, "", "", 2},
		{"volatile text in a system message, not logged", "LOG-6", "", func(h *hand) {
			h.prompt("a")
			h.msgs = append(h.msgs, said{role: "system", blocks: []string{textBlock(reminder("noon"))}, more: `,"clear_at":"next_user_message"`})
			h.send()
		}, Broken, H, "messages.1.content.0", 1},
		{"a result made up after a kill", "LOG-6", "", func(h *hand) {
			h.prompt("a")
			h.send()
			h.reply(toolUse("t1"))
			h.emit(trace.Event{Kind: trace.KindTool, Tool: &trace.Tool{Phase: "end", ID: "t1", Name: "Bash"}})
			h.emit(trace.Event{Kind: trace.KindFault, Fault: &trace.Fault{Name: "kill", At: "before disk.append #4"}})
			h.op(trace.Op{Name: "resume", Session: "s"})
			h.say("user", strings.TrimSuffix(toolResult("t1", "missing"), "}")+`,"is_error":true}`, "")
			h.turn("b", "2")
		}, Held, "", "", 2},
		{"a failed result that came back and was not logged", "LOG-6", "", func(h *hand) {
			h.prompt("a")
			h.send()
			h.reply(toolUse("t1"))
			h.emit(trace.Event{Kind: trace.KindTool, Tool: &trace.Tool{Phase: "end", ID: "t1", Name: "Bash"}})
			h.say("user", strings.TrimSuffix(toolResult("t1", "boom"), "}")+`,"is_error":true}`, "")
			h.send()
		}, Broken, H, "a tool_result block", 2},
		{"messages out of the path's order", "LOG-6", "", func(h *hand) {
			h.turn("a", "1")
			h.turn("b", "2")
			h.msgs[0].blocks[1], h.msgs[2].blocks[0] = h.msgs[2].blocks[0], h.msgs[0].blocks[1]
			h.turn("c", "3")
		}, Broken, H, "before what was sent ahead of it", 3},
		{"thinking moved behind the text of its answer", "LOG-6", unbound, func(h *hand) {
			h.prompt("a")
			h.send()
			h.reply(thinking("hm", "s1"), textBlock("Looking."), toolUse("t1"))
			h.result(toolResult("t1", "r"))
			b := h.msgs[1].blocks
			b[0], b[1] = b[1], b[0]
			h.send()
		}, Broken, H, "a thinking block", 2},
		{"two texts of an answer swapped", "LOG-6", unbound, func(h *hand) {
			h.prompt("a")
			h.send()
			h.reply(textBlock("one"), textBlock("two"), textBlock("three"))
			b := h.msgs[1].blocks
			b[0], b[1] = b[1], b[0]
			h.turn("b", "2")
		}, Broken, H, "before what was sent ahead of it", 2},
		{"an answer that says the same twice", "LOG-6", unbound, func(h *hand) {
			h.prompt("a")
			h.send()
			h.reply(textBlock("ok"), textBlock("two"), textBlock("ok"))
			h.turn("b", "2")
		}, Held, "", "", 2},
		{"the first of two equal texts is left out", "LOG-6", unbound, func(h *hand) {
			h.prompt("a")
			h.send()
			h.reply(textBlock("ok"), textBlock("two"), textBlock("ok"))
			h.forget(textBlock("ok"))
			h.turn("b", "2")
		}, Held, "", "", 2}, // LOG-5 says so
		{"thinking left out of an answer moves nothing", "LOG-6", unbound, func(h *hand) {
			h.prompt("a")
			h.send()
			h.reply(thinking("hm", "s1"), textBlock("one"), thinking("so", "s2"), textBlock("two"))
			h.forget(thinking("hm", "s1"))
			h.turn("b", "2")
		}, Held, "", "", 2},
		{"results first, whatever the log's order", "LOG-6", "", func(h *hand) {
			h.prompt("a")
			h.send()
			h.reply(toolUse("t1"), toolUse("t2"))
			h.entry("user", `"message":{"role":"user","content":[{"type":"text","text":"steer"}]}`)
			h.entry("user", `"message":{"role":"user","content":[`+toolResult("t2", "two")+`]}`)
			h.entry("user", `"message":{"role":"user","content":[`+toolResult("t1", "one")+`]}`)
			h.say("user", toolResult("t1", "one"), "")
			h.say("user", toolResult("t2", "two"), "")
			h.say("user", textBlock("steer"), "")
			h.send()
		}, Held, "", "", 2},
		{"sent twice, once logged", "LOG-6", "", func(h *hand) {
			h.turn("a", "1")
			h.say("user", textBlock("a"), "")
			h.turn("b", "2")
		}, Held, "", "", 2},
		{"a reminder of the newest turn that says what an older one said in a system message", "LOG-6", unbound, func(h *hand) {
			h.prompt("a")
			h.scoped(reminder("noon"))
			h.send()
			h.op(trace.Op{Name: "interrupt"})
			h.msgs = h.msgs[:1]
			h.prompt("b")
			h.volatile("noon")
			h.send()
		}, Held, "", "", 2},
		{"the same words typed twice", "LOG-6", "", func(h *hand) { h.turn("go", "ok"); h.turn("go", "ok"); h.turn("go", "ok") }, Held, "", "", 3},
		{"the first request comes before any write", "LOG-6", "", func(h *hand) {
			h.op(trace.Op{Name: "prompt", Text: "a"})
			h.say("user", textBlock("a"), "")
			h.send()
			h.entry("user", `"message":{"role":"user","content":"a"}`)
			h.reply(textBlock("1"))
		}, Broken, H, "the first write to the log came after it", 1},
		{"a stream of traffic alone", "LOG-6", "", raw(`{"role":"user","content":"a"}`), Unknown, "", "", 0},
		{"a session from before the stream", "LOG-6", "", func(h *hand) {
			h.offset, h.leaf = 500, "old"
			h.say("user", textBlock("older"), "")
			h.turn("a", "1")
		}, Unknown, "", "", 0},
		{"after a clear the old session explains nothing", "LOG-6", "", func(h *hand) {
			h.turn("a", "1")
			h.op(trace.Op{Name: "clear", Breaks: true})
			h.msgs = nil
			h.say("user", textBlock("b"), "")
			h.send()
		}, Broken, H, "no session file yet", 2},
		{"an attachment that was rendered", "LOG-6", "", func(h *hand) {
			h.prompt("a")
			h.entry("attachment", `"attachment":{"type":"file"},"rendered":[{"content":"<system-reminder>file</system-reminder>"}]`)
			h.msgs[0].blocks = []string{h.msgs[0].blocks[0], textBlock("<system-reminder>file</system-reminder>"), h.msgs[0].blocks[1]}
			h.send()
			h.reply(textBlock("1"))
			h.turn("b", "2")
		}, Held, "", "", 2},
		{"a compaction boundary cuts the path", "LOG-6", "", func(h *hand) {
			h.turn("a", "1")
			h.leaf = ""
			h.entry("system", `"subtype":"compact_boundary"`)
			h.entry("user", `"isCompactSummary":true,"isVisibleInTranscriptOnly":true,"message":{"role":"user","content":"so far"}`)
			h.msgs = nil
			h.say("user", textBlock("so far"), "")
			h.turn("b", "2")
		}, Held, "", "", 2},
	})
}
