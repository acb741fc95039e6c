package sim_test

import (
	"testing"
	"time"

	"harnessbench/harness/world"
	"harnessbench/harness/world/sim"
	"harnessbench/harness/world/worldtest"
)

var start = time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)

func TestContract(t *testing.T) {
	worldtest.Contract(t, worldtest.Worlds{
		In: func(t *testing.T, situation func(*testing.T)) { situation(t) },
		New: func(_ *testing.T, server sim.Server, tools sim.ToolRunner) world.Machine {
			return sim.New(sim.Config{Seed: 7, Start: start, Server: server, Tools: tools})
		},
		Settle: func() {},
	})
}
