package run

import (
	"harnessbench/harness"
	"harnessbench/internal/model"
	"harnessbench/scenarios"
)

// twins plays, for each resume of a story, the same story in a process that did not exit there, as far as
// the first call behind it, and returns what that call sent, by call name: the other half of the
// differential run behind CACHE-3.
func twins(sc *scenarios.Scenario, opt Options) (map[string][]byte, error) {
	m, _ := model.Lookup(opt.Model)
	sw, err := harness.ParseSwitches(harnessSwitches(sc))
	if err != nil {
		return nil, err
	}
	opt.Listen, opt.Layers = nil, nil
	out := map[string][]byte{}
	exit := -1
	aside := false // the newest session is one that the process did not go over to
	for i, st := range sc.Steps {
		switch {
		case st.Exit:
			exit = i
		case st.KeepBtw:
			aside = true
		case st.Prompt != nil && st.Prompt.Kill == "":
			aside = false
		case st.Prompt != nil && st.Prompt.Kill != "":
			exit = -1
		}
		next := nextPrompt(sc, i)
		if st.Resume == nil || *st.Resume != (scenarios.Resume{}) || exit < 0 || next < 0 || aside {
			continue
		}
		d := newDriver(sc, opt, m, sw)
		if d.cache, err = CachePolicy(sc); err != nil {
			return nil, err
		}
		d.live = []int{exit, i}
		d.until = next + 1
		if err := d.play(); err != nil {
			return nil, err
		}
		for _, c := range d.calls {
			if c.Step == sc.Steps[next].Number {
				out[c.Name] = c.Body
				break
			}
		}
	}
	return out, nil
}

// nextPrompt is the index of the first prompt behind a step that still continues the same conversation,
// -1 for none.
func nextPrompt(sc *scenarios.Scenario, i int) int {
	for j := i + 1; j < len(sc.Steps); j++ {
		switch st := sc.Steps[j]; {
		case st.Prompt != nil:
			return j
		case st.Exit, st.Clear != nil:
			return -1
		}
	}
	return -1
}
