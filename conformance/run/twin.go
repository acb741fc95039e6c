package run

import (
	"harnessbench/harness"
	"harnessbench/internal/model"
	"harnessbench/scenarios"
)

func hasResume(sc *scenarios.Scenario) bool {
	for _, st := range sc.Steps {
		if st.Resume {
			return true
		}
	}
	return false
}

// twin plays the same story in one process that never exits, and returns what it sent, by call name:
// the other half of the differential run behind CACHE-3.
func twin(sc *scenarios.Scenario, opt Options) (map[string][]byte, error) {
	m, _ := model.Lookup(opt.Model)
	sw, err := harness.ParseSwitches(sc.Set)
	if err != nil {
		return nil, err
	}
	opt.Listen, opt.Layers = nil, nil
	d := newDriver(sc, opt, m, sw)
	d.elide = true
	if err := d.play(); err != nil {
		return nil, err
	}
	out := map[string][]byte{}
	for _, c := range d.calls {
		out[c.Name] = c.Body
	}
	return out, nil
}
