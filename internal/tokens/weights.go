package tokens

import "harnessbench/internal/model"

// order is the tokenizer generations as Weights holds them.
var order = [...]string{"3.x", "4.x", "4.7+"}

// Weights is what one text weighs, in tokens, by each tokenizer generation: for those who keep a weight and not the
// text, and do not know yet which model is to read it.
type Weights [len(order)]float64

// WeightsOf weighs a text by every generation.
func WeightsOf(text []byte) (w Weights) {
	for i, name := range order {
		w[i] = generations[name].Text(text)
	}
	return w
}

// For is the weight by the tokenizer of a model, the one that Generation picks.
func (w Weights) For(m model.Model) float64 {
	for i, name := range order {
		if name == m.Tokenizer {
			return w[i]
		}
	}
	return w[len(w)-1]
}
