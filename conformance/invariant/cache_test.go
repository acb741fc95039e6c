package invariant

import (
	"strings"
	"testing"
	"time"

	"harnessbench/conformance/trace"
)

func (h *hand) turn(prompt, answer string) {
	h.prompt(prompt)
	h.send()
	h.reply(textBlock(answer))
}

// scoped adds a turn-scoped system message behind the newest message, logged as D1 wants it.
func (h *hand) scoped(text string) {
	h.entry("attachment", `"attachment":{"type":"current_time"},"place":"system","rendered":[{"content":`+quote(text)+`}]`)
	h.msgs = append(h.msgs, said{role: "system", blocks: []string{textBlock(text)}, more: `,"clear_at":"next_user_message"`})
}

// volatile puts text before the newest prompt without logging it.
func (h *hand) volatile(text string) {
	n := len(h.msgs) - 1
	k := len(h.msgs[n].blocks) - 1
	h.msgs[n].blocks = append(append(append([]string(nil), h.msgs[n].blocks[:k]...), textBlock(reminder(text))), h.msgs[n].blocks[k])
}

// forget takes a block out of the conversation.
func (h *hand) forget(block string) {
	for i := range h.msgs {
		for k, b := range h.msgs[i].blocks {
			if b == block {
				h.msgs[i].blocks = append(append([]string(nil), h.msgs[i].blocks[:k]...), h.msgs[i].blocks[k+1:]...)
				return
			}
		}
	}
}

func (h *hand) twin(call int, body string) {
	h.emit(trace.Event{Kind: trace.KindTwin, Twin: &trace.Twin{Call: call, Body: trace.JSONText(body)}})
}

func TestThePrefixOnlyGrows(t *testing.T) {
	thinks := func(do func(h *hand)) func(h *hand) {
		return func(h *hand) {
			h.edit = func(b string) string {
				return strings.Replace(b, `"max_tokens":1000`, `"max_tokens":8000,"thinking":{"type":"enabled","budget_tokens":4000}`, 1)
			}
			do(h)
		}
	}
	play(t, []situation{
		{"the breakpoint moves", "CACHE-1", "", func(h *hand) { h.turn("a", "1"); h.turn("b", "2") }, Held, "", "", 1},
		{"string content becomes one block", "CACHE-1", "", func(h *hand) {
			raw(`{"role":"user","content":"a"}`)(h)
			h.answer("end_turn", textBlock("1"))
			raw(`{"role":"user","content":[{"text":"a","type":"text"}]},{"role":"assistant","content":"1"},{"role":"user","content":"b"}`)(h)
		}, Held, "", "", 1},
		{"the change has no thinking behind it", "CACHE-1", "", func(h *hand) {
			h.turn("a", "1")
			h.system = "You are another agent."
			h.turn("b", "2")
		}, Broken, C, "system.0", 1},
		{"the change has thinking behind it, on a bound model", "CACHE-1", "", func(h *hand) {
			h.prompt("a")
			h.send()
			h.reply(thinking("x", "s1"), textBlock("1"))
			h.system = "You are another agent."
			h.turn("b", "2")
		}, Broken, H, "system.0", 1},
		{"a message is gone", "CACHE-1", "", func(h *hand) {
			h.turn("a", "1")
			h.turn("b", "2")
			h.msgs = h.msgs[:1]
			h.send()
		}, Broken, C, "call 3 ends after", 2},
		{"the break is declared", "CACHE-1", "", func(h *hand) {
			h.turn("a", "1")
			h.op(trace.Op{Name: "set", Text: "style=short", Breaks: true})
			h.system = "You are brief."
			h.turn("b", "2")
		}, Unknown, "", "", 0},
		{"a compaction in the log declares it", "CACHE-1", "", func(h *hand) {
			h.turn("a", "1")
			h.leaf = ""
			h.entry("system", `"subtype":"compact_boundary"`)
			h.msgs = nil
			h.entry("user", `"isCompactSummary":true,"message":{"role":"user","content":"so far"}`)
			h.say("user", textBlock("so far"), "")
			h.turn("b", "2")
		}, Unknown, "", "", 0},
		{"a collapse in the log declares it", "CACHE-1", unbound, func(h *hand) {
			h.turn("a", "1")
			h.line(`"type":"collapse-commit","leafUuid":"e2"`)
			h.msgs = h.msgs[:0]
			h.turn("b", "2")
		}, Unknown, "", "", 0},
		{"another model is asked", "CACHE-1", "", func(h *hand) {
			h.turn("a", "1")
			h.model = unbound
			h.system = "x"
			h.turn("b", "2")
		}, Unknown, "", "", 0},
		{"a refused request is no base", "CACHE-1", "", func(h *hand) {
			h.prompt("a")
			h.memory = reminder("other")
			h.send()
			h.emit(trace.Event{Kind: trace.KindResponse, Response: &trace.Response{Call: 1, Status: 400, Body: trace.JSONText(`{}`)}})
			h.msgs = nil
			h.turn("b", "2")
		}, Unknown, "", "", 0},
		{"volatile text before the prompt costs its turn", "CACHE-1", "claude-sonnet-4-6", func(h *hand) {
			h.turn("a", "1")
			h.prompt("b")
			h.volatile("it is noon")
			h.send()
			h.reply(textBlock("2"))
			h.forget(textBlock(reminder("it is noon")))
			h.turn("c", "3")
		}, Broken, C, "system-reminder", 2},
		{"a turn-scoped message stays", "CACHE-1", "", func(h *hand) {
			h.prompt("a")
			h.scoped("noon")
			h.send()
			h.reply(textBlock("1"))
			h.turn("b", "2")
		}, Held, "", "", 1},
		{"a turn-scoped message goes though its call was answered", "CACHE-1", "", func(h *hand) {
			h.prompt("a")
			h.scoped("noon")
			h.send()
			h.reply(textBlock("1"))
			h.msgs = append(h.msgs[:1], h.msgs[2:]...)
			h.turn("b", "2")
		}, Broken, C, "noon", 1},
		{"a turn-scoped message goes with the answer that never came", "CACHE-1", "", func(h *hand) {
			h.prompt("a")
			h.scoped("noon")
			h.send()
			h.answer("end_turn", textBlock("lost"))
			h.msgs = h.msgs[:1]
			h.turn("b", "2")
		}, Held, "", "", 1},
		{"the front of the thinking is left out, on a bound model", "CACHE-1", "", func(h *hand) {
			h.prompt("a")
			h.send()
			h.reply(thinking("x", "s1"), textBlock("1"))
			h.prompt("b")
			h.send()
			h.reply(thinking("y", "s2"), textBlock("2"))
			h.forget(thinking("x", "s1"))
			h.turn("c", "3")
		}, Broken, C, "messages.1.content.0", 2},
		{"a change without bound thinking behind it, some before", "CACHE-1", "", func(h *hand) {
			h.prompt("a")
			h.send()
			h.reply(thinking("x", "s1"), textBlock("1"))
			h.turn("b", "2")
			h.msgs[2].blocks[0] = textBlock("B")
			h.turn("c", "3")
		}, Broken, C, "messages.2.content.0", 2},
		{"the thinking behind the change comes from before the recording", "CACHE-1", "", func(h *hand) {
			h.typed("a")
			h.keep(thinking("old", "s0"), textBlock("1"))
			h.turn("b", "2")
			h.system = "You are another agent."
			h.turn("c", "3")
		}, Broken, C, "system.0", 1},
		{"the binding was broken before the change", "CACHE-1", "", func(h *hand) {
			h.prompt("a")
			h.send()
			h.reply(thinking("x", "s1"), textBlock("1"))
			h.op(trace.Op{Name: "set", Text: "style=short", Breaks: true})
			h.system = "You are brief."
			h.turn("b", "2")
			h.system = "You are very brief."
			h.turn("c", "3")
		}, Broken, C, "system.0", 1},
		{"thinking that the model is not shown any more may go", "CACHE-1", "claude-haiku-4-5", thinks(func(h *hand) {
			h.prompt("a")
			h.send()
			h.reply(thinking("x", "s1"), textBlock("1"))
			h.turn("b", "2")
			h.forget(thinking("x", "s1"))
			h.turn("c", "3")
		}), Held, "", "", 2},
		{"so may that of the turn before", "CACHE-1", "claude-haiku-4-5", thinks(func(h *hand) {
			h.prompt("a")
			h.send()
			h.reply(thinking("x", "s1"), toolUse("t1"))
			h.result(toolResult("t1", "r"))
			h.send()
			h.reply(textBlock("1"))
			h.forget(thinking("x", "s1"))
			h.turn("b", "2")
		}), Held, "", "", 2},
		{"thinking it is shown may not", "CACHE-1", "claude-haiku-4-5", thinks(func(h *hand) {
			h.prompt("a")
			h.send()
			h.reply(thinking("x", "s1"), toolUse("t1"))
			h.result(toolResult("t1", "r"))
			h.send()
			h.reply(toolUse("t2"))
			h.result(toolResult("t2", "r"))
			h.forget(thinking("x", "s1"))
			h.send()
		}), Broken, C, "messages.1.content.0", 2},
		{"nor may the text beside what it is not shown", "CACHE-1", "claude-haiku-4-5", thinks(func(h *hand) {
			h.prompt("a")
			h.send()
			h.reply(thinking("x", "s1"), textBlock("1"))
			h.turn("b", "2")
			h.forget(thinking("x", "s1"))
			h.forget(textBlock("1"))
			h.msgs[1].blocks = []string{textBlock("one")}
			h.turn("c", "3")
		}), Broken, C, "one", 2},
		{"on a model that keeps it the thinking of an older turn may not go", "CACHE-1", unbound, func(h *hand) {
			h.prompt("a")
			h.send()
			h.reply(thinking("x", "s1"), textBlock("1"))
			h.turn("b", "2")
			h.forget(thinking("x", "s1"))
			h.turn("c", "3")
		}, Broken, C, "messages.1.content.0", 2},
		{"a pause just within the life of the entries", "CACHE-1", "", func(h *hand) {
			h.turn("a", "1")
			h.wait(time.Hour - 10*time.Second)
			h.system = "You are another agent."
			h.turn("b", "2")
		}, Broken, C, "system.0", 1},
		{"a pause longer than they live declares it", "CACHE-1", "", func(h *hand) {
			h.turn("a", "1")
			h.wait(time.Hour)
			h.system = "You are another agent."
			h.turn("b", "2")
		}, Unknown, "", "", 0},
		{"the longest life counts", "CACHE-1", "", func(h *hand) {
			h.edit = func(b string) string { return strings.Replace(b, `,"ttl":"1h"}}]}]`, `}}]}]`, 1) }
			h.turn("a", "1")
			h.wait(30 * time.Minute)
			h.system = "You are another agent."
			h.turn("b", "2")
		}, Broken, C, "system.0", 1},
		{"five minutes are over sooner", "CACHE-1", "", func(h *hand) {
			h.edit = func(b string) string { return strings.ReplaceAll(b, `,"ttl":"1h"`, ``) }
			h.turn("a", "1")
			h.wait(30 * time.Minute)
			h.system = "You are another agent."
			h.turn("b", "2")
		}, Unknown, "", "", 0},
		{"without breakpoints no pause declares anything", "CACHE-1", "", func(h *hand) {
			h.marks = false
			h.turn("a", "1")
			h.wait(30 * time.Hour)
			h.system = "You are another agent."
			h.turn("b", "2")
		}, Broken, C, "system.0", 1},
		{"a lasting system message goes", "CACHE-1", "", func(h *hand) {
			h.prompt("a")
			h.scoped("noon")
			h.msgs[1].more = ""
			h.send()
			h.answer("end_turn", textBlock("lost"))
			h.msgs = h.msgs[:1]
			h.turn("b", "2")
		}, Broken, C, "noon", 1},
	})
}

func TestAResumedSessionGoesOnAsALiveOneWould(t *testing.T) {
	noon := reminder("it is noon")
	play(t, []situation{
		{"the twin is equal", "CACHE-3", "", func(h *hand) {
			h.turn("a", "1")
			h.again()
			h.prompt("b")
			h.send()
			h.twin(2, h.body())
			h.reply(textBlock("2"))
		}, Held, "", "", 1},
		{"the twin comes first and differs at the end", "CACHE-3", "", func(h *hand) {
			h.turn("a", "1")
			h.again()
			h.prompt("b")
			h.twin(2, strings.Replace(h.body(), `"b"`, `"B"`, 1))
			h.send()
		}, Broken, C, "a live process would have sent", 1},
		{"the twin has the same thinking behind the change", "CACHE-3", "", func(h *hand) {
			h.prompt("a")
			h.send()
			h.reply(thinking("x", "s1"), textBlock("1"))
			h.again()
			h.prompt("b")
			live := h.body()
			h.system = "You are another agent."
			h.send()
			h.twin(2, live)
		}, Broken, H, "a live process would have sent", 1},
		{"a live process would have broken its binding too", "CACHE-3", "", func(h *hand) {
			h.prompt("a")
			h.send()
			h.reply(thinking("x", "s1"), textBlock("1"))
			h.again()
			h.prompt("b")
			h.system = "You are brief."
			live := h.body()
			h.system = "You are very brief."
			h.send()
			h.twin(2, live)
		}, Broken, C, "a live process would have sent", 1},
		{"the resumed request says more", "CACHE-3", "", func(h *hand) {
			h.turn("a", "1")
			h.again()
			h.prompt("b")
			body := h.body()
			h.say("user", textBlock("you were resumed"), "")
			h.send()
			h.twin(2, body)
		}, Broken, C, "would have ended call 2", 1},
		{"the live process would have dropped its volatile text too", "CACHE-3", "claude-sonnet-4-6", func(h *hand) {
			h.prompt("a")
			h.volatile("it is noon")
			h.send()
			h.reply(textBlock("1"))
			h.again()
			h.forget(textBlock(noon))
			h.prompt("b")
			h.send()
			h.twin(2, h.body())
		}, Held, "", "", 1},
		{"without a twin volatile text of the last turn may go", "CACHE-3", "claude-sonnet-4-6", func(h *hand) {
			h.prompt("a")
			h.volatile("it is noon")
			h.send()
			h.reply(textBlock("1"))
			h.again()
			h.forget(textBlock(noon))
			h.turn("b", "2")
		}, Held, "", "", 1},
		{"without a twin a typed text may not", "CACHE-3", "claude-sonnet-4-6", func(h *hand) {
			h.turn("a", "1")
			h.again()
			h.forget(textBlock("a"))
			h.turn("b", "2")
		}, Broken, C, `\"a\"`, 1},
		{"resumed on another day", "CACHE-3", unbound, func(h *hand) {
			h.turn("a", "1")
			h.op(trace.Op{Name: "exit"})
			h.op(trace.Op{Name: "resume", Session: "s", Breaks: true})
			h.forget(textBlock(h.memory))
			h.turn("b", "2")
		}, Unknown, "", "", 0},
		{"resumed on another day, and once more on that day", "CACHE-3", unbound, func(h *hand) {
			h.turn("a", "1")
			h.op(trace.Op{Name: "exit"})
			h.op(trace.Op{Name: "resume", Session: "s", Breaks: true})
			h.again()
			live := strings.Replace(h.body(), "memory", "yesterday's memory", 1)
			h.prompt("b")
			h.send()
			h.twin(2, live)
		}, Unknown, "", "", 0},
		{"only the first request after it counts", "CACHE-3", "", func(h *hand) {
			h.turn("a", "1")
			h.again()
			h.turn("b", "2")
			h.system = "changed"
			h.turn("c", "3")
		}, Held, "", "", 1},
		{"a rewind lies before it, and only a twin can tell", "CACHE-3", "", func(h *hand) {
			h.turn("a", "1")
			p := h.prompt("b")
			h.send()
			h.reply(textBlock("2"))
			h.rewind(p)
			h.again()
			h.prompt("c")
			h.send()
			h.twin(3, strings.Replace(h.body(), `"c"`, `"C"`, 1))
		}, Broken, C, "a live process would have sent", 0},
	})
}
