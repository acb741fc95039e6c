package invariant

import (
	"strings"
	"testing"

	"harnessbench/conformance/trace"
)

// chop takes the line feed off the newest line of the log, as if the process had died before it.
func (h *hand) chop() {
	for i := len(h.events) - 1; i >= 0; i-- {
		if l := h.events[i].Log; l != nil {
			l.Data = trace.JSONText(strings.TrimSuffix(string(l.Data), "\n"))
			h.offset--
			return
		}
	}
}

// feed writes the missing line feed.
func (h *hand) feed() {
	h.write(h.file, h.offset, "\n")
	h.offset++
}

// unfed dies when all of the answer but its line feed is in the log.
func unfed(h *hand) (before string) {
	h.prompt("a")
	h.send()
	before = h.leaf
	h.reply(textBlock("1"))
	h.chop()
	h.killed()
	return before
}

func TestALineWithoutItsFeedIsWhatTheNextProcessTakesItFor(t *testing.T) {
	taken := func(h *hand) {
		unfed(h)
		h.standing()
		h.feed()
		h.turn("b", "2")
		h.standing()
	}
	leftOut := func(h *hand) {
		h.leaf = unfed(h)
		h.msgs = h.msgs[:1]
		h.standing()
		h.feed()
		h.turn("b", "2")
		h.standing()
	}
	play(t, []situation{
		{"taken for an entry", "LOG-5", "", taken, Held, "", "", 4},
		{"taken for an entry", "LOG-6", "", taken, Held, "", "", 2},
		{"taken for an entry", "LOG-3", "", taken, Held, "", "", 4},
		{"left out", "LOG-5", "", leftOut, Held, "", "", 4},
		{"left out", "LOG-6", "", leftOut, Held, "", "", 2},
		{"left out, and its words sent all the same", "LOG-6", "", func(h *hand) {
			unfed(h)
			h.leaf = "e1"
			h.standing()
			h.feed()
			h.turn("b", "2")
		}, Broken, H, "no entry holds it", 2},
		{"taken for an entry, and its words not sent", "LOG-5", "", func(h *hand) {
			unfed(h)
			h.msgs = h.msgs[:1]
			h.standing()
			h.feed()
			h.turn("b", "2")
		}, Broken, H, "without what s1.jsonl line 2", 3},
		{"taken for an entry, and left out by the process after", "LOG-5", "", func(h *hand) {
			unfed(h)
			h.standing()
			h.killed()
			h.leaf = "e1"
			h.standing()
		}, Broken, H, "the harness stands at e1", 3},
		{"glued to the next line by a writer that adds no feed", "LOG-5", "", func(h *hand) {
			unfed(h)
			h.standing()
			h.turn("b", "2")
			h.standing()
		}, Held, "", "", 4},
		{"the first request says it, where no leaf was told", "LOG-5", "", func(h *hand) {
			unfed(h)
			h.say("user", textBlock(reminder("go on")), "")
			h.send()
			h.feed()
			h.reply(textBlock("2"))
			h.standing()
		}, Held, "", "", 3},
		{"the first request does not say it, where no leaf was told", "LOG-5", "", func(h *hand) {
			h.leaf = unfed(h)
			h.msgs = h.msgs[:1]
			h.send()
			h.feed()
			h.reply(textBlock("2"))
			h.standing()
		}, Held, "", "", 3},
		{"half a line is nothing", "LOG-5", "", func(h *hand) {
			h.turn("a", "1")
			h.write(h.file, h.offset, `{"type":"user","uuid":"x","parentUuid":`)
			h.killed()
			h.standing()
		}, Held, "", "", 2},
		{"while its writer lives the line is not read yet", "LOG-5", "", func(h *hand) {
			h.prompt("a")
			h.send()
			h.reply(textBlock("1"))
			h.chop()
			h.standing()
		}, Broken, H, "the leaf is s1.jsonl line 1", 2},
	})
}
