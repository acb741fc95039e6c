package validate

var toolOrigin = origin{"tools", "messages-api.md 2.7", "high"}

const toolNamePattern = "^[a-zA-Z0-9_-]{1,128}$"

var customTool = &object{
	origin: toolOrigin, name: "tools.custom", wrong: notObject,
	fields: []field{
		{name: "type", check: anything{}},
		{name: "name", required: true, check: str{nonEmpty: true, max: 128, pattern: toolNamePattern, match: isToolID}},
		{name: "description", check: str{}},
		{name: "input_schema", required: true, check: inputSchema{}},
		cacheField(),
		{name: "defer_loading", null: true, check: boolean},
		{name: "eager_input_streaming", null: true, check: boolean},
		may("strict", boolean),
		may("allowed_callers", callers),
		may("input_examples", list{of: dict}),
	},
	also:     examplesFit,
	alsoRule: []rule{exampleWrong},
}

var toolsField = list{of: toolEntry}

var (
	namesUnique = rule{id: "tools.unique", area: "tools", source: "messages-api.md 2.7", confidence: "high",
		text: "tools: Tool names must be unique."}
	allDeferred = rule{id: "tools.all-deferred", area: "tools", source: "messages-api.md 2.7", confidence: "medium",
		text: "At least one tool must have defer_loading=false"}
	deferredMark = rule{id: "tools.deferred-cache", area: "tools", source: "messages-api.md 5.2", confidence: "medium",
		text: "Tool '{name}' cannot have both defer_loading=true and cache_control set. Tools with defer_loading cannot use prompt caching."}
)

func toolRules() []rule {
	return append([]rule{typeUnsupported, namesUnique, deferredMark, allDeferred}, strictRules()...)
}

// judgeTools holds the rules that relate tools to each other. Tools that passed before need no second look, but for
// what the conversation has to bring.
func judgeTools(r *reading) *Fault {
	if r.sameTools {
		return r.judgeDeferred()
	}
	return r.firstOf(r.judgeTypes(), r.judgeNames(), r.judgeDeferred(), r.judgeStrict())
}

// judgeDeferred refuses tools that are all to be loaded later, unless the conversation adds one (messages-api.md 5.7
// counts on such requests).
func (r *reading) judgeDeferred() *Fault {
	tools := r.req.Get("tools")
	for _, t := range tools.Elems() {
		if deferred, _ := t.Get("defer_loading").Bool(); !deferred {
			return nil
		}
	}
	if tools.Len() == 0 || r.conv.added {
		return nil
	}
	return allDeferred.fault()
}

func (r *reading) judgeNames() *Fault {
	tools := r.req.Get("tools")
	seen := make(map[string]bool, tools.Len())
	twice := false
	for _, t := range tools.Elems() {
		if name := t.Get("name"); name.Exists() {
			n := name.Text()
			if seen[n] && !twice {
				twice = true
				if f := namesUnique.fault(); !r.walk.goesOn(f, 0) {
					return f
				}
			}
			seen[n] = true
		}
		deferred, _ := t.Get("defer_loading").Bool()
		if deferred && marked(t) {
			if f := deferredMark.fault("name", t.Get("name").Text()); !r.walk.goesOn(f, 0) {
				return f
			}
		}
	}
	return nil
}
