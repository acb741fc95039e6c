package sim

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"harnessbench/conformance/invariant"
	"harnessbench/conformance/run"
)

// holds asserts what every run must show, whatever was drawn.
func holds(t require.TestingT, p *plan, res *run.Result) {
	require.Empty(t, res.Faults)
	for _, c := range res.Calls {
		require.Contains(t, []int{0, 200}, c.Status, "the server refused call %s: %s\n%s", c.Name, c.Refusal, c.Body)
	}
	for _, c := range res.Checks {
		for _, f := range c.Findings {
			if (c.Check == "CACHE-1" || c.Check == "CACHE-6") && f.Level == invariant.C && p.volatile {
				continue // volatile.place prompt and tail, and models that take no system message (D34): text that moves on costs
			}
			require.Fail(t, "broken", "%s on %s: %s\n%s", c.Check, res.Model, f.Fact, f.Other)
		}
	}
}

// What the model wrote into a call goes back with its order of keys and its forms of numbers (bug k-argument-keys-sorted).
func TestDrawnStoriesHoldOnEveryModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := newPlan(rapid.SampledFrom(Matrix).Draw(t, "model"))
		p.grow(t)
		res, err := run.Story(p.sc, run.Options{Model: p.model, Seed: rapid.Uint64().Draw(t, "seed")})
		require.NoError(t, err)
		holds(t, p, res)
	})
}

func TestDrawnStoriesSurviveAKillAnywhere(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := newPlan(rapid.SampledFrom(Matrix).Draw(t, "model"))
		p.grow(t)
		opt := run.Options{Model: p.model, Seed: rapid.Uint64().Draw(t, "seed")}
		points, err := Points(p.sc, opt)
		require.NoError(t, err)
		res, err := Kill(p.sc, opt, rapid.SampledFrom(points).Draw(t, "kill"))
		require.NoError(t, err)
		holds(t, p, res)
	})
}
