package fit

import (
	"math"

	"harnessbench/internal/tokens"
)

// Parameters of one generation.
type Parameters [parameters]float64

// Settings of a fit.
const (
	limit  = 0.06   // relative error from which on a sample weighs less
	pull   = 0.0005 // towards the published value, against squared relative errors
	rounds = 60     // of weighing anew
	sweeps = 40     // over the parameters in each
)

// Published are the parameters of messages-api.md 9.1; features it does not know weigh nothing.
func Published(generation string) Parameters {
	var p Parameters
	set := func(c tokens.Coefficients, f tokens.Frame) {
		copy(p[:], c[:])
		p[base], p[turn], p[system] = f.Base, f.Turn, f.System
	}
	switch generation {
	case "3.x":
		set(tokens.Coefficients{tokens.Word: 0.96, tokens.Digit: 0.1, tokens.SpDig: 2.0, tokens.Punct: 0.95,
			tokens.Uni: 4, tokens.Long: 0.77}, tokens.Frame{Base: 7.9, Turn: 8})
	case "4.x":
		set(tokens.Coefficients{tokens.Word: 1.04, tokens.Digit: 0.65, tokens.SpDig: 1.23, tokens.Punct: 1.09,
			tokens.Extra: 0.32, tokens.NL: 1.67, tokens.Uni: 4}, tokens.Frame{Base: 7.05, Turn: 2.65, System: 1.4})
	default:
		set(tokens.Coefficients{tokens.Word: 1.04, tokens.Digit: 1.74, tokens.Punct: 1.02, tokens.NL: 1.22,
			tokens.Uni: 4, tokens.Long: 0.61, tokens.Cap: 1.44}, tokens.Frame{Base: 6.5, Turn: 0.7})
	}
	return p
}

// free are the parameters that are fitted in a generation: those published for it and the features that make it
// better; a text of others stays as published.
func free(generation string, k int) bool {
	switch f := tokens.Feature(k); f {
	case tokens.Apos, tokens.Mixed:
		return true
	case tokens.One:
		return generation == "4.7+"
	case tokens.Uni:
		return generation == "4.x" // the others saw next to none
	}
	return Published(generation)[k] != 0
}

// Fit chooses the parameters of one generation for samples of it, rounded to hundredths.
func Fit(generation string, samples []Sample) Parameters {
	start := Published(generation)
	p := start
	weight := make([]float64, len(samples))
	for range rounds {
		for i := range samples {
			weight[i] = samples[i].weight(p)
		}
		for range sweeps {
			for k := range p {
				if free(generation, k) {
					p[k] = best(samples, weight, p, k, start[k])
				}
			}
		}
	}
	for k := range p {
		p[k] = math.Round(100*p[k]) / 100
	}
	return p
}

// best is the least squares value of one parameter, the others given.
func best(samples []Sample, weight []float64, p Parameters, k int, start float64) float64 {
	up, down := pull*start, pull
	for i := range samples {
		if x := samples[i].X[k]; x != 0 {
			rest := samples[i].Total - samples[i].size(p) + p[k]*x
			up += weight[i] * x * rest
			down += weight[i] * x * x
		}
	}
	v := up / down
	switch f := tokens.Feature(k); f { // a word never weighs less than nothing, whatever comes off it
	case tokens.One, tokens.Apos:
		return max(v, -p[tokens.Word])
	default:
		return max(v, 0)
	}
}

// size is what the parameters make of a sample, in fractions of tokens.
func (s *Sample) size(p Parameters) float64 {
	n := s.Fixed
	for k, x := range s.X {
		n += x * p[k]
	}
	return n
}

func (s *Sample) weight(p Parameters) float64 {
	w := 1 / (s.Total * s.Total)
	if s.sure > 0 {
		return w * s.sure
	}
	if e := math.Abs(s.size(p)-s.Total) / s.Total; e > limit {
		w *= limit / e
	}
	return w
}
