package validate

import (
	"strconv"

	"harnessbench/internal/model"
	"harnessbench/internal/wire"
)

const (
	clearAtBeta = "mid-conversation-system-clear-at-2026-08-21"
	effortBeta  = "mid-conversation-output-config-2026-07-01"
)

var messageOrigin = origin{"params", "messages-api.md 2.1, 2.3", "high"}

var messageItem = &object{
	origin: messageOrigin, name: "messages.item", wrong: notObject,
	fields: []field{
		{name: "role", required: true, check: str{}},
		{name: "content", required: true, check: list{text: true, of: messageBlock}},
		{name: "clear_at", null: true, betas: []string{clearAtBeta},
			check: enum{words: []string{"next_user_message", "never"}}},
		{name: "output_config", null: true, betas: []string{effortBeta}, check: &object{
			origin: origin{"roles", "messages-api.md 2.4", "medium"}, name: "messages.item.output_config", wrong: notShape,
			fields: []field{{name: "effort", null: true, check: outputConfig.fields[0].check}},
		}},
	},
	also:     clearAtPlace,
	alsoRule: []rule{clearAtRole},
}

var clearAtRole = rule{id: "clear_at.role", area: "roles", source: "messages-api.md 2.4", confidence: "high",
	text: "{path}: clear_at is only permitted on role 'system' messages"}

func clearAtPlace(w *walk, _ owner, v wire.Value) *Fault {
	if !w.head.has(clearAtBeta) || !present(v.Get("clear_at")) || v.Get("role").Text() == "system" {
		return nil
	}
	w.in("clear_at")
	return clearAtRole.fault("path", w.where())
}

var (
	roleUnknown = rule{id: "messages.role", area: "roles", source: "messages-api.md 2.3", confidence: "medium",
		text: `messages: Unexpected role "{role}". Allowed roles are "user" or "assistant".`}
	roleTool = rule{id: "messages.role.tool", area: "roles", source: "messages-api.md 2.3", confidence: "medium",
		text: `messages: Unexpected role "tool". Allowed roles are "user" or "assistant". For instructions on how to use tools, see https://platform.claude.com/docs/en/agents-and-tools/tool-use/overview.`}
)

func messageRules() []rule {
	o := topOwner("messages")
	all := []rule{notArray.of(o), noMessages, tooManyMessages}
	all = append(all, messageItem.rules(o)...)
	return append(all, roleTool, roleUnknown)
}

// judgeMessages judges the items that an earlier request did not bring, then the roles: an item's schema
// speaks before a bad role (api-verdicts-notes.md 2.1).
func judgeMessages(r *reading) *Fault {
	w, v := &r.walk, r.req.Get("messages")
	if v.Kind() != '[' {
		return w.refuse(topOwner("messages"), notArray)
	}
	count := v.Len()
	if count == 0 && !r.part {
		return noMessages.fault()
	}
	if count > model.MaxMessages {
		return tooManyMessages.fault("max", strconv.Itoa(model.MaxMessages), "n", strconv.Itoa(count))
	}
	bad := ""
	outer, depth, refused := w.notJudged, len(w.path), false
	r.beginConversation()
	for i := r.start; i < count; i++ {
		m := r.req.Message(i)
		role, content, plain := lookAt(m.Value)
		w.notJudged = nil
		if !plain {
			w.at(i)
			if f := messageItem.judge(w, owner{}, m.Value); f != nil {
				if !w.goesOn(f, depth) {
					return f
				}
				refused = true
				continue
			}
			w.out()
		}
		word := roleOf(role)
		if bad == "" && word != "user" && word != "assistant" && word != "system" {
			bad = string(role.Raw())
		}
		r.readMessage(m, word, content, plain, w.notJudged)
	}
	w.notJudged = outer
	r.conv.end()
	switch {
	case bad == `"tool"`:
		return roleTool.fault()
	case bad != "":
		return roleUnknown.fault("role", bad[1:len(bad)-1])
	case refused:
		return heard
	}
	return nil
}

// lookAt finds role and content of a message. plain tells that it holds nothing else and only text, so that its
// shape needs no judging.
func lookAt(m wire.Value) (role, content wire.Value, plain bool) {
	for i := range m.Len() {
		switch string(m.NameAt(i)) {
		case "role":
			role = m.MemberAt(i)
		case "content":
			content = m.MemberAt(i)
		}
	}
	plain = m.Len() == 2 && role.Kind() == '"' && (content.Kind() == '"' || content.Kind() == '[')
	for i := range content.Len() {
		plain = plain && isPlainText(content.At(i))
	}
	return role, content, plain
}

// isPlainText tells whether a block is text and nothing else, written in the usual order.
func isPlainText(b wire.Value) bool {
	return b.Len() == 2 && string(b.NameAt(0)) == "type" && string(b.NameAt(1)) == "text" &&
		string(b.MemberAt(0).Raw()) == `"text"` && b.MemberAt(1).Kind() == '"'
}
