package invariant

import "testing"

// TestATextThatAToolPrintedIsNoImageMadeText: a tool may print the characters of an image that was shown before, and the
// request for a summary says so too; what it says in their place by itself is a loss.
func TestATextThatAToolPrintedIsNoImageMadeText(t *testing.T) {
	const (
		data  = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk"
		image = `{"type":"tool_result","tool_use_id":"t1","content":[{"type":"image","source":{"type":"base64","media_type":"image/png","data":"` + data + `"}}]}`
	)
	shows := func(printed, sent string) func(h *hand) {
		return long(func(h *hand) {
			h.prompt("look at it")
			h.send()
			h.reply(toolUse("t1"))
			h.result(image)
			h.send()
			h.at(handThreshold)
			h.reply(toolUse("t2"))
			h.result(toolResult("t2", printed))
			h.forget(toolResult("t2", printed))
			h.say("user", toolResult("t2", sent), "")
			h.compacts("so far", "look at it")
			h.send()
			h.reply(textBlock("It is blue."))
		})
	}
	play(t, []situation{
		{"nothing of it", "CMP-8", "", shows("x", "x"), Held, "", "", 2},
		{"a tool printed it", "CMP-8", "", shows(data, data), Held, "", "", 2},
		{"the request says it by itself", "CMP-8", "", shows("x", data), Broken, C, "an image of the conversation", 2},
	})
}
