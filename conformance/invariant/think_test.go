package invariant

import (
	"strings"
	"testing"

	"harnessbench/conformance/trace"
)

// drop leaves a block out of the next requests.
func (h *hand) drop(blocks ...string) {
	for _, b := range blocks {
		h.forget(b)
	}
}

// stream delivers an answer as SSE: thinking, then the start of a text. cut takes that many bytes off
// its end; the whole stream ends with message_stop.
func (h *hand) stream(text, signature string, cut int) {
	events := []string{
		`{"type":"message_start","message":{"id":"msg_s","type":"message","role":"assistant","model":` + quote(h.model) + `,"content":[],"stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":1,"output_tokens":1}}}`,
		`{"type":"content_block_start","index":0,"content_block":{"type":"thinking","thinking":"","signature":""}}`,
		`{"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":` + quote(text) + `}}`,
		`{"type":"content_block_delta","index":0,"delta":{"type":"signature_delta","signature":` + quote(signature) + `}}`,
		`{"type":"content_block_stop","index":0}`,
		`{"type":"content_block_start","index":1,"content_block":{"type":"text","text":""}}`,
		`{"type":"content_block_delta","index":1,"delta":{"type":"text_delta","text":"so"}}`,
		`{"type":"content_block_stop","index":1}`,
		`{"type":"message_delta","delta":{"stop_reason":"end_turn","stop_sequence":null},"usage":{"output_tokens":2}}`,
		`{"type":"message_stop"}`,
	}
	var body strings.Builder
	for _, e := range events {
		name := strings.Split(e, `"`)[3]
		body.WriteString("event: " + name + "\ndata: " + e + "\n\n")
	}
	raw := body.String()
	h.emit(trace.Event{Kind: trace.KindResponse, Response: &trace.Response{Call: h.calls, Status: 200, Body: trace.JSONText(raw[:len(raw)-cut]), Ended: cut == 0}})
}

func TestThinkingOfTheOpenTurnStays(t *testing.T) {
	loop := func(after func(h *hand)) func(h *hand) {
		return func(h *hand) {
			h.prompt("a")
			h.send()
			h.reply(thinking("hm", "s1"), toolUse("t1"))
			h.result(toolResult("t1", "r"))
			after(h)
		}
	}
	th := thinking("hm", "s1")
	play(t, []situation{
		{"over three rounds", "THINK-1", "", loop(func(h *hand) {
			h.send()
			h.reply(thinking("ok", "s2"), toolUse("t2"))
			h.result(toolResult("t2", "r"))
			h.send()
		}), Held, "", "", 2},
		{"the first block goes in the third round", "THINK-1", "", loop(func(h *hand) {
			h.send()
			h.reply(thinking("ok", "s2"), toolUse("t2"))
			h.result(toolResult("t2", "r"))
			h.drop(th)
			h.send()
		}), Broken, H, "call 1, answer block 0: thinking", 2},
		{"dropped when another model takes the turn over", "THINK-1", unbound, loop(func(h *hand) {
			h.model = "claude-opus-4-8"
			h.drop(th)
			h.send()
		}), Held, "", "", 1},
		{"altered when another model takes the turn over", "THINK-1", unbound, loop(func(h *hand) {
			h.model = "claude-opus-4-8"
			h.edit = func(body string) string { return strings.Replace(body, th, thinking("ho", "s1"), 1) }
			h.send()
		}), Broken, H, "call 1, answer block 0: thinking", 1},
		{"a request to go on with a cut answer opens no turn", "THINK-1", "", loop(func(h *hand) {
			h.send()
			h.answer("max_tokens", thinking("ok", "s2"), textBlock("half"))
			h.keep(thinking("ok", "s2"), textBlock("half"))
			h.say("user", textBlock("Output token limit hit. Go on."), "")
			h.drop(th)
			h.send()
		}), Broken, H, "call 1, answer block 0: thinking", 2},
		{"members in another order are the same bytes of each field", "THINK-1", "", loop(func(h *hand) {
			h.edit = func(b string) string {
				return strings.Replace(b, th, `{"signature":"s1","thinking":"hm","type":"thinking"}`, 1)
			}
			h.send()
		}), Held, "", "", 1},
		{"redacted thinking counts", "THINK-1", "", func(h *hand) {
			h.prompt("a")
			h.send()
			h.reply(`{"type":"redacted_thinking","data":"d"}`, toolUse("t1"))
			h.result(toolResult("t1", "r"))
			h.drop(`{"type":"redacted_thinking","data":"d"}`)
			h.send()
		}, Broken, H, "redacted_thinking", 1},
		{"thinking without text counts", "THINK-1", "", func(h *hand) {
			h.prompt("a")
			h.send()
			h.reply(thinking("", "s1"), toolUse("t1"))
			h.result(toolResult("t1", "r"))
			h.drop(thinking("", "s1"))
			h.send()
		}, Broken, H, "no such block", 1},
		{"dropped after the next prompt", "THINK-1", unbound, loop(func(h *hand) {
			h.send()
			h.reply(textBlock("done"))
			h.drop(th)
			h.turn("b", "2")
		}), Held, "", "", 1},
		{"dropped after an interrupt whose results the next prompt joins", "THINK-1", unbound, loop(func(h *hand) {
			h.op(trace.Op{Name: "interrupt"})
			h.drop(th)
			h.turn("b", "2")
		}), Unknown, "", "", 0},
		{"dropped after a kill", "THINK-1", unbound, loop(func(h *hand) {
			h.emit(trace.Event{Kind: trace.KindFault, Fault: &trace.Fault{Name: "kill", At: "before disk.append #9"}})
			h.drop(th)
			h.send()
		}), Unknown, "", "", 0},
		{"a stream without operations: a new prompt closes the turn", "THINK-1", unbound, loop(func(h *hand) {
			h.send()
			h.reply(textBlock("done"))
			h.drop(th)
			h.typed("b")
			h.send()
		}), Held, "", "", 1},
		{"a reminder is no new prompt", "THINK-1", unbound, loop(func(h *hand) {
			h.send()
			h.reply(thinking("ok", "s2"), textBlock("done"))
			h.say("user", textBlock(reminder("go on")), "")
			h.drop(thinking("ok", "s2"))
			h.send()
		}), Broken, H, "call 2, answer block 0", 2},
		{"the answer was cut, so its thinking may go with it", "THINK-1", "", func(h *hand) {
			h.prompt("a")
			h.send()
			h.stream("hm", "s1", 40)
			h.send()
		}, Unknown, "", "", 0},
		{"the answer came whole as a stream", "THINK-1", "", func(h *hand) {
			h.prompt("a")
			h.send()
			h.stream("hm", "s1", 0)
			h.say("assistant", textBlock("so"), "")
			h.send()
		}, Broken, H, "call 1, answer block 0: thinking", 1},
	})
}

func TestOnlyThinkingTheServerIssued(t *testing.T) {
	with := func(sent string) func(h *hand) {
		return func(h *hand) {
			h.prompt("a")
			h.send()
			h.stream("hm", "s1", 0)
			h.keep(sent, textBlock("so"))
			h.turn("b", "2")
		}
	}
	play(t, []situation{
		{"as it was streamed", "THINK-2", "", with(thinking("hm", "s1")), Held, "", "", 1},
		{"text changed", "THINK-2", "", with(thinking("hm!", "s1")), Broken, H, "other bytes", 1},
		{"signature cut", "THINK-2", "", with(thinking("hm", "s")), Broken, H, "no answer of this stream issued it", 1},
		{"no signature", "THINK-2", "", with(`{"type":"thinking","thinking":"hm"}`), Broken, H, "without a signature", 1},
		{"completed in a stream that was cut behind it", "THINK-2", "", func(h *hand) {
			h.prompt("a")
			h.send()
			h.stream("hm", "s1", 400)
			h.op(trace.Op{Name: "interrupt"})
			h.keep(thinking("hm", "s1"), textBlock("s"))
			h.turn("b", "2")
		}, Held, "", "", 1},
		{"cut in the middle of the thinking", "THINK-2", "", func(h *hand) {
			h.prompt("a")
			h.send()
			h.stream("hm", "s1", 700)
			h.op(trace.Op{Name: "interrupt"})
			h.keep(thinking("hm", "s1"), textBlock("s"))
			h.turn("b", "2")
		}, Broken, H, "no answer of this stream issued it", 1},
		{"a recording that begins in the middle", "THINK-2", "", func(h *hand) {
			h.typed("a")
			h.keep(thinking("before", "s0"), textBlock("1"))
			h.typed("b")
			h.send()
			h.reply(textBlock("2"))
			h.typed("c")
			h.send()
		}, Unknown, "", "", 0},
		{"an answer the stream lost to a kill", "THINK-2", "", func(h *hand) {
			h.prompt("a")
			h.send()
			h.keep(thinking("hm", "s1"), textBlock("1"))
			h.op(trace.Op{Name: "kill"})
			h.op(trace.Op{Name: "resume", Session: "s"})
			h.turn("b", "2")
		}, Unknown, "", "", 0},
		{"a session from before the stream is resumed", "THINK-2", "", func(h *hand) {
			h.turn("a", "1")
			h.again()
			h.op(trace.Op{Name: "resume", Session: "older"})
			h.msgs = nil
			h.say("user", textBlock("x"), "")
			h.say("assistant", thinking("old", "s0"), "")
			h.turn("b", "2")
		}, Unknown, "", "", 0},
		{"sent to a model that cannot read it", "THINK-2", "", func(h *hand) {
			h.prompt("a")
			h.send()
			h.reply(thinking("hm", "s1"), textBlock("1"))
			h.op(trace.Op{Name: "set", Text: "model=" + unbound, Breaks: true})
			h.model = unbound
			h.turn("b", "2")
		}, Broken, H, "cannot read it", 1},
		{"sent to a model that can", "THINK-2", unbound, func(h *hand) {
			h.prompt("a")
			h.send()
			h.reply(thinking("hm", "s1"), textBlock("1"))
			h.op(trace.Op{Name: "set", Text: "model=" + bound, Breaks: true})
			h.model = bound
			h.turn("b", "2")
		}, Held, "", "", 1},
	})
}

func TestThinkingIsBoundToItsConversation(t *testing.T) {
	three := func(h *hand) {
		for _, n := range []string{"1", "2", "3"} {
			h.prompt("p" + n)
			h.send()
			h.reply(thinking("t"+n, "s"+n), textBlock("a"+n))
		}
	}
	t1, t2, t3 := thinking("t1", "s1"), thinking("t2", "s2"), thinking("t3", "s3")
	dropBlock := func(b string) string {
		return strings.Replace(b, `"max_tokens"`, `"thinking":{"type":"adaptive","block_binding":{"prefix_mismatch_behavior":"drop_block"}},"max_tokens"`, 1)
	}
	play(t, []situation{
		{"all sent", "THINK-6", "", func(h *hand) { three(h); h.turn("p4", "a4") }, Held, "", "", 3},
		{"two in one answer with text between", "THINK-6", "", func(h *hand) {
			h.prompt("p1")
			h.send()
			h.reply(t1, textBlock("between"), t2, toolUse("u"))
			h.result(toolResult("u", "r"))
			h.send()
			h.reply(textBlock("a"))
		}, Held, "", "", 1},
		{"text between two of one answer left out", "THINK-6", "", func(h *hand) {
			h.prompt("p1")
			h.send()
			h.reply(t1, textBlock("between"), t2, toolUse("u"))
			h.result(toolResult("u", "r"))
			h.drop(textBlock("between"))
			h.send()
		}, Broken, H, "messages.1.content.1", 1},
		{"the front left out", "THINK-6", "", func(h *hand) { three(h); h.drop(t1); h.turn("p4", "a4") }, Held, "", "", 3},
		{"the end left out", "THINK-6", "", func(h *hand) { three(h); h.drop(t3); h.turn("p4", "a4") }, Held, "", "", 3},
		{"all left out", "THINK-6", "", func(h *hand) { three(h); h.drop(t1, t2, t3); h.turn("p4", "a4") }, Held, "", "", 2},
		{"the middle left out", "THINK-6", "", func(h *hand) { three(h); h.drop(t2); h.turn("p4", "a4") }, Broken, H, "directly behind that with signature s1", 3},
		{"one comes back", "THINK-6", "", func(h *hand) {
			h.prompt("p1")
			h.send()
			h.reply(t1, textBlock("a1"))
			h.prompt("p2")
			h.edit = func(b string) string { return strings.Replace(b, t1+",", "", 1) }
			h.send()
			h.edit = nil
			h.reply(t2, textBlock("a2"))
			h.turn("p3", "a3")
		}, Broken, H, "when no thinking was sent before it", 1},
		{"an earlier text edited", "THINK-6", "", func(h *hand) {
			three(h)
			h.edit = func(b string) string { return strings.Replace(b, `"p2"`, `"P2"`, 1) }
			h.turn("p4", "a4")
		}, Broken, H, "another conversation", 3},
		{"a later text edited", "THINK-6", "", func(h *hand) {
			three(h)
			h.prompt("p4")
			h.edit = func(b string) string { return strings.Replace(b, `"p4"`, `"P4"`, 1) }
			h.send()
		}, Held, "", "", 3},
		{"a tool added", "THINK-6", "", func(h *hand) {
			three(h)
			h.edit = func(b string) string {
				return strings.Replace(b, `"tools":[`, `"tools":[{"name":"New","input_schema":{}},`, 1)
			}
			h.turn("p4", "a4")
		}, Broken, H, "another conversation", 3},
		{"a turn-scoped message stays in the array", "THINK-6", "", func(h *hand) {
			h.prompt("p1")
			h.scoped("noon")
			h.send()
			h.reply(t1, textBlock("a1"))
			h.turn("p2", "a2")
		}, Held, "", "", 1},
		{"a turn-scoped message goes", "THINK-6", "", func(h *hand) {
			h.prompt("p1")
			h.scoped("noon")
			h.send()
			h.reply(t1, textBlock("a1"))
			h.msgs = append(h.msgs[:1], h.msgs[2:]...)
			h.turn("p2", "a2")
		}, Broken, H, "another conversation", 1},
		{"a rewind keeps what it keeps", "THINK-6", "", func(h *hand) { three(h); h.rewind(h.last); h.turn("p4", "a4") }, Held, "", "", 3},
		{"the same edit on a model without binding", "THINK-6", unbound, func(h *hand) {
			three(h)
			h.system = "edited"
			h.turn("p4", "a4")
		}, Unknown, "", "", 0},
		{"the server was asked to drop, after a declared break", "THINK-6", "", func(h *hand) {
			three(h)
			h.op(trace.Op{Name: "set", Text: "style=x", Breaks: true})
			h.system, h.edit = "edited", dropBlock
			h.turn("p4", "a4")
		}, Held, "", "", 3},
		{"the server was asked to drop, but no break was declared", "THINK-6", "", func(h *hand) {
			h.edit = dropBlock
			three(h)
			h.system = "edited"
			h.turn("p4", "a4")
		}, Broken, H, "another conversation", 3},
	})
}
