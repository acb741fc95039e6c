package contextedit

import (
	"maps"

	"harnessbench/internal/prefix"
	"harnessbench/internal/wire"
)

// clearThinking hides the thinking of all turns but the newest (messages-api.md 8.2) and returns the blocks that
// are hidden then.
func (e *Edited) clearThinking(d edit, o prefix.Options) map[prefix.Place]string {
	if d.turns < 0 {
		return o.Dropped
	}
	turns, at := thinkingTurns(e.Rendered)
	clear := len(turns) - d.turns
	if clear <= 0 {
		return o.Dropped
	}
	hidden := maps.Clone(o.Dropped)
	if hidden == nil {
		hidden = map[prefix.Place]string{}
	}
	for _, t := range turns[:clear] {
		for _, place := range at[t] {
			hidden[place] = "cleared by " + ClearThinking
		}
	}
	before := e.Rendered.Total
	o.Dropped = hidden
	e.render(e.Rendered.Request, o)
	e.applied(ClearThinking, clear, before)
	return hidden
}

// thinkingTurns are the turns that show thinking, oldest first, and where it stands. A tool loop is one turn
// (messages-api.md 6.5).
func thinkingTurns(r *prefix.Rendered) (turns []int, at map[int][]prefix.Place) {
	at = map[int][]prefix.Place{}
	turn, message := 0, -1
	for _, b := range r.Blocks.All() {
		if b.Level != prefix.Messages {
			continue
		}
		for message < b.Message {
			message++
			if begins(r.Request.Message(message)) {
				turn = message
			}
		}
		if !b.Shown || b.Type != "thinking" && b.Type != "redacted_thinking" {
			continue
		}
		if at[turn] == nil {
			turns = append(turns, turn)
		}
		at[turn] = append(at[turn], prefix.Place{Message: b.Message, Index: b.Index})
	}
	return turns, at
}

// begins tells user messages that bring something other than tool results.
func begins(m wire.Message) bool {
	if m.Role() != "user" {
		return false
	}
	blocks := m.Blocks()
	for _, b := range blocks {
		if b.Type() != "tool_result" {
			return true
		}
	}
	return len(blocks) == 0
}
