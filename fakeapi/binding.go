package fakeapi

import (
	"time"

	"harnessbench/fakeapi/thinking"
	"harnessbench/fakeapi/validate"
	"harnessbench/internal/model"
)

// boundFrom is the day from which new accounts have the prefix check enforced (messages-api.md 6.6).
var boundFrom = time.Date(2026, 8, 31, 0, 0, 0, 0, time.UTC)

// enforces tells whether the prefix check of a bound model counts for this account without being asked for.
func (a *account) enforces(m model.Model) bool {
	return m.Bound && (m.BoundAccounts == "all" || !a.created.Before(boundFrom))
}

// bindingPolicy is how the account and the request stand to the prefix check.
func (x *exchange) bindingPolicy() thinking.Policy {
	p := thinking.Policy{Enforced: x.account.enforces(x.model), Trust: x.s.opt.TrustSignatures, Controls: x.head.beta(thinking.BindingBeta)}
	switch x.req.Get("thinking").Get("block_binding").Get("prefix_mismatch_behavior").Text() {
	case "":
		p.Drop = x.batched // where it is enforced by default (messages-api.md 6.6)
	case "drop_block":
		p.Enforced, p.Drop = x.model.Bound, true
	case "error":
		p.Enforced = x.model.Bound
	}
	return p
}

// manual judges thinking in an open tool loop, on the models that are strict about it.
func (x *exchange) manual() *validate.Fault {
	strict, said := x.s.opt.StrictManual[x.model.ID]
	if !said {
		strict = thinking.Strict(x.model)
	}
	switch typ := x.req.Get("thinking").Get("type").Text(); {
	case !strict, typ == "adaptive", typ == "" && x.model.ThinkingDefault == "on":
		return nil
	}
	return thinking.Manual(x.req)
}
