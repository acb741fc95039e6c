package rebuild

import (
	"slices"
	"strings"

	"harnessbench/harness/sessionlog"
)

// userMessage is a user message while no answer has followed it: adjacent user items join in it
// (H-REB-12), results first and in the order of their calls, the rest in chain order (H-REB-13).
type userMessage struct {
	calls   []asked           // the client calls of the answer before
	results map[string][]byte // by call; the first of equal ids holds (H-REB-32)
	rest    []piece
	prompt  int // index in rest of the newest prompt's text, -1
	summary int // index in rest of the newest compact summary, -1
}

func newUserMessage(calls []asked) userMessage {
	return userMessage{calls: calls, prompt: -1, summary: -1}
}

// piece is a block of a user message.
type piece struct {
	raw  []byte
	typ  string
	rank rank
}

// rank orders the pieces that stand before one other piece, such as a prompt's text (H-REB-14, H-INJ-35, H-INJ-50).
type rank int

const (
	rankNone    rank = iota // user text, results' attachments: in chain order
	rankHead                // memory and date
	rankNotice              // tool, MCP and agent announcements of the session's start
	rankStart               // context of the hooks of the session's start
	rankPrompt              // attachments of the prompt
	rankSubmit              // context of the prompt's hooks, next to its text
	rankRestore             // what a compaction restores, behind the summary
)

func textPiece(text []byte) piece { return piece{raw: textBlock(text), typ: "text"} }

// add puts a piece at the end.
func (u *userMessage) add(p piece) { u.rest = append(u.rest, p) }

// before puts a piece of some rank before the one at index at: behind those of its rank and of lower ones.
func (u *userMessage) before(at int, p piece) {
	for at > 0 && u.rest[at-1].rank > p.rank && u.rest[at-1].rank != rankRestore {
		at--
	}
	u.rest = slices.Insert(u.rest, at, p)
	if u.prompt >= at {
		u.prompt++
	}
	if u.summary >= at {
		u.summary++
	}
}

// textBlock makes a text block of a JSON string (H-REB-15).
func textBlock(text []byte) []byte {
	b := make([]byte, 0, len(text)+24)
	b = append(b, `{"type":"text","text":`...)
	return append(append(b, text...), '}')
}

// TextBlock is a text block of a text.
func TextBlock(text string) []byte { return textBlock(sessionlog.Quote(text)) }

// addUser takes a prompt, results, a summary or what the harness said as the user (H-REB-10 to H-REB-16).
func (c *Conversation) addUser(e *sessionlog.Entry) {
	first := true
	say := func(p piece) {
		c.openUser()
		switch {
		case first && e.Summary:
			c.user.summary = len(c.user.rest)
		case e.Typed && c.prompt == nowhere:
			c.user.prompt = len(c.user.rest)
			c.prompt = place{0, 0} // known once the message is written
		}
		first = false
		c.user.add(p)
	}
	if text := e.Message.Text; text != nil {
		if !sessionlog.BlankText(text) {
			say(textPiece(text))
		}
		return
	}
	for _, b := range e.Message.Blocks {
		if c.imageless[e.UUID] {
			b = withoutImages(b)
		}
		switch {
		case b.Type == "tool_result":
			c.addResult(b)
		case b.Type == "text" && b.Blank:
		default:
			say(piece{raw: b.Raw, typ: b.Type})
		}
	}
}

// addResult takes a result of the answer before; one without its call is dropped (H-REB-32).
func (c *Conversation) addResult(b sessionlog.Block) {
	if kept := c.normal(); len(kept) > 0 {
		if next := newUserMessage(c.asks(kept)); !next.expects(b.ID) {
			return
		}
		c.settleAnswer()
	}
	call, ok := c.user.answers(b.ID)
	if !ok {
		return
	}
	if c.user.results == nil {
		c.user.results = map[string][]byte{}
	}
	c.user.results[call.id] = renamed(b, call.id)
}

// addAttachment takes what entered the context at this place (H-LOG-51, H-LOG-54).
func (c *Conversation) addAttachment(a *sessionlog.Attach) {
	switch {
	case a.Texts == nil && a.Place != "":
		c.volatile = a.Place
		if a.Place == PlaceTail && c.opt.Bound && !c.opt.KeepThinking {
			c.stripped[c.turn] = true // it moves with every call
		}
	case a.Place == PlaceSystem:
		if c.opt.SystemMessages {
			c.addSystem(a.Texts)
		}
	default:
		for _, text := range a.Texts {
			if !sessionlog.BlankText(text) {
				c.openUser()
				c.attach(a, textPiece(text))
			}
		}
	}
}

// attach places an attachment's text by its class (H-REB-14, H-REB-18): head class before the summary it follows or
// else before the next prompt, restore class behind the summary, prompt class before its prompt's text, result class
// in chain order. A prompt that an answer has followed takes no more: what was sent stays (H-REB-37).
func (c *Conversation) attach(a *sessionlog.Attach, p piece) {
	u := &c.user
	behindSummary := u.summary >= 0 && u.prompt < u.summary
	p.rank = rankOf(a, behindSummary, behindSummary || c.turn == 0)
	switch {
	case p.rank == rankNone:
		u.add(p)
	case p.rank == rankRestore && u.summary >= 0:
		at := u.summary + 1
		for at < len(u.rest) && u.rest[at].rank == rankRestore {
			at++
		}
		u.before(at, p)
	case p.rank <= rankStart && behindSummary:
		u.before(u.summary, p)
	case u.prompt >= 0:
		u.before(u.prompt, p)
	default:
		u.before(len(u.rest), p)
	}
}

// WithPrompt tells an attachment of prompt class: its text stands before that of the prompt it follows (H-REB-18).
func WithPrompt(a *sessionlog.Attach) bool {
	r := rankOf(a, false, false)
	return r == rankPrompt || r == rankSubmit
}

// rankOf gives the class of an attachment by its type. behindSummary: it stands behind a compact summary with no
// prompt between; start: no prompt came before it at all. A type that is not known has result class.
func rankOf(a *sessionlog.Attach, behindSummary, start bool) rank {
	switch a.Type {
	case "hook_additional_context":
		switch a.Event {
		case "SessionStart", "Setup", "SubagentStart":
			return rankStart
		case "UserPromptSubmit":
			return rankSubmit
		}
		return rankNone
	case "file":
		if behindSummary {
			return rankRestore
		}
		return rankPrompt
	case "invoked_skills", "compact_file_reference", "plan_file_reference":
		return rankRestore
	case "already_read_file", "directory", "agent_mention", "skill_listing", "date_change", "memory_update":
		return rankPrompt
	}
	if !strings.HasSuffix(a.Type, "_delta") {
		return rankNone
	}
	if start {
		return rankNotice
	}
	return rankPrompt
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

// openUser makes the user message the last one, for something that is no result.
func (c *Conversation) openUser() {
	c.settleAnswer()
	c.giveUp()
}

// settleAnswer closes the answer before the user message. An answer of which nothing is sent lets the user message
// before it go on (H-REB-34, H-REB-35).
func (c *Conversation) settleAnswer() {
	if c.stop == "pause_turn" {
		c.stop = "" // nothing will continue it
	}
	kept := c.normal()
	c.answer = nil
	if len(kept) == 0 {
		return
	}
	c.bare = c.loopBegins(kept)
	c.settle(kept)
	c.serve(kept)
	c.user = newUserMessage(c.asks(kept))
}

// loopBegins tells whether a tool loop goes back without thinking at its begin, an answer being the newest of it: a user
// message that holds more than results begins another.
func (c *Conversation) loopBegins(answer []sessionlog.Block) (bare bool) {
	if len(c.user.calls) > 0 && len(c.user.rest) == 0 {
		return c.bare
	}
	return !answer[0].IsThinking()
}

// LoopWithoutThinking tells that the next request ends in a tool loop whose first answer has no thinking at its begin, as
// after a change to a model that cannot read it.
func (c *Conversation) LoopWithoutThinking() bool {
	if kept := c.normal(); len(kept) > 0 {
		return c.loopBegins(kept)
	}
	return len(c.user.calls) > 0 && len(c.user.rest) == 0 && c.bare
}
