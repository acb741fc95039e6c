package invariant

import (
	"testing"

	"github.com/stretchr/testify/require"

	"harnessbench/conformance/trace"
)

// loops asks each of these models in turn, in one tool loop.
func (h *hand) loops(models ...string) {
	h.prompt("check the packages")
	h.rounds(models...)
}

// rounds goes on with a tool loop; refusing asks the call of a model that declines, silent that of one that fails.
func (h *hand) rounds(models ...string) {
	for _, model := range models {
		switch model {
		case "refusing":
			h.send()
			h.answer("refusal")
		case "failing":
			h.send()
			h.refused(529)
		default:
			h.model = model
			h.send()
			id := "t" + string(rune('a'+h.calls))
			h.reply(toolUse(id))
			h.result(toolResult(id, "fine"))
		}
	}
}

func TestATurnDoesNotGoBackAndForthBetweenModels(t *testing.T) {
	const a, b, small = unbound, "claude-sonnet-4-6", "claude-haiku-4-5"
	play(t, []situation{
		{"one model", "CACHE-7", a, func(h *hand) { h.loops(a, a, a) }, Unknown, "", "", 0},
		{"back to the first", "CACHE-7", a, func(h *hand) { h.loops(a, b, a) }, Broken, C, "call 3 asks claude-sonnet-5, as call 1 of the same turn did", 2},
		{"back after a while", "CACHE-7", a, func(h *hand) { h.loops(a, a, b, b, a) }, Broken, C, "call 4 between them asked claude-sonnet-4-6", 2},
		{"back by way of a third", "CACHE-7", a, func(h *hand) { h.loops(a, b, small, a) }, Broken, C, "as call 1 of the same turn did", 3},
		{"it goes over and stays", "CACHE-7", a, func(h *hand) { h.loops(a, b, b) }, Held, "", "", 1},
		{"it goes over in a later turn, and back", "CACHE-7", a, func(h *hand) {
			h.turn("one", "1")
			h.model = b
			h.turn("two", "2")
			h.model = a
			h.turn("three", "3")
		}, Unknown, "", "", 0},
		{"the user switches and switches back", "CACHE-7", a, func(h *hand) {
			h.loops(a)
			h.op(trace.Op{Name: "use", Text: b, Breaks: true})
			h.rounds(b)
			h.op(trace.Op{Name: "use", Text: a, Breaks: true})
			h.rounds(a)
		}, Unknown, "", "", 0},
		{"the fallback takes one call that was declined", "CACHE-7", a, func(h *hand) { h.loops(a, "refusing", b, a) }, Held, "", "", 2},
		{"the fallback takes one call that failed", "CACHE-7", a, func(h *hand) { h.loops(a, "failing", b, a) }, Held, "", "", 2},
		{"the other one fails", "CACHE-7", a, func(h *hand) { h.loops(a, b, "failing", a) }, Held, "", "", 2},
		{"a failure long ago is no reason", "CACHE-7", a, func(h *hand) { h.loops("failing", a, b, a) }, Broken, C, "as call 2 of the same turn did", 2},
		{"a small model is asked beside it", "CACHE-7", a, func(h *hand) {
			h.loops(a)
			h.model = small
			h.sendOn("aux", h.body())
			h.answer("end_turn", textBlock("packages"))
			h.rounds(a)
		}, Unknown, "", "", 0},
		{"it is asked with the same history, in a chain of its own that the stream does not name", "CACHE-7", a, func(h *hand) {
			h.loops(a)
			for range 2 {
				h.model = small
				h.sendOn("chain-2", h.body())
				h.answer("tool_use", toolUse("aside"))
				h.model = a
				h.rounds(a)
			}
		}, Held, "", "", 2},
		{"each model has a chain of its own", "CACHE-7", a, func(h *hand) {
			h.prompt("check the packages")
			for i, model := range []string{a, b, a} {
				h.model = model
				h.sendOn("chain-"+model, h.body())
				id := "t" + string(rune('a'+i))
				h.reply(toolUse(id))
				h.result(toolResult(id, "fine"))
			}
		}, Broken, C, "call 3 asks claude-sonnet-5", 2},
		{"two conversations use the same ids", "CACHE-7", a, func(h *hand) {
			h.prompt("check the packages")
			sub := newHand(b)
			sub.say("user", textBlock("you check one"), "")
			for range 3 {
				h.send()
				h.reply(toolUse("call_0"))
				h.result(toolResult("call_0", "fine"))
				h.sendOn("agent-1", sub.body())
				h.answer("tool_use", toolUse("call_0"))
				sub.say("assistant", toolUse("call_0"), "")
				sub.say("user", toolResult("call_0", "fine"), "")
			}
		}, Unknown, "", "", 0},
		{"planning has a model of its own", "CACHE-7", a, func(h *hand) {
			h.loops(a)
			plan := func(id, name string) {
				h.send()
				use := `{"type":"tool_use","id":"` + id + `","name":"` + name + `","input":{}}`
				h.reply(use)
				h.result(toolResult(id, "yes"))
			}
			plan("p1", "EnterPlanMode")
			h.rounds(b)
			plan("p2", "ExitPlanMode")
			h.rounds(a)
		}, Unknown, "", "", 0},
	})
}

func TestATurnThatFlapsIsOneFinding(t *testing.T) {
	h := newHand(unbound)
	h.loops(unbound, "claude-sonnet-4-6", unbound, "claude-sonnet-4-6", unbound)
	got := judge(h.events)["CACHE-7"]
	require.Len(t, got.Findings, 1)
	require.Positive(t, got.Findings[0].Loss)
}
