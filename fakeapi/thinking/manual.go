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

// Manual judges an open tool loop on models that know the manual budget alone (messages-api.md 6.5, the default of
// strict_manual): with a budget the turn must begin with thinking, without one its last answer may hold none.
// Later models take both in silence.
func Manual(req *wire.Request, m model.Model) *validate.Fault {
	if m.ThinkingAdaptive == "yes" || m.ThinkingBudget != "yes" {
		return nil
	}
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
