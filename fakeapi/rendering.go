package fakeapi

import (
	"slices"
	"strings"

	"harnessbench/internal/prefix"
)

// renderOptions are the unsettled facts of the cache that decide which prefixes are the same.
func (x *exchange) renderOptions() prefix.Options {
	c := x.s.opt.Cache
	o := prefix.Options{ThinkingKeepsSystem: c.ThinkingKeepsSystem, SplitTurnsDiffer: c.SplitTurnsDiffer}
	if c.BetasInKey {
		var betas []string
		for _, b := range strings.Split(x.head.Get("anthropic-beta"), ",") {
			if b = strings.TrimSpace(b); b != "" {
				betas = append(betas, b)
			}
		}
		slices.Sort(betas)
		o.Betas = strings.Join(slices.Compact(betas), ",")
	}
	return o
}
