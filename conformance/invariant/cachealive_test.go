package invariant

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"harnessbench/conformance/trace"
)

// counted is the usage of an answer that read and wrote so many tokens of the cache.
func counted(read, written int) string {
	return fmt.Sprintf(`{"input_tokens":1,"output_tokens":1,"cache_read_input_tokens":%d,"cache_creation_input_tokens":%d}`, read, written)
}

// poke sends the conversation as it stands, and what may be added, for an answer of so many tokens at most.
func (h *hand) poke(chain string, most int, added ...string) {
	body := strings.Replace(h.body(), `"max_tokens":1000`, fmt.Sprintf(`"max_tokens":%d`, most), 1)
	for _, text := range added {
		body = strings.TrimSuffix(body, "]}") + `,{"role":"user","content":[` + textBlock(text) + `]}]}`
	}
	if h.edit != nil {
		body = h.edit(body)
	}
	h.sendOn(chain, body)
}

// warms answers a poke.
func (h *hand) warms(read, written int, blocks ...string) {
	before := h.usage
	h.usage = counted(read, written)
	h.answer("max_tokens", blocks...)
	h.usage = before
}

// opened is a first turn whose answer the cache holds 60 tokens of, with entries that live five minutes.
func (h *hand) opened() {
	h.system = strings.Repeat("Mind the rules of this house. ", 200) // enough to be stored
	h.edit = func(b string) string { return strings.ReplaceAll(b, `,"ttl":"1h"`, ``) }
	h.usage = counted(0, 60)
	h.turn("read the first log", "It is read.")
	h.usage = counted(60, 10)
}

// asked is opened without the answer in the conversation: what a keep-alive repeats.
func (h *hand) asked() {
	h.system = strings.Repeat("Mind the rules of this house. ", 200) // enough to be stored
	h.edit = func(b string) string { return strings.ReplaceAll(b, `,"ttl":"1h"`, ``) }
	h.usage = counted(0, 60)
	h.prompt("read the first log")
	h.send()
	h.answer("end_turn", textBlock("It is read."))
}

// TestAKeepAliveReads: a keep-alive whose interval is the life of the entries pays for all of them each time, and looks
// healthy; one that comes sooner reads (bug k-keepalive-later-than-ttl).
func TestAKeepAliveReads(t *testing.T) {
	every := func(d time.Duration, n int, do func(h *hand)) func(h *hand) {
		return func(h *hand) {
			h.asked()
			for range n {
				h.wait(d)
				do(h)
			}
		}
	}
	settings := func(h *hand) {
		h.asked()
		h.edit = func(b string) string {
			return strings.Replace(strings.ReplaceAll(b, `,"ttl":"1h"`, ``), `"system"`, `"output_config":{"effort":"low"},"system"`, 1)
		}
	}
	play(t, []situation{
		{"none was sent", "CACHE-9", "", func(h *hand) { h.opened() }, Unknown, "", "", 0},
		{"each comes in time and reads", "CACHE-9", "", every(4*time.Minute, 4, func(h *hand) { h.poke("main", 0); h.warms(60, 0) }), Held, "", "", 4},
		{"each as late as the entries live: a timer sends them", "CACHE-9", "", every(5*time.Minute, 4, func(h *hand) { h.poke("main", 0); h.warms(0, 60) }),
			Broken, C, "whose entries live 5m0s", 3},
		{"the interval is named, and is too long", "CACHE-9", "", every(5*time.Minute, 1, func(h *hand) { h.poke("keepalive", 0); h.warms(0, 60) }),
			Broken, C, "0 tokens read and 60 written", 1},
		{"it is too long, but somebody else kept the entries alive", "CACHE-9", "", every(5*time.Minute, 4, func(h *hand) { h.poke("keepalive", 0); h.warms(60, 0) }),
			Held, "", "", 4},
		{"one after a long pause stores anew what will be needed", "CACHE-9", "", func(h *hand) {
			h.asked()
			h.wait(20 * time.Minute)
			h.poke("main", 0)
			h.warms(0, 60)
		}, Unknown, "", "", 0},
		{"so does one after another pause", "CACHE-9", "", func(h *hand) {
			h.asked()
			for _, d := range []time.Duration{20 * time.Minute, 7 * time.Minute, 40 * time.Minute} {
				h.wait(d)
				h.poke("main", 0)
				h.warms(0, 60)
			}
		}, Unknown, "", "", 0},
		{"in time, under another effort", "CACHE-9", "", func(h *hand) {
			settings(h)
			h.poke("main", 0)
			h.warms(0, 60)
		}, Broken, C, "under other settings", 1},
		{"another effort was set", "CACHE-9", "", func(h *hand) {
			settings(h)
			h.op(trace.Op{Name: "set", Text: "effort=low", Breaks: true})
			h.poke("main", 0)
			h.warms(0, 60)
		}, Unknown, "", "", 0},
		{"in time, and only a part of it is there", "CACHE-9", "", func(h *hand) {
			h.asked()
			h.poke("main", 0)
			h.warms(40, 20)
		}, Broken, C, "40 tokens read and 20 written", 1},
		{"it stores more than was there", "CACHE-9", "", func(h *hand) {
			h.opened()
			h.poke("keepalive", 1, "ping")
			h.warms(60, 9, textBlock("I"))
		}, Held, "", "", 1},
		{"the front alone is kept alive", "CACHE-9", "", func(h *hand) {
			h.asked()
			h.edit = func(b string) string {
				b = strings.ReplaceAll(b, `,"ttl":"1h"`, ``)
				n := strings.LastIndex(b, `,"cache_control":{"type":"ephemeral"}`)
				return b[:n] + b[n+len(`,"cache_control":{"type":"ephemeral"}`):]
			}
			h.poke("main", 0)
			h.warms(20, 0)
		}, Held, "", "", 1},
		{"it has no breakpoint", "CACHE-9", "", func(h *hand) {
			h.asked()
			h.edit = func(b string) string {
				return strings.ReplaceAll(b, `,"cache_control":{"type":"ephemeral","ttl":"1h"}`, ``)
			}
			h.poke("main", 0)
			h.warms(0, 0)
		}, Broken, C, "nothing was read and nothing written", 1},
		{"a first request may be warmed up", "CACHE-9", "", func(h *hand) {
			h.op(trace.Op{Name: "prompt", Text: "a"})
			h.typed("a")
			h.poke("main", 0)
			h.warms(0, 60)
		}, Unknown, "", "", 0},
		{"so may what a compaction leaves", "CACHE-9", "", func(h *hand) {
			h.asked()
			h.msgs = nil
			h.say("user", textBlock("so far"), "")
			h.poke("main", 0)
			h.warms(20, 40)
		}, Unknown, "", "", 0},
		{"it was refused", "CACHE-9", "", func(h *hand) { h.asked(); h.poke("main", 0); h.refused(529) }, Unknown, "", "", 0},
		{"a request of one token repeats the answered one", "CACHE-9", "", func(h *hand) {
			h.asked()
			h.poke("main", 1)
			h.warms(20, 40, textBlock("I"))
		}, Broken, C, "20 tokens read and 40 written", 1},
		{"a question of one token is none", "CACHE-9", "", func(h *hand) {
			h.opened()
			h.poke("main", 1, "is this about logs? y or n")
			h.warms(0, 60, textBlock("y"))
		}, Unknown, "", "", 0},
		{"a request that was not answered is asked for less", "CACHE-9", "", func(h *hand) {
			h.prompt("a")
			h.send()
			h.refused(529)
			h.poke("main", 1)
			h.warms(0, 60, textBlock("I"))
		}, Unknown, "", "", 0},
		{"a server that stores by itself", "CACHE-9", "", func(h *hand) {
			h.op(trace.Op{Name: "set", Text: "cache.policy=openai"})
			h.asked()
			h.poke("keepalive", 0)
			h.warms(0, 60)
		}, Unknown, "", "", 0},
	})
}

func TestAKeepAliveStopsAndLeavesNothing(t *testing.T) {
	within := func(idle string, pokes int) func(h *hand) {
		return func(h *hand) {
			h.op(trace.Op{Name: "set", Text: "keepalive.idle=" + idle})
			h.asked()
			for range pokes {
				h.wait(4 * time.Minute)
				h.poke("main", 0)
				h.warms(60, 0)
			}
		}
	}
	pinged := func(then func(h *hand)) func(h *hand) {
		return func(h *hand) {
			h.opened()
			h.poke("keepalive", 1, "ping")
			h.warms(60, 9, textBlock("I"))
			then(h)
		}
	}
	again := func(h *hand) { h.warms(60, 20, textBlock("2")) }
	play(t, []situation{
		{"it stops within the idle time", "CACHE-9", "", within("15m", 3), Held, "", "", 3},
		{"it goes on beyond", "CACHE-9", "", within("15m", 4), Broken, C, "keepalive.idle of the run it stops after 15m0s", 4},
		{"the conversation went on in between", "CACHE-9", "", func(h *hand) {
			within("15m", 3)(h)
			h.keep(textBlock("It is read."))
			h.prompt("go on")
			h.send()
			h.warms(60, 10, textBlock("Yes."))
			h.wait(4 * time.Minute)
			h.poke("main", 0)
			h.warms(70, 0)
		}, Held, "", "", 4},
		{"its words are in no later request", "CACHE-9", "", pinged(func(h *hand) { h.prompt("b"); h.send(); again(h) }), Held, "", "", 1},
		{"its words stand in the history", "CACHE-9", "", pinged(func(h *hand) {
			h.say("user", textBlock("ping"), "")
			h.say("assistant", textBlock("I"), "")
			h.prompt("b")
			h.send()
		}), Broken, C, "messages.2.content.0", 1},
		{"the user typed the same", "CACHE-9", "", pinged(func(h *hand) {
			h.prompt("ping")
			h.say("assistant", textBlock("Pong."), "")
			h.prompt("b")
			h.send()
		}), Held, "", "", 1},
		{"the same was asked, by whoever", "CACHE-9", "", pinged(func(h *hand) {
			h.say("user", textBlock("ping"), "")
			h.send()
			again(h)
			h.say("assistant", textBlock("2"), "")
			h.prompt("b")
			h.send()
		}), Held, "", "", 1},
		{"its answer is logged", "CACHE-9", "", pinged(func(h *hand) { h.keep(textBlock("I")) }), Broken, C, "holds the answer of call 2", 1},
		{"the next answer is logged", "CACHE-9", "", pinged(func(h *hand) { h.prompt("b"); h.send(); again(h); h.keep(textBlock("2")) }), Held, "", "", 1},
		{"the conversation goes on from before it", "CACHE-1", "", pinged(func(h *hand) { h.prompt("b"); h.send() }), Held, "", "", 1},
		{"nothing of it has to be logged", "LOG-6", "", pinged(func(h *hand) { h.prompt("b"); h.send() }), Held, "", "", 2},
		{"undeclared, without a log of it", "LOG-6", "", func(h *hand) {
			h.opened()
			h.poke("main", 0, "ping")
			h.warms(60, 9)
			h.prompt("b")
			h.send()
		}, Held, "", "", 2},
	})
}

// idling is a session whose cache is kept warm while the user is away, with a place for each fault of that.
func idling(model, fault string) []trace.Event {
	h := newHand(model)
	h.asked()
	pause, warm := 4*time.Minute, func() { h.warms(60, 0) }
	switch fault {
	case "keep-alive-too-late":
		pause, warm = 5*time.Minute, func() { h.warms(0, 60) }
	case "keep-alive-under-other-settings":
		warm = func() { h.warms(0, 60) }
	}
	plain := h.edit
	for range 3 {
		h.wait(pause)
		if fault == "keep-alive-under-other-settings" {
			h.edit = func(b string) string {
				return strings.Replace(plain(b), `"system"`, `"output_config":{"effort":"low"},"system"`, 1)
			}
		}
		h.poke("keepalive", 0)
		warm()
		h.edit = plain
	}
	h.keep(textBlock("It is read."))
	h.prompt("go on")
	h.send()
	h.usage = counted(60, 10)
	h.reply(textBlock("Done."))
	h.standing()
	h.emit(trace.Event{Kind: trace.KindEnd, End: &trace.End{}})
	return h.events
}

func TestACacheKeptWarmRightIsSilent(t *testing.T) {
	for _, model := range []string{bound, unbound, "claude-sonnet-4-6"} {
		got := judge(idling(model, ""))
		require.Empty(t, brokenOnes(got), model)
		require.Equal(t, 3, got["CACHE-9"].Occasions, model)
	}
}
