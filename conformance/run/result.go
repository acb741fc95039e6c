package run

import (
	"encoding/json"
	"slices"

	"harnessbench/conformance/trace"
	"harnessbench/harness/account"
	"harnessbench/internal/model"
	"harnessbench/internal/wire"
)

// finish completes a call with its response and the answer that was read along, whole or not.
func (d *driver) finish(r *trace.Response, a *wire.Answer) {
	c := &d.calls[r.Call-1]
	c.Status = r.Status
	if r.Status != 200 {
		if typ, message, ok := wire.APIError(r.Body); ok {
			c.Refusal = typ + ": " + message
		}
		return
	}
	c.Done = a.Complete
	used := account.Read(a.Usage.Raw)
	c.Context = used.Last.Context() + used.Last.Output
	for _, u := range used.Steps() { // a compaction by the server is a step of its own (H-CMP-85)
		d.cost += d.cache.Cost(d.model, model.Spent{
			Input: u.Input, Write5m: u.Write5m, Write1h: u.Write1h, Read: u.Read, Output: u.Output,
			Served: model.Served{Fast: a.Usage.Fast, Batch: a.Usage.Batch},
		})
		c.Usage.add(Usage{Fresh: u.Input, Read: u.Read, Write: u.Write5m + u.Write1h, Write1h: u.Write1h, Output: u.Output})
	}
}

func (d *driver) result() *Result {
	res := &Result{Story: d.sc.Name, Model: d.model.ID, Seed: d.opt.Seed, Faults: d.faults, Calls: d.calls, Killed: d.killed, CostUSD: d.cost, Stopped: d.stopped, Notices: d.notices,
		Unanswered: d.leftOpen,
		awaited:    awaited(d.sc, d.model.ID)}
	for _, c := range d.calls {
		if c.Status == 200 {
			res.Usage.add(c.Usage)
		}
	}
	res.Checks = d.judge.Results()
	res.NotJudged = slices.Sorted(slices.Values(d.notJudged))
	res.NotJudged = slices.Compact(res.NotJudged)
	if own, _ := model.Lookup(d.sc.Model); own.ID == d.model.ID && !d.killed && d.opt.Live == nil {
		res.Expect = slices.Concat(expectations(d.sc, res, d.leaves.count()), d.misfiled, d.unstruck())
	}
	if !d.killed && d.opt.Live == nil {
		res.Expect = append(res.Expect, unfound(d.sc, res)...)
		res.Expect = append(res.Expect, unsaid(d.sc, res)...)
	}
	res.Expect = append(res.Expect, d.unexpected...)
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

// refusedBy is the text of an error answer by which the script itself, and not the API, refuses a request.
func refusedBy(r *trace.Response, rule string) []string {
	var v struct {
		Rule string `json:"rule"`
	}
	if json.Unmarshal(r.View, &v) != nil || v.Rule != rule {
		return nil
	}
	_, message, _ := wire.APIError(r.Body)
	return []string{message}
}
