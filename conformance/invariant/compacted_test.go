package invariant

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"harnessbench/conformance/trace"
)

// At a window of 100,000 tokens the threshold is 100,000 - 20,000 - 13,000.
const handThreshold = 67_000

func (h *hand) option(name, value string) { h.events[0].Run.Options[name] = value }

// newLong is a hand at a small window, with a front that can be cached.
func newLong(model string) *hand {
	h := newHand(model)
	h.events[0].Run.Options = map[string]string{"compact.window": "100000"}
	h.system = strings.Repeat("You are an agent that runs tests. ", 900)
	return h
}

// reports sets what the next answers report.
func (h *hand) reports(fresh, read, written, out int) {
	h.usage = fmt.Sprintf(`{"input_tokens":%d,"cache_read_input_tokens":%d,"cache_creation_input_tokens":%d,"output_tokens":%d}`, fresh, read, written, out)
}

// full makes the next answers report a conversation of the threshold, output included.
func (h *hand) full() { h.reports(7, handThreshold-107, 0, 100) }

// asks sends the request for a summary: the conversation and the instructions.
func (h *hand) asks() {
	msgs, marks := h.msgs, h.marks
	h.msgs = append([]said(nil), msgs...)
	n := len(h.msgs) - 1
	if n >= 0 && h.msgs[n].role == "user" {
		h.msgs[n].blocks = append(append([]string(nil), h.msgs[n].blocks...), textBlock("Summarise the conversation."))
	} else {
		h.msgs = append(h.msgs, said{role: "user", blocks: []string{textBlock("Summarise the conversation.")}})
	}
	body := h.body()
	if h.edit != nil {
		body = h.edit(body)
	}
	h.sendOn("compact", body)
	h.msgs, h.marks = msgs, marks
}

// boundary logs a boundary that keeps these entries, and with a summary its entry; the conversation is what they make.
func (h *hand) boundary(summary string, keeps ...string) {
	var list []string
	for _, k := range keeps {
		list = append(list, quote(k))
	}
	logical := h.leaf
	h.leaf = ""
	h.entry("system", fmt.Sprintf(`"subtype":"compact_boundary","logicalParentUuid":%s,"compactMetadata":{"trigger":"auto","preservedMessages":{"anchorUuid":"e%d","uuids":[%s]}}`, quote(logical), h.uuids+2, strings.Join(list, ",")))
	h.msgs = nil
	if summary == "" {
		h.say("user", textBlock("nothing"), "")
		h.leaf = keeps[0]
		h.pin()
		return
	}
	h.entry("user", `"isCompactSummary":true,"message":{"role":"user","content":`+quote(summary)+`}`)
	h.say("user", textBlock(summary), "")
	if len(keeps) > 0 { // by file order the summary would be the leaf
		h.leaf = keeps[len(keeps)-1]
		h.pin()
	}
}

// compacts does all of a compaction and puts the newest prompt behind it.
func (h *hand) compacts(summary, prompt string) {
	h.asks()
	h.reports(10, 0, 0, 10)
	h.answer("end_turn", textBlock("<summary>"+summary+"</summary>"))
	h.boundary(summary, h.last)
	h.say("user", textBlock(prompt), "")
}

// compacted is a session that has become long inside a turn, compacts and goes on, with a place for each fault that
// concerns compaction and what goes beside the conversation.
func compacted(model, fault string) []trace.Event {
	h := newLong(model)
	is := func(name string) bool { return fault == name }
	const image = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk"

	h.prompt("read it all")
	h.send()
	h.reports(2, 0, 3000, 20)
	h.reply(thinking("which file first", "sig-1"), textBlock("Reading."), toolUse("t1"))
	picture := `{"type":"tool_result","tool_use_id":"t1","content":[{"type":"image","source":{"type":"base64","media_type":"image/png","data":"` + image + `"}}]}`
	h.result(picture)
	if is("tools-reordered") {
		h.edit = func(b string) string {
			return strings.Replace(b, `{"name":"Bash","input_schema":{"type":"object"}}`, `{"name":"Bash", "input_schema":{"type":"object"}}`, 1)
		}
	}
	if is("arguments-respelled") {
		h.edit = func(b string) string { return strings.Replace(b, `"command":"run t1"`, `"command": "run t1"`, 1) }
	}
	if is("effort-flips") {
		h.edit = func(b string) string {
			return strings.Replace(b, `"max_tokens":1000`, `"max_tokens":1000,"output_config":{"effort":"low"}`, 1)
		}
	}
	h.send()
	h.edit = nil
	h.reports(2, 3000, 40, 20)
	if is("effort-flips") {
		h.reports(2, 0, 3040, 20)
	}
	h.reply(thinking("now say it", "sig-2"), textBlock("I read it."))

	h.prompt("go on")
	h.send()
	h.full()
	if is("compacted-too-early") {
		h.reports(2, 3040, 20_000, 20)
	}
	h.reply(textBlock("Going on."), toolUse("t2"))
	asked := h.last
	result := toolResult("t2", "went on")
	if !is("compacted-inside-a-round") {
		h.result(result)
	}
	switch {
	case is("threshold-never-seen"):
		h.send()
		h.reply(textBlock("Done."))
		h.emit(trace.Event{Kind: trace.KindEnd, End: &trace.End{}})
		return h.events
	case is("summary-request-loses-text"):
		h.edit = func(b string) string { return strings.Replace(b, "I read it.", "I forgot.", 1) }
	case is("image-as-text-in-summary"):
		h.edit = func(b string) string { return strings.Replace(b, "Summarise the", image+" is in the", 1) }
	case is("summary-under-other-system"):
		h.edit = func(b string) string {
			return strings.Replace(b, "You are an agent", "You summarise", 1)
		}
	case is("summary-asks-too-much"):
		h.edit = func(b string) string { return strings.Replace(b, `"max_tokens":1000`, `"max_tokens":1000000`, 1) }
	case is("half-of-thinking-in-summary"):
		h.edit = func(b string) string { return strings.Replace(b, thinking("which file first", "sig-1")+",", "", 1) }
	}
	h.asks()
	if is("main-call-during-compaction") {
		h.send()
		h.emit(trace.Event{Kind: trace.KindResponse, Response: &trace.Response{Call: h.calls - 1, Status: 200, Ended: true, Body: trace.JSONText(`{}`)}})
	}
	if is("summary-request-no-smaller") {
		h.emit(trace.Event{Kind: trace.KindResponse, Response: &trace.Response{Call: h.calls, Status: 400, Ended: true,
			Body: trace.JSONText(`{"type":"error","error":{"type":"invalid_request_error","message":"prompt is too long: 100001 tokens > 100000 maximum"}}`)}})
		h.edit = func(b string) string { return strings.Replace(b, "Summarise the", "Now summarise the", 1) }
		h.asks()
	}
	if is("failed-summary-resent") {
		h.emit(trace.Event{Kind: trace.KindResponse, Response: &trace.Response{Call: h.calls, Status: 400, Ended: true,
			Body: trace.JSONText(`{"type":"error","error":{"type":"invalid_request_error","message":"no"}}`)}})
		h.asks()
	}
	h.edit = nil
	h.reports(10, 0, 0, 10)
	summary, keeps := "So far.", []string{asked}
	if is("summary-no-shorter") {
		summary = strings.Repeat("So far this was said. ", 20_000)
	}
	if !is("main-call-during-compaction") {
		h.answer("end_turn", textBlock("<summary>"+summary+"</summary>"))
	}
	switch {
	case is("boundary-without-summary"):
		summary = ""
	case is("result-kept-without-call"):
		keeps = append(keeps, h.leaf)
	}
	h.boundary(summary, keeps...)
	if !is("newest-prompt-summarised") {
		h.say("user", textBlock("go on"), "")
	}
	if is("compacted-twice") {
		h.compacts("So far, again.", "go on")
	}
	if is("thrashing") {
		for i := range 3 {
			h.send()
			h.full()
			h.reply(toolUse(fmt.Sprintf("r%d", i)))
			h.result(toolResult(fmt.Sprintf("r%d", i), "much"))
			h.compacts(fmt.Sprintf("So far %d.", i), "go on")
		}
	}
	if is("system-changed-by-compaction") {
		h.system = "You are somebody else. " + h.system
	}
	if is("turn-ends-at-compaction") {
		h.prompt("are you there?")
	}
	h.send()
	h.reports(2, 0, 2000, 5)
	h.reply(textBlock("Went on."))
	h.prompt("thanks")
	if is("breakpoint-stays-behind") {
		h.edit = func(b string) string { return b[:strings.LastIndex(b, `,"cache_control"`)] + `}]}]}` }
	}
	h.send()
	h.reports(2, 2000, 20, 5)
	h.reply(textBlock("Welcome."))
	h.emit(trace.Event{Kind: trace.KindEnd, End: &trace.End{}})
	return h.events
}

// failing is a session whose compactions fail, three times, after which there are none.
func failing(model, fault string) []trace.Event {
	h := newLong(model)
	h.turn("a", "1")
	tries := 3
	if fault == "breaker-ignored" {
		tries = 4
	}
	h.full()
	h.turn("b", "2")
	for i := range 5 {
		h.prompt(fmt.Sprintf("go on %d", i))
		if i < tries {
			h.asks()
			h.refused(500)
		}
		h.send()
		h.full()
		h.reply(textBlock("on"))
	}
	h.emit(trace.Event{Kind: trace.KindEnd, End: &trace.End{}})
	return h.events
}

// planted is the session in which a fault of the catalogue shows.
func planted(model, fault string) []trace.Event {
	switch fault {
	case "breaker-ignored":
		return failing(model, fault)
	case "keep-alive-too-late", "keep-alive-under-other-settings":
		return idling(model, fault)
	case "snipped-round-sent", "span-without-summary", "cleared-result-sent":
		return omitting(model, fault)
	case "servers-summary-dropped":
		h := newHand(model)
		h.prompt("read it all")
		h.send()
		h.reply(`{"type":"compaction","content":"so far"}`, textBlock("I read it."))
		h.forget(`{"type":"compaction","content":"so far"}`)
		h.turn("go on", "Done.")
		return h.events
	case "models-flap":
		h := newHand(model)
		h.loops(model, "claude-sonnet-4-6", model)
		return h.events
	case "compacted-inside-a-round", "result-kept-without-call", "threshold-never-seen", "compacted-too-early", "compacted-twice",
		"summary-no-shorter", "failed-summary-resent", "thrashing", "summary-request-no-smaller", "summary-asks-too-much",
		"newest-prompt-summarised", "summary-request-loses-text", "system-changed-by-compaction", "main-call-during-compaction",
		"boundary-without-summary", "turn-ends-at-compaction", "image-as-text-in-summary", "tools-reordered",
		"breakpoint-stays-behind", "summary-under-other-system", "effort-flips", "arguments-respelled", "half-of-thinking-in-summary":
		return compacted(model, fault)
	}
	return history(model, fault)
}

func TestACompactionDoneRightIsSilent(t *testing.T) {
	for _, model := range []string{bound, unbound, "claude-sonnet-4-6"} {
		t.Run(model, func(t *testing.T) {
			got := judge(compacted(model, ""))
			for id, r := range got {
				require.Empty(t, r.Findings, id)
			}
			want := map[string]int{"CMP-1": 1, "CMP-2": 1, "CMP-3": 1, "CMP-4": 1, "CMP-5": 1, "CMP-6": 1, "CMP-7": 1, "CMP-8": 2,
				"CACHE-2": 3, "CACHE-5": 2, "CACHE-6": 1, "CACHE-7": 2, "CACHE-8": 3, "THINK-5": 1} // a first image costs the cache of messages
			for id, n := range want {
				require.Equal(t, n, got[id].Occasions, id)
			}
			for _, r := range judge(failing(model, "")) {
				require.Empty(t, r.Findings, r.Check)
			}
		})
	}
}
