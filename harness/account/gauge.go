package account

import (
	"bytes"
	"unicode/utf8"

	"harnessbench/internal/wire"
)

// ImageTokens is what an image counts in an estimate, whatever its bytes (H-CMP-38).
const ImageTokens = 2_000

// Gauge estimates how large the next payload is (H-CMP-38): what the newest answer says of its call, its output
// included, and what came into the conversation since, characters by four and images by a fixed number. Every token is
// in one of the two: the parts of a usage do not overlap (H-ACC-10, H-CMP-76). Without an answer everything is counted by its
// characters. The zero Gauge has seen nothing.
type Gauge struct {
	reported int // tokens, 0 for no answer yet
	chars    int
	images   int
	freed    int // tokens
}

// Answer takes the usage of an answer, which counts all that came before and the answer itself. It is false for a usage
// that says nothing: it counts nothing, as that of an answer kept by a compaction, or more than the window of its model
// holds, 0 for one that is not known. Such an answer is to be added by its characters.
func (g *Gauge) Answer(usage []byte, window int) bool {
	last := Read(usage).Last
	n := last.Context() + last.Output
	if n <= 0 || window > 0 && n > window {
		return false
	}
	*g = Gauge{reported: n}
	return true
}

// Add takes JSON that came into the conversation: a string, or a content block.
func (g *Gauge) Add(raw []byte) {
	chars, images := Weigh(raw)
	g.chars += chars
	g.images += images
}

// Restart forgets what there was: a summary that the server wrote stands for it (H-CMP-83).
func (g *Gauge) Restart() { *g = Gauge{} }

// Free takes tokens that left the conversation since the newest answer (tokensFreed).
func (g *Gauge) Free(tokens int) { g.freed += tokens }

// Tokens is the estimate. front is how many characters stand before the messages; they count where no answer told.
func (g *Gauge) Tokens(front int) int {
	chars := g.chars
	if g.reported == 0 {
		chars += front
	}
	return max(0, g.reported+(chars+3)/4+g.images*ImageTokens-g.freed)
}

// Weigh counts the characters of JSON, and the images in it, whose data are no characters.
func Weigh(raw []byte) (chars, images int) {
	chars = utf8.RuneCount(raw)
	if len(raw) > 0 && raw[0] == '"' {
		return chars - len(`""`), 0
	}
	if !bytes.Contains(raw, []byte(`"base64"`)) {
		return chars, 0
	}
	v, err := wire.ParseValue(raw)
	if err != nil {
		return chars, 0
	}
	data, images := inside(v)
	return chars - data, images
}

// inside finds the images and documents in a block: the length of their data, and how many they are.
func inside(v wire.Value) (data, images int) {
	if source := v.Get("source"); source.Get("type").Text() == "base64" {
		return len(source.Get("data").Raw()), 1
	}
	for _, part := range v.Get("content").Elems() {
		d, n := inside(part)
		data, images = data+d, images+n
	}
	return data, images
}
