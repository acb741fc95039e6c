package invariant

import (
	"strings"
	"testing"

	"harnessbench/conformance/trace"
)

// TestASummaryOfAPartWithoutAnImage: a request for a summary that goes not as far as the image in the newest main request is
// kept apart from it by the image alone, which is no fault; settings of its own are one, image or not (messages-api.md 5.7).
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
