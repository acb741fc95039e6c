package invariant

import (
	"strings"
	"testing"

	"harnessbench/conformance/trace"
)

// TestASummaryOfAPartWithoutAnImage: a request for a summary that goes not as far as the image in the newest main
// request is kept apart from it by the image alone, which is no fault; settings of its own are one, image or not
// (messages-api.md 5.7).
func TestASummaryOfAPartWithoutAnImage(t *testing.T) {
	partly := func(is, set string) func(h *hand) {
		return long(func(h *hand) {
			h.turn("first question", "I read it.")
			before := h.msgs
			h.prompt("look at it")
			h.send()
			h.reply(toolUse("t1"))
			h.result(`{"type":"tool_result","tool_use_id":"t1","content":[` + is + `]}`)
			h.send()
			h.reply(textBlock("It is blue."))
			all := h.msgs
			h.op(trace.Op{Name: "compact", Breaks: true})
			h.msgs = before
			h.edit = func(b string) string { return strings.Replace(b, `"max_tokens":1000`, `"max_tokens":1000`+set, 1) }
			h.asks()
			h.answer("end_turn", textBlock("so far"))
			h.msgs, h.edit = all, nil
		})
	}
	const (
		image = `{"type":"image","source":{"type":"base64","media_type":"image/png","data":"iVBORw0KGgo="}}`
		words = `{"type":"text","text":"blue"}`
		low   = `,"output_config":{"effort":"low"}`
		under = "under other settings"
	)
	play(t, []situation{
		{"as the conversation is", "CACHE-6", "", partly(words, ""), Held, "", "", 1},
		{"the image is not in it", "CACHE-6", "", partly(image, ""), Held, "", "", 1},
		{"under an effort of its own", "CACHE-6", "", partly(words, low), Broken, C, under, 1},
		{"under an effort of its own, without the image", "CACHE-6", "", partly(image, low), Broken, C, under, 1},
		{"under the effort it has anyway", "CACHE-6", "", partly(image, `,"output_config":{"effort":"high"}`), Held, "", "", 1},
	})
}

// TestWhatARequestBesideMayLeaveOut (D34): the turn-scoped message of the system's at the end of the parent, not words
// within its last message; and another model shares nothing, unless that of the conversation does not answer.
func TestWhatARequestBesideMayLeaveOut(t *testing.T) {
	const clock = "<system-reminder>\nIt is noon.\n</system-reminder>"
	aside := func(first func(h *hand), ask func(h *hand)) func(h *hand) {
		return long(func(h *hand) {
			h.prompt("first question")
			first(h)
			h.send()
			h.reply(textBlock("I read it."))
			h.op(trace.Op{Name: "compact", Breaks: true})
			ask(h)
			h.answer("end_turn", textBlock("so far"))
		})
	}
	volatile := func(h *hand) { h.say("user", textBlock(clock), "") }
	system := func(h *hand) {
		h.msgs = append(h.msgs, said{role: "system", blocks: []string{textBlock(clock)}, more: `,"clear_at":"next_user_message"`})
	}
	none := func(*hand) {}
	without := func(words string) func(h *hand) {
		return func(h *hand) {
			msgs := h.msgs
			var left []said
			for _, m := range msgs {
				var blocks []string
				for _, b := range m.blocks {
					if b != textBlock(words) {
						blocks = append(blocks, b)
					}
				}
				if len(blocks) > 0 {
					left = append(left, said{m.role, blocks, m.more})
				}
			}
			h.msgs = left
			h.asks()
			h.msgs = msgs
		}
	}
	on := func(model string, fails bool) func(h *hand) {
		return func(h *hand) {
			if fails {
				h.asks()
				h.refused(529)
			}
			h.model = model
			h.asks()
		}
	}
	const haiku = "claude-haiku-4-5"
	play(t, []situation{
		{"all of it is there", "CACHE-6", "", aside(volatile, (*hand).asks), Held, "", "", 1},
		{"volatile text of the prompt is gone", "CACHE-6", "", aside(volatile, without(clock)), Broken, C, "with breakpoints", 1},
		{"the prompt itself is gone", "CACHE-6", "", aside(volatile, without("first question")), Broken, C, "with breakpoints", 1},
		{"another model is asked", "CACHE-6", "", aside(none, on(haiku, false)), Broken, C, "shares no cache with the conversation", 1},
		{"another model is asked, and nothing is marked", "CACHE-6", "", aside(none, func(h *hand) {
			h.marks = false
			on(haiku, false)(h)
		}), Held, "", "", 1},
		{"another model is asked since that of the conversation does not answer", "CACHE-6", "", aside(none, on(haiku, true)), Held, "", "", 2},
		{"the user has gone over to the other model", "CACHE-6", "", aside(none, func(h *hand) {
			h.op(trace.Op{Name: "use", Text: haiku, Breaks: true})
			on(haiku, false)(h)
		}), Unknown, "", "", 0},
		{"the system's own word at the end is gone", "CACHE-6", "", long(func(h *hand) {
			h.prompt("first question")
			h.send()
			h.reply(toolUse("t1"))
			h.result(toolResult("t1", "x"))
			system(h)
			h.send()
			h.reply(textBlock("I read it."))
			h.msgs = h.msgs[:len(h.msgs)-2]
			h.op(trace.Op{Name: "compact", Breaks: true})
			h.asks()
			h.answer("end_turn", textBlock("so far"))
		}), Held, "", "", 1},
	})
}

// TestThinkingBesideOnAnotherModel (THINK-5): all of a turn's thinking or none there too; of what several models
// thought it may be what the model asked can read.
func TestThinkingBesideOnAnotherModel(t *testing.T) {
	const other = "claude-sonnet-4-6"
	half := func(first, drops string) func(h *hand) {
		return long(func(h *hand) {
			h.model = first
			h.prompt("a")
			h.send()
			h.reply(thinking("one", "s1"), toolUse("t1"))
			h.result(toolResult("t1", "x"))
			h.model = unbound
			h.send()
			h.reply(thinking("two", "s2"), textBlock("1"))
			h.prompt("b")
			h.model = other
			h.edit = func(b string) string {
				for _, gone := range strings.Fields(drops) {
					b = strings.Replace(b, map[string]string{"one": thinking("one", "s1"), "two": thinking("two", "s2")}[gone]+",", "", 1)
				}
				return b
			}
			h.asks()
			h.answer("end_turn", textBlock("so far"))
		})
	}
	play(t, []situation{
		{"half of it", "THINK-5", unbound, half(unbound, "one"), Broken, H, "carries 1 of 2 thinking blocks of a turn", 1},
		{"none of it", "THINK-5", unbound, half(unbound, "one two"), Held, "", "", 1},
		{"what it can read", "THINK-5", unbound, half(other, "two"), Held, "", "", 1},
	})
}
