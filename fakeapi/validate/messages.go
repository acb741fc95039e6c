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
		{name: "output_config", null: true, betas: []string{effortBeta}, check: passed{&object{
			origin: origin{"roles", "messages-api.md 2.4", "medium"}, name: "messages.item.output_config", wrong: notShape,
			fields: []field{{name: "effort", null: true, check: outputConfig.fields[0].check}},
		}}},
	},
	also:     clearAtPlace,
	alsoRule: []rule{clearAtRole},
}

var clearAtRole = rule{id: "clear_at.role", area: "roles", source: "messages-api.md 2.4", confidence: "high",
	text: "{path}: clear_at is only permitted on role 'system' messages"}

func clearAtPlace(w *walk, _ owner, v wire.Value) *Fault {
	if c := v.Get("clear_at"); !c.Exists() || c.IsNull() || !w.head.has(clearAtBeta) || v.Get("role").Text() == "system" {
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
	outer := w.notJudged
	for i := r.start; i < count; i++ {
		m := r.req.Message(i)
		w.notJudged = nil
		w.at(i)
		if f := messageItem.judge(w, owner{}, m.Value); f != nil {
			return f
		}
		w.out()
		r.passed = append(r.passed, w.notJudged)
		if role := m.Role(); bad == "" && role != "user" && role != "assistant" && role != "system" {
			bad = string(m.Get("role").Raw())
		}
	}
	w.notJudged = outer
	switch bad {
	case "":
		return nil
	case `"tool"`:
		return roleTool.fault()
	}
	return roleUnknown.fault("role", bad[1:len(bad)-1])
}
