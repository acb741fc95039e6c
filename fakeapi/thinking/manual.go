package thinking

import (
	"fmt"
	"strconv"

	"harnessbench/fakeapi/validate"
	"harnessbench/internal/model"
	"harnessbench/internal/prefix"
	"harnessbench/internal/wire"
)

// Rule ids of the manual mode's rules.
const (
	RuleFirst    = "thinking-block-missing-first"
	RuleDisabled = "thinking-disabled-final-thinking"
)

// Strict tells the models that know the manual budget alone: on them Manual judges by default (strict_manual). Later
// models take in silence what it refuses.
func Strict(m model.Model) bool { return m.ThinkingAdaptive != "yes" && m.ThinkingBudget == "yes" }

// Manual judges an open tool loop (messages-api.md 6.5): with a budget the turn must begin with thinking, without
// thinking its last answer may hold none.
func Manual(req *wire.Request) *validate.Fault {
	first, last := openLoop(req)
	if last < 0 {
		return nil
	}
	if req.Get("thinking").Get("type").Text() == "enabled" {
		blocks := req.Message(first).Blocks()
		if len(blocks) == 0 || isThinking(blocks[0]) {
			return nil
		}
		return validate.Told(RuleFirst, "n", strconv.Itoa(first), "type", blocks[0].Type())
	}
	for _, b := range req.Message(last).Blocks() {
		if isThinking(b) {
			return validate.Told(RuleDisabled, "path", fmt.Sprintf("messages.%d.content.%d", last, b.Index))
		}
	}
	return nil
}

func isThinking(b wire.Block) bool { return b.Type() == "thinking" || b.Type() == "redacted_thinking" }

// openLoop finds the first and the last assistant message of the turn at the end, -1 when the newest user message
// begins one. The turn begins behind the last user message with anything but results.
func openLoop(req *wire.Request) (first, last int) {
	first, last = -1, -1
	for i := req.MessageCount() - 1; i >= 0; i-- {
		m := req.Message(i)
		switch m.Role() {
		case "assistant":
			first, last = i, max(last, i)
		case "user":
			if !prefix.OnlyResults(m) {
				return first, last
			}
		}
	}
	return first, last
}
