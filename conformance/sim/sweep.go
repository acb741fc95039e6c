package sim

import (
	"fmt"

	"harnessbench/conformance/run"
	"harnessbench/harness/world"
	"harnessbench/scenarios"
)

// Point is one place at which a process can be killed. The port calls of a run give two moments each,
// before and after; moments count from 0 over the run.
type Point struct {
	Moment int
	Name   string // before disk.append
}

func (p Point) String() string { return fmt.Sprintf("moment %d, %s", p.Moment, p.Name) }

// Points lists the moments of an undisturbed run, in order.
func Points(sc *scenarios.Scenario, opt run.Options) ([]Point, error) {
	m := &moments{kill: func() {}, at: -1}
	opt.Kill = func(world.Machine) func(world.World) world.World {
		return func(w world.World) world.World { return world.Hooked(w, m) }
	}
	if _, err := run.Story(sc, opt); err != nil {
		return nil, err
	}
	out := make([]Point, len(m.names))
	for i, name := range m.names {
		out[i] = Point{Moment: i, Name: name}
	}
	return out, nil
}

// Kill runs a story whose process is killed at a point; the session is then resumed and a plain prompt
// typed. The result's Faults name what only a kill shows: a tool run twice for one call.
func Kill(sc *scenarios.Scenario, opt run.Options, p Point) (*run.Result, error) {
	m := &moments{at: p.Moment}
	opt.Kill = func(machine world.Machine) func(world.World) world.World {
		m.kill = machine.Kill
		return func(w world.World) world.World { return world.Hooked(w, m) }
	}
	seen := &once{runs: map[string]int{}}
	opt.Listen = append(opt.Listen[:len(opt.Listen):len(opt.Listen)], seen.event)
	res, err := run.Story(sc, opt)
	if err != nil {
		return nil, err
	}
	res.Faults = append(res.Faults, seen.faults...)
	return res, nil
}

// moments counts the moments of a run and kills the machine at one of them.
type moments struct {
	names []string
	at    int
	kill  func()
}

func (m *moments) moment(name string) {
	n := len(m.names)
	m.names = append(m.names, name)
	if n == m.at {
		m.kill()
	}
}

func (m *moments) Before(op world.Op, _ string)         { m.moment("before " + op) }
func (m *moments) After(op world.Op, _ string, _ error) { m.moment("after " + op) }
