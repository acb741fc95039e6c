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
