package headless

import (
	"harnessbench/harness"
	"harnessbench/harness/account"
	"harnessbench/internal/model"
)

// result is the result object of a turn; cost and tokens are the session's so far (H-LOOP-62).
func (p *printer) result(r harness.Result) []byte {
	subtype, terminal := ending(r)
	total := p.s.Totals()
	o := &object{}
	o.str("type", "result")
	o.str("subtype", subtype)
	o.flag("is_error", subtype != success)
	o.num("duration_ms", r.Took.Milliseconds())
	o.num("duration_api_ms", r.API.Milliseconds())
	o.num("num_turns", int64(r.Answers))
	o.str("result", r.Text)
	if text := failure(r); text != "" {
		o.strs("errors", []string{text})
	}
	if r.StopReason == "" {
		o.raw("stop_reason", []byte("null"))
	} else {
		o.str("stop_reason", r.StopReason)
	}
	o.float("total_cost_usd", total.CostUSD)
	o.raw("usage", usage(total))
	o.raw("modelUsage", perModel(total))
	o.raw("permission_denials", denials(r.Denied))
	o.str("terminal_reason", terminal)
	o.str("session_id", p.s.ID())
	return o.end()
}

// Subtypes of results (H-LOOP-62).
const (
	success      = "success"
	maxTurns     = "error_max_turns"
	maxBudget    = "error_max_budget_usd"
	duringTheRun = "error_during_execution"
)

// ending gives the subtype and the terminal reason of a turn's end (H-LOOP-62, H-LOOP-7).
func ending(r harness.Result) (subtype, terminal string) {
	if r.Fault != nil {
		return duringTheRun, "internal_error"
	}
	switch r.Reason {
	case harness.Completed:
		return success, "completed"
	case harness.MaxTurnsReached:
		return maxTurns, "max_turns"
	case harness.BudgetSpent:
		return maxBudget, "max_budget"
	case harness.PromptTooLong, harness.BlockingLimit, harness.RapidRefill:
		return duringTheRun, r.Reason
	case harness.WasInterrupted:
		if r.StopReason == "tool_use" {
			return duringTheRun, "aborted_tools"
		}
		return duringTheRun, "aborted_streaming"
	case harness.Refused, harness.MaxOutput, harness.PauseLimit:
		return duringTheRun, "model_error"
	}
	return duringTheRun, "api_error"
}

// failure is what ended a turn badly, "" when nothing did.
func failure(r harness.Result) string {
	switch {
	case r.Fault != nil:
		return r.Fault.Error()
	case r.Err != nil:
		return r.Err.Error()
	case r.Reason == harness.WasInterrupted:
		return "the turn was interrupted"
	}
	return ""
}

// usage is the session's tokens in the API's names.
func usage(t account.Totals) []byte {
	var sum account.Usage
	for _, m := range t.Models {
		u := m.Usage
		sum = account.Usage{Input: sum.Input + u.Input, Write5m: sum.Write5m + u.Write5m, Write1h: sum.Write1h + u.Write1h, Read: sum.Read + u.Read, Output: sum.Output + u.Output}
	}
	split, o := &object{}, &object{}
	split.num("ephemeral_1h_input_tokens", int64(sum.Write1h))
	split.num("ephemeral_5m_input_tokens", int64(sum.Write5m))
	o.num("input_tokens", int64(sum.Input))
	o.num("cache_creation_input_tokens", int64(sum.Write5m+sum.Write1h))
	o.num("cache_read_input_tokens", int64(sum.Read))
	o.num("output_tokens", int64(sum.Output))
	o.raw("cache_creation", split.end())
	return o.end()
}

// perModel is the session's tokens and cost by model.
func perModel(t account.Totals) []byte {
	all := &object{}
	for _, m := range t.Models {
		known, _ := model.Lookup(m.Model)
		o := &object{}
		o.num("inputTokens", int64(m.Usage.Input))
		o.num("outputTokens", int64(m.Usage.Output))
		o.num("cacheReadInputTokens", int64(m.Usage.Read))
		o.num("cacheCreationInputTokens", int64(m.Usage.Write5m+m.Usage.Write1h))
		o.float("costUSD", m.CostUSD)
		o.num("contextWindow", int64(known.Window))
		all.raw(m.Model, o.end())
	}
	return all.end()
}

// denials are the calls that were not allowed.
func denials(denied []harness.Denial) []byte {
	out := []byte{'['}
	for i, d := range denied {
		if i > 0 {
			out = append(out, ',')
		}
		o := &object{}
		o.str("tool_name", d.Tool)
		o.str("tool_use_id", d.ID)
		o.raw("tool_input", flat(d.Input))
		out = append(out, o.end()...)
	}
	return append(out, ']')
}
