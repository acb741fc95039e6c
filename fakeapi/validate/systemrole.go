package validate

import "harnessbench/internal/wire"

// section is a run of system messages, judged together (messages-api.md 2.4).
type section struct {
	open        bool
	first, last int
	content     bool // one of them holds content; else the run renders nothing and may stand anywhere
	opens       bool // nothing stands before it
	follows     bool // what stands before it lets a system message follow
}

// The order of the rules inside a section (api-verdicts-notes.md 2.3).
const (
	sectionEmpty = iota
	sectionType
	sectionScoped
	sectionFirst
	sectionFollow
	sectionPrecede
	sectionBlank
	sectionRanks
)

const directiveTail = "; the directive-only form (content: [] with output_config) is accepted at any position"

var (
	systemRoleLong = rule{id: "system_role.model", area: "roles", source: "messages-api.md 2.3", confidence: "high", era: "models up to 4.5",
		text: "messages: Unexpected role \"system\". The Messages API accepts a top-level `system` parameter, not \"system\" as an input message role."}
	systemRoleShort = rule{id: "system_role.model-short", area: "roles", source: "api-verdicts-notes.md 3", confidence: "medium", era: "4.6, 4.7, Mythos Preview",
		text: "role 'system' is not supported on this model"}
	systemNoContent = rule{id: "system_role.empty", area: "roles", source: "messages-api.md 2.4", confidence: "high",
		text: "messages.{n}: system content must contain at least one block"}
	systemBadType = rule{id: "system_role.block-type", area: "roles", source: "messages-api.md 2.4", confidence: "high",
		text: "messages.{n}: role 'system' supports text, tool_addition, and tool_removal blocks only"}
	scopedType = rule{id: "clear_at.text-only", area: "roles", source: "messages-api.md 2.4", confidence: "high",
		text: "messages.{n}: a turn-scoped system message supports text blocks only (clear_at: 'next_user_message')"}
	scopedConfig = rule{id: "clear_at.output-config", area: "roles", source: "messages-api.md 2.4", confidence: "high",
		text: "messages.{n}: output_config is not permitted on a turn-scoped system message (clear_at: 'next_user_message')"}
	scopedCache = rule{id: "clear_at.cache-control", area: "roles", source: "messages-api.md 2.4", confidence: "high",
		text: "{path}: cache_control is not permitted on a turn-scoped system message (clear_at: 'next_user_message')"}
	systemFirst = rule{id: "system_role.first", area: "roles", source: "messages-api.md 2.4", confidence: "high",
		text: "messages.{n}: use the top-level 'system' parameter for the initial system prompt" + directiveTail}
	systemFollow = rule{id: "system_role.follow", area: "roles", source: "messages-api.md 2.4", confidence: "high",
		text: "messages.{n}: role 'system' must follow a 'user' message or an 'assistant' message ending in a server tool result" + directiveTail}
	systemPrecede = rule{id: "system_role.precede", area: "roles", source: "messages-api.md 2.4", confidence: "high",
		text: "messages.{n}: role 'system' must precede an 'assistant' message or end the array" + directiveTail}
	systemBlankText = rule{id: "system_role.blank", area: "roles", source: "messages-api.md 2.4", confidence: "high",
		text: "messages.{n}: system text blocks must contain non-whitespace text"}
)

func systemMessageRules() []rule {
	return []rule{systemNoContent, systemBadType, scopedType, scopedConfig, scopedCache, systemFirst, systemFollow, systemPrecede, systemBlankText}
}

// judgeMessagesMeaning holds what messages say beside their content: roles, tool changes, efforts.
func judgeMessagesMeaning(r *reading) *Fault {
	return r.firstOf(judgeSystemRole(r), r.judgeChanges(), r.judgeConflicts(), r.judgeReferences(), r.judgeMessageEffort())
}

// judgeSystemRole refuses the role where the model does not take it.
func judgeSystemRole(r *reading) *Fault {
	if !r.conv.system || r.model.SystemMessages {
		return nil
	}
	if since(r.model, "4.6") {
		return systemRoleShort.fault()
	}
	return systemRoleLong.fault()
}

func (c *conversation) systemMessage(m wire.Message, blocks []wire.Block) {
	s := &c.section
	if !s.open {
		*s = section{open: true, first: m.Index, opens: c.turn.role == "",
			follows: c.turn.role == "user" || c.turn.role == "assistant" && c.turn.filled && c.turn.last.serverResult()}
	}
	s.last = m.Index
	n := itoa(m.Index)
	config := present(m.Get("output_config"))
	if empty := len(blocks) == 0 || blocks[0].Bare && emptyString(blocks[0].Value); empty {
		if !config {
			c.inSection(sectionEmpty, systemNoContent.fault("n", n))
		}
		blocks = nil
	} else {
		s.content = true
	}
	scoped := isScoped(m)
	if scoped && config {
		c.inSection(sectionScoped, scopedConfig.fault("n", n))
	}
	for _, b := range blocks {
		switch kindOf(b).tag {
		case "text":
			if blank(b.TextValue()) {
				c.inSection(sectionBlank, systemBlankText.fault("n", n))
			}
		case "tool_addition", "tool_removal":
			if scoped {
				c.inSection(sectionScoped, scopedType.fault("n", n))
			}
		default:
			c.inSection(sectionType, systemBadType.fault("n", n))
		}
		if scoped && marked(b.Value) {
			c.inSection(sectionScoped, scopedCache.fault("path", blockPath(b.Message, b.Index)))
		}
	}
}

func (c *conversation) inSection(k int, f *Fault) {
	if c.inRun[k] == nil {
		c.inRun[k] = f
	}
}

// closeSection judges the open run of system messages, now that it is known what follows: a role, or ""
// for the end. A run with content ends the turn before it; one without is as if it were not there.
func (c *conversation) closeSection(next string) {
	s := c.section
	if !s.open {
		return
	}
	c.section = section{}
	if s.content {
		switch {
		case s.opens:
			c.inSection(sectionFirst, systemFirst.fault("n", itoa(s.first)))
		case !s.follows:
			c.inSection(sectionFollow, systemFollow.fault("n", itoa(s.first)))
		}
		if next == "user" {
			c.inSection(sectionPrecede, systemPrecede.fault("n", itoa(s.last)))
		}
		c.closeTurn(false)
	}
	for _, f := range c.inRun {
		if f != nil {
			c.report(rankSystem, f)
			if !c.every {
				break
			}
		}
	}
	c.inRun = [sectionRanks]*Fault{}
}

// isScoped tells whether a system message is shown for one turn only.
func isScoped(m wire.Message) bool { return m.Get("clear_at").Text() == "next_user_message" }

func present(v wire.Value) bool { return v.Exists() && !v.IsNull() }
