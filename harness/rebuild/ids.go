package rebuild

import (
	"fmt"
	"slices"
	"strings"

	"harnessbench/harness/sessionlog"
	"harnessbench/internal/wire"
)

// asked is a client call of the answer before the user message.
type asked struct {
	id     string // as it is sent
	logged string // as it stands in the log, and in the results for it
}

// named gives a call an id that the API takes: of the right form, and no earlier call of the path has it. Other writers
// number calls anew in each round (messages-api.md 2.5). An id that will do is not touched (H-REB-17).
func (c *Conversation) named(b sessionlog.Block) sessionlog.Block {
	id := strings.Map(func(r rune) rune {
		switch {
		case r >= '0' && r <= '9', r >= 'A' && r <= 'Z', r >= 'a' && r <= 'z', r == '_', r == '-':
			return r
		}
		return '_'
	}, b.ID)
	for n := 2; c.ids[id] || id == ""; n++ {
		id = fmt.Sprintf("%s_%d", strings.TrimSuffix(id, fmt.Sprintf("_%d", n-1)), n)
	}
	c.ids[id] = true
	if id == b.ID {
		return b
	}
	v, err := wire.ParseValue(b.Raw)
	if err != nil {
		return b
	}
	c.logged[id] = b.ID
	b.ID, b.Raw = id, wire.Apply(b.Raw, wire.SetMember(v, "id", sessionlog.Quote(id)))
	return b
}

// asks are the client calls among blocks.
func (c *Conversation) asks(blocks []sessionlog.Block) []asked {
	var calls []asked
	for _, b := range blocks {
		if b.Type != "tool_use" {
			continue
		}
		a := asked{b.ID, b.ID}
		if logged, renamed := c.logged[b.ID]; renamed {
			a.logged = logged
		}
		calls = append(calls, a)
	}
	return calls
}

// answers finds the call that a result is for: the first one of that id without a result. ok is false when there is none
// (H-REB-32).
func (u *userMessage) answers(id string) (call asked, ok bool) {
	i := slices.IndexFunc(u.calls, func(a asked) bool { return (a.id == id || a.logged == id) && u.results[a.id] == nil })
	if i < 0 {
		return asked{}, false
	}
	return u.calls[i], true
}

// expects tells that a result of that id has a call that waits for it.
func (u *userMessage) expects(id string) bool {
	_, ok := u.answers(id)
	return ok
}

// renamed is a result under the id its call is sent with.
func renamed(b sessionlog.Block, id string) []byte {
	v, err := wire.ParseValue(b.Raw)
	if err != nil || b.ID == id {
		return b.Raw
	}
	return wire.Apply(b.Raw, wire.SetMember(v, "tool_use_id", sessionlog.Quote(id)))
}
