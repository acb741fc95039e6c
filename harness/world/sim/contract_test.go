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
		New: func(_ *testing.T, p worldtest.Parts) (world.Machine, worldtest.Outside) {
			m := sim.New(sim.Config{Seed: 7, Start: start, Server: p.Server, Tools: p.Tools, Shell: p.Shell, Approver: p.Approver})
			return m, m.Disk()
		},
		Settle: func() {},
	})
}

// commands are the lines of the contract's commands as a shell would run them.
type commands struct{}

func (commands) Exec(_ time.Time, cmd world.Command) (world.Exit, time.Duration) {
	exit := world.Exit{Dir: cmd.Dir}
	takes := time.Duration(0)
	switch cmd.Line {
	case worldtest.Merged:
		exit.Output = "out\nerr\n"
	case worldtest.Fails:
		exit.Code = 3
	case worldtest.Moves:
		exit.Dir = cmd.Dir + "/sub"
	case worldtest.Slow:
		exit.Output, takes = "begun\nended\n", worldtest.SlowTakes
	case worldtest.Silent:
		exit.Output = ""
	default:
		exit = world.Exit{Output: "sh: command not found\n", Code: 127, Dir: cmd.Dir}
	}
	return exit, takes
}

func TestCommands(t *testing.T) {
	worldtest.Commands(t, func(*testing.T) world.Machine {
		return sim.New(sim.Config{Seed: 7, Start: start, Shell: commands{}})
	})
}
