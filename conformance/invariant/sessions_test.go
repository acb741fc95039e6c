package invariant

import (
	"fmt"
	"slices"
	"testing"

	"harnessbench/conformance/trace"
)

// other goes over to another session file, in which what the conversation holds so far stands as copies.
func (h *hand) other(file string) {
	h.op(trace.Op{Name: "fork"})
	h.file, h.offset, h.leaf = "/c/projects/w/"+file, 0, ""
	for _, m := range h.msgs {
		for i, b := range m.blocks {
			switch {
			case m.role == "assistant":
				h.entry("assistant", fmt.Sprintf(`"message":{"id":"copy_%s_%d","role":"assistant","content":[%s]}`, file, i, b))
			case b != textBlock(h.memory):
				h.entry("user", `"message":{"role":"user","content":[`+b+`]}`)
			}
		}
	}
	h.standing()
}

// aside sends one request on a chain of its own.
func (h *hand) aside(chain, question string) {
	h.op(trace.Op{Name: chain})
	before := slices.Clone(h.msgs)
	h.say("user", textBlock(question), "")
	h.send()
	h.events[len(h.events)-1].Request.Chain = chain
	h.answer("end_turn", textBlock("so"))
	h.msgs = before
}

// TestEachSessionIsAConversationOfItsOwn: a chain goes back and forth between sessions, and the cache of each is
// judged by what was sent for it.
func TestEachSessionIsAConversationOfItsOwn(t *testing.T) {
	both := func(h *hand, change func()) {
		h.turn("a", "1")
		first, at, leaf, offset := slices.Clone(h.msgs), h.file, h.leaf, h.offset
		h.other("s2.jsonl")
		h.turn("b", "2")
		h.op(trace.Op{Name: "resume"})
		h.msgs, h.file, h.leaf, h.offset = first, at, leaf, offset
		h.standing()
		change()
		h.turn("c", "3")
	}
	play(t, []situation{
		{"a fork, then the original", "CACHE-1", "", func(h *hand) { both(h, func() {}) }, Held, "", "", 2},
		{"the original in another shape", "CACHE-1", "", func(h *hand) {
			both(h, func() {
				h.memory += "!"
				h.msgs[0].blocks[0] = textBlock(h.memory)
			})
		}, Broken, C, "messages.0.content.0", 2},
		{"a fork that does not begin as its source", "CACHE-1", "", func(h *hand) {
			h.turn("a", "1")
			h.other("s2.jsonl")
			h.msgs[0].blocks[0] = textBlock("else")
			h.turn("b", "2")
		}, Broken, C, "else", 1},
	})
}

// TestRequestsThatStandAloneContinueNothing: two questions beside the conversation owe each other nothing; two
// requests of a helper's conversation do.
func TestRequestsThatStandAloneContinueNothing(t *testing.T) {
	asked := func(chain string) func(h *hand) {
		return func(h *hand) {
			h.turn("a", "1")
			h.aside(chain, "who?")
			h.aside(chain, "why?")
			h.turn("b", "2")
		}
	}
	play(t, []situation{
		{"questions aside", "CACHE-1", "", asked("btw"), Held, "", "", 1},
		{"summaries", "CACHE-1", "", asked("compact"), Held, "", "", 1},
		{"auxiliary calls", "CACHE-1", "", asked("aux"), Held, "", "", 1},
		{"a helper", "CACHE-1", "", asked("agent-1"), Broken, C, "who?", 2},
	})
}

// TestABoundaryBehindARewindStandsForThePathThatIsLeft: its logical parent is the parent of the prompt taken back.
func TestABoundaryBehindARewindStandsForThePathThatIsLeft(t *testing.T) {
	compacted := func(logical func(h *hand) string) func(h *hand) {
		return func(h *hand) {
			h.turn("a", "1")
			p := h.prompt("b")
			h.send()
			h.reply(textBlock("2"))
			left := h.leaf
			h.rewind(p)
			kept := h.leaf
			h.place["kept"], h.place["left"] = kept, left
			h.op(trace.Op{Name: "compact", Breaks: true})
			h.leaf = ""
			h.entry("system", `"subtype":"compact_boundary","logicalParentUuid":`+quote(logical(h)))
			h.entry("user", `"isCompactSummary":true,"message":{"role":"user","content":"so far"}`)
			h.msgs = nil
			h.say("user", textBlock("so far"), "")
			h.turn("c", "3")
		}
	}
	play(t, []situation{
		{"of the path", "REW-1", "", compacted(func(h *hand) string { return h.place["kept"] }), Held, "", "", 1},
		{"of the branch left behind", "REW-1", "", compacted(func(h *hand) string { return h.place["left"] }), Broken, H, "the first after the rewind", 1},
	})
}

// TestWhatWasThereBeforeIsNobodysFault: a log that was given may hold any oddity; the same bytes written in the stream
// are judged.
func TestWhatWasThereBeforeIsNobodysFault(t *testing.T) {
	begun := func(given bool) func(h *hand) {
		return func(h *hand) {
			data := `{"type":"user","uuid":"x1","parentUuid":"gone","message":{"role":"user","content":"a"}}` + "\n"
			h.emit(trace.Event{Kind: trace.KindLog, Log: &trace.Log{File: h.file, Data: trace.JSONText(data), Given: given}})
			h.offset, h.leaf = int64(len(data)), "x1"
			h.op(trace.Op{Name: "resume"})
			h.standing()
			h.say("user", textBlock("a"), "")
			h.turn("b", "2")
		}
	}
	play(t, []situation{
		{"given", "LOG-3", "", begun(true), Held, "", "", 2},
		{"written", "LOG-3", "", begun(false), Broken, H, "no earlier line of the file has this uuid", 3},
		{"written over", "LOG-12", "", func(h *hand) {
			begun(true)(h)
			h.offset -= 10
			h.turn("c", "3")
		}, Broken, H, "stood in it already", -1},
	})
}
