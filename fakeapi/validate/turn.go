package validate

import (
	"bytes"
	"strings"

	"harnessbench/internal/wire"
)

// turn is a run of messages of one role, which every rule takes as one (messages-api.md 2.3).
type turn struct {
	role     string
	first    int  // index of its first message
	filled   bool // it has content
	empty    bool // a text block without text
	blank    bool // a text block of white space
	server   bool // a server tool's block
	lastType string
	lastAt   int // message of the last block
	blankEnd bool
	calls    []call   // assistant: its tool_use blocks; user: those of the turn it answers
	results  []result // user: its tool_result blocks
	others   bool     // user: another block was seen
}

var (
	userEmpty = rule{id: "turn.user-empty", area: "content", source: "messages-api.md 2.3", confidence: "high",
		text: "messages.{n}: user messages must have non-empty content"}
	messageEmpty = rule{id: "turn.empty", area: "content", source: "messages-api.md 2.3", confidence: "high",
		text: "messages.{n}: all messages must have non-empty content except for the optional final assistant message"}
	textEmpty = rule{id: "turn.text-empty", area: "content", source: "messages-api.md 2.3", confidence: "high",
		text: "messages: text content blocks must be non-empty"}
	textBlank = rule{id: "turn.text-blank", area: "content", source: "messages-api.md 2.3", confidence: "high",
		text: "messages: text content blocks must contain non-whitespace text"}
	finalThinking = rule{id: "turn.ends-in-thinking", area: "thinking", source: "messages-api.md 6.5", confidence: "high",
		text: "messages.{n}: The final block in an assistant message cannot be `{type}`."}
	prefillRefused = rule{id: "prefill.model", area: "roles", source: "messages-api.md 2.3", confidence: "high",
		text: "This model does not support assistant message prefill. The conversation must end with a user message."}
	trailingBlank = rule{id: "prefill.trailing-blank", area: "roles", source: "messages-api.md 2.3", confidence: "high",
		text: "messages: final assistant content cannot end with trailing whitespace"}
	notInAssistant = rule{id: "block.not-in-assistant", area: "content", source: "messages-api.md 2.5", confidence: "high",
		text: "messages.{n}.content: '{type}' blocks are not permitted within assistant turns."}
	toolChangeRole = rule{id: "block.tool-change-role", area: "content", source: "messages-api.md 2.4", confidence: "medium",
		text: `messages.{n}.content: 'tool_addition'/'tool_removal' blocks are only permitted within role: "system" messages`}
	onlyUser = rule{id: "block.only-user", area: "content", source: "messages-api.md 2.3", confidence: "medium",
		text: "messages.{n}: `{type}` blocks can only be in `user` messages"}
	onlyAssistant = rule{id: "block.only-assistant", area: "content", source: "messages-api.md 2.3", confidence: "medium",
		text: "messages.{n}: `{type}` blocks can only be in `assistant` messages"}
)

func (c *conversation) openTurn(role string, index int) {
	c.turn = turn{role: role, first: index}
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
func (c *conversation) block(role string, b wire.Block) {
	t, typ := &c.turn, b.Type()
	t.filled, t.lastType, t.lastAt, t.blankEnd = true, typ, b.Message, false
	c.holds(role, typ, b.Message)
	switch {
	case typ == "text":
		text := b.TextValue()
		if emptyString(text) {
			t.empty = true
		} else if blank(text) {
			t.blank = true
		}
		t.blankEnd = role == "assistant" && quickEndsBlank(text)
	case typ == "tool_use" && role == "assistant":
		c.call(b)
		return
	case typ == "tool_result" && role == "user":
		c.result(b)
		return
	case isServerBlock(typ):
		t.server = true
	}
	t.others = true
}

// isServerBlock tells whether a block belongs to a server tool: its call or its result.
func isServerBlock(typ string) bool {
	return typ == "server_tool_use" || typ == "mcp_tool_use" ||
		typ != "tool_result" && strings.HasSuffix(typ, "_tool_result")
}

func (c *conversation) holds(role, typ string, n int) {
	for _, k := range rolesOf {
		if k.tag != typ {
			continue
		}
		at, name := itoa(n), typ
		switch {
		case k.roles == systemOnly:
			c.report(rankRole, toolChangeRole.fault("n", at))
		case k.roles == userOnly && role == "assistant" && typ == "tool_result":
			c.report(rankRole, onlyUser.fault("n", at, "type", name))
		case k.roles == userOnly && role == "assistant":
			c.report(rankRole, notInAssistant.fault("n", at, "type", name))
		case k.roles == assistantOnly && role == "user":
			c.report(rankRole, onlyAssistant.fault("n", at, "type", name))
		case typ == "document" && role == "assistant" && isNewVersion(c.betas):
			c.report(rankRole, notInAssistant.fault("n", at, "type", name))
		}
		return
	}
}

// rolesOf holds the block types that not every role may hold.
var rolesOf = func() []blockKind {
	var out []blockKind
	for _, k := range blockKinds() {
		if k.roles != anyRole || k.tag == "document" {
			out = append(out, k)
		}
	}
	return out
}()

// closeTurn judges the open turn as a whole and leaves none open. final says that the conversation ends here.
func (c *conversation) closeTurn(final bool) {
	t := c.turn
	c.turn = turn{}
	if t.role == "" {
		return
	}
	recent := since(c.model, "4.7")
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
	if t.lastType == "thinking" || t.lastType == "redacted_thinking" {
		c.report(rankThinking, finalThinking.fault("n", itoa(t.lastAt), "type", t.lastType))
	}
	c.calls = t.calls
}

// prefill judges an assistant turn at the end (messages-api.md 2.3). A paused turn, which ends in a server
// tool's block, is sent back as it came (D9).
func (c *conversation) prefill(t turn) {
	switch {
	case isServerBlock(t.lastType) || c.free:
	case !c.model.Prefill:
		c.report(rankPrefill, prefillRefused.fault())
	case t.lastType == "text" && t.blankEnd:
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
