package validate

import (
	"harnessbench/internal/model"
	"harnessbench/internal/wire"
)

var formatOrigin = origin{"params", "messages-api.md 2.9", "medium"}

// outputFormat is the schema an answer is to follow.
var outputFormat = &object{
	origin: formatOrigin, name: "output_format", wrong: notObject,
	fields: []field{must("type", word("json_schema")), must("schema", dict)},
}

var outputConfig = &object{
	origin: paramOrigin, name: "output_config", wrong: notShape,
	fields: []field{
		{name: "effort", null: true, check: enum{words: []string{"low", "medium", "high", "xhigh", "max"}}},
		may("format", outputFormat),
		{name: "task_budget", null: true, betas: []string{"task-budgets-2026-03-13"}, check: &object{
			origin: paramOrigin, name: "output_config.task_budget", wrong: notObject,
			fields: []field{must("type", word("tokens")), must("total", integer{model.MinTaskBudget, tooSmall}), may("remaining", count)},
		}},
	},
}

var (
	formatCitations = rule{id: "output_config.format.citations", area: "params", source: "messages-api.md 2.9", confidence: "low",
		text: "{path}: citations cannot be enabled together with a structured output format"}
	formatPrefill = rule{id: "output_config.format.prefill", area: "params", source: "messages-api.md 2.9", confidence: "low",
		text: "{path}: prefilling the assistant message is not supported with a structured output format"}
)

// format is the format asked for, at the present place or the old one.
func (r *reading) format() (v wire.Value, path string) {
	if v = r.req.Get("output_config").Get("format"); present(v) {
		return v, "output_config.format"
	}
	return r.req.Get("output_format"), "output_format"
}

// judgeFormat holds the schema against what a grammar can be made of, and the request against the format.
func judgeFormat(r *reading) *Fault {
	v, path := r.format()
	if !present(v) {
		return nil
	}
	if f := compile(v.Get("schema"), path+".schema"); f != nil {
		return f
	}
	if r.cites() {
		return formatCitations.fault("path", path)
	}
	if t := r.conv.turn; t.role == "assistant" && t.filled && t.last == textKind && !r.conv.free {
		return formatPrefill.fault("path", path)
	}
	return nil
}

// cites tells whether a document or search result of the request is to be cited.
func (r *reading) cites() bool {
	for i := range r.req.MessageCount() {
		for _, b := range r.req.Message(i).Get("content").Elems() {
			if cites(b) {
				return true
			}
			if b.Get("type").Text() == "tool_result" {
				for _, inner := range b.Get("content").Elems() {
					if cites(inner) {
						return true
					}
				}
			}
		}
	}
	return false
}
