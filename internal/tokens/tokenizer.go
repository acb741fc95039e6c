package tokens

// Tokenizer is one tokenizer generation: what a text weighs and what stands around the texts of a request.
// Weights are fractions of tokens.
type Tokenizer interface {
	// Text is the weight of one text.
	Text(text []byte) float64
	// Frame is what a request costs beside its texts.
	Frame() Frame
	// Pixels bounds the images of the generation.
	Pixels() Pixels
}

// Frame is what a request costs beside its texts, in tokens.
type Frame struct {
	Base   float64 // one turn of nothing, its tail included
	Turn   float64 // each turn beyond the first
	System float64 // a system prompt being there
}

// Pixels are the bounds images are scaled down to (messages-api.md 2.6).
type Pixels struct {
	Edge int // pixels of the longer side
	Most int // tokens
}

// Linear is a tokenizer that knows no vocabulary: it counts features of a text, multiplies and adds.
type Linear struct {
	Weights Coefficients
	LongAt  int  // letters a word may have before Long counts
	Camel   bool // words also split where their case changes
	Around  Frame
	Images  Pixels
}

// Text is the weight of one text.
func (l *Linear) Text(text []byte) float64 {
	w := 0.0
	for i, n := range l.Count(text) {
		w += float64(n) * l.Weights[i]
	}
	return w
}

// Count counts the features of a text as this generation splits it.
func (l *Linear) Count(text []byte) Counts { return scan(text, l.LongAt, l.Camel) }

// Frame is what a request costs beside its texts.
func (l *Linear) Frame() Frame { return l.Around }

// Pixels bounds the images of the generation.
func (l *Linear) Pixels() Pixels { return l.Images }
