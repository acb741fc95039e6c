package fakeapi

import (
	"strconv"

	"harnessbench/fakeapi/contextedit"
	"harnessbench/fakeapi/validate"
	"harnessbench/internal/prefix"
)

// managed is what the server makes of a conversation before its model sees it (messages-api.md 7, 8).
type managed struct {
	base   *contextedit.Base
	signed *contextedit.Signed
	plan   contextedit.Plan
	edited *contextedit.Edited // nil when no edit was asked for
	// bound is the rendering that thinking is bound to: edits of the server never count against it.
	bound *prefix.Rendered
	chain prefix.Hash // binding chain that the answer goes on from
	most  int         // output tokens at which the answer was ended, 0 when it was not
	// swallowed is the stop sequence of the request that ended the answer, "" for none.
	swallowed string
}

// Rule ids of the window's refusals.
const (
	RuleTooLong      = "prompt-too-long"
	RuleOverflow     = "prompt-and-max-tokens-too-long"
	RuleSizeOfWindow = "request-size-exceeds-window"
)

// windowBeta lifts the refusal of input and max_tokens together on older models.
const windowBeta = "model-context-window-exceeded-2025-08-26"

// takeUp renders the request from its last compaction block on, and returns the options that took.
func (x *exchange) takeUp(prev *turn) (prefix.Options, *validate.Fault) {
	o := x.renderOptions()
	c := &x.context
	onDemand := x.head.beta(validate.OnDemandBeta)
	c.base = contextedit.Begin(prev.takenUp(), x.req, onDemand || x.head.beta(validate.CompactBeta))
	if onDemand {
		var fault *validate.Fault
		if c.signed, fault = x.account.summaries.Verify(x.req, x.s.opt.TrustSignatures); fault != nil {
			return o, fault
		}
		o.Adopted = c.signed.Adopted(c.base.Request)
	}
	x.rendered = prefix.Render(prev.prefix(), c.base.Request, x.model, o)
	if o.Adopted != (prefix.Adopted{}) && !c.signed.Same(x.rendered) {
		o.Adopted = prefix.Adopted{}
		x.rendered = prefix.Render(x.rendered, c.base.Request, x.model, o)
	}
	return o, nil
}

// edit does what context_management asks for to a rendering whose thinking was checked.
func (x *exchange) edit(o prefix.Options) {
	c := &x.context
	c.bound, c.chain = x.rendered, x.rendered.BindEnd
	c.plan = contextedit.ReadPlan(x.req, x.model, x.s.opt.Edits)
	changed := c.base.Changed()
	if c.plan.Asked {
		c.edited = contextedit.Apply(x.rendered, c.plan, x.s.opt.Edits, o)
		x.rendered = c.edited.Rendered
		for _, a := range c.edited.Applied {
			x.view.Edits = append(x.view.Edits, Edit(a))
			changed = true
		}
	}
	if changed {
		x.view.Effective = string(contextedit.Effective(x.rendered))
	}
}

// tooLong refuses prompts beyond the window (messages-api.md 7).
func (x *exchange) tooLong() *validate.Fault {
	total, window := x.rendered.Total, x.model.Window
	if per := x.s.opt.WindowBytes; per > 0 && len(x.req.Body) > per*window {
		return validate.Told(RuleSizeOfWindow)
	}
	if total > window {
		return validate.Told(RuleTooLong, "n", strconv.Itoa(total), "max", strconv.Itoa(window))
	}
	stops := x.model.OverflowStops && !x.s.opt.LegacyOverflow || x.head.beta(windowBeta)
	if most, _ := x.req.Get("max_tokens").Int(); !stops && total+int(most) > window {
		return validate.Told(RuleOverflow, "n", strconv.Itoa(total), "asked", strconv.FormatInt(most, 10), "max", strconv.Itoa(window))
	}
	return nil
}

// appliedEdits appends what the edits did, to those who asked for any (messages-api.md 8.2). Up to the spring of 2026
// those who sent the beta and asked for none got an empty list.
func (x *exchange) appliedEdits(dst []byte) []byte {
	if !x.context.plan.Asked {
		if !x.s.gives(editsAsked) && x.head.beta(validate.EditBeta) {
			dst = append(dst, `,"context_management":{"applied_edits":[]}`...)
		}
		return dst
	}
	dst = append(dst, `,"context_management":{"applied_edits":[`...)
	for i, a := range x.context.edited.Applied {
		if i > 0 {
			dst = append(dst, ',')
		}
		count := `,"cleared_tool_uses":`
		if a.Type == contextedit.ClearThinking {
			count = `,"cleared_thinking_turns":`
		}
		dst = append(quote(append(dst, `{"type":`...), a.Type), count...)
		dst = append(number(dst, a.Count), `,"cleared_input_tokens":`...)
		dst = append(number(dst, a.Tokens), '}')
	}
	return append(dst, "]}"...)
}

// originalTokens appends the size before the edits to an answer of count_tokens (messages-api.md 8.2). Blocks of
// earlier compactions count, none is made.
func (x *exchange) originalTokens(dst []byte) []byte {
	if !x.context.plan.Asked {
		return dst
	}
	dst = append(dst, `,"context_management":{"original_input_tokens":`...)
	return append(number(dst, x.context.edited.Original), '}')
}
