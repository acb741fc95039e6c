package validate

import (
	"strings"

	"harnessbench/internal/model"
)

var thinkingOrigin = origin{"thinking", "messages-api.md 6", "high"}

var thinkingField = &union{
	origin: thinkingOrigin, name: "thinking",
	arms: []arm{
		{tag: "adaptive", shape: thinkingArm("adaptive", displayField(), bindingField())},
		{tag: "between_tools", shape: thinkingArm("between_tools")},
		{tag: "disabled", shape: thinkingArm("disabled")},
		{tag: "enabled", shape: thinkingArm("enabled",
			field{name: "budget_tokens", required: true, check: integer{model.MinThinkingBudget, tooSmall}},
			displayField(), bindingField())},
	},
}

func thinkingArm(tag string, fields ...field) *object {
	return &object{origin: thinkingOrigin, name: "thinking." + tag, wrong: notObject,
		fields: append([]field{{name: "type", check: anything{}}}, fields...)}
}

// displayField: "updates" without its header is an unknown word, not an unknown field (messages-api.md 6.3).
func displayField() field {
	return field{name: "display", null: true, check: enum{words: []string{"summarized", "omitted"}, more: func(h head) []string {
		if h.has("thinking-display-updates-2026-08-18") {
			return []string{"updates"}
		}
		return nil
	}}}
}

func bindingField() field {
	return field{name: "block_binding", null: true, betas: []string{"thinking-binding-controls-2026-08-01"}, check: &object{
		origin: origin{"thinking", "messages-api.md 6.6", "low"}, name: "thinking.block_binding", wrong: notObject,
		fields: []field{{name: "prefix_mismatch_behavior", null: true, check: enum{words: []string{"error", "drop_block"}}}},
	}}
}

const (
	thinkingDocs = "https://docs.claude.com/en/docs/build-with-claude/extended-thinking"
	effortTail   = ` Use "thinking.type.adaptive" and "output_config.effort" to control thinking behavior.`
)

var (
	enabledRefused = rule{id: "thinking.enabled.model", area: "thinking", source: "messages-api.md 6.1", confidence: "high", era: "Opus 4.7 and later, all 5 and later; Haiku 3.5",
		text: `"thinking.type.enabled" is not supported for this model.` + effortTail}
	adaptiveRefused = rule{id: "thinking.adaptive.model", area: "thinking", source: "messages-api.md 6.1", confidence: "high", era: "4.5 and older",
		text: "adaptive thinking is not supported on this model"}
	betweenRefused = rule{id: "thinking.between_tools.model", area: "thinking", source: "messages-api.md 6.1", confidence: "high", era: "all but Sonnet 5.5",
		text: `"thinking.type.between_tools" is not supported for this model.`}
	disabledRefused = rule{id: "thinking.disabled.model", area: "thinking", source: "messages-api.md 6.1", confidence: "high", era: "Opus 5.5, Fable and Mythos from 5",
		text: `"thinking.type.disabled" is not supported for this model.` + effortTail}
	disabledRefusedManual = rule{id: "thinking.disabled.model-manual", area: "thinking", source: "messages-api.md 6.1", confidence: "high", era: "Mythos Preview",
		text: `"thinking.type.disabled" is not supported for this model. Thinking defaults to adaptive mode when not specified; use "thinking.type.enabled" with "budget_tokens" for extended thinking.`}
	disabledUseBetween = rule{id: "thinking.disabled.use-between", area: "thinking", source: "messages-api.md 6.1", confidence: "high", era: "Sonnet 5.5, 2026-10",
		text: `To turn thinking off on this model, send "thinking": {"type": "between_tools"} instead of {"type": "disabled"}. The model does not think before responding. The short updates it writes between tool calls come back as thinking blocks.`}
	offHighEffort = rule{id: "thinking.off-high-effort", area: "thinking", source: "messages-api.md 6.1", confidence: "high", era: "Opus 5, Haiku 5.5, Sonnet 5.5",
		text: "output_config.effort '{effort}' is not supported when thinking is disabled on this model. Use effort 'high' or below, or enable thinking."}
	budgetOverMax = rule{id: "thinking.budget-over-max-tokens", area: "thinking", source: "messages-api.md 6.2", confidence: "high", era: "3.7 to 4.6",
		text: "`max_tokens` must be greater than `thinking.budget_tokens`. Please consult our documentation at " + thinkingDocs + "#max-tokens-and-context-window-size"}
	thinkingForced = rule{id: "thinking.forced-tool", area: "thinking", source: "messages-api.md 2.8", confidence: "high", era: "3.7 to 4.6",
		text: "Thinking may not be enabled when tool_choice forces tool use."}
)

func thinkingRules() []rule {
	return []rule{enabledRefused, adaptiveRefused, betweenRefused, disabledRefused, disabledRefusedManual, disabledUseBetween,
		offHighEffort, budgetOverMax, thinkingForced}
}

// judgeThinking holds the rules of thinking's mode against the model and the other parameters.
func judgeThinking(r *reading) *Fault {
	t := r.req.Get("thinking")
	if !t.Exists() {
		return nil
	}
	m := r.model
	switch t.Get("type").Text() {
	case "adaptive":
		if m.ThinkingAdaptive == "no" {
			return adaptiveRefused.fault()
		}
	case "between_tools":
		if m.ThinkingBetween != "yes" && !strings.HasPrefix(m.ThinkingBetween, "effort") {
			return betweenRefused.fault()
		}
		return r.offAtHighEffort()
	case "disabled":
		switch {
		case m.ThinkingDisabled == "effort_high_or_below":
			return r.offAtHighEffort()
		case m.ThinkingDisabled != "no":
		case m.ThinkingBetween == "yes" || strings.HasPrefix(m.ThinkingBetween, "effort"):
			return disabledUseBetween.fault()
		case m.ThinkingBudget == "yes":
			return disabledRefusedManual.fault()
		default:
			return disabledRefused.fault()
		}
	case "enabled":
		if m.ThinkingBudget == "no" {
			return enabledRefused.fault()
		}
		if forces(r.req.Get("tool_choice")) {
			return thinkingForced.fault()
		}
		budget, _ := t.Get("budget_tokens").Int()
		limit, _ := r.req.Get("max_tokens").Int()
		interleaved := m.Interleaved == "beta_header" && r.walk.head.has("interleaved-thinking-2025-05-14")
		if r.req.Get("max_tokens").Exists() && budget >= limit && !interleaved { // count_tokens has none
			return budgetOverMax.fault()
		}
	}
	return nil
}

func (r *reading) offAtHighEffort() *Fault {
	effort := r.req.Get("output_config").Get("effort").Text()
	if effort == "xhigh" || effort == "max" {
		return offHighEffort.fault("effort", effort)
	}
	return nil
}
