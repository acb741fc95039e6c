package invariant

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"harnessbench/conformance/trace"
)

// round asks for one call and answers it; it returns the uuids of both entries.
func (h *hand) round(id string) (uuids []string) {
	h.send()
	h.reply(toolUse(id))
	uuids = append(uuids, h.leaf)
	h.result(toolResult(id, "output of "+id))
	return append(uuids, h.leaf)
}

// looped is a turn of three rounds in a tool loop, with the entries of each.
func (h *hand) looped() (rounds [3][]string) {
	h.prompt("check the packages")
	for i := range rounds {
		rounds[i] = h.round(fmt.Sprintf("t%d", i+1))
	}
	return rounds
}

// record logs a record that leaves entries out.
func (h *hand) record(kind, list, more string, uuids ...string) {
	var names []string
	for _, u := range uuids {
		names = append(names, quote(u))
	}
	h.line(fmt.Sprintf(`"type":%s,"sessionId":"s",%s:[%s]%s`, quote(kind), quote(list), strings.Join(names, ","), more))
}

func snipped(n int) string { return fmt.Sprintf("[snipped %d messages from conversation middle]", n) }

// cut is a loop whose second round was snipped: messages 3 and 4.
func cut(then func(h *hand)) func(h *hand) {
	return func(h *hand) {
		rounds := h.looped()
		h.record("snip", "removedUuids", `,"total":2`, rounds[1]...)
		h.msgs[2].blocks = append(h.msgs[2].blocks, textBlock(snipped(2)))
		h.msgs = slices.Delete(slices.Clone(h.msgs), 3, 5)
		then(h)
	}
}

func TestASnipIsRead(t *testing.T) {
	play(t, []situation{
		{"a round is left out, and a text says so", "LOG-5", "", cut(func(h *hand) { h.send() }), Held, "", "", 4},
		{"its blocks are explained", "LOG-6", "", cut(func(h *hand) { h.send() }), Held, "", "", 4},
		{"the session goes on and is resumed", "LOG-5", "", cut(func(h *hand) {
			h.send()
			h.reply(textBlock("All fine."))
			h.again()
			h.turn("thanks", "Welcome.")
		}), Held, "", "", 7},
		{"the round is sent all the same", "LOG-5", "", func(h *hand) {
			rounds := h.looped()
			h.record("snip", "removedUuids", `,"total":2`, rounds[1]...)
			h.send()
		}, Broken, H, "a snip record takes that entry out", 4},
		{"the text is missing", "LOG-5", "", cut(func(h *hand) {
			h.forget(textBlock(snipped(2)))
			h.send()
		}), Broken, H, "a snip record says", 4},
		{"the text counts otherwise", "LOG-6", "", cut(func(h *hand) {
			h.forget(textBlock(snipped(2)))
			h.msgs[2].blocks = append(h.msgs[2].blocks, textBlock(snipped(3)))
			h.send()
		}), Broken, H, "no entry holds it", 4},
		{"the text is said twice", "LOG-5", "", cut(func(h *hand) {
			h.msgs[2].blocks = append(h.msgs[2].blocks, textBlock(snipped(2)))
			h.send()
		}), Broken, H, "was sent before it already", 4},
		{"more than the round is missing", "LOG-5", "", cut(func(h *hand) {
			h.msgs = h.msgs[:3]
			h.send()
		}), Broken, H, "without what s1.jsonl line 6", 4},
		{"a second snip counts for both", "LOG-5", "", func(h *hand) {
			rounds := h.looped()
			fourth := h.round("t4")
			h.record("snip", "removedUuids", `,"total":2`, rounds[1]...)
			h.record("snip", "removedUuids", `,"total":4`, rounds[2]...)
			h.msgs[2].blocks = append(h.msgs[2].blocks, textBlock(snipped(4)))
			h.msgs = slices.Delete(slices.Clone(h.msgs), 3, 7)
			h.send()
			require.NotEmpty(t, fourth)
		}, Held, "", "", 5},
		{"a record that names nothing", "LOG-5", "", func(h *hand) {
			h.looped()
			h.line(`"type":"snip","removedUuids":[],"total":2`)
			h.msgs = slices.Delete(slices.Clone(h.msgs), 3, 5)
			h.send()
		}, Held, "", "", 3},
		{"a record of another make", "LOG-6", "", func(h *hand) {
			rounds := h.looped()
			h.record("snip", "messages", `,"total":2`, rounds[1]...)
			h.msgs = slices.Delete(slices.Clone(h.msgs), 3, 5)
			h.send()
		}, Held, "", "", 3},
	})
}

func TestACollapsedSpanIsRead(t *testing.T) {
	collapsed := func(summary string, then func(h *hand)) func(h *hand) {
		return func(h *hand) {
			rounds := h.looped()
			h.record("collapse-commit", "spanUuids", `,"summary":`+summary, append(rounds[0], rounds[1]...)...)
			h.msgs[0].blocks = append(h.msgs[0].blocks, textBlock("Two are fine."))
			h.msgs = slices.Delete(slices.Clone(h.msgs), 1, 5)
			then(h)
		}
	}
	play(t, []situation{
		{"a summary stands for the span", "LOG-5", "", collapsed(`"Two are fine."`, func(h *hand) { h.send() }), Held, "", "", 4},
		{"and is explained", "LOG-6", "", collapsed(`"Two are fine."`, func(h *hand) { h.send() }), Held, "", "", 4},
		{"another summary is sent", "LOG-6", "", collapsed(`"Both are fine."`, func(h *hand) { h.send() }), Broken, H, "no entry holds it", 4},
		{"it is not sent", "LOG-5", "", collapsed(`"Two are fine."`, func(h *hand) {
			h.forget(textBlock("Two are fine."))
			h.send()
		}), Broken, H, "a collapse-commit record says", 4},
		{"a round of the span is sent beside it", "LOG-5", "", collapsed(`"Two are fine."`, func(h *hand) {
			h.msgs = slices.Insert(h.msgs, 1, said{role: "assistant", blocks: []string{toolUse("t1")}}, said{role: "user", blocks: []string{toolResult("t1", "output of t1")}})
			h.send()
		}), Broken, H, "a collapse-commit record takes that entry out", 4},
		{"a snip in it goes before", "LOG-5", "", func(h *hand) {
			rounds := h.looped()
			h.record("collapse-commit", "spanUuids", `,"summary":"One is fine."`, rounds[0]...)
			h.record("snip", "removedUuids", `,"total":2`, rounds[1]...)
			h.msgs[0].blocks = append(h.msgs[0].blocks, textBlock("One is fine."), textBlock(snipped(2)))
			h.msgs = slices.Delete(slices.Clone(h.msgs), 1, 5)
			h.send()
		}, Held, "", "", 4},
		{"a commit without a summary is not followed", "LOG-5", "", func(h *hand) {
			rounds := h.looped()
			h.record("collapse-commit", "spanUuids", ``, rounds[0]...)
			h.msgs = slices.Delete(slices.Clone(h.msgs), 1, 3)
			h.send()
		}, Held, "", "", 3},
	})
}

func TestMicroCompactionIsRead(t *testing.T) {
	const gone = "[Old tool result content cleared]"
	fired := func(metadata string, then func(h *hand)) func(h *hand) {
		return func(h *hand) {
			h.looped()
			h.entry("system", `"subtype":"microcompact_boundary","microcompactMetadata":`+metadata)
			then(h)
		}
	}
	clears := func(text string, then func(h *hand)) func(h *hand) {
		return fired(`{"trigger":"time","preTokens":9,"tokensSaved":3,"compactedToolIds":["t1"],"clearedAttachmentUUIDs":[]}`, func(h *hand) {
			h.msgs = slices.Clone(h.msgs)
			h.msgs[2].blocks = []string{toolResult("t1", text)}
			then(h)
		})
	}
	send := func(h *hand) { h.send() }
	play(t, []situation{
		{"a result is cleared", "LOG-5", "", clears(gone, send), Held, "", "", 4},
		{"and what stands for it is explained", "LOG-6", "", clears(gone, send), Held, "", "", 4},
		{"it was saved before", "LOG-6", "", clears(gone+"\nstored on disk, retrievable by path: /w/t1.txt", send), Held, "", "", 4},
		{"the text of the other profile", "LOG-6", "", clears("[Earlier tool result compacted. Re-run if needed.]", send), Held, "", "", 4},
		{"it is sent as it was", "LOG-6", "", clears("output of t1", send), Broken, H, "clears it", 4},
		{"it says something else", "LOG-6", "", clears("nothing", send), Broken, H, "with all it said", 4},
		{"and the session goes on", "LOG-6", "", clears(gone, func(h *hand) { h.send(); h.reply(textBlock("fine")); h.again(); h.turn("thanks", "Welcome.") }), Held, "", "", 5},
		{"a result is cleared that no boundary names", "LOG-6", "", func(h *hand) {
			h.looped()
			h.msgs[2].blocks = []string{toolResult("t1", gone)}
			h.send()
		}, Broken, H, "no entry holds it", 4},
		{"the boundary was left behind by a rewind", "LOG-6", "", func(h *hand) {
			h.looped()
			h.send()
			h.reply(textBlock("fine"))
			whole := slices.Clone(h.msgs)
			p := h.prompt("and the last?")
			h.entry("system", `"subtype":"microcompact_boundary","microcompactMetadata":{"trigger":"time","compactedToolIds":["t1"]}`)
			h.msgs[2].blocks = []string{toolResult("t1", gone)}
			h.send()
			h.reply(textBlock("fine too"))
			h.rewind(p)
			h.msgs = whole
			h.turn("thanks", "Welcome.")
		}, Held, "", "", 6},
		{"the server clears, and the payload stays", "LOG-6", "", fired(`{"trigger":"cached","compactedToolIds":["t1"]}`, send), Held, "", "", 4},
		{"the server clears, and the payload is cleared all the same", "LOG-6", "", fired(`{"trigger":"cached","compactedToolIds":["t1"]}`, func(h *hand) {
			h.msgs[2].blocks = []string{toolResult("t1", gone)}
			h.send()
		}), Broken, H, "no entry holds it", 4},
		{"a boundary of another make is not followed", "LOG-6", "", fired(`{"cleared":["t1"]}`, func(h *hand) {
			h.msgs[2].blocks = []string{toolResult("t1", gone)}
			h.send()
		}), Held, "", "", 3},
	})
}

func TestImagesMadeTextAreRead(t *testing.T) {
	const picture = `{"type":"image","source":{"type":"base64","media_type":"image/png","data":"iVBORw0KGgo="}}`
	const words = `{"type":"text","text":"[image removed]"}`
	shown := func(inResult, inPrompt string) func(h *hand) {
		return func(h *hand) {
			h.op(trace.Op{Name: "prompt", Text: "look"})
			asked := h.entry("user", `"message":{"role":"user","content":[`+textBlock("look")+`,`+picture+`]}`)
			h.say("user", textBlock("look"), "")
			h.say("user", picture, "")
			h.send()
			h.reply(toolUse("t1"))
			h.result(`{"type":"tool_result","tool_use_id":"t1","content":[` + picture + `]}`)
			read := h.leaf
			h.send()
			h.reply(textBlock("a cat"))
			h.entry("system", fmt.Sprintf(`"subtype":"microcompact_boundary","microcompactMetadata":{"trigger":"time","compactedToolIds":[],"removedImageUUIDs":[%s,%s]}`, quote(asked), quote(read)))
			h.msgs = slices.Clone(h.msgs)
			h.msgs[0].blocks = append(h.msgs[0].blocks[:2:2], inPrompt)
			h.msgs[2].blocks = []string{`{"type":"tool_result","tool_use_id":"t1","content":[` + inResult + `]}`}
			h.turn("thanks", "Welcome.")
		}
	}
	compacts := func(inResult string, recorded bool) func(h *hand) {
		return func(h *hand) {
			h.looped()
			h.op(trace.Op{Name: "prompt", Text: "look"})
			h.prompt("look")
			h.send()
			h.reply(toolUse("t9"))
			h.result(`{"type":"tool_result","tool_use_id":"t9","content":[` + picture + `]}`)
			read := h.leaf
			h.send()
			h.reply(textBlock("a cat"))
			if recorded {
				h.entry("system", fmt.Sprintf(`"subtype":"microcompact_boundary","microcompactMetadata":{"trigger":"position","compactedToolIds":[],"removedImageUUIDs":[%s]}`, quote(read)))
			}
			h.msgs = slices.Clone(h.msgs)
			for i := range h.msgs {
				if strings.Contains(strings.Join(h.msgs[i].blocks, ""), `"tool_use_id":"t9"`) {
					h.msgs[i].blocks = []string{`{"type":"tool_result","tool_use_id":"t9","content":[` + inResult + `]}`}
				}
			}
			h.prompt("go on")
			h.compacts("so far", "go on")
			h.send()
			h.reply(textBlock("fine"))
		}
	}
	play(t, []situation{
		{"a summary is asked for in the same pass", "CMP-6", "", compacts(words, true), Held, "", "", 1},
		{"no record says so", "CMP-6", "", compacts(words, false), Broken, H, "does not say what", 1},
		{"text stands for them", "LOG-5", "", shown(words, words), Held, "", "", 3},
		{"and is explained", "LOG-6", "", shown(words, words), Held, "", "", 3},
		{"one is sent as it was", "LOG-5", "", shown(words, picture), Broken, H, "a image block", 3},
		{"no text stands for one", "LOG-5", "", shown(words, textBlock(" ")), Broken, H, "without what", 3},
	})
}

func TestARewindBehindARecordIsJudged(t *testing.T) {
	back := func(leaks bool) func(h *hand) {
		return cut(func(h *hand) {
			h.send()
			h.reply(textBlock("All fine."))
			p := h.prompt("which was slow?")
			h.send()
			h.reply(textBlock("The second."))
			branch := h.msgs
			h.rewind(p)
			if leaks {
				h.msgs = branch
			}
			h.turn("thanks", "Welcome.")
		})
	}
	// taken back: the record was made behind a prompt, and the rewind goes to before it.
	taken := func(kind, list, more, stand string, whole bool) func(h *hand) {
		return func(h *hand) {
			rounds := h.looped()
			h.send()
			h.reply(textBlock("All fine."))
			before := h.msgs
			p := h.prompt("which was slow?")
			h.record(kind, list, fmt.Sprintf(`,"leafUuid":%s%s`, quote(p), more), rounds[1]...)
			h.msgs[2].blocks = append(h.msgs[2].blocks, textBlock(stand))
			h.msgs = slices.Delete(slices.Clone(h.msgs), 3, 5)
			h.send()
			h.reply(textBlock("The second."))
			cut := h.msgs[:len(h.msgs)-2]
			h.rewind(p)
			if h.msgs = cut; whole {
				h.msgs = before
				h.forget(textBlock(stand))
			}
			h.turn("thanks", "Welcome.")
		}
	}
	snip := func(whole bool) func(h *hand) {
		return taken("snip", "removedUuids", `,"total":2`, snipped(2), whole)
	}
	span := func(whole bool) func(h *hand) {
		return taken("collapse-commit", "spanUuids", `,"summary":"One is fine."`, "One is fine.", whole)
	}
	play(t, []situation{
		{"a snip that was taken back leaves nothing out", "LOG-5", "", snip(true), Held, "", "", 7},
		{"and its text is explained no more", "LOG-5", "", snip(false), Broken, H, "without what", 7},
		{"a span that was taken back is shown", "LOG-5", "", span(true), Held, "", "", 7},
		{"and its summary is not", "LOG-6", "", span(false), Broken, H, "no entry holds it", 6},
		{"the branch is gone", "REW-1", "", back(false), Held, "", "", 1},
		{"the branch is sent", "REW-1", "", back(true), Broken, H, "left behind by a rewind", 1},
		{"the target is not there", "REW-1", "", cut(func(h *hand) {
			h.op(trace.Op{Name: "rewind", Target: "e99", Breaks: true})
			h.pin()
		}), Broken, H, "no entry of the file has this uuid", 0},
	})
}

// omitting is a session with a snip, a span or a clearing, right but for the fault.
func omitting(model, fault string) []trace.Event {
	h := newHand(model)
	switch fault {
	case "snipped-round-sent":
		rounds := h.looped()
		h.record("snip", "removedUuids", `,"total":2`, rounds[1]...)
		h.msgs[2].blocks = append(h.msgs[2].blocks, textBlock(snipped(2)))
	case "span-without-summary":
		rounds := h.looped()
		h.record("collapse-commit", "spanUuids", `,"summary":"One is fine."`, rounds[0]...)
		h.msgs = slices.Delete(slices.Clone(h.msgs), 1, 3)
	case "cleared-result-sent":
		h.looped()
		h.entry("system", `"subtype":"microcompact_boundary","microcompactMetadata":{"trigger":"time","compactedToolIds":["t1"]}`)
	}
	h.send()
	return h.events
}

// What a snip has taken out is none of the summary's; what it has not is.
func TestASummaryBehindASnip(t *testing.T) {
	summed := func(forgets string) func(h *hand) {
		return long(func(h *hand) {
			h.turn("one", "1")
			h.turn("two", "2")
			h.full()
			h.turn("three", "3")
			h.record("snip", "removedUuids", `,"total":2`, "e2", "e3") // the answer 1 and the prompt two
			h.msgs = slices.Delete(slices.Clone(h.msgs), 1, 3)
			h.msgs[0].blocks = append(h.msgs[0].blocks, textBlock(snipped(2)))
			h.forget(textBlock(forgets))
			h.prompt("four")
			h.compacts("so far", "four")
			h.send()
		})
	}
	play(t, []situation{
		{"it says all that is left", "CMP-6", "", summed("nothing"), Held, "", "", 1},
		{"it says less", "CMP-6", "", summed("three"), Broken, H, "does not say what s1.jsonl line 5", 1},
	})
}
