package fakeapi

import (
	"strconv"

	"harnessbench/internal/model"
	"harnessbench/internal/prefix"
	"harnessbench/internal/wire"
)

// mode is how the model thinks in one request (messages-api.md 6.1 to 6.4).
type mode struct {
	on      bool
	manual  bool // a budget instead of adaptive
	omitted bool // the text of thinking is not shown
	updates bool // of progress updates it is: display updates, and between_tools, where nothing else is thought
	between bool // between_tools: no thinking but progress updates
	// begins: the answer begins a turn, so that a manual budget makes it start with thinking.
	begins bool
	// silent: a forced tool_choice makes the answer start with the call (messages-api.md 2.8), or the answer continues
	// a tool loop on a model that does not think between tools in this mode.
	silent bool
}

// redactBeta keeps the text of thinking back whatever display says; clients that show none of it send it.
const redactBeta = "redact-thinking-2026-02-12"

func modeOf(m model.Model, req *wire.Request, head headers) mode {
	t := req.Get("thinking")
	var md mode
	switch t.Get("type").Text() {
	case "adaptive":
		md.on = true
	case "enabled":
		md.on, md.manual = true, true
	case "between_tools":
		md.between, md.updates = true, true
	case "":
		md.on = m.ThinkingDefault == "on"
	}
	switch t.Get("display").Text() {
	case "summarized":
	case "":
		md.omitted = m.DisplayDefault == "omitted"
	case "updates":
		md.omitted, md.updates = true, true
	default:
		md.omitted = true
	}
	md.omitted = md.omitted || head.beta(redactBeta)
	md.begins = !goesOn(req)
	choice := req.Get("tool_choice").Get("type").Text()
	forced := choice == "any" || choice == "tool"
	md.silent = forced || md.manual && !md.begins && !interleaves(m, head)
	return md
}

// thinks tells whether the mode lets a block of this kind be said. Blocks that are no thinking always may.
func (md mode) thinks(kind string, update bool) bool {
	switch {
	case kind != "thinking" && kind != "redacted_thinking":
		return true
	case md.between:
		return update
	}
	return md.on && !md.silent
}

// omits tells whether the text of a thinking block is not shown.
func (md mode) omits(update bool) bool { return md.omitted && !(md.updates && update) }

// lose switches thinking off where a budget was switched on inside a turn (messages-api.md 6.5).
func (md *mode) lose(r *prefix.Rendered) {
	if md.manual && r.ThinkingLost() {
		md.on, md.manual = false, false
	}
}

// interleaves tells whether a model with a manual budget thinks between tool calls (messages-api.md 6.4).
func interleaves(m model.Model, head headers) bool {
	switch {
	case m.Interleaved == "beta_header", m.ID == "claude-sonnet-4-6":
		return head.beta("interleaved-thinking-2025-05-14")
	case m.ID == "claude-opus-4-6":
		return false
	}
	return m.Interleaved == "automatic"
}

// goesOn tells whether the answer continues a turn: the newest user messages bring results and nothing else, or the
// model's own paused answer stands last.
func goesOn(req *wire.Request) bool {
	if n := req.MessageCount(); n > 0 && req.Message(n-1).Role() == "assistant" {
		return true
	}
	results := false
	for i := req.MessageCount() - 1; i >= 0; i-- {
		m := req.Message(i)
		switch m.Role() {
		case "assistant":
			return results
		case "user":
			if !prefix.OnlyResults(m) {
				return false
			}
			results = true
		}
	}
	return results
}

// generation is the model's generation as a number; Mythos Preview came out together with 4.7.
func generation(m model.Model) float64 {
	if m.Generation == "preview" {
		return 4.7
	}
	n, err := strconv.ParseFloat(m.Generation, 64)
	if err != nil {
		return 0
	}
	return n
}
