package run

import (
	"fmt"
	"time"

	"harnessbench/harness/world"
	"harnessbench/internal/model"
	"harnessbench/internal/prefix"
	"harnessbench/internal/wire"
	"harnessbench/scenarios"
)

// Live is a run against the real API (D18): it plays the prompts and the tools of a story and ignores what
// the story has the model say, so its expectations are not judged.
type Live struct {
	APIKey string // sent, never recorded
	// BudgetUSD stops the run: a call is not sent when what was spent and its whole prompt at the price of a
	// cache write would exceed it.
	BudgetUSD float64
}

// MaxWait is how long a run waits in real time without being allowed to (D18).
const MaxWait = 10 * time.Second

// errBudget is what the harness gets in place of an answer; it need not try again.
var errBudget = fmt.Errorf("the budget of the run is used up: %w", world.ErrPermanent)

// patient refuses a story that would really wait for long without being allowed to.
func (o *Options) patient(sc *scenarios.Scenario, realTime bool) error {
	if !realTime || o.AllowWait {
		return nil
	}
	for _, st := range sc.Steps {
		if st.Wait != nil && (st.Wait.Duration == 0 || st.Wait.Duration > MaxWait) {
			return fmt.Errorf("%s:%d: the story waits %s, over %s of real time, and this server's clock cannot be moved; --allow-wait lets it", sc.File, st.Line, st.Wait.Name, MaxWait)
		}
	}
	return nil
}

// afford refuses a call that the budget does not cover or, where the story says what the model says, one that goes far
// beyond what it has to say.
func (d *driver) afford(req world.Request) error {
	live := d.opt.Live
	if live == nil {
		return d.bounded()
	}
	r, err := wire.Parse(nil, req.Body)
	if err != nil {
		return err
	}
	next := d.model.Cost(model.Spent{Write1h: prefix.Render(nil, r, d.model, prefix.Options{}).Total})
	if d.cost+next > live.BudgetUSD {
		d.stopped = fmt.Sprintf("call %d was not sent: $%.4f are spent, its prompt alone may cost $%.4f, the budget is $%.4f", d.rec.calls+1, d.cost, next, live.BudgetUSD)
		return errBudget
	}
	return nil
}

// Estimate is what a story would cost in USD if the model said what the story has it say: the simulated run
// at the model's prices. A real model may say more; the budget stops it.
func Estimate(sc *scenarios.Scenario, modelID string) (float64, error) {
	res, err := Story(sc, Options{Model: modelID})
	if err != nil {
		return 0, err
	}
	return res.CostUSD, nil
}
