package validate

import (
	"strconv"

	"harnessbench/internal/model"
	"harnessbench/internal/wire"
)

// Header values that open server-side context management (messages-api.md 1.2, 8).
const (
	EditBeta     = "context-management-2025-06-27"
	CompactBeta  = "compact-2026-01-12" // compact_20260112 and its blocks
	OnDemandBeta = "compact-2026-09-04" // `compaction` and signed blocks
)

var editOrigin = origin{"context-management", "messages-api.md 8.1, 8.2, 8.3", "medium"}

// contextManagement is the top-level field. Members that SDKs may send as null are taken as absent.
var contextManagement = &object{
	origin: editOrigin, name: "context_management", wrong: notObject,
	fields: []field{{name: "edits", null: true, check: list{of: &union{
		origin: editOrigin, name: "context_management.edits.item",
		arms: []arm{
			{tag: "clear_thinking_20251015", betas: []string{EditBeta}, strict: true, shape: edit("clear_thinking_20251015",
				field{name: "keep", null: true, check: keepTurns{}})},
			{tag: "clear_tool_uses_20250919", betas: []string{EditBeta}, strict: true, shape: edit("clear_tool_uses_20250919",
				field{name: "trigger", null: true, check: quantities("trigger", "input_tokens", "tool_uses")},
				field{name: "keep", null: true, check: quantity("keep", "tool_uses", 0)},
				field{name: "clear_at_least", null: true, check: quantity("clear_at_least", "input_tokens", 0)},
				field{name: "exclude_tools", null: true, check: list{of: str{}}},
				field{name: "clear_tool_inputs", null: true, check: clearInputs{list{of: str{}}}})},
			{tag: "compact_20260112", betas: []string{CompactBeta}, strict: true, shape: edit("compact_20260112",
				field{name: "trigger", null: true, check: quantity("compact_trigger", "input_tokens", model.MinCompactTrigger)},
				field{name: "pause_after_compaction", null: true, check: boolean},
				field{name: "instructions", null: true, check: str{}})},
		},
	}}}},
}

func edit(tag string, fields ...field) *object {
	return &object{origin: editOrigin, name: tag, wrong: notObject,
		fields: append([]field{{name: "type", check: anything{}}}, fields...)}
}

// quantity is {type, value} of one type.
func quantity(name, typ string, min int64) *object {
	return &object{origin: editOrigin, name: "edit." + name, wrong: notObject, fields: []field{
		{name: "type", required: true, check: enum{words: []string{typ}}},
		{name: "value", required: true, check: integer{min, tooSmall}},
	}}
}

// quantities is {type, value} of one of several types.
func quantities(name string, types ...string) *union {
	u := &union{origin: editOrigin, name: "edit." + name}
	for _, t := range types {
		u.arms = append(u.arms, arm{tag: t, shape: &object{origin: editOrigin, name: "edit." + name + "." + t, wrong: notObject, fields: []field{
			{name: "type", check: anything{}},
			{name: "value", required: true, check: integer{0, tooSmall}},
		}}})
	}
	return u
}

// keepTurns is the keep of clear_thinking: "all", or an object.
type keepTurns struct{}

var keepTurnsObject = func() *union {
	turns := quantities("keep_turns", "thinking_turns")
	turns.arms[0].shape.fields[1].check = integer{1, tooSmall}
	turns.arms = append([]arm{{tag: "all", shape: edit("edit.keep_turns.all")}}, turns.arms...)
	return turns
}()

func (keepTurns) judge(w *walk, o owner, v wire.Value) *Fault {
	if v.Kind() != '"' {
		return keepTurnsObject.judge(w, o, v)
	}
	return enum{words: []string{"all"}}.judge(w, o, v)
}

func (keepTurns) rules(o owner) []rule {
	return append(enum{}.rules(o), keepTurnsObject.rules(o)...)
}

// clearInputs is a boolean or a list of tool names.
type clearInputs struct{ list }

func (c clearInputs) judge(w *walk, o owner, v wire.Value) *Fault {
	if _, ok := v.Bool(); ok {
		return nil
	}
	return c.list.judge(w, o, v)
}

// The text of needsThinking is reported (api-verdicts.jsonl clear-thinking-needs-thinking); of the others the
// refusal is documented and its words are not (messages-api.md 13, item 5).
var (
	needsThinking = rule{id: "clear_thinking.needs-thinking", area: "context-management", source: "messages-api.md 8.2", confidence: "high",
		text: "`clear_thinking_20251015` strategy requires `thinking` to be enabled or adaptive"}
	thinkingFirst = rule{id: "clear_thinking.first", area: "context-management", source: "messages-api.md 8.2", confidence: "low",
		text: "context_management.edits.{n}: `clear_thinking_20251015` must be the first strategy in `edits`"}
	compactModel = rule{id: "compact.model", area: "context-management", source: "messages-api.md 8.3", confidence: "low",
		text: "context_management.edits.{n}: `compact_20260112` is not supported on this model"}
	compactSigned = rule{id: "compact.signed-block", area: "context-management", source: "messages-api.md 8.4", confidence: "low",
		text: "context_management.edits.{n}: `compact_20260112` cannot be used with a signed `compaction` block in `messages`"}
)

func editRules() []rule { return []rule{needsThinking, thinkingFirst, compactModel, compactSigned} }

// judgeEdits judges the list of edits against the rest of the request. Whether a signed block stands in the
// messages is seen by their walk.
func judgeEdits(r *reading) *Fault {
	for i, e := range r.req.Get("context_management").Get("edits").Elems() {
		switch e.Get("type").Text() {
		case "clear_thinking_20251015":
			if i > 0 {
				return thinkingFirst.fault("n", strconv.Itoa(i))
			}
			if !thinksOn(r) {
				return needsThinking.fault()
			}
		case "compact_20260112":
			if !r.model.ThresholdCompaction {
				return compactModel.fault("n", strconv.Itoa(i))
			}
			if firstSigned(r.req) {
				return compactSigned.fault("n", strconv.Itoa(i))
			}
		}
	}
	return nil
}

// thinksOn tells whether thinking is on: asked for, or on by default where the request is silent.
func thinksOn(r *reading) bool {
	switch r.req.Get("thinking").Get("type").Text() {
	case "adaptive", "enabled":
		return true
	case "":
		return r.model.ThinkingDefault == "on"
	}
	return false
}
