package contextedit

import (
	"slices"
	"strings"

	"harnessbench/internal/model"
	"harnessbench/internal/wire"
)

// Names of the edits, as requests and answers spell them.
const (
	ClearThinking = "clear_thinking_20251015"
	ClearTools    = "clear_tool_uses_20250919"
	Compact       = "compact_20260112"
)

// Options are the unsettled facts of messages-api.md 12; the zero value is the default of each.
type Options struct {
	// Placeholder stands for the content of a cleared result (clear_placeholder); "" is Cleared.
	Placeholder string
	// Order is the order in which edits of one request run, by their names (edit_order); edits that it does not
	// name run last. Empty: thinking, tool uses, compaction.
	Order []string
}

// Cleared is the default placeholder; the real one's wording is unpublished.
const Cleared = "[Old tool result content cleared]"

func (o Options) placeholder() string {
	if o.Placeholder == "" {
		return Cleared
	}
	return o.Placeholder
}

// Plan is what a valid request asks for.
type Plan struct {
	Asked bool // context_management is there, though maybe without an edit
	edits []edit
}

// edit is one entry of edits. Limits that are not given are -1.
type edit struct {
	typ string

	turns int // clear_thinking: turns kept; -1 keeps all

	triggerTokens, triggerUses int // what must be exceeded (clear_tool_uses) or reached (compact)
	keep, atLeast              int
	exclude                    []string
	inputs                     bool
	inputsOf                   []string

	pause        bool
	instructions string
}

// ReadPlan reads context_management in the order in which its edits run.
func ReadPlan(req *wire.Request, m model.Model, opt Options) Plan {
	cm := req.Get("context_management")
	p := Plan{Asked: cm.Kind() == '{'}
	for _, v := range cm.Get("edits").Elems() {
		e := edit{typ: v.Get("type").Text(), triggerTokens: -1, triggerUses: -1}
		switch e.typ {
		case ClearThinking:
			e.turns = keptTurns(v.Get("keep"), m)
		case ClearTools:
			e.readClearing(v)
		case Compact:
			e.triggerTokens = value(v.Get("trigger"), model.DefaultCompactTrigger)
			e.pause, _ = v.Get("pause_after_compaction").Bool()
			e.instructions = v.Get("instructions").Text()
		default:
			continue
		}
		p.edits = append(p.edits, e)
	}
	order := opt.Order
	if len(order) == 0 {
		order = []string{ClearThinking, ClearTools, Compact}
	}
	rank := func(e edit) int {
		if i := slices.Index(order, e.typ); i >= 0 {
			return i
		}
		return len(order)
	}
	slices.SortStableFunc(p.edits, func(a, b edit) int { return rank(a) - rank(b) })
	return p
}

// keptTurns is the keep of clear_thinking; left out, it is what the model does by itself (messages-api.md 8.2).
func keptTurns(v wire.Value, m model.Model) int {
	switch {
	case v.Text() == "all", v.Get("type").Text() == "all":
		return -1
	case v.Kind() == '{':
		return value(v, 1)
	case m.KeepsThinking:
		return -1
	}
	return 1
}

func (e *edit) readClearing(v wire.Value) {
	switch trigger := v.Get("trigger"); trigger.Get("type").Text() {
	case "tool_uses":
		e.triggerUses = value(trigger, 0)
	default:
		e.triggerTokens = value(trigger, model.DefaultClearTrigger)
	}
	e.keep = value(v.Get("keep"), model.DefaultClearKeep)
	e.atLeast = value(v.Get("clear_at_least"), 0)
	e.exclude = names(v.Get("exclude_tools"))
	e.inputs, _ = v.Get("clear_tool_inputs").Bool()
	e.inputsOf = names(v.Get("clear_tool_inputs"))
}

func value(v wire.Value, absent int) int {
	if n, ok := v.Get("value").Int(); ok {
		return int(n)
	}
	return absent
}

func names(v wire.Value) []string {
	var out []string
	for _, e := range v.Elems() {
		out = append(out, e.Text())
	}
	return out
}

// Prompt is what replaces the server's own words in a summary's prompt, "" for nothing.
func Prompt(instructions string) string { return strings.TrimSpace(instructions) }
