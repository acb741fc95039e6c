package compact

import "harnessbench/harness/sessionlog"

// Recent is where the newest n messages of a path begin, or earlier, so that no result stands without its call
// (H-CMP-74); later where they would hold most tokens or more. The end of the path is for none.
func Recent(path []*sessionlog.Entry, n, most int) int {
	starts := messagesOf(path)
	if len(starts) == 0 {
		return len(path)
	}
	i := max(0, len(starts)-n)
	for i > 0 && isResult(path[starts[i]]) {
		i--
	}
	for ; i < len(starts); i++ {
		if !isResult(path[starts[i]]) && Tokens(path[starts[i]:]) < most {
			return starts[i]
		}
	}
	return len(path)
}

// Tail is where the messages begin that stay behind the session's memory file, which tells of what stands before the place
// told: back to there, and on until they have the least tokens and texts, or would pass the most tokens, and with the call
// of each result (H-CMP-80). The end of the path is for none. A tail that begins behind told is no tail: what stands between
// would be lost.
func (l *MemoryLimits) Tail(path []*sessionlog.Entry, told int) int {
	starts := messagesOf(path)
	at, end, size, texts := len(path), len(path), 0, 0
	for i := len(starts) - 1; i >= 0; i-- {
		from := starts[i]
		size += Tokens(path[from:end])
		if size > l.Most {
			break
		}
		if speaks(path[from:end]) {
			texts++
		}
		end = from
		if isResult(path[from]) {
			continue
		}
		at = from
		if at <= told && size >= l.Tokens && texts >= l.Texts {
			break
		}
	}
	return at
}

// speaks tells a message with text in it.
func speaks(message []*sessionlog.Entry) bool {
	for _, e := range message {
		if e.Message.Text != nil {
			return true
		}
		for i := range e.Message.Blocks {
			if e.Message.Blocks[i].Type == "text" {
				return true
			}
		}
	}
	return false
}

// messagesOf gives the places of the entries that begin a message of the payload.
func messagesOf(path []*sessionlog.Entry) (at []int) {
	role := ""
	for i, e := range path {
		if e.Sidechain || e.Notice || !e.Speech() || e.Type == role {
			continue
		}
		role = e.Type
		at = append(at, i)
	}
	return at
}
