package invariant

import (
	"strings"
	"testing"

	"harnessbench/conformance/trace"
)

// inOneWrite logs a boundary with all behind it in one write, as the reference harness does.
func (h *hand) inOneWrite(summary string, keeps ...string) {
	n, offset := len(h.events), h.offset
	h.boundary(summary, keeps...)
	var data strings.Builder
	for _, e := range h.events[n:] {
		data.WriteString(string(e.Log.Data))
	}
	h.events = h.events[:n]
	h.emit(trace.Event{Kind: trace.KindLog, Log: &trace.Log{File: h.file, Offset: offset, Data: trace.JSONText(data.String())}})
}

// TestWhatACompactionLeaves: a summary that comes into the log with its boundary is no part of what there was;
// together with the newest prompt, in one message, it is no part of that prompt; and what the user asked for may be
// longer than little.
func TestWhatACompactionLeaves(t *testing.T) {
	long22 := func(n int) string { return strings.Repeat("So far this was said. ", n) } // some 5 tokens each
	reactive := func(base, n int) func(h *hand) {
		return long(func(h *hand) {
			h.option("compact.auto", "off")
			h.at(base)
			h.turn("a", "1")
			h.prompt("b")
			h.send()
			h.refusedFor(400, "prompt is too long: 100001 tokens > 100000 maximum")
			h.asks()
			h.answer("end_turn", textBlock(long22(n)))
			h.inOneWrite(long22(n), h.last)
			h.say("user", textBlock("b"), "")
			h.send()
			h.reply(textBlock("2"))
		})
	}
	auto := func(prompt string, n int) func(h *hand) {
		return long(func(h *hand) {
			h.at(90_000)
			h.turn("a", "1")
			h.prompt(prompt)
			h.asks()
			h.answer("end_turn", textBlock(long22(n)))
			h.inOneWrite(long22(n), h.last)
			h.say("user", textBlock(prompt), "")
			h.send()
			h.reply(textBlock("2"))
		})
	}
	manual := func(base, n int, next string) func(h *hand) {
		return long(func(h *hand) {
			h.at(base)
			h.turn("a", "1")
			h.op(trace.Op{Name: "compact", Breaks: true})
			h.asks()
			h.answer("end_turn", textBlock(long22(n)))
			h.inOneWrite(long22(n))
			h.turn(next, "2")
		})
	}
	const huge = 16_000 // times five tokens are more than the threshold
	play(t, []situation{
		{"a summary longer than all there was", "CMP-3", "", reactive(40_000, 8_000), Broken, H, "reported 40000 tokens", 1},
		{"one that is shorter", "CMP-3", "", reactive(40_000, 4_000), Held, "", "", 1},
		{"less than there was, and not less than the threshold", "CMP-3", "", auto("b", 11_800), Broken, H, "the threshold is 67000", 1},
		{"less than the threshold", "CMP-3", "", auto("b", 10_000), Held, "", "", 1},
		{"with the newest prompt it is more", "CMP-3", "", auto(long22(5_000), 8_000), Held, "", "", 1},
		{"the user's own, longer than all there was, over the threshold", "CMP-3", "", manual(20_000, huge, "b"), Broken, H, "reported 20000 tokens", 1},
		{"the user's own, longer than the little there was", "CMP-3", "", manual(9_000, 2_000, "b"), Held, "", "", 1},
		{"the user's own, and then a long prompt", "CMP-3", "", manual(20_000, 1_000, long22(huge)), Held, "", "", 1},
		{"the user's own, shorter than what was over the threshold", "CMP-3", "", manual(95_000, 11_800, "b"), Held, "", "", 1},
	})
}
