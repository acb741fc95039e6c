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
	rankServer
	rankPrefill
	rankMedia
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
	album         album
	defined       []definedTool // tools that tool_additions brought
	removed       []string      // names that tool_removals took away
	referred      []string      // tools that results refer to, as often as they do
	cited         bool          // a search result with citations was seen
	uncited       bool          // one without
	added         bool          // a tool_addition was seen
	changed       bool          // a tool change was seen
	named         []namedTool   // tools that tool changes name
	open          openCalls     // server tool calls without a result so far
	compacted     bool          // a compaction block was seen: calls may lie behind it
	assistant     int           // first message of the assistant turn opened last
	efforts       []effortAt
}

// node is the state after a message. Nodes form a chain back to the first messages, so that a request
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
	model     model.Model
	recent    bool // of the generations with the rules of 4.7 on
	every     bool // every fault is kept, not the first of each rank
	betas     head
	free      bool // a final assistant turn is no prefill: a compaction request, a fallback continuation
	sums      bool // a compaction request
	last      *node
	ids       idSet
	fresh     map[string]int // ids of the messages walked now
	start     int
	passed    []string // not judged since the last node
	container bool     // the request names one
	manual    bool     // thinking with a budget is on
	tools     wire.Value
	inTurn    map[string]bool // ids of the open turn's calls, when they are many
	pending   map[string]int  // of each id: the open server calls; nil until it is asked for
	system    bool            // a system message was walked
	found     [ranks]*Fault
	all       [ranks][]*Fault // with every
	inRun     [sectionRanks]*Fault
}

func (c *conversation) report(k rank, f *Fault) {
	if c.found[k] == nil {
		c.found[k] = f
	}
	if c.every {
		c.all[k] = append(c.all[k], f)
	}
}

// beginConversation stands at the first message that is not shared.
func (r *reading) beginConversation() {
	c := &r.conv
	*c = conversation{model: r.model, recent: since(r.model, "4.7"), betas: r.walk.head, last: r.base, ids: r.ids, start: r.start,
		every: r.walk.every != nil}
	c.sums = Compacts(r.req)
	c.free = r.paused || r.req.Get("compaction").Exists() || r.req.Get("fallback_credit_token").Exists()
	c.manual = r.req.Get("thinking").Get("type").Text() == "enabled"
	c.container, c.tools = present(r.req.Get("container")), r.req.Get("tools")
	if r.base != nil {
		c.state = r.base.state.fork()
	}
}

// readMessage takes up one message. Faults wait until every field of the request is well formed.
func (r *reading) readMessage(m wire.Message, role string, content wire.Value, plain bool, notJudged []string) {
	c := &r.conv
	c.message(m, role, content, plain)
	if len(r.walk.media) > 0 {
		c.media(r.walk.media)
		r.walk.media = r.walk.media[:0]
	}
	c.passed = append(c.passed, notJudged...)
	if i := m.Index; i%nodeGap != nodeGap-1 && i < r.req.MessageCount()-nodeGap {
		return
	}
	n := r.node(m.Index)
	n.state, n.prev, n.index, n.notJudged = c.state, c.last, m.Index, c.passed
	switch {
	case len(c.passed) > 0:
		n.listed, c.passed = n, nil
	case c.last != nil:
		n.listed = c.last.listed
	}
	c.last = n
}

// nodeGap is how far apart nodes stand, but for the newest messages: going on from an older place walks up to so
// many messages again.
const nodeGap = 8

// end closes the set of ids.
func (c *conversation) end() { c.ids = c.ids.with(c.fresh, c.start) }

// node is a new node for message i. Nodes are made in small batches: one at a time would cost as much as the rules.
func (r *reading) node(i int) *node {
	if len(r.spare) == 0 {
		r.spare = make([]node, min(r.req.MessageCount()-i, nodeBatch))
	}
	n := &r.spare[0]
	r.spare = r.spare[1:]
	return n
}

// nodeBatch bounds what a conversation that keeps one node of a batch holds on to.
const nodeBatch = 32

// fork guards the slices of a stored state: what is appended from here on goes into a copy.
func (s state) fork() state {
	s.turn.calls = s.turn.calls[:len(s.turn.calls):len(s.turn.calls)]
	s.turn.results = s.turn.results[:len(s.turn.results):len(s.turn.results)]
	s.calls = s.calls[:len(s.calls):len(s.calls)]
	s.defined = s.defined[:len(s.defined):len(s.defined)]
	s.named = s.named[:len(s.named):len(s.named)]
	s.removed = s.removed[:len(s.removed):len(s.removed)]
	s.referred = s.referred[:len(s.referred):len(s.referred)]
	s.open = s.open.fork()
	s.efforts = s.efforts[:len(s.efforts):len(s.efforts)]
	return s
}

func (c *conversation) message(m wire.Message, role string, content wire.Value, plain bool) {
	if role == "system" {
		c.system = true
		blocks, shown := m.Blocks(), !isScoped(m)
		for _, b := range blocks {
			k := kindOf(b)
			c.mark(b, k, shown)
			if k.roles == systemOnly {
				c.changed = true
				c.changes(b, k)
			}
		}
		if e := m.Get("output_config").Get("effort"); e.Kind() == '"' {
			c.efforts = append(c.efforts, effortAt{m.Index, e.Text()})
		}
		c.systemMessage(m, blocks)
		return
	}
	c.closeSection(role)
	if c.turn.role != role {
		c.closeTurn(false)
		c.openTurn(role, m.Index)
	}
	if content.Kind() == '"' {
		if !emptyString(content) {
			c.text(role, content, m.Index)
		}
		return
	}
	for i := range content.Len() {
		if plain {
			c.text(role, content.At(i).MemberAt(1), m.Index)
			continue
		}
		b := wire.Block{Value: content.At(i), Message: m.Index, Index: i}
		k := kindOf(b)
		c.mark(b, k, true)
		c.block(role, b, k)
	}
}

// text adds a block that is text and nothing else.
func (c *conversation) text(role string, text wire.Value, message int) {
	c.turn.text(role, text)
	c.turn.last, c.turn.lastAt, c.turn.filled, c.turn.others = textKind, message, true, true
	if !emptyString(text) {
		c.marks.tail = tail{exists: true}
	}
}

// roleOf is the word of a role; the usual ones are not decoded.
func roleOf(v wire.Value) string {
	switch string(v.Raw()) {
	case `"user"`:
		return "user"
	case `"assistant"`:
		return "assistant"
	case `"system"`:
		return "system"
	}
	return v.Text()
}

// verdict ends the conversation and is its first fault.
func (c *conversation) verdict() *Fault {
	c.closeSection("")
	final := c.turn
	c.closeTurn(true)
	if len(c.calls) > 0 && c.sums {
		c.report(rankPairing, unfinished(c.calls))
	} else if len(c.calls) > 0 {
		c.report(rankPairing, unanswered(c.calls, nil))
	}
	if c.lastUserEmpty {
		c.report(rankText, textEmpty.fault())
	}
	c.judgeOpen(final, c.tools)
	if final.role == "assistant" && final.filled {
		c.prefill(final)
	}
	c.judgeAlbum()
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
	all = append(all, notInAssistant, toolChangeRole, onlyUser, onlyAssistant, userCitations)
	all = append(all, textEmpty, textBlank, finalThinking)
	all = append(all, idsUnique, noResult, orphanResult, doubleResult)
	all = append(all, serverRules()...)
	all = append(all, prefillRefused, prefillThinking, trailingBlank)
	return append(all, mediaRules()...)
}
