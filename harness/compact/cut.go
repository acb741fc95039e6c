package compact

import "harnessbench/harness/sessionlog"

// Cut is a stretch of whole rounds that leaves the payload.
type Cut struct {
	Gone     []string // uuids of the entries, in the order of the path
	Messages int      // of the payload
	Tokens   int      // by estimate
}

// sendable are the entries of a path that are sent, earlier decisions applied.
func sendable(path []*sessionlog.Entry, d *sessionlog.Decisions) []*sessionlog.Entry {
	var out []*sessionlog.Entry
	for _, e := range path {
		if !e.Sidechain && !e.Notice && (!e.Hidden || e.Summary) && !d.Hides(e.UUID) {
			out = append(out, e)
		}
	}
	return out
}

// Messages counts the messages of the payload, those of the user and of the model.
func Messages(path []*sessionlog.Entry, d *sessionlog.Decisions) int {
	return len(messagesOf(sendable(path, d)))
}

// take plans to take whole rounds out of a path, from the first one that has head messages before it, for as long as
// goes on says so, given the messages that are gone and those of the next round. The newest round stays, and so does the
// newest prompt with what belongs to it (H-CMP-5, CMP-6).
func take(path []*sessionlog.Entry, d *sessionlog.Decisions, head int, goesOn func(gone, next int) bool) (c Cut) {
	sent := sendable(path, d)
	starts := roundsOf(sent)
	first := 0
	for first < len(starts) && len(messagesOf(sent[:starts[first]])) < head {
		first++
	}
	shown := map[string]int{} // tokens of entries whose results were cleared or replaced
	for _, r := range Results(path, d) {
		if chars, _ := r.freed(); r.Cleared {
			shown[path[r.Entry].UUID] = max(0, len(r.Content)-chars) / 4
		} else if d.Replaced[r.Call] != nil {
			shown[path[r.Entry].UUID] = len(r.Content) / 4
		}
	}
	prompt, behind := newestPrompt(sent)
	for i := first; i+1 < len(starts); i++ {
		part := sent[starts[i]:starts[i+1]]
		n := len(messagesOf(part))
		if !goesOn(c.Messages, n) {
			break
		}
		c.Messages += n
		for j, e := range part {
			if at := starts[i] + j; at >= prompt && at < behind {
				continue
			}
			if e.Speech() || e.Type == sessionlog.Attachment || e.Subtype == "local_command" {
				c.Gone = append(c.Gone, e.UUID)
				tokens, known := shown[e.UUID]
				if !known {
					tokens = Tokens([]*sessionlog.Entry{e})
				}
				c.Tokens += tokens
			}
		}
	}
	return c
}

// newestPrompt is where the newest prompt stands, and where what belongs to it ends: before the next answer. Both are the
// length for none.
func newestPrompt(sent []*sessionlog.Entry) (prompt, behind int) {
	for prompt = len(sent) - 1; prompt >= 0; prompt-- {
		if !sent[prompt].Typed {
			continue
		}
		for behind = prompt + 1; behind < len(sent) && sent[behind].Type != sessionlog.Assistant; behind++ {
		}
		return prompt, behind
	}
	return len(sent), len(sent)
}

// Snip plans a snip (H-CMP-17): of more messages than the limit, or of however many when the model asked for it, whole
// rounds go from behind the head until no more than so many are left, so that the next snip is far. ok is false where no
// round can go (H-CMP-18).
func (l *SnipLimits) Snip(path []*sessionlog.Entry, d *sessionlog.Decisions, asked bool) (c Cut, ok bool) {
	total := Messages(path, d)
	if total <= l.Over && !asked {
		return Cut{}, false
	}
	c = take(path, d, l.Head, func(gone, _ int) bool { return total-gone > l.Left })
	return c, c.Messages > 0
}

// Collapse plans a span that is shown as its summary (H-CMP-32): the oldest rounds, up to half of the messages. ok is
// false where no round can go.
func Collapse(path []*sessionlog.Entry, d *sessionlog.Decisions) (c Cut, ok bool) {
	half := Messages(path, d) / 2
	c = take(path, d, 1, func(gone, next int) bool { return gone+next <= half })
	return c, c.Messages > 0
}
