package script

import (
	"strings"

	"github.com/zeebo/xxh3"

	"harnessbench/internal/wire"
)

// place is how far a turn has come: so many of its answers are given.
type place struct{ turn, answers int }

// maxCalls bounds the memory of tool calls; the oldest goes first.
const maxCalls = 1 << 14

// calls remembers which answer each tool call stood in. A client may leave earlier rounds of a turn out of its requests,
// its prompt too, or put a summary in their place; the newest call still tells how far the turn has come. Messages alone
// are counted from the newest call that is known, and from the prompt where none is.
type calls struct {
	at        map[string]place // by id of the call
	byArrival []string
}

func (c *calls) remember(id string, at place) {
	if _, known := c.at[id]; !known {
		c.byArrival = append(c.byArrival, id)
		if len(c.byArrival) > maxCalls {
			delete(c.at, c.byArrival[0])
			c.byArrival = c.byArrival[1:]
		}
	}
	c.at[id] = at
}

// callOf is the id of the last tool call in a message, "" for none.
func callOf(m wire.Message) (id string) {
	for _, b := range m.Blocks() {
		if b.Type() == "tool_use" {
			id = b.Get("id").Text()
		}
	}
	return id
}

// place tells how far the turn of a request has come, and the text of its newest user message that has any.
func (p *Player) place(req *wire.Request) (at place, newest string, ok bool) {
	after := 0            // answers behind the message at hand
	var known *place      // by the newest call that is remembered
	call, behind := "", 0 // the newest call, and the answers behind it
	spans := false        // rounds of the turn are shown as a summary
	for i := req.MessageCount() - 1; i >= 0 && !ok; i-- {
		m := req.Message(i)
		switch m.Role() {
		case "assistant":
			if id := callOf(m); id != "" {
				if call == "" {
					call, behind = id, after
				}
				if k, is := p.calls.at[id]; is && known == nil {
					known = &place{k.turn, k.answers + after}
				}
			}
			if begins(req, i) {
				after++
			}
		case "user":
			spans = spans || p.says(m, p.script.Span)
			turns, text := p.match(m)
			if newest == "" {
				newest = text
			}
			if len(turns) > 0 {
				at, ok = p.among(req, i, turns, after, known), true
			}
		}
	}
	if !ok && known != nil {
		at, ok = *known, true
	}
	if ok && known == nil && call != "" && spans { // the answer with that call was the newest, and the rounds before it are gone
		at.answers = max(at.answers, p.summarized.given[at.turn])
	}
	if ok && call != "" {
		p.calls.remember(call, place{at.turn, at.answers - behind})
	}
	return at, newest, ok
}

// says tells whether a text of the message begins so.
func (p *Player) says(m wire.Message, head string) bool {
	for _, b := range m.Blocks() {
		if head != "" && b.Type() == "text" && strings.HasPrefix(b.TextValue().Text(), head) {
			return true
		}
	}
	return false
}

// among settles what a prompt and the newest known call say. A call of the prompt's own turn may be further than the
// messages that are left can tell, and a call of a later turn has lost its prompt. Clients that number their calls
// anew reuse ids: no call sets a turn back.
func (p *Player) among(req *wire.Request, message int, turns []int, after int, known *place) place {
	if known != nil {
		for _, t := range turns {
			if t == known.turn {
				return place{t, max(after, known.answers)}
			}
		}
		behindSummary := p.script.Turns[turns[0]].Behind != ""
		if !behindSummary && known.turn > turns[len(turns)-1] && p.script.Turns[known.turn].Behind == "" {
			return *known
		}
	}
	t := p.choose(req, message, turns, after)
	return place{t, max(0, p.behindSummary(req.Message(message), t, after)+after)}
}

// summarized is where turns go on whose earlier rounds a summary has taken the place of.
type summarized struct {
	given map[int]int      // answers of each turn that were given, as of its newest one
	from  map[uint64]place // what a message of a summary and a prompt goes on from
}

// behindSummary is how many answers of a turn a summary stands for, when its prompt stands in one message with it: all
// that were given, but those that stayed behind it. Of a turn that is of the summary itself none stayed. A message that
// was seen before is sent again, or goes on, unless more came of it than one answer: then another summary says the
// same. The last answer is said again where there is no other.
func (p *Player) behindSummary(m wire.Message, turn, after int) int {
	own := p.script.Turns[turn].Behind != ""
	if !own && !p.says(m, p.script.Summary) && !p.says(m, p.script.Condensed) {
		return 0
	}
	var said []byte
	for _, b := range m.Blocks() {
		if b.Type() == "text" {
			said = append(append(said, b.TextValue().Text()...), 0)
		}
	}
	id, s := xxh3.Hash(said), &p.summarized
	at, known := s.from[id]
	given := s.given[turn]
	switch {
	case own && (!known || at.turn != turn):
		at = place{turn, -after}
		s.from[id] = at
	case own:
	case !known || at.turn != turn || after == 0 && given > at.answers+1:
		at = place{turn, max(0, min(given, len(p.script.Turns[turn].Answers)-1)-after)}
		s.from[id] = at
	}
	return at.answers
}
