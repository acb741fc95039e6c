package validate

import "harnessbench/internal/wire"

var choiceOrigin = origin{"tools", "messages-api.md 2.8", "high"}

// toolChoice lists its tags in its own order (api-verdicts-notes.md 2.2).
var toolChoice = &union{
	origin: choiceOrigin, name: "tool_choice",
	arms: []arm{
		{tag: "auto", shape: choice("auto", false, true)},
		{tag: "any", shape: choice("any", false, true)},
		{tag: "tool", shape: choice("tool", true, true)},
		{tag: "none", shape: choice("none", false, false)},
	},
}

func choice(tag string, named, parallel bool) *object {
	s := &object{origin: choiceOrigin, name: "tool_choice." + tag, wrong: notObject,
		fields: []field{{name: "type", check: anything{}}}}
	if named {
		s.fields = append(s.fields, field{name: "name", required: true, check: str{}})
	}
	if parallel {
		s.fields = append(s.fields, field{name: "disable_parallel_tool_use", check: boolean})
	}
	return s
}

var (
	forcedUnsupported = rule{id: "tool_choice.forced-model", area: "tools", source: "messages-api.md 2.8", confidence: "high", era: "Opus 5.5, Sonnet 5.5, Fable and Mythos 5.1 and 5.2, Mythos Preview",
		text: `tool_choice: type "tool" and "any" are not supported for this model.`}
	anyWithoutTools = rule{id: "tool_choice.any-without-tools", area: "tools", source: "messages-api.md 2.8", confidence: "high",
		text: "tool_choice.any may only be specified while providing tools"}
	choiceNotFound = rule{id: "tool_choice.not-found", area: "tools", source: "messages-api.md 2.8", confidence: "high",
		text: "Tool '{name}' not found in provided tools"}
)

func judgeToolChoice(r *reading) *Fault {
	c := r.req.Get("tool_choice")
	if !forces(c) {
		return nil
	}
	if !r.model.ForcedToolChoice {
		return forcedUnsupported.fault()
	}
	if c.Get("type").Text() == "any" {
		if r.req.Get("tools").Len() == 0 {
			return anyWithoutTools.fault()
		}
		return nil
	}
	want := c.Get("name").Text()
	for _, t := range r.req.Get("tools").Elems() {
		if t.Get("name").Text() == want {
			return nil
		}
	}
	return choiceNotFound.fault("name", want)
}

// forces tells whether a tool_choice demands a tool call.
func forces(c wire.Value) bool {
	t := c.Get("type").Text()
	return t == "any" || t == "tool"
}
