package fakeapi

import (
	"strings"

	"harnessbench/internal/prefix"
)

// renderOptions are the unsettled facts of the cache that decide which prefixes are the same.
func (x *exchange) renderOptions() prefix.Options {
	c := x.s.opt.Cache
	o := prefix.Options{ThinkingKeepsSystem: c.ThinkingKeepsSystem, SplitTurnsDiffer: c.SplitTurnsDiffer, Sealed: x.account.signer.Hidden(x.model)}
	if c.BetasInKey {
		o.Betas = strings.Join(x.betas(), ",")
	}
	return o
}
