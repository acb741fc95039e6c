package harness

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"

	"harnessbench/internal/model"
)

// Output limits (H-LOOP-31).
const (
	maxTokens       = 8_000  // the budget of manual thinking stays below it (H-LOOP-50)
	raisedMaxTokens = 64_000 // once an answer met the first limit
)

// outputLimit is max_tokens, within what the model can give.
func outputLimit(want int, m model.Model) int { return min(want, m.MaxOutput) }

// escalate raises the output limit once in a turn, after the first answer that met it; false when it is as high as
// it can be (H-LOOP-31).
func (t *turn) escalate() bool {
	now, raised := outputLimit(t.limit, t.s.model), outputLimit(raisedMaxTokens, t.s.model)
	if t.escalated || now >= raised {
		return false
	}
	t.escalated, t.limit = true, raised
	return true
}

// overLimit is the server's word on input and max_tokens, with the numbers (messages-api.md 7).
var overLimit = regexp.MustCompile("input length and `max_tokens` exceed context limit: ([0-9]+) \\+ ([0-9]+) > ([0-9]+)")

// lower reduces the output limit to what the window leaves, if that is what the server refused and room is left
// (H-LOOP-48).
func (t *turn) lower(fault error) bool {
	var e *APIError
	if !errors.As(fault, &e) || e.Status != 400 {
		return false
	}
	m := overLimit.FindStringSubmatch(e.Message)
	if m == nil {
		return false
	}
	input, err1 := strconv.Atoi(m[1])
	window, err2 := strconv.Atoi(m[3])
	if err1 != nil || err2 != nil || input >= window || input < 0 {
		return false
	}
	least := 1
	if t.s.budgeted() {
		least = thinkingBudget + 1
	}
	room := window - input
	if room < least || room >= outputLimit(t.limit, t.s.model) {
		return false
	}
	t.limit = room
	return true
}

// tooLong tells a refusal because the prompt does not fit the model (H-LOOP-48, H-CMP-60).
func tooLong(fault error) bool {
	var e *APIError
	if !errors.As(fault, &e) {
		return false
	}
	return e.Status == 413 || e.Status == 400 && (overLimit.MatchString(e.Message) || promptTooLong.MatchString(e.Message))
}

var promptTooLong = regexp.MustCompile(`^prompt is too long\b`)

// spent ends a turn that may not go on: it had its tool rounds, or the session cost what it may (H-LOOP-7).
func (t *turn) spent() *Outcome {
	cfg := &t.s.cfg
	if cfg.MaxTurns > 0 && t.rounds >= cfg.MaxTurns {
		return t.end(MaxTurnsReached, fmt.Errorf("the turn had %d tool rounds, as many as it may", t.rounds))
	}
	if cost, over := t.s.overBudget(); over {
		return t.end(BudgetSpent, fmt.Errorf("the session cost $%.4f, its budget is $%.4f", cost, cfg.MaxBudgetUSD))
	}
	return nil
}

// overBudget tells that the session cost what it may (H-LOOP-7).
func (s *Session) overBudget() (cost float64, over bool) {
	cost = s.Totals().CostUSD
	return cost, s.cfg.MaxBudgetUSD > 0 && cost >= s.cfg.MaxBudgetUSD
}
