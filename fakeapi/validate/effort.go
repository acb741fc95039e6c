package validate

// effortAt is an effort set by a system message (messages-api.md 2.4).
type effortAt struct {
	message int
	level   string
}

var (
	effortPerTurn = rule{id: "output_config.effort.per-turn", area: "roles", source: "messages-api.md 2.4", confidence: "high", era: "models without per-message effort",
		text: "output_config.effort requires a model that supports per-turn effort; this model does not"}
	effortChanges = rule{id: "output_config.effort.changes", area: "thinking", source: "messages-api.md 6.1", confidence: "high", era: "Sonnet 5.5, Haiku 5.5",
		text: "messages.{n}: output_config.effort '{level}' differs from the '{before}' in effect before it; effort cannot change when thinking is disabled on this model. Use effort '{before}', or enable thinking."}
)

// judgeMessageEffort judges the efforts of system messages: the model must take them, and where thinking is off on a
// model that then knows one effort only, they may not change it.
func (r *reading) judgeMessageEffort() *Fault {
	efforts := r.conv.efforts
	if len(efforts) == 0 {
		return nil
	}
	if !r.model.PerMessageEffort {
		return effortPerTurn.fault()
	}
	if !r.thinksNot() {
		return nil
	}
	before := r.req.Get("output_config").Get("effort").Text()
	if before == "" {
		before = r.model.EffortDefault
	}
	for _, e := range efforts {
		if e.level != before {
			return effortChanges.fault("n", itoa(e.message), "level", e.level, "before", before)
		}
	}
	return nil
}

// thinksNot tells whether thinking is off on one of the two models that then hold on to their effort: Sonnet 5.5 with
// between_tools, Haiku 5.5 with disabled.
func (r *reading) thinksNot() bool {
	switch r.req.Get("thinking").Get("type").Text() {
	case "between_tools":
		return true
	case "disabled":
		return r.model.Line == "haiku" && r.model.ThinkingDisabled == "effort_high_or_below"
	}
	return false
}
