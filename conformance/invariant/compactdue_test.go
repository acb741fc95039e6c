package invariant

import (
	"strings"
	"testing"

	"harnessbench/conformance/trace"
)

// TestWhatIsDueBesideTheReport: results and prompts since the newest answer count, the threshold stays what it is
// behind another process and is the new one's behind another model, and where it is off nothing is compacted unasked.
func TestWhatIsDueBesideTheReport(t *testing.T) {
	results := func(words int, options ...string) func(h *hand) {
		return long(func(h *hand) {
			for i := 0; i < len(options); i += 2 {
				h.option(options[i], options[i+1])
			}
			h.at(60_000)
			h.prompt("a")
			h.send()
			h.reply(toolUse("t1"))
			h.result(toolResult("t1", strings.Repeat("word ", words)))
			h.usage = ""
			h.send()
			h.reply(textBlock("2"))
		})
	}
	long120 := func(h *hand, tokens int) { // what is reported stands there
		h.option("compact.window", "")
		h.at(tokens)
		h.turn(strings.Repeat("word ", tokens), "1")
		h.usage = ""
	}
	goesOn := func(tokens int, between func(h *hand)) func(h *hand) {
		return func(h *hand) {
			h.events[0].Run.Options = map[string]string{}
			long120(h, tokens)
			between(h)
			h.turn("b", "2")
		}
	}
	again := func(h *hand) { h.again() }
	to := func(model string) func(h *hand) {
		return func(h *hand) {
			h.op(trace.Op{Name: "use", Text: model, Breaks: true})
			h.model = model
		}
	}
	unasked := func(options ...string) func(h *hand) {
		return long(func(h *hand) {
			for i := 0; i < len(options); i += 2 {
				h.option(options[i], options[i+1])
			}
			h.at(90_000)
			h.turn("a", "1")
			h.prompt("b")
			h.compacts("so far", "b")
			h.send()
			h.reply(textBlock("2"))
		})
	}
	const haiku, opus = "claude-haiku-4-5", bound
	play(t, []situation{
		{"results carry it over", "CMP-2", "", results(8_000), Broken, H, "have said since", 1},
		{"they do not", "CMP-2", "", results(4_000), Unknown, "", "", 0},
		{"they do, and it is off", "CMP-2", "", results(8_000, "compact.auto", "off"), Unknown, "", "", 0},
		{"over it when the process ended", "CMP-2", haiku, goesOn(180_000, again), Broken, H, "and this one has", 1},
		{"less when the process ended", "CMP-2", haiku, goesOn(150_000, again), Unknown, "", "", 0},
		{"over it, and then a rewind to the start", "CMP-2", haiku, goesOn(180_000, func(h *hand) { h.again(); h.rewind(h.last) }), Unknown, "", "", 0},
		{"over it when the process was killed", "CMP-2", haiku, goesOn(180_000, func(h *hand) { h.killed() }), Unknown, "", "", 0},
		{"another model has less room", "CMP-2", opus, goesOn(250_000, to(haiku)), Broken, H, "the threshold is 167000", 1},
		{"another model has room enough", "CMP-2", opus, goesOn(150_000, to(haiku)), Unknown, "", "", 0},
		{"another model has less room, and the user compacts", "CMP-2", opus, goesOn(250_000, func(h *hand) {
			to(haiku)(h)
			h.op(trace.Op{Name: "compact", Breaks: true})
			h.asks()
			h.answer("end_turn", textBlock("so far"))
			h.boundary("so far")
		}), Unknown, "", "", 0},
		{"it is off, and is done", "CMP-2", "", unasked("compact.auto", "off"), Broken, H, "compact.auto is off", 1},
		{"collapse is on, and it is done", "CMP-2", "", unasked("collapse", "on"), Broken, H, "collapse is on", 1},
		{"it is on, and is done", "CMP-2", "", unasked(), Held, "", "", 1},
		{"it is off, and the user wants it", "CMP-2", "", long(func(h *hand) {
			h.option("compact.auto", "off")
			h.turn("a", "1")
			h.op(trace.Op{Name: "compact", Breaks: true})
			h.asks()
			h.answer("end_turn", textBlock("so far"))
			h.boundary("so far")
			h.turn("b", "2")
		}), Unknown, "", "", 0},
		{"it is off, and the prompt is refused as too long", "CMP-2", "", long(func(h *hand) {
			h.option("compact.auto", "off")
			h.turn("a", "1")
			h.prompt("b")
			h.send()
			h.refusedFor(413, "Request exceeds the maximum size")
			h.compacts("so far", "b")
			h.send()
			h.reply(textBlock("2"))
		}), Unknown, "", "", 0},
	})
}

// TestTheThresholdOfTheTeachingProfile (D11, H-CMP-39): 50,000 tokens of four characters of its messages, whatever the
// model is, unless nothing was answered since the conversation was compacted on command (CMP-3).
func TestTheThresholdOfTheTeachingProfile(t *testing.T) {
	taught := func(words int, tries bool, options ...string) func(h *hand) {
		return func(h *hand) {
			h.events[0].Run.Options = map[string]string{"profile": "teaching"}
			for i := 0; i < len(options); i += 2 {
				h.option(options[i], options[i+1])
			}
			h.turn(strings.Repeat("word ", words), "1")
			h.prompt("b")
			if tries {
				h.asks()
				h.refused(500)
			}
			h.send()
			h.reply(textBlock("2"))
		}
	}
	fits := func(h *hand) {
		h.events[0].Run.Options = map[string]string{"profile": "teaching"}
		h.turn("a", "1")
		h.prompt("b")
		h.say("user", textBlock(strings.Repeat("word ", 50_000)), "")
		h.asks()
		h.answer("end_turn", textBlock("so far"))
		h.msgs = nil
		h.say("user", textBlock("[Compacted]\n\nso far"), "")
		h.send()
		h.reply(textBlock("2"))
	}
	commanded := func(works, answered bool) func(h *hand) { // behind a compaction another one waits for an answer (CMP-3)
		return func(h *hand) {
			h.events[0].Run.Options = map[string]string{"profile": "teaching"}
			h.turn("a", "1")
			h.op(trace.Op{Name: "compact", Breaks: true})
			h.asks()
			if works {
				h.answer("end_turn", textBlock("so far"))
				h.msgs = nil
				h.say("user", textBlock("[Compacted]\n\nso far"), "")
			} else {
				h.refused(500)
			}
			if answered {
				h.turn("b", "2")
			}
			h.turn(strings.Repeat("word ", 45_000), "3")
		}
	}
	play(t, []situation{
		{"above it", "CMP-2", "", taught(45_000, false), Broken, H, "the teaching profile has its threshold at 50000", 2},
		{"below it", "CMP-2", "", taught(39_000, false), Unknown, "", "", 0},
		{"above it, and it is off", "CMP-2", "", taught(45_000, false, "compact.auto", "off"), Unknown, "", "", 0},
		{"above it right behind a command", "CMP-2", "", commanded(true, false), Held, "", "", 1},
		{"above it behind a command and an answer", "CMP-2", "", commanded(true, true), Broken, H, "the teaching profile has its threshold at 50000", 1},
		{"above it behind a command that failed", "CMP-2", "", commanded(false, false), Broken, H, "the teaching profile has its threshold at 50000", 1},
		{"a summary is asked for above it", "CMP-2", "", fits, Held, "", "", 1},
		{"a summary is asked for below it", "CMP-2", "", taught(30_000, true), Broken, H, "asks for a summary that no command wants, of", 1},
	})
}
