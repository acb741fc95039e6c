package invariant

import "testing"

func TestCallsAndResults(t *testing.T) {
	user := func(blocks string) string { return `{"role":"user","content":[` + blocks + `]}` }
	assistant := func(blocks string) string { return `{"role":"assistant","content":[` + blocks + `]}` }
	system := `{"role":"system","content":[{"type":"text","text":"note"}]}`
	ask := `{"role":"user","content":"go"},`
	one, two := toolUse("t1"), toolUse("t2")
	server := `{"type":"server_tool_use","id":"srvtoolu_1","name":"web_search","input":{}}`
	served := `{"type":"web_search_tool_result","tool_use_id":"srvtoolu_1","content":[]}`

	play(t, []situation{
		{"results split over two user messages are one answer", "PAIR-1", "", raw(ask + assistant(one+","+two) + "," + user(toolResult("t1", "a")) + "," + user(toolResult("t2", "b"))), Held, "", "", 1},
		{"a system message stands between call and result", "PAIR-1", "", raw(ask + assistant(one) + "," + system + "," + user(toolResult("t1", "a"))), Broken, H, "is a message of role system", 1},
		{"the conversation ends with the call", "PAIR-1", "", raw(ask + assistant(one)), Broken, H, "ends with messages.1", 1},
		{"the next message answers nothing", "PAIR-1", "", raw(ask + assistant(one) + "," + user(textBlock("hm"))), Broken, H, "holds no tool_result", 1},
		{"an open server call is not the client's to answer", "PAIR-1", "", raw(ask + assistant(server)), Unknown, "", "", 0},
		{"no call at all", "PAIR-1", "", raw(user(textBlock("hm"))), Unknown, "", "", 0},

		{"a result in the first message", "PAIR-2", "", raw(user(toolResult("t1", "a"))), Broken, H, "no assistant message stands directly before messages.0", 1},
		{"a result one round late", "PAIR-2", "", raw(ask + assistant(one) + "," + user(toolResult("t1", "a")) + "," + assistant(textBlock("x")) + "," + user(toolResult("t1", "a"))), Broken, H, "messages.3, ", 1},
		{"a result behind text answers all the same", "PAIR-2", "", raw(ask + assistant(one) + "," + user(textBlock("x")+","+toolResult("t1", "a"))), Held, "", "", 1},
		{"a logged result without its call on the path", "PAIR-2", "", func(h *hand) {
			h.prompt("go")
			h.result(toolResult("t1", "a"))
		}, Broken, H, "no assistant entry stands on its path", 0},
		{"a logged result behind the answer after its call", "PAIR-2", "", func(h *hand) {
			h.prompt("go")
			h.send()
			h.reply(toolUse("t1"))
			h.calls++
			h.keep(textBlock("next answer"))
			h.result(toolResult("t1", "a"))
		}, Broken, H, "belongs to the answer before the nearest one", -1},
		{"a result logged as sibling of the other, under its own call", "PAIR-2", "", func(h *hand) {
			h.prompt("go")
			h.send()
			h.answer("tool_use", one, two)
			h.keep(one)
			first := h.leaf
			h.keep(two)
			second := h.leaf
			h.leaf = first
			h.result(toolResult("t1", "a"))
			h.leaf = second
			h.result(toolResult("t2", "b"))
			h.send()
		}, Held, "", "", 1},

		{"one id called in two messages", "PAIR-3", "", raw(ask + assistant(one) + "," + user(toolResult("t1", "a")) + "," + assistant(one) + "," + user(toolResult("t1", "a"))), Broken, H, "tool_use of the same id", 1},
		{"two ids of one tool", "PAIR-3", "", raw(ask + assistant(one+","+two) + "," + user(toolResult("t1", "a")+","+toolResult("t2", "a"))), Held, "", "", 1},
		{"the id is free again after a rewind", "PAIR-3", "", func(h *hand) {
			h.prompt("first")
			h.send()
			h.reply(textBlock("x"))
			second := h.prompt("go")
			for range 2 {
				h.send()
				h.reply(one)
				h.result(toolResult("t1", "a"))
				h.send()
				h.reply(textBlock("done"))
				h.rewind(second)
				second = h.prompt("go")
			}
		}, Held, "", "", 2},

		{"text behind the results", "PAIR-4", "", raw(ask + assistant(one) + "," + user(toolResult("t1", "a")+","+textBlock("x"))), Held, "", "", 1},
		{"text in a user message before the one with results", "PAIR-4", "", raw(ask + assistant(one) + "," + user(textBlock("x")) + "," + user(toolResult("t1", "a"))), Broken, H, "a text block stands before it", 1},
		{"text beside results while a server call is open", "PAIR-4", "", raw(ask + assistant(server+","+one) + "," + user(toolResult("t1", "a")+","+textBlock("x"))), Broken, H, "server tool call srvtoolu_1 is open", 1},
		{"text beside results after the server call was served", "PAIR-4", "", raw(ask + assistant(server+","+served+","+one) + "," + user(toolResult("t1", "a")+","+textBlock("x"))), Held, "", "", 1},
		{"results in call order over several messages", "PAIR-4", "", raw(ask + assistant(one+","+two) + "," + user(toolResult("t1", "a")) + "," + user(toolResult("t2", "b"))), Held, "", "", 1},

		{"content without blocks", "PAIR-6", "", raw(user("")), Broken, H, "says nothing", 1},
		{"nothing but blanks", "PAIR-6", "", raw(`{"role":"user","content":" \n"}`), Broken, H, "says nothing", 1},
		{"no content", "PAIR-6", "", raw(`{"role":"user"}`), Broken, H, "says nothing", 1},
		{"an image alone", "PAIR-6", "", raw(user(`{"type":"image","source":{}}`)), Held, "", "", 1},
		{"a system message that only sets the effort", "PAIR-6", "", raw(ask + `{"role":"system","content":[],"output_config":{"effort":"low"}}`), Held, "", "", 1},
		{"a system message without anything", "PAIR-6", "", raw(ask + `{"role":"system","content":[]}`), Broken, H, "says nothing", 1},
		{"the assistant speaks first", "PAIR-6", "", raw(assistant(textBlock("hi")) + "," + user(textBlock("x"))), Broken, C, "role assistant", 1},
		{"a summary stands first", "PAIR-6", "", raw(assistant(`{"type":"compaction","content":"s"}`) + "," + user(textBlock("x"))), Held, "", "", 1},
		{"a summary stands last", "PAIR-6", "", raw(ask + assistant(`{"type":"compaction","content":"s"}`)), Held, "", "", 1},
		{"the assistant speaks behind a summary, last", "PAIR-6", "", raw(ask + assistant(`{"type":"compaction","content":"s"},`+textBlock("hi"))), Broken, H, "is the last message", 1},
		{"a compaction request ends on the assistant", "PAIR-6", "", func(h *hand) {
			h.sendBytes(`{"model":"claude-sonnet-5-5","max_tokens":9,"compaction":{"type":"summarize"},"messages":[` + ask + assistant(textBlock("hi")) + `]}`)
		}, Held, "", "", 1},
		{"the assistant speaks last", "PAIR-6", "", raw(ask + assistant(textBlock("hi"))), Broken, H, "is the last message", 1},
		{"a paused answer is sent back", "PAIR-6", "", func(h *hand) {
			h.prompt("search")
			h.send()
			h.answer("pause_turn", server)
			h.keep(server)
			h.send()
		}, Held, "", "", 2},
		{"a paused answer is sent back again after an overload", "PAIR-6", "", func(h *hand) {
			h.prompt("search")
			h.send()
			h.answer("pause_turn", server)
			h.keep(server)
			h.send()
			h.refused(529)
			h.send()
			h.reply(textBlock("found"))
			h.turn("thanks", "bye")
		}, Held, "", "", 4},
		{"a paused answer went on, and the assistant speaks last all the same", "PAIR-6", "", func(h *hand) {
			h.prompt("search")
			h.send()
			h.answer("pause_turn", server)
			h.keep(server)
			h.send()
			h.reply(textBlock("found"))
			h.send()
		}, Broken, H, "is the last message", 3},
		{"counting tokens is no request", "PAIR-6", "", func(h *hand) {
			h.sendBytes(`{"messages":[]}`)
			h.events[1].Request.Path = "/v1/messages/count_tokens"
		}, Unknown, "", "", 0},
		{"a beta endpoint is one", "PAIR-6", "", func(h *hand) {
			h.sendBytes(`{"messages":[]}`)
			h.events[1].Request.Path = "/v1/messages?beta=true"
		}, Held, "", "", 1},
		{"a body that is no JSON", "PAIR-6", "", func(h *hand) { h.sendBytes(`{"messages":`) }, Unknown, "", "", 0},
	})
}
