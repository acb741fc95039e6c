package rebuild

import (
	"slices"
	"strings"

	"harnessbench/harness/sessionlog"
)

// userMessage is a user message while no answer has followed it: adjacent user items join in it
// (H-REB-12), results first and in the order of their calls, the rest in chain order (H-REB-13).
type userMessage struct {
	calls   []string          // ids of the client calls of the answer before
	results map[string][]byte // by call; the first of equal ids holds (H-REB-32)
	rest    []piece
	prompt  int // index in rest of the newest prompt's text, -1
}

// piece is a block of a user message.
type piece struct {
	raw []byte
	typ string
}

func textPiece(text []byte) piece { return piece{textBlock(text), "text"} }

// textBlock makes a text block of a JSON string (H-REB-15).
func textBlock(text []byte) []byte {
	b := make([]byte, 0, len(text)+24)
	b = append(b, `{"type":"text","text":`...)
	return append(append(b, text...), '}')
}

// ToolResult is a tool_result block; is_error is written only on errors (H-LOG-22).
func ToolResult(id, text string, isError bool) []byte {
	b := append([]byte(`{"type":"tool_result","tool_use_id":`), sessionlog.Quote(id)...)
	b = append(append(b, `,"content":`...), sessionlog.Quote(text)...)
	if isError {
		b = append(b, `,"is_error":true`...)
	}
	return append(b, '}')
}

// TextBlock is a text block of a text.
func TextBlock(text string) []byte { return textBlock(sessionlog.Quote(text)) }

func (c *Conversation) addUser(e *sessionlog.Entry) {
	if text := e.Message.Text; text != nil {
		if !sessionlog.BlankText(text) {
			c.openUser()
			c.say(textPiece(text), e.Typed)
		}
		return
	}
	for _, b := range e.Message.Blocks {
		switch {
		case b.Type == "tool_result":
			c.addResult(b)
		case b.Type == "text" && b.Blank:
		default:
			c.openUser()
			c.say(piece{b.Raw, b.Type}, e.Typed)
		}
	}
}

// say appends a block; the first one of a typed prompt is where volatile text goes.
func (c *Conversation) say(p piece, typed bool) {
	if typed && c.prompt == nowhere {
		c.user.prompt = len(c.user.rest)
		c.prompt = place{0, 0} // known once the message is written
	}
	c.user.rest = append(c.user.rest, p)
}

// addResult takes a result of the answer before; one without its call is dropped (H-REB-32).
func (c *Conversation) addResult(b sessionlog.Block) {
	calls := c.user.calls
	if kept := normal(c.answer); len(kept) > 0 {
		if !slices.Contains(callsOf(kept), b.ID) {
			return
		}
		c.openUser()
	} else if !slices.Contains(calls, b.ID) {
		return
	}
	if c.user.results == nil {
		c.user.results = map[string][]byte{}
	}
	if c.user.results[b.ID] == nil {
		c.user.results[b.ID] = b.Raw
	}
}

// addAttachment takes what entered the context at this place (H-LOG-51, H-LOG-54).
func (c *Conversation) addAttachment(a *sessionlog.Attach) {
	switch {
	case a.Texts == nil && a.Place != "":
		c.volatile = a.Place
		if a.Place == PlaceTail && c.opt.Bound {
			c.stripped[c.turn] = true // it moves with every call
		}
	case a.Place == PlaceSystem:
		if c.opt.SystemMessages {
			c.addSystem(a.Texts)
		}
	default:
		for _, text := range a.Texts {
			if sessionlog.BlankText(text) {
				continue
			}
			c.openUser()
			if promptClass(a.Type) && c.user.prompt >= 0 {
				c.user.rest = slices.Insert(c.user.rest, c.user.prompt, textPiece(text))
				c.user.prompt++
				continue
			}
			c.user.rest = append(c.user.rest, textPiece(text))
		}
	}
}

// promptClass tells attachments that stand before the text of the prompt they follow in the log
// (H-REB-14, H-REB-18).
func promptClass(typ string) bool {
	switch typ {
	case "file", "already_read_file", "directory", "agent_mention", "skill_listing", "date_change", "memory_update":
		return true
	}
	return strings.HasSuffix(typ, "_delta")
}

// addSystem adds texts to the turn's system message (H-REB-59).
func (c *Conversation) addSystem(texts [][]byte) {
	if c.system == nil {
		c.system = []byte(`{"role":"system","clear_at":"next_user_message","content":[]}`)
	}
	c.system = slices.Clone(c.system[:len(c.system)-2]) // an answer may stand behind the message as it was
	for _, text := range texts {
		if c.system[len(c.system)-1] != '[' {
			c.system = append(c.system, ',')
		}
		c.system = append(c.system, textBlock(text)...)
	}
	c.system = append(c.system, "]}"...)
}

// openUser makes the user message the last one: the answer before is settled. An answer of which
// nothing is sent lets the user message before it go on (H-REB-34, H-REB-35).
func (c *Conversation) openUser() {
	kept := normal(c.answer)
	c.answer = nil
	if len(kept) == 0 {
		return
	}
	c.settle(kept)
	c.user = userMessage{calls: callsOf(kept), prompt: -1}
}
