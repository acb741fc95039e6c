package fit

import (
	"fmt"

	"harnessbench/internal/model"
	"harnessbench/internal/prefix"
	"harnessbench/internal/tokens"
	"harnessbench/internal/wire"
)

// Pair is a request and the number of input tokens the API counted for it.
type Pair struct {
	ID       string
	Model    string
	Recorded string // a day, such as 2025-10-31
	Body     []byte
	Total    int
	Tools    bool
}

// Sample is a pair as a sum: Total is about Fixed plus the products of X with the parameters.
type Sample struct {
	ID         string
	Generation string
	X          [parameters]float64
	Fixed      float64 // what does not move: images, the hidden prompts of tools, thinking and the like
	Total      float64
	Tools      bool
	sure       float64 // weight of a fixed point, 0 for a pair
}

// The parameters are the coefficients of the features and then what stands around the texts.
const (
	base = int(tokens.NumFeatures) + iota
	turn
	system
	parameters
)

// lift keeps every part of a probed request above zero, where the rendering would cut it off.
const lift = 1000

// InItsTime is the model as it counted on a day: 4.5 had the tool prompt of 4.0 before November 2025
// (messages-api.md 9.1).
func InItsTime(m model.Model, day string) model.Model {
	if m.Generation == "4.5" && m.Line != "opus" && day < "2025-11" {
		m.Generation = "4"
	}
	return m
}

// Samples turns pairs into sums.
func Samples(pairs []Pair) ([]Sample, error) {
	var out []Sample
	for _, p := range pairs {
		m, ok := model.Lookup(p.Model)
		if !ok {
			return nil, fmt.Errorf("pair %s: the model table has no %q", p.ID, p.Model)
		}
		req, err := wire.Parse(nil, p.Body)
		if err != nil {
			return nil, fmt.Errorf("pair %s: the request is no JSON: %w", p.ID, err)
		}
		s := probe(req, InItsTime(m, p.Recorded))
		s.ID, s.Total, s.Tools = p.ID, float64(p.Total), p.Tools
		out = append(out, s)
	}
	return out, nil
}

// probe finds the sum of a request by rendering it with one coefficient after the other.
func probe(req *wire.Request, m model.Model) Sample {
	own := tokens.For(m)
	gen := tokens.Generation(m)
	size := func(set func(*tokens.Linear)) float64 {
		l := *gen
		l.Weights, l.Around = tokens.Coefficients{}, tokens.Frame{Base: lift}
		set(&l)
		c := &tokens.Counter{Tokenizer: &l, Request: own.Request}
		c.Tail.AfterResult = c.Tail.Plain // a run's end moves weight between blocks, which the whole never sees
		return float64(prefix.Render(nil, req, m, prefix.Options{Counter: c}).Total)
	}
	nothing := size(func(*tokens.Linear) {})
	s := Sample{Generation: m.Tokenizer, Fixed: nothing - lift}
	for k := range tokens.NumFeatures {
		s.X[k] = size(func(l *tokens.Linear) { l.Weights[k] = 1 }) - nothing
	}
	s.X[base] = 1
	s.X[turn] = size(func(l *tokens.Linear) { l.Around.Turn = 1 }) - nothing
	s.X[system] = size(func(l *tokens.Linear) { l.Around.System = 1 }) - nothing
	return s
}

// FixedPoints are the requests whose size messages-api.md 9.1 states exactly: 4.x counts 8 for hello and 14 for
// What is 2+2?.
func FixedPoints() []Sample {
	l := tokens.Generation(model.Model{Tokenizer: "4.x"})
	var out []Sample
	for _, p := range []struct {
		text  string
		total float64
	}{{"hello", 8}, {"What is 2+2?", 14}} {
		s := Sample{ID: p.text, Generation: "4.x", Total: p.total, sure: 100}
		for k, n := range l.Count([]byte(p.text)) {
			s.X[k] = float64(n)
		}
		s.X[base] = 1
		out = append(out, s)
	}
	return out
}
