package run

import (
	"fmt"

	"harnessbench/conformance/trace"
	"harnessbench/fakeapi/fault"
	"harnessbench/scenarios"
)

// Faults are the faults that a story wants its server to play, each bound to its turn of the story's Script.
func Faults(sc *scenarios.Scenario) ([]fault.Fault, error) {
	var out []fault.Fault
	turn := 0
	for _, st := range sc.Steps {
		if st.Prompt == nil {
			continue
		}
		turn++
		for _, p := range st.Prompt.Faults {
			f := fault.Fault{Do: p.Do}
			f.When.Turn, f.When.Call = turn, p.Call
			for _, one := range p.With {
				if err := f.Set(one.Name, one.Value); err != nil {
					return nil, fmt.Errorf("%s:%d: %w", sc.File, p.Line, err)
				}
			}
			if err := f.Check(); err != nil {
				return nil, fmt.Errorf("%s:%d: %w", sc.File, p.Line, err)
			}
			out = append(out, f)
		}
	}
	return out, nil
}

// struck are the faults that met calls since it was last asked, as events of the trace. One that found no place in
// its answer changed nothing and is no event, but a story that wanted it on its own model is told.
func (d *driver) struck() []trace.Fault {
	if d.place.Struck == nil || len(d.planned) == 0 {
		return nil
	}
	var out []trace.Fault
	for _, s := range d.place.Struck() {
		if s.Missed {
			d.missed = append(d.missed, s.Name+" at "+s.At)
			continue
		}
		d.struckSoFar++
		out = append(out, trace.Fault{Name: s.Name, At: s.At})
	}
	return out
}

// unstruck says which faults of a story met no answer.
func (d *driver) unstruck() (out []string) {
	for _, m := range d.missed {
		out = append(out, "faults: "+m+": the answer has no such place")
	}
	if d.place.Struck == nil { // another server plays none
		return nil
	}
	if n := len(d.planned) - d.struckSoFar - len(d.missed); n > 0 {
		out = append(out, fmt.Sprintf("faults: %d of %d met no call", n, len(d.planned)))
	}
	return out
}
