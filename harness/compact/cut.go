package compact

import (
	"slices"

	"harnessbench/harness/sessionlog"
)

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

// stretch is a part of a list: from a place up to another.
type stretch struct{ from, to int }

// exchange is what the user said, and the rounds that answer it.
type exchange struct {
	said   stretch // empty where the list begins with an answer
	rounds []stretch
}

// exchanges divides what is sent. What stands behind the results of a round, and is not said by the user, belongs to the
// round; what stands before the first answer and the user's first words belongs to none.
func exchanges(sent []*sessionlog.Entry) []exchange {
	out := []exchange{{}}
	starts := roundsOf(sent)
	for i := -1; i < len(starts); i++ {
		from, to := 0, len(sent)
		if i >= 0 {
			from = starts[i]
		}
		if i+1 < len(starts) {
			to = starts[i+1]
		}
		said := from
		for said < to && !says(sent[said]) {
			said++
		}
		if i >= 0 {
			x := &out[len(out)-1]
			x.rounds = append(x.rounds, stretch{from, said})
		}
		if said < to {
			out = append(out, exchange{said: stretch{said, to}})
		}
	}
	return out
}

// says tells what the user typed, before a turn or in it.
func says(e *sessionlog.Entry) bool {
	return e.Typed || e.Type == sessionlog.Attachment && e.Attach.Type == "queued_command" && e.Attach.Mode == "prompt"
}

// step is how far a cut may go: what is gone by then, as places, and how many messages that is.
type step struct {
	gone     []int
	messages int
}

// steps plans to take whole rounds out of what is sent, the oldest first, from the first one that has head messages
// before it; each step takes one more. What the user said goes with the last of the rounds that answer it, or it stays,
// and so does the last of them then: no answer is left without its question, no question without an answer. The newest
// round of a turn that goes on stays, the newest prompt with what belongs to it, a summary, and what a summary of the
// server's begins with (H-CMP-5, CMP-6).
func steps(sent []*sessionlog.Entry, head int) (out []step) {
	prompt := newestPrompt(sent)
	starts := roundsOf(sent)
	total, gone := len(messagesOf(sent)), make([]bool, len(sent))
	var places []int
	take := func(part stretch) {
		for i := part.from; i < part.to; i++ {
			if e := sent[i]; !e.Summary && (e.Speech() || e.Type == sessionlog.Attachment || e.Subtype == "local_command") {
				gone[i], places = true, append(places, i)
			}
		}
	}
	early := func(at int) bool { return len(messagesOf(sent[:at])) < head }
	for _, x := range exchanges(sent) {
		asked := x.said.from < x.said.to
		stays := asked && (early(x.said.from) || x.said.from <= prompt && prompt < x.said.to)
		for i, round := range x.rounds {
			last := i == len(x.rounds)-1
			switch {
			case round.from == starts[len(starts)-1] && (prompt < round.from || prompt == len(sent)):
				return out
			case round.from == 0 || early(round.from):
				stays = true
				continue
			case last && stays && asked:
				continue
			case last:
				take(x.said)
			}
			take(round)
			var left []*sessionlog.Entry
			for i, e := range sent {
				if !gone[i] {
					left = append(left, e)
				}
			}
			out = append(out, step{slices.Clone(places), total - len(messagesOf(left))})
		}
	}
	return out
}

// cut is what a step takes out of a path of which this is sent.
func (s *step) cut(path, sent []*sessionlog.Entry, d *sessionlog.Decisions) Cut {
	shown := map[string]int{} // tokens of entries whose results were cleared or replaced
	for _, r := range Results(path, d) {
		if chars, _ := r.freed(); r.Cleared {
			shown[path[r.Entry].UUID] = max(0, len(r.Content)-chars) / 4
		} else if d.Replaced[r.Call] != nil {
			shown[path[r.Entry].UUID] = len(r.Content) / 4
		}
	}
	c := Cut{Messages: s.messages}
	slices.Sort(s.gone)
	for _, i := range s.gone {
		e := sent[i]
		c.Gone = append(c.Gone, e.UUID)
		tokens, known := shown[e.UUID]
		if !known {
			tokens = Tokens([]*sessionlog.Entry{e})
		}
		c.Tokens += tokens
	}
	return c
}

// newestPrompt is where the newest prompt stands, the length for none.
func newestPrompt(sent []*sessionlog.Entry) int {
	for i := len(sent) - 1; i >= 0; i-- {
		if sent[i].Typed {
			return i
		}
	}
	return len(sent)
}

// Snip plans a snip (H-CMP-17): of more messages than the limit, or of however many when the model asked for it, whole
// rounds go from behind the head until no more than so many are left, so that the next snip is far. ok is false where no
// round can go (H-CMP-18).
func (l *SnipLimits) Snip(path []*sessionlog.Entry, d *sessionlog.Decisions, asked bool) (c Cut, ok bool) {
	total := Messages(path, d)
	if total <= l.Left || total <= l.Over && !asked {
		return Cut{}, false
	}
	sent := sendable(path, d)
	all := steps(sent, l.Head)
	for i := range all {
		if i == len(all)-1 || total-all[i].messages <= l.Left {
			return all[i].cut(path, sent, d), true
		}
	}
	return Cut{}, false
}

// Collapse plans a span that is shown as its summary (H-CMP-32): the oldest rounds, up to half of the messages; where a
// request is held, at least those that can only go together. ok is false where no round can go.
func Collapse(path []*sessionlog.Entry, d *sessionlog.Decisions, held bool) (c Cut, ok bool) {
	sent := sendable(path, d)
	half := Messages(path, d) / 2
	all := steps(sent, 0)
	for i := len(all) - 1; i >= 0; i-- {
		if all[i].messages <= half || held && i == 0 {
			return all[i].cut(path, sent, d), true
		}
	}
	return Cut{}, false
}

// Collapsible is how many tokens, by estimate, all spans that may yet be collapsed have together, one after the other.
func Collapsible(path []*sessionlog.Entry, d *sessionlog.Decisions) int {
	sent := sendable(path, d)
	all := steps(sent, 0)
	if len(all) == 0 {
		return 0
	}
	return all[len(all)-1].cut(path, sent, d).Tokens
}
