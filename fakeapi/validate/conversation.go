package validate

import (
	"harnessbench/internal/model"
	"harnessbench/internal/wire"
)

// rank orders the rules of the conversation's shape. System messages and empty turns are measured to come
// with this last step (api-verdicts-notes.md 2.1); the order of the rest is inferred.
type rank int

const (
	rankSystem rank = iota
	rankEmpty
	rankRole
	rankText
	rankThinking
	rankUnique
	rankPairing
	rankPrefill
	ranks
)

// state is all that the beginning of a conversation means for what follows. It holds no fault: a beginning
// with one has no continuation.
type state struct {
	turn    turn    // the open turn: consecutive messages of one role
	section section // the open run of system messages
	calls   []call  // of the assistant turn closed last, until a user turn takes them up
	// lastUserEmpty: the user turn closed last holds an empty text block.
	lastUserEmpty bool
	marks         marks
}

// node is the state after one message. Nodes form a chain back to the first message, so that a request
// which shares only part of its messages goes on from there; they never change.
type node struct {
	state
	prev      *node
	index     int
	notJudged []string
	listed    *node // the nearest node up to this one with something in notJudged
}

// collect gathers what was not judged in the messages up to n.
func (n *node) collect(all []string) []string {
	for at := n; at != nil && at.listed != nil; at = at.listed.prev {
		all = append(all, at.listed.notJudged...)
	}
	return all
}

// conversation folds messages into a state and keeps the first fault of each rank.
type conversation struct {
	state
	model  model.Model
	betas  head
	free   bool // a final assistant turn is no prefill: a compaction request, a fallback continuation
	last   *node
	ids    idSet
	fresh  map[string]int // ids of the messages walked now
	start  int
	system bool // a system message was walked
	found  [ranks]*Fault
	inRun  [sectionRanks]*Fault
}

func (c *conversation) report(k rank, f *Fault) {
	if c.found[k] == nil {
		c.found[k] = f
	}
}

// readConversation walks the messages that are not shared.
func (r *reading) readConversation() {
	c := &r.conv
	*c = conversation{model: r.model, betas: r.walk.head, last: r.base, ids: r.ids, start: r.start, fresh: map[string]int{}}
	c.free = r.paused || r.req.Get("compaction").Exists() || r.req.Get("fallback_credit_token").Exists()
	if r.base != nil {
		c.state = r.base.state.fork()
	}
	for i := r.start; i < r.req.MessageCount(); i++ {
		m := r.req.Message(i)
		c.message(m)
		n := &node{state: c.state, prev: c.last, index: i, notJudged: r.passed[i-r.start]}
		switch {
		case len(n.notJudged) > 0:
			n.listed = n
		case c.last != nil:
			n.listed = c.last.listed
		}
		c.last = n
	}
	c.ids = c.ids.with(c.fresh, c.start)
}

// fork guards the slices of a stored state: what is appended from here on goes into a copy.
func (s state) fork() state {
	s.turn.calls = s.turn.calls[:len(s.turn.calls):len(s.turn.calls)]
	s.turn.results = s.turn.results[:len(s.turn.results):len(s.turn.results)]
	s.calls = s.calls[:len(s.calls):len(s.calls)]
	return s
}

func (c *conversation) message(m wire.Message) {
	role := m.Role()
	blocks := m.Blocks()
	c.mark(m, blocks)
	if role == "system" {
		c.system = true
		c.systemMessage(m, blocks)
		return
	}
	c.closeSection(role)
	if c.turn.role != role {
		c.closeTurn(false)
		c.openTurn(role, m.Index)
	}
	for _, b := range blocks {
		if b.Bare && emptyString(b.Value) {
			continue
		}
		c.block(role, b)
	}
}

// verdict ends the conversation and is its first fault.
func (c *conversation) verdict() *Fault {
	c.closeSection("")
	final := c.turn
	c.closeTurn(true)
	if len(c.calls) > 0 {
		c.report(rankPairing, unanswered(c.calls, nil))
	}
	if c.lastUserEmpty {
		c.report(rankText, textEmpty.fault())
	}
	if final.role == "assistant" && final.filled {
		c.prefill(final)
	}
	for _, f := range c.found {
		if f != nil {
			return f
		}
	}
	return nil
}

func conversationRules() []rule {
	all := systemMessageRules()
	all = append(all, userEmpty, messageEmpty)
	all = append(all, notInAssistant, toolChangeRole, onlyUser, onlyAssistant)
	all = append(all, textEmpty, textBlank, finalThinking)
	all = append(all, idsUnique, noResult, orphanResult, doubleResult)
	return append(all, prefillRefused, trailingBlank)
}
