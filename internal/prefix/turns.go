package prefix

import "harnessbench/internal/wire"

// turns are the borders in messages on which it depends whether a block is shown.
type turns struct {
	lastUser int // last user message: clears the turn-scoped system messages before it (2.4)
	open     int // first message of the turn that is still open: thinking before it is stripped (6.5)
	// plain: the open turn has answers, and the first does not begin with thinking.
	plain bool
}

// findTurns reads the borders from the end of the conversation. known, which may be nil, is the answer
// for a request that has the same first n messages: borders found among them hold here too.
func findTurns(req *wire.Request, known *turns, n int) turns {
	t := turns{lastUser: -1}
	user, open := false, false
	for i := req.MessageCount() - 1; i >= 0 && !(user && open); i-- {
		if known != nil && i < n {
			if !user && known.lastUser < n {
				t.lastUser, user = known.lastUser, true
			}
			if !open && known.open < n {
				t.open, open = known.open, true
			}
		}
		m := req.Message(i)
		if (user && open) || m.Role() != "user" {
			continue
		}
		if !user {
			t.lastUser, user = i, true
		}
		if !open && !OnlyResults(m) {
			t.open, open = i, true
		}
	}
	t.plain = plain(req, t.open)
	return t
}

// plain tells whether the first answer behind a message does not begin with thinking.
func plain(req *wire.Request, open int) bool {
	for i := open + 1; i < req.MessageCount(); i++ {
		if m := req.Message(i); m.Role() == "assistant" {
			blocks := m.Blocks()
			return len(blocks) > 0 && !isThinking(blocks[0].Type())
		}
	}
	return false
}

// ThinkingLost tells whether a manual budget was switched on inside a turn that had begun without thinking: it is
// off for the request then, and no thinking of the turn is shown (messages-api.md 6.5).
func (r *Rendered) ThinkingLost() bool { return r.set.thinking == "enabled" && r.turn.plain }

// OnlyResults tells user messages that leave a tool loop open: a turn ends with the next user message that has
// something other than tool results (messages-api.md 6.5).
func OnlyResults(m wire.Message) bool {
	content := m.Get("content")
	if content.Kind() != '[' || content.Len() == 0 {
		return false
	}
	for _, b := range content.Elems() {
		if b.Get("type").Text() != "tool_result" {
			return false
		}
	}
	return true
}

// turnScoped tells system messages that are shown only for the user turn they follow.
func turnScoped(m wire.Message) bool {
	return m.Role() == "system" && m.Get("clear_at").Text() == "next_user_message"
}
