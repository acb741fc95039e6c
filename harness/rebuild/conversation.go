package rebuild

import (
	"harnessbench/harness/sessionlog"
)

// Options are what, besides the entries, decides the messages.
type Options struct {
	// Head is the block of memory and date at the head of the first user message (H-REB-43), JSON.
	Head []byte
	// SystemMessages: the model takes role system in messages; otherwise logged system texts are left
	// out (D37).
	SystemMessages bool
	// Bound: the model checks the prefix of its thinking (D1).
	Bound bool
	// KeepThinking sends thinking although what stands before it changed: the request asks the server to drop
	// what no longer fits (thinking.onBreak=drop-block).
	KeepThinking bool
	// LastTurn leaves out the thinking of every turn but the newest (thinking.keep=last-turn, H-LOOP-54).
	LastTurn bool
	// Decisions are repeated as the log has them (H-CMP-3); nil for none.
	Decisions *sessionlog.Decisions
	// NoThinkingTo leaves out the thinking of all entries up to this Order; -1 for none (H-REB-36, D37).
	NoThinkingTo int
}

// Conversation is the messages of one path. What an answer has followed is never touched again, so that without a
// declared break each request begins with the one before (H-REB-37, H-REB-60); what depends on time stands in the
// entries as it was when they were made (H-REB-62).
type Conversation struct {
	opt Options

	buf   []byte // messages joined by commas; behind done stands what may still change
	done  int
	marks []mark // the blocks of buf in order
	sure  int    // marks of buf[:done]
	same  int    // bytes of buf[:done] that Check has compared

	user   userMessage        // the open user message
	answer []sessionlog.Block // the answer behind it, not yet followed by a user item
	bare   bool               // the tool loop before it goes back without thinking at its begin
	stop   string             // stop reason of the newest part of that answer
	ids    map[string]bool    // ids of client calls so far
	logged map[string]string  // of those that are sent under another id: the one in the log
	served map[string]bool    // server calls of settled answers whose results may still come

	condensed  bool         // a summary of the server's stands at the beginning
	snipped    bool         // the placeholder of snipped messages was written
	shownSpans map[int]bool // collapsed spans whose summary was written
	system     []byte       // the turn's system message (H-REB-59), nil for none
	shown      []byte       // the one the newest answer was made behind

	previousTail int // index in marks of the last block that may bear a marker before the newest answer, -1
	compaction   int // index in marks of the newest compaction block, -1
	prompt       place
	userEnd      int // offset of the closing bracket of the last user message's content

	turn     int    // typed prompts so far
	volatile string // place of volatile text that was due in this turn without being logged
	entries  []*sessionlog.Entry
	hindsight
	again bool // hindsight was gained: what was built so far is not what it should be
}

// hindsight is what later entries say about earlier ones. It only grows. Whoever gains some builds the conversation
// again, and finds then what he would have built had he known.
type hindsight struct {
	stripped map[int]bool    // turns whose thinking is left out because their volatile text is gone (D1)
	cleared  map[string]bool // calls whose results, and attachments whose texts, were cleared (H-LOG-47)
	deleted  map[string]bool // calls whose results the server clears (H-CMP-23)
	// imageless are the entries whose images became text (H-CMP-24).
	imageless map[string]bool
	given     map[string]bool // server calls that are given up: no result came while one could (H-REB-33)
}

// mark is one block of the buffer: where it ends, and whether a marker may sit on it (H-REB-56).
type mark struct {
	end      int
	eligible bool
}

// place is where the text of the turn's prompt stands: offset of its block and index of its mark.
type place struct{ offset, mark int }

var nowhere = place{-1, -1}

// New is an empty conversation.
func New(opt Options) *Conversation {
	c := &Conversation{opt: opt, hindsight: hindsight{
		stripped: map[int]bool{}, cleared: map[string]bool{}, deleted: map[string]bool{}, imageless: map[string]bool{}, given: map[string]bool{},
	}}
	if opt.Decisions == nil {
		c.opt.Decisions = &sessionlog.Decisions{}
	}
	c.reset()
	return c
}

// Of builds the conversation of a path: the same entries and options give the same bytes (H-ARCH-11).
func Of(path []*sessionlog.Entry, opt Options) *Conversation {
	c := New(opt)
	for _, e := range path {
		c.clear(e)
	}
	for _, e := range path {
		c.Add(e)
	}
	return c
}

func (c *Conversation) reset() {
	c.buf, c.done, c.marks, c.sure, c.same = c.buf[:0], 0, c.marks[:0], 0, 0
	c.user, c.answer, c.system, c.shown = newUserMessage(nil), nil, nil, nil
	c.ids, c.logged = map[string]bool{}, map[string]string{}
	c.served, c.stop, c.snipped, c.shownSpans = map[string]bool{}, "", false, map[int]bool{}
	c.previousTail, c.compaction, c.prompt, c.userEnd = -1, -1, nowhere, 0
	c.turn, c.volatile, c.bare, c.condensed = 0, "", false, false
	if c.opt.Head != nil {
		c.user.rest = []piece{{raw: c.opt.Head, typ: "text", rank: rankHead}}
	}
}

// Add takes the next entry of the path. What is never sent changes nothing (H-REB-10).
func (c *Conversation) Add(e *sessionlog.Entry) {
	c.entries = append(c.entries, e)
	c.again = c.clear(e)
	if !c.again {
		c.add(e)
	}
	c.replay()
}

// replay takes all entries again while hindsight learns something from them.
func (c *Conversation) replay() {
	for c.again {
		c.again = false
		c.reset()
		for _, e := range c.entries {
			if c.add(e); c.again {
				break
			}
		}
	}
}

// clear takes what a boundary of micro-compaction clears; it reports whether that changes the messages.
func (c *Conversation) clear(e *sessionlog.Entry) (news bool) {
	if e.ServerClears() {
		for _, id := range e.Compacted() {
			c.deleted[id] = true
		}
		return false
	}
	calls, attachments := e.Cleared()
	for _, id := range append(calls, attachments...) {
		news = news || !c.cleared[id]
		c.cleared[id] = true
	}
	for _, uuid := range e.WithoutImages() {
		news = news || !c.imageless[uuid]
		c.imageless[uuid] = true
	}
	return news
}

// unsent tells an entry that no request holds, whatever was decided (H-REB-10).
func unsent(e *sessionlog.Entry) bool { return e.Sidechain || e.Notice || e.Hidden && !e.Summary }

func (c *Conversation) add(e *sessionlog.Entry) {
	if unsent(e) || c.decided(e) {
		return
	}
	switch e.Type {
	case sessionlog.User:
		if e.Typed {
			c.beginTurn()
		}
		c.addUser(e)
	case sessionlog.Assistant:
		c.addAnswer(e)
	case sessionlog.Attachment:
		if !c.cleared[e.UUID] {
			c.addAttachment(&e.Attach)
		}
	case sessionlog.System:
		if e.Subtype == "local_command" && e.Content != nil && !sessionlog.BlankText(e.Content) {
			c.openUser()
			c.user.add(textPiece(e.Content))
		}
	}
}

// condense drops what stands before a summary that the server wrote: the server would ignore it, and its model is not
// shown it (H-CMP-83, messages-api.md 8.3).
func (c *Conversation) condense() {
	c.buf, c.done, c.marks, c.sure, c.same = c.buf[:0], 0, c.marks[:0], 0, 0
	c.user, c.answer, c.system, c.shown = newUserMessage(nil), nil, nil, nil
	c.previousTail, c.compaction, c.prompt, c.userEnd, c.bare = -1, -1, nowhere, 0, false
	clear(c.served)
	c.condensed = true
}

// Condensed tells that the conversation begins with a summary that the server wrote.
func (c *Conversation) Condensed() bool { return c.condensed }

// beginTurn ends the turn before a typed prompt. Volatile text in the prompt is gone from now on, so on
// a bound model the thinking made behind it is no longer valid: it is left out, all of it, and the
// conversation is built again (D1, thinking.onBreak=drop).
func (c *Conversation) beginTurn() {
	if c.opt.LastTurn && c.turn > 0 || c.opt.Bound && !c.opt.KeepThinking && c.volatile != "" {
		learn(c, c.stripped, c.turn)
	}
	c.turn++
	c.volatile, c.system, c.prompt = "", nil, nowhere
}

// learn adds to what hindsight knows.
func learn[K comparable](c *Conversation, known map[K]bool, what K) {
	c.again = c.again || !known[what]
	known[what] = true
}

// addAnswer takes one entry of an answer; entries of one message id, and answers with nothing between,
// make one message (H-REB-11, H-REB-30). Blocks keep the bytes they came in, tool_use as any other (H-REB-17).
func (c *Conversation) addAnswer(e *sessionlog.Entry) {
	if len(c.answer) == 0 {
		c.shown = c.system
	}
	c.stop = e.Message.StopReason
	drop := e.Order <= c.opt.NoThinkingTo || c.stripped[c.turn]
	for _, b := range e.Message.Blocks {
		if b.IsThinking() && (drop || !b.Signed) || failedCompaction(&b) {
			continue
		}
		switch b.Type {
		case "tool_use":
			b = c.named(b)
		case "compaction":
			c.condense()
		}
		c.answer = append(c.answer, b)
	}
	if text := e.Message.Text; text != nil {
		c.answer = append(c.answer, sessionlog.Block{Raw: textBlock(text), Type: "text", Blank: sessionlog.BlankText(text)})
	}
}
