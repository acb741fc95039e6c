package run

import (
	"encoding/json"
	"harnessbench/internal/model"
	"slices"

	"harnessbench/conformance/trace"
	"harnessbench/internal/wire"
)

// finish completes a call with its response.
func (d *driver) finish(r *trace.Response) {
	i := slices.IndexFunc(d.calls, func(c Call) bool { return c.Number == r.Call })
	if i < 0 {
		return
	}
	c := &d.calls[i]
	c.Status = r.Status
	if r.Status != 200 {
		return
	}
	u, done := answerUsage(r)
	c.Done = done
	c.Read = u.CacheRead
	c.Usage = Usage{Fresh: u.Input, Read: u.CacheRead, Write: u.CacheCreation, Output: u.Output}
}

// answerUsage reads the usage of an answer, streamed or whole.
func answerUsage(r *trace.Response) (wire.Usage, bool) {
	if a, err := wire.ParseAnswer(r.Body); err == nil {
		return a.Usage, true
	}
	var sse wire.SSE
	var asm wire.Assembler
	for _, e := range sse.Feed(r.Body) {
		if asm.Event(e) != nil {
			break
		}
	}
	return asm.Answer().Usage, asm.Answer().Complete
}

func (d *driver) result() *Result {
	res := &Result{Story: d.sc.Name, Model: d.model.ID, Seed: d.opt.Seed, Faults: d.faults, Calls: d.calls, Killed: d.killed}
	for _, c := range d.calls {
		if c.Status == 200 {
			res.Usage.add(c.Usage)
		}
	}
	res.Checks = d.judge.Results()
	res.NotJudged = slices.Sorted(slices.Values(d.notJudged))
	res.NotJudged = slices.Compact(res.NotJudged)
	if own, _ := model.Lookup(d.sc.Model); own.ID == d.model.ID && !d.killed {
		res.Expect = expectations(d.sc, res, d.leaves.count())
	}
	return res
}

// unjudged reads what the server says it did not judge.
func unjudged(view json.RawMessage) []string {
	var v struct {
		NotJudged []string `json:"not_judged"`
	}
	if json.Unmarshal(view, &v) != nil {
		return nil
	}
	return v.NotJudged
}
