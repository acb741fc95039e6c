package invariant

import (
	"strings"
	"testing"

	"harnessbench/conformance/trace"
)

// TestWhatSurvivesAPauseOfTheServers (H-CMP-78, H-CMP-83, H-CMP-84; CMP-3, CMP-6, CMP-7): behind an answer that is a
// summary and nothing else the newest prompt stands once, word for word, tools and system stay, the turn goes on, and
// no second summary is asked for at once.
func TestWhatSurvivesAPauseOfTheServers(t *testing.T) {
	const block, failed = `{"type":"compaction","content":"so far"}`, `{"type":"compaction","content":null}`
	asking := func(b string) string {
		return strings.Replace(b, `"max_tokens":1000`, `"max_tokens":1000,"context_management":{"edits":[{"type":"compact_20260112"}]}`, 1)
	}
	paused := func(block string, behind func(h *hand)) func(h *hand) {
		return long(func(h *hand) {
			h.option("compact.server", "on")
			h.turn("first question", "I read it.")
			h.prompt("second question")
			h.edit = asking
			h.send()
			h.edit = nil
			h.answer("compaction", block)
			h.keep(block)
			h.msgs = h.msgs[len(h.msgs)-1:]
			behind(h)
		})
	}
	back := func(words ...string) func(h *hand) {
		return func(h *hand) {
			for _, w := range words {
				h.entry("attachment", `"rendered":[{"role":"user","content":`+quote(w)+`}]`)
				h.say("user", textBlock(w), "")
			}
		}
	}
	goesOn := func(words ...string) func(h *hand) {
		return func(h *hand) {
			back(words...)(h)
			h.send()
			h.reply(textBlock("A missing key."))
			h.turn("third question", "3")
		}
	}
	again := func(edit func(string) string, between string) func(h *hand) {
		return func(h *hand) {
			back("second question")(h)
			if between != "" {
				h.send()
				h.reply(toolUse(between))
				h.result(toolResult(between, "x"))
			}
			h.edit = edit
			h.send()
			h.edit = nil
			h.answer("compaction", block)
			h.keep(block)
			h.msgs = h.msgs[len(h.msgs)-1:]
			back("second question")(h)
			h.send()
			h.reply(textBlock("2"))
		}
	}
	other := func(h *hand) {
		h.system = "You are somebody else."
		goesOn("second question")(h)
	}
	stops := func(between func(h *hand)) func(h *hand) {
		return func(h *hand) {
			between(h)
			h.turn("third question", "3")
		}
	}
	nothing := func(*hand) {}
	notice := func(text string) func(h *hand) {
		return func(h *hand) { h.emit(trace.Event{Kind: trace.KindNotice, Notice: &trace.Notice{Text: text}}) }
	}
	play(t, []situation{
		{"the prompt comes back", "CMP-6", "", paused(block, goesOn("memory", "second question")), Held, "", "", 1},
		{"it does not", "CMP-6", "", paused(block, goesOn("memory")), Broken, H, "does not say behind it what", 1},
		{"it comes back twice", "CMP-6", "", paused(block, goesOn("second question", "second question")), Broken, H, "says 2 times", 1},
		{"the system is another", "CMP-6", "", paused(block, other), Broken, H, "not the same any more", 1},
		{"a summary that failed stands for nothing", "CMP-6", "", paused(failed, goesOn("second question")), Unknown, "", "", 0},
		{"a second summary at once", "CMP-3", "", paused(block, again(asking, "")), Broken, H, "no main request was answered since", 2},
		{"which the client did not ask for", "CMP-3", "", paused(block, again(nil, "")), Held, "", "", 2},
		{"a second one behind an answer", "CMP-3", "", paused(block, again(asking, "t1")), Held, "", "", 2},
		{"the turn goes on", "CMP-7", "", paused(block, goesOn("second question")), Held, "", "", 1},
		{"the turn ends there", "CMP-7", "", paused(block, stops(notice("The server compacted the conversation."))), Broken, H, "nothing says why it ended", 1},
		{"the user stops it", "CMP-7", "", paused(block, stops(func(h *hand) { h.op(trace.Op{Name: "interrupt"}) })), Held, "", "", 1},
		{"a word says why", "CMP-7", "", paused(block, stops(notice("Autocompact is thrashing"))), Held, "", "", 1},
		{"the process dies", "CMP-7", "", paused(block, stops((*hand).killed)), Held, "", "", 1},
		{"one that failed need not go on", "CMP-7", "", paused(failed, stops(nothing)), Unknown, "", "", 0},
	})
}
