package invariant

import (
	"strings"
	"testing"

	"harnessbench/conformance/trace"
)

// TestThinkingThatTheServerMayDrop (invariants.md 5): where nothing tells what breaks the prefix, as on the wire alone or of
// the layers of the teaching profile, thinking behind a summary stands there rightly under drop_block; without that, or where
// the breaks are told and none was, it does not.
func TestThinkingThatTheServerMayDrop(t *testing.T) {
	const drops = `"thinking":{"type":"adaptive","block_binding":{"prefix_mismatch_behavior":"drop_block"}},`
	keepsTail := func(told bool, profile, extra string) func(h *hand) {
		return func(h *hand) {
			h.events[0].Run.Options = map[string]string{"profile": profile}
			if told {
				h.op(trace.Op{Name: "prompt", Text: "a"})
			}
			h.edit = func(b string) string { return strings.Replace(b, `"max_tokens"`, extra+`"max_tokens"`, 1) }
			h.typed("a")
			h.send()
			h.reply(textBlock("1"))
			h.typed("b")
			h.send()
			h.reply(thinking("so", "s1"), textBlock("2"))
			h.msgs[1].blocks = []string{textBlock("Summary: 1")}
			h.typed("c")
			h.send()
			h.reply(textBlock("3"))
		}
	}
	play(t, []situation{
		{"on the wire alone", "THINK-6", "", keepsTail(false, "full", drops), Held, "", "", 1},
		{"what it costs", "CACHE-1", "", keepsTail(false, "full", drops), Broken, C, "Summary: 1", 2},
		{"in the teaching profile", "THINK-6", "", keepsTail(true, "teaching", drops), Held, "", "", 1},
		{"the server may not", "THINK-6", "", keepsTail(false, "full", ""), Broken, H, "behind another conversation", 1},
		{"the server may not, in the teaching profile", "THINK-6", "", keepsTail(true, "teaching", ""), Broken, H, "behind another conversation", 1},
		{"breaks are told, and none was", "THINK-6", "", keepsTail(true, "full", drops), Broken, H, "behind another conversation", 1},
		{"breaks are told, and none was, at its cost", "CACHE-1", "", keepsTail(true, "full", drops), Broken, H, "Summary: 1", 2},
	})
}

// TestThinkingBesideItsConversation (D1, H-CMP-46, H-CMP-54): a request for a summary that goes without tools, or from which
// rounds were cut when it was refused as too long, cannot begin as the conversation does, so that the server may drop what
// was made in that; any other that begins otherwise takes away what should be in front of the thinking.
func TestThinkingBesideItsConversation(t *testing.T) {
	const drops = `"thinking":{"type":"adaptive","block_binding":{"prefix_mismatch_behavior":"drop_block"}},`
	const tools = `"tools":[{"name":"Bash","input_schema":{"type":"object"}}]`
	sends := func(h *hand, extra string, bare bool) {
		h.edit = func(b string) string {
			if bare {
				b = strings.Replace(b, tools, `"tools":[]`, 1)
			}
			return strings.Replace(b, `"max_tokens"`, extra+`"max_tokens"`, 1)
		}
	}
	asks := func(request, extra string, bare, refused, cut bool) func(h *hand) {
		return func(h *hand) {
			h.events[0].Run.Options = map[string]string{"profile": "full", "compact.request": request}
			sends(h, extra, false)
			h.turn("a", "1")
			h.prompt("b")
			h.send()
			h.reply(thinking("so", "s1"), toolUse("t1"))
			h.result(toolResult("t1", "r"))
			sends(h, extra, bare)
			if refused {
				h.asks()
				h.refusedFor(400, "prompt is too long: 210000 tokens > 200000 maximum")
			}
			if cut {
				h.msgs = append([]said{{role: "user", blocks: []string{textBlock("Older messages were left out.")}}}, h.msgs[1:]...)
			}
			h.asks()
			h.answer("end_turn", textBlock("so far"))
		}
	}
	play(t, []situation{
		{"without tools, as the run says", "THINK-6", "", asks("no-tools", drops, true, false, false), Held, "", "", 1},
		{"without tools, and the run does not say so", "THINK-6", "", asks("shared-prefix", drops, true, false, false), Broken, H, "behind another conversation", 1},
		{"without tools, and the server may not drop", "THINK-6", "", asks("no-tools", "", true, false, false), Broken, H, "behind another conversation", 1},
		{"with tools all the same, and cut", "THINK-6", "", asks("no-tools", drops, false, false, true), Broken, H, "behind another conversation", 1},
		{"cut when it was refused", "THINK-6", "", asks("shared-prefix", drops, false, true, true), Held, "", "", 2},
		{"cut when it was refused, and the server may not drop", "THINK-6", "", asks("shared-prefix", "", false, true, true), Broken, H, "behind another conversation", 2},
		{"cut before it was refused", "THINK-6", "", asks("shared-prefix", drops, false, false, true), Broken, H, "behind another conversation", 1},
	})
}

// TestThinkingBehindTextThatMoves (D1, H-REB-57): volatile text at the tail moves with each call, which the server may take
// as a break of what was made behind it; what else changes with it is one that nobody declared.
func TestThinkingBehindTextThatMoves(t *testing.T) {
	const drops = `"thinking":{"type":"adaptive","block_binding":{"prefix_mismatch_behavior":"drop_block"}},`
	moves := func(place, extra string, change func(h *hand)) func(h *hand) {
		return func(h *hand) {
			h.events[0].Run.Options = map[string]string{"profile": "full", "volatile.place": place}
			h.edit = func(b string) string { return strings.Replace(b, `"max_tokens"`, extra+`"max_tokens"`, 1) }
			h.prompt("a")
			tail := func() {
				n := len(h.msgs) - 1
				kept := h.msgs[n].blocks
				h.msgs[n].blocks = append(kept[:len(kept):len(kept)], textBlock(reminder("noon")))
				h.send()
				h.msgs[n].blocks = kept
			}
			tail()
			h.reply(thinking("so", "s1"), toolUse("t1"))
			h.result(toolResult("t1", "r"))
			tail()
			h.reply(thinking("so", "s2"), toolUse("t2"))
			h.result(toolResult("t2", "r"))
			change(h)
			tail()
			h.reply(textBlock("3"))
		}
	}
	nothing := func(*hand) {}
	play(t, []situation{
		{"at the tail", "THINK-6", "", moves("tail", drops, nothing), Held, "", "", 2},
		{"at the tail, at its cost", "CACHE-1", "", moves("tail", drops, nothing), Broken, C, "messages.0.content.2", 2},
		{"at the tail, and the server may not drop", "THINK-6", "", moves("tail", "", nothing), Broken, H, "behind another conversation", 2},
		{"where it may not move", "THINK-6", "", moves("system", drops, nothing), Broken, H, "behind another conversation", 2},
		{"and the system prompt changes", "THINK-6", "", moves("tail", drops, func(h *hand) { h.system = "edited" }), Broken, H, "behind another conversation", 2},
		{"and memory changes", "THINK-6", "", moves("tail", drops, func(h *hand) { h.msgs[0].blocks[0] = textBlock(reminder("other memory")) }), Broken, H, "behind another conversation", 2},
	})
}
