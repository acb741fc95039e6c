//go:build outside

package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"harnessbench/internal/model"
	"harnessbench/internal/tokens"
	"harnessbench/internal/tokens/fit"
)

const pairsFile = "../../../shared/recorded/token-pairs.jsonl.gz"

// The counter as it stands meets the recorded pairs as the issue asks: within 10 % on 95 % of those with
// tools and 88 % of those without, in every generation and over all.
func TestCounterMeetsTheRecordedPairs(t *testing.T) {
	pairs, err := readPairs(pairsFile)
	require.NoError(t, err)
	require.Len(t, pairs, 542)
	samples, err := fit.Samples(pairs)
	require.NoError(t, err)
	for _, g := range []string{"3.x", "4.x", "4.7+"} {
		l := tokens.Generation(model.Model{Tokenizer: g})
		var p fit.Parameters
		n := copy(p[:], l.Weights[:])
		copy(p[n:], []float64{l.Around.Base, l.Around.Turn, l.Around.System})
		for tools, share := range map[bool]float64{true: 0.95, false: 0.88} {
			f := fit.Measure(only(samples, g), p, tools)
			t.Logf("%-4s tools %-5v %s", g, tools, f)
			assert.GreaterOrEqual(t, float64(f.In10), share*float64(f.N), "%s, tools %v", g, tools)
		}
	}
}

// The table in package tokens is what the program prints.
func TestTableIsWhatTheFitGives(t *testing.T) {
	var out bytes.Buffer
	require.NoError(t, run(pairsFile, &out))
	for _, g := range []string{"3.x", "4.x", "4.7+"} {
		l := tokens.Generation(model.Model{Tokenizer: g})
		var p fit.Parameters
		n := copy(p[:], l.Weights[:])
		copy(p[n:], []float64{l.Around.Base, l.Around.Turn, l.Around.System})
		assert.True(t, strings.Contains(out.String(), g+"\n  "+coefficients(p)+"\n"), "%s: %s\n%s", g, coefficients(p), out.String())
	}
}
