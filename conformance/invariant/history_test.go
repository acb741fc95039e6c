package invariant

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"harnessbench/conformance/trace"
)

const (
	bound   = "claude-sonnet-5-5"
	unbound = "claude-sonnet-5"
)

// history is a whole session done right, with one place for each fault of the catalogue: a parallel
// tool turn with thinking, a second prompt, a rewind, a new prompt, exit, resume, a last prompt.
func history(model, fault string) []trace.Event {
	h := newHand(model)
	is := func(name string) bool { return fault == name }

	h.prompt("which test fails?")
	h.send()
	h.reply(thinking("run both", "sig-1"), textBlock("Running."), toolUse("t1"), toolUse("t2"))
	switch {
	case is("drop-tool-result"):
		h.result(toolResult("t1", "one"))
	case is("orphan-result"):
		h.result(toolResult("t1", "one"))
		h.result(toolResult("t2", "two"))
		h.result(toolResult("t9", "nobody asked"))
	case is("duplicate-result"):
		h.result(toolResult("t1", "one"))
		h.result(toolResult("t2", "two"))
		h.result(toolResult("t2", "two"))
	case is("results-after-text"):
		h.result(textBlock("by the way"))
		h.result(toolResult("t1", "one"))
		h.result(toolResult("t2", "two"))
	case is("results-out-of-order"):
		h.result(toolResult("t2", "two"))
		h.result(toolResult("t1", "one"))
	case is("entry-never-logged"):
		h.result(toolResult("t1", "one"))
		h.say("user", toolResult("t2", "two"), "")
	case is("sent-before-logged"):
		h.result(toolResult("t1", "one"))
		h.say("user", toolResult("t2", "two"), "")
		h.send()
		h.entry("user", `"message":{"role":"user","content":[`+toolResult("t2", "two")+`]}`)
	default:
		h.result(toolResult("t1", "one"))
		h.result(toolResult("t2", "two"))
	}
	switch {
	case is("thinking-dropped-in-open-turn"):
		h.edit = func(b string) string { return strings.Replace(b, thinking("run both", "sig-1")+",", "", 1) }
	case is("thinking-altered"):
		h.edit = func(b string) string { return strings.Replace(b, "run both", "run  both", 1) }
	case is("signature-forged"):
		h.edit = func(b string) string { return strings.Replace(b, "sig-1", "sig-x", 1) }
	case is("clock-in-system"):
		h.system = "You are an agent. It is 12:00:01."
	case is("system-edited-on-bound"):
		h.system = "You are an agent. Be brief."
	case is("five-markers"):
		h.edit = func(b string) string {
			mark := `,"cache_control":{"type":"ephemeral","ttl":"1h"}}`
			b = strings.Replace(b, `"name":"Bash","input_schema":{"type":"object"}}`, `"name":"Bash","input_schema":{"type":"object"}`+mark, 1)
			b = strings.Replace(b, textBlock("Running."), strings.TrimSuffix(textBlock("Running."), "}")+mark, 1)
			return strings.Replace(b, textBlock(h.memory), strings.TrimSuffix(textBlock(h.memory), "}")+mark, 1)
		}
	case is("marker-on-thinking"):
		h.edit = func(b string) string {
			return strings.Replace(b, `"signature":"sig-1"}`, `"signature":"sig-1","cache_control":{"type":"ephemeral","ttl":"1h"}}`, 1)
		}
	case is("ttl-order"):
		h.edit = func(b string) string { return strings.Replace(b, `,"ttl":"1h"`, ``, 1) }
	case is("empty-message"):
		h.edit = func(b string) string { return strings.Replace(b, textBlock("Running."), textBlock(""), 1) }
	}
	if !is("sent-before-logged") {
		h.send()
	}
	h.edit = nil
	h.reply(thinking("now say it", "sig-2"), textBlock("TestLogin fails."))
	if is("log-rewritten") {
		h.emit(trace.Event{Kind: trace.KindLog, Log: &trace.Log{File: h.file, Offset: h.offset, Replaced: true, Data: trace.JSONText(strings.Repeat(" ", int(h.offset)))}})
	}
	if is("log-truncated") {
		h.offset -= 40
	}
	h.standing()

	second := h.prompt("fix it")
	if is("middle-thinking-dropped") {
		h.edit = func(b string) string { return strings.Replace(b, thinking("run both", "sig-1")+",", "", 1) }
	}
	h.send()
	h.reply(thinking("third", "sig-3"), textBlock("Fixed."))
	h.edit = nil
	if is("middle-thinking-dropped") {
		h.edit = func(b string) string { return strings.Replace(b, thinking("now say it", "sig-2")+",", "", 1) }
		h.prompt("more")
		h.send()
		h.edit = nil
		h.reply(textBlock("More."))
	}
	h.standing()

	abandoned := h.leaf
	branch := h.msgs
	h.rewind(second)
	if is("rewind-leaks-branch") {
		leaf := h.leaf
		h.msgs, h.leaf = branch, leaf
	}
	if is("rewind-wrong-parent") {
		h.leaf = abandoned
		h.op(trace.Op{Name: "prompt", Text: "explain it"})
		h.typed("explain it")
	} else {
		h.prompt("explain it")
	}
	h.send()
	h.reply(textBlock("The stub is wrong."))
	h.line(`"type":"last-prompt","leafUuid":` + quote(h.leaf))
	if !is("rewind-wrong-parent") {
		h.standing()
	}

	h.op(trace.Op{Name: "exit"})
	h.op(trace.Op{Name: "resume", Session: "s"})
	switch {
	case is("leaf-is-abandoned-branch"):
		h.leaf, h.msgs = abandoned, branch
		h.standing()
	case is("parent-null-after-resume"):
		h.leaf = ""
	case is("parent-unknown"):
		h.leaf = "e999"
	}
	h.prompt("thanks")
	if is("resume-changes-shape") {
		h.edit = func(b string) string {
			return strings.Replace(b, textBlock(h.memory)+`,`+textBlock("which test fails?"), textBlock(h.memory+"\nwhich test fails?"), 1)
		}
	}
	h.send()
	h.edit = nil
	h.reply(textBlock("Welcome."))
	h.emit(trace.Event{Kind: trace.KindEnd, End: &trace.End{}})
	return h.events
}

func TestASessionDoneRightIsSilent(t *testing.T) {
	for _, model := range []string{bound, unbound, "claude-sonnet-4-6", "claude-haiku-4-5"} {
		t.Run(model, func(t *testing.T) {
			got := judge(history(model, ""))
			counts := map[string]int{}
			for id, r := range got {
				require.Empty(t, r.Findings, id)
				counts[id] = r.Occasions
			}
			want := map[string]int{"PAIR-1": 4, "PAIR-2": 4, "PAIR-3": 4, "PAIR-4": 4, "PAIR-6": 5, "CACHE-1": 3, "CACHE-3": 1, "CACHE-4": 5,
				"CACHE-2": 3, "CACHE-5": 0, "CACHE-6": 0, "CACHE-7": 0, "CACHE-8": 3, "CACHE-9": 0,
				"CMP-1": 0, "CMP-2": 0, "CMP-3": 0, "CMP-4": 0, "CMP-5": 0, "CMP-6": 0, "CMP-7": 0, "CMP-8": 0,
				"THINK-1": 1, "THINK-2": 4, "THINK-5": 0, "THINK-6": 0, "LOG-3": 16, "LOG-5": 9, "LOG-6": 5, "LOG-12": 18, "REW-1": 2}
			if model == bound {
				want["THINK-6"] = 4
			}
			require.Equal(t, want, counts)
		})
	}
}

// TestEachFaultIsCaughtByItsCheck plants every fault the catalogue names. also lists what the fault
// breaks besides: one thing wrong is often two.
func TestEachFaultIsCaughtByItsCheck(t *testing.T) {
	also := map[string][]string{
		"summary-under-other-system":    {"THINK-6"},
		"compacted-inside-a-round":      {"PAIR-1"},
		"summary-request-loses-text":    {"CACHE-6"}, // it is another prefix from there on
		"half-of-thinking-in-summary":   {"CACHE-6"},
		"newest-prompt-summarised":      {"LOG-5"},
		"boundary-without-summary":      {"LOG-3", "LOG-6"},
		"orphan-result":                 {"PAIR-1"}, // the results are not exactly those of the calls
		"empty-message":                 {"CACHE-1", "LOG-5", "LOG-6", "THINK-6"},
		"resume-changes-shape":          {"CACHE-1", "LOG-5"},
		"parent-null-after-resume":      {"LOG-5"},
		"parent-unknown":                {"LOG-5"},
		"leaf-is-abandoned-branch":      {"CACHE-1", "CACHE-3"},
		"rewind-leaks-branch":           {"LOG-5"},
		"rewind-wrong-parent":           {"LOG-5"},
		"thinking-dropped-in-open-turn": {"CACHE-1", "THINK-6"}, // it comes back in the next turn
		"thinking-altered":              {"CACHE-1", "LOG-6", "THINK-1", "THINK-2"},
		"signature-forged":              {"CACHE-1", "LOG-6", "THINK-1", "THINK-6"},
		"middle-thinking-dropped":       {"CACHE-1"},
		"system-edited-on-bound":        {"CACHE-1"},
	}
	var caught []string
	for _, c := range Catalogue() {
		require.NotEmpty(t, c.Mutants, c.ID)
		for _, name := range c.Mutants {
			caught = append(caught, name)
			t.Run(name+" by "+c.ID, func(t *testing.T) {
				model := bound
				if name == "clock-in-system" || name == "resume-changes-shape" {
					model = unbound
				}
				got := judge(planted(model, name))
				want := append([]string{c.ID}, also[name]...)
				slices.Sort(want)
				require.Equal(t, slices.Compact(want), brokenOnes(got))
				for _, f := range got[c.ID].Findings {
					require.NotEmpty(t, f.Fact)
					require.NotEmpty(t, f.Other)
					require.NotZero(t, f.Step)
				}
			})
		}
	}
	for name := range also { // any order: each is asked for by itself
		require.Contains(t, caught, name)
	}
}

func TestAFindingQuotesTwoFactsWithTheirPlaces(t *testing.T) {
	cases := []struct {
		fault, check string
		want         Finding
	}{
		{"drop-tool-result", "PAIR-1", Finding{Level: H, Call: 2, Step: 1,
			Fact: "call 2, messages.1.content.3, byte 591: tool_use t2 of Bash", Other: "call 2, messages.2, byte 666 holds the results of t1 only"}},
		{"clock-in-system", "CACHE-1", Finding{Level: H, Call: 2, Step: 1,
			Fact:  `call 2, system.0 (system), byte 97, 40 bytes into the block: "re an agent. It is 12:00:01.\"}"`,
			Other: `call 1, system.0 (system), byte 97, 40 bytes into the block: "re an agent.\"}"`}},
		{"log-truncated", "LOG-12", Finding{Level: H, Step: 2,
			Fact: "event 17 writes 112 bytes to s1.jsonl at byte 1786", Other: "1826 bytes stood in it already"}},
		{"rewind-wrong-parent", "REW-1", Finding{Level: H, Step: 4,
			Fact:  `s1.jsonl line 14, entry e13, the first after the rewind of step 3, names parent "e12"`,
			Other: "s1.jsonl line 10, entry e10 is the prompt taken back, and its parent is e9"}},
	}
	for _, c := range cases {
		t.Run(c.fault, func(t *testing.T) {
			c.want.Check = c.check
			got := judge(history(bound, c.fault))[c.check].Findings[0]
			if c.check == "CACHE-1" {
				require.Positive(t, got.Loss)
				got.Loss = 0
			}
			require.Equal(t, c.want, got)
		})
	}
}
