package run

import (
	"fmt"
	"maps"
	"strconv"

	"harnessbench/fakeapi/promptcache"
	"harnessbench/scenarios"
)

// Switches of a story that are the server's and not the harness's (harness.md 1.5).
const (
	policySwitch  = "cache.policy"
	hitRateSwitch = "cache.hitRate"
)

// CachePolicy is the provider whose cache a story asks for, Anthropic's when it names none.
func CachePolicy(sc *scenarios.Scenario) (promptcache.Policy, error) {
	rate := 1.0
	if text, ok := sc.Set[hitRateSwitch]; ok {
		var err error
		if rate, err = strconv.ParseFloat(text, 64); err != nil {
			return nil, fmt.Errorf("switch %s: %q is no number; want one over 0, up to 1", hitRateSwitch, text)
		}
	}
	p, err := promptcache.Named(sc.Set[policySwitch], rate)
	if err != nil {
		return nil, fmt.Errorf("switches %s and %s: %w", policySwitch, hitRateSwitch, err)
	}
	return p, nil
}

// harnessSwitches are the switches of a story that the harness is started with.
func harnessSwitches(sc *scenarios.Scenario) map[string]string {
	set := maps.Clone(sc.Set)
	delete(set, policySwitch)
	delete(set, hitRateSwitch)
	return set
}
