package validate

import (
	"bytes"

	"harnessbench/internal/wire"
)

// turn is a run of messages of one role, which every rule takes as one (messages-api.md 2.3).
type turn struct {
	role     string
	first    int        // index of its first message
	filled   bool       // it has content
	empty    bool       // a text block without text
	blank    bool       // a text block of white space
	server   bool       // a server tool's block
	last     *blockKind // of the last block
	lastAt   int        // message of the last block
	blankEnd bool
	calls    []call   // assistant: its tool_use blocks; user: those of the turn it answers
	results  []result // user: its tool_result blocks
	others   bool     // user: another block was seen
	thought  bool     // its first block is thinking
}

var (
	userEmpty = rule{id: "turn.user-empty", area: "content", source: "messages-api.md 2.3", confidence: "high", era: "models from 4.7 on",
		text: "messages.{n}: user messages must have non-empty content"}
	messageEmpty = rule{id: "turn.empty", area: "content", source: "messages-api.md 2.3", confidence: "high", era: "models before 4.7",
		text: "messages.{n}: all messages must have non-empty content except for the optional final assistant message"}
	textEmpty = rule{id: "turn.text-empty", area: "content", source: "messages-api.md 2.3", confidence: "high", era: "all models; from 4.7 on in the last user turn only",
		text: "messages: text content blocks must be non-empty"}
	textBlank = rule{id: "turn.text-blank", area: "content", source: "messages-api.md 2.3", confidence: "high",
		text: "messages: text content blocks must contain non-whitespace text"}
	finalThinking = rule{id: "turn.ends-in-thinking", area: "thinking", source: "messages-api.md 6.5", confidence: "high",
		text: "messages.{n}: The final block in an assistant message cannot be `{type}`."}
	prefillRefused = rule{id: "prefill.model", area: "roles", source: "messages-api.md 2.3", confidence: "high", era: "4.6 and later, Mythos Preview",
		text: "This model does not support assistant message prefill. The conversation must end with a user message."}
	prefillThinking = rule{id: "prefill.thinking", area: "thinking", source: "messages-api.md 2.3", confidence: "low", era: "models up to 4.5",
		text: "messages.{n}: the final assistant message cannot be prefilled when thinking is enabled"}
	// The refusal is documented, its words are not (messages-api.md 13, item 5).
	userCitations = rule{id: "block.user-citations", area: "content", source: "messages-api.md 1.3", confidence: "low", era: "API version 2026-10-21",
		text: "{path}.text.citations: Extra inputs are not permitted"}
	trailingBlank = rule{id: "prefill.trailing-blank", area: "roles", source: "messages-api.md 2.3", confidence: "high", era: "models up to 4.5",
		text: "messages: final assistant content cannot end with trailing whitespace"}
	notInAssistant = rule{id: "block.not-in-assistant", area: "content", source: "messages-api.md 2.5", confidence: "high",
		text: "messages.{n}.content: '{type}' blocks are not permitted within assistant turns."}
	toolChangeRole = rule{id: "block.tool-change-role", area: "content", source: "messages-api.md 2.4", confidence: "medium", era: "2026",
		text: `messages.{n}.content: 'tool_addition'/'tool_removal' blocks are only permitted within role: "system" messages`}
	onlyUser = rule{id: "block.only-user", area: "content", source: "messages-api.md 2.3", confidence: "medium",
		text: "messages.{n}: `{type}` blocks can only be in `user` messages"}
	onlyAssistant = rule{id: "block.only-assistant", area: "content", source: "messages-api.md 2.3", confidence: "medium",
		text: "messages.{n}: `{type}` blocks can only be in `assistant` messages"}
)

func (c *conversation) openTurn(role string, index int) {
	c.turn, c.inTurn = turn{role: role, first: index}, nil
	if role == "assistant" {
		c.assistant = index
	}
	if len(c.calls) > 0 {
		if role == "user" {
			c.turn.calls = c.calls
		} else {
			c.report(rankPairing, unanswered(c.calls, nil))
		}
		c.calls = nil
	}
}

// block adds a block to the open turn.
func (c *conversation) block(role string, b wire.Block, k *blockKind) {
	t := &c.turn
	if !t.filled {
		t.thought = k.thinking()
	}
	t.filled, t.last, t.lastAt, t.blankEnd = true, k, b.Message, false
	c.holds(role, k, b.Message)
	switch {
	case k == textKind:
		t.text(role, b.TextValue())
		if role == "user" && b.Len() > plainMembers && isNewVersion(c.betas) && b.Get("citations").Len() > 0 {
			c.report(rankRole, userCitations.fault("path", blockPath(b.Message, b.Index)))
		}
	case k.tag == "tool_use" && role == "assistant":
		c.call(b)
		return
	case k.tag == "tool_result" && role == "user":
		c.result(b)
		c.refer(b)
		return
	case k.server():
		t.server = true
		c.serverBlock(b, k)
	case k.tag == "search_result":
		c.searches(b.Value, blockPath(b.Message, b.Index))
	case k.tag == "compaction":
		c.compacts(b)
	}
	t.others = true
}

// text takes the text of a block.
func (t *turn) text(role string, text wire.Value) {
	if emptyString(text) {
		t.empty = true
	} else if blank(text) {
		t.blank = true
	}
	t.blankEnd = role == "assistant" && quickEndsBlank(text)
}

func (c *conversation) holds(role string, k *blockKind, n int) {
	switch {
	case k.roles == systemOnly:
		c.report(rankRole, toolChangeRole.fault("n", itoa(n)))
	case k.roles == userOnly && role == "assistant" && k.tag == "tool_result":
		c.report(rankRole, onlyUser.fault("n", itoa(n), "type", k.tag))
	case k.roles == userOnly && role == "assistant":
		c.report(rankRole, notInAssistant.fault("n", itoa(n), "type", k.tag))
	case k.roles == assistantOnly && role == "user":
		c.report(rankRole, onlyAssistant.fault("n", itoa(n), "type", k.tag))
	case k.tag == "document" && role == "assistant" && isNewVersion(c.betas):
		c.report(rankRole, notInAssistant.fault("n", itoa(n), "type", k.tag))
	}
}

// closeTurn judges the open turn as a whole and leaves none open. final says that the conversation ends here.
func (c *conversation) closeTurn(final bool) {
	t := c.turn
	c.turn = turn{}
	if t.role == "" {
		return
	}
	recent := c.recent
	if !t.filled {
		switch {
		case t.role == "user" && recent:
			c.report(rankEmpty, userEmpty.fault("n", itoa(t.first)))
		case !recent && !(final && t.role == "assistant"):
			c.report(rankEmpty, messageEmpty.fault("n", itoa(t.first)))
		}
	}
	if t.empty && !recent {
		c.report(rankText, textEmpty.fault())
	}
	// Blank text between the blocks of a server tool turn passes (messages-api.md 13, item 15).
	if t.blank && !(t.role == "assistant" && t.server) {
		c.report(rankText, textBlank.fault())
	}
	if t.role == "user" {
		c.lastUserEmpty = t.empty && recent
		c.answered(t)
		return
	}
	if t.filled && t.last.thinking() {
		c.report(rankThinking, finalThinking.fault("n", itoa(t.lastAt), "type", t.last.tag))
	}
	c.calls = t.calls
}

// prefill judges an assistant turn at the end (messages-api.md 2.3). A paused turn, which ends in a server
// tool's block, is sent back as it came (D9).
func (c *conversation) prefill(t turn) {
	switch {
	case t.last.server() || t.last.tag == "compaction" || c.free: // a paused compaction goes on so, too
	case !c.model.Prefill:
		c.report(rankPrefill, prefillRefused.fault())
	case c.manual && t.thought:
		c.report(rankPrefill, prefillThinking.fault("n", itoa(t.first)))
	case t.last == textKind && t.blankEnd:
		c.report(rankPrefill, trailingBlank.fault())
	}
}

// quickEndsBlank decodes a text only when its last bytes leave a doubt.
func quickEndsBlank(v wire.Value) bool {
	raw := v.Raw()
	if n := len(raw); n > 8 && raw[n-2] > ' ' && raw[n-2] < 0x80 && bytes.IndexByte(raw[n-8:n-1], '\\') < 0 {
		return false
	}
	return endsBlank(v)
}
