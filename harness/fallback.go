package harness

import (
	"fmt"

	"harnessbench/harness/account"
	"harnessbench/internal/model"
)

// canFallBack tells whether there is another model to go on with.
func (t *turn) canFallBack() bool {
	if t.s.cfg.Fallback == "" {
		return false
	}
	m, ok := model.Lookup(t.s.cfg.Fallback)
	return ok && m.ID != t.s.model.ID
}

// fallBack goes on with the fallback model, for good: after repeated overload (H-LOOP-47) and after a refusal
// (H-LOOP-33). The next request is the same conversation for that model (D37).
func (t *turn) fallBack() error {
	id := t.s.cfg.Fallback
	m, _ := model.Lookup(id) // known since the start
	t.s.notice(fmt.Sprintf("%s did not answer; the session goes on with %s.", t.s.cfg.Model, id))
	if err := t.s.switchModel(t.w, m, id, ""); err != nil {
		return err
	}
	return t.s.freeze(t.w)
}

// discard drops a whole answer of which nothing is logged; it was paid for all the same (H-ACC-13).
func (t *turn) discard(r reply) {
	t.s.ledger.Call(account.Main, r.answer.Model, r.answer.Usage.Raw)
}
