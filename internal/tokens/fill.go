package tokens

import (
	"fmt"
	"math"
	"strings"
)

// filler are the words a text is filled with: lower case, three to five letters, so that on every generation
// each weighs one word and nothing more.
var filler = []string{"the", "bench", "fills", "this", "page", "with", "plain", "words", "until", "they", "make", "just", "what", "was", "asked"}

// Fill continues a text with plain words until it weighs exactly n tokens, to the hundredth in which the
// coefficients are given. So a text one token longer makes every sum one token larger, whatever the fractions
// around it. The error says that the beginning alone is too long for it.
func Fill(t *Linear, lead string, n int) (string, error) {
	l := layout{tokenizer: t, lead: lead}
	have := hundredths(t.Text([]byte(lead)))
	p, ok := l.plan(100*n - have)
	if !ok {
		return "", fmt.Errorf("no text of exactly %d tokens begins with these %d characters, which alone are %.2f tokens", n, len(lead), float64(have)/100)
	}
	text := l.text(p)
	if got := hundredths(t.Text([]byte(text))); got != 100*n {
		return "", fmt.Errorf("the filled text is %.2f tokens instead of %d: a coefficient is no multiple of a hundredth", float64(got)/100, n)
	}
	return text, nil
}

func hundredths(tokens float64) int { return int(math.Round(100 * tokens)) }

// parts is how often each thing stands in a filling: words, and what makes up the fraction that words alone
// leave.
type parts struct{ words, digits, stops, lines, letters int }

// layout lays a filling out behind its beginning.
type layout struct {
	tokenizer *Linear
	lead      string
}

// bounds of the search; within them every fraction comes out on every generation.
const (
	mostDigits  = 24
	mostStops   = 12
	mostLines   = 8
	mostLetters = 24
)

// plan finds the parts that weigh so many hundredths, with the least beside words.
func (l layout) plan(rest int) (best parts, found bool) {
	w := l.tokenizer.Weights
	word, digit, stop := hundredths(w[Word]), hundredths(w[Digit]), hundredths(w[Punct])
	line, letter := hundredths(w[NL]), hundredths(w[Long])
	least := math.MaxInt
	for lines := range mostLines {
		for letters := range mostLetters {
			if letters > 0 && letter == 0 {
				break
			}
			for stops := range mostStops {
				for digits := range mostDigits {
					beside := lines + letters + stops + digits
					left := rest - lines*line - letters*letter - stops*stop - digits*digit
					words := left / word
					if beside >= least || left < 0 || left%word != 0 || words <= max(stops, lines) {
						continue
					}
					best, least, found = parts{words, digits, stops, lines, letters}, beside, true
				}
			}
		}
	}
	return best, found
}

// text writes the parts out: sentence ends behind the first words, line ends behind the next, long letters in
// the first word, digits behind the last.
func (l layout) text(p parts) string {
	var b strings.Builder
	b.Grow(len(l.lead) + 6*p.words + 64)
	b.WriteString(l.lead)
	for i := range p.words {
		switch {
		case i > 0 && i <= p.lines:
			b.WriteByte('\n')
		case i > 0 || l.lead != "":
			b.WriteByte(' ')
		}
		word := filler[i%len(filler)]
		b.WriteString(word)
		if i == 0 && p.letters > 0 {
			b.WriteString(strings.Repeat("e", l.tokenizer.LongAt-len(word)+p.letters))
		}
		if i == p.words-1 {
			b.WriteString(strings.Repeat("7", p.digits))
		}
		if i < p.stops {
			b.WriteByte('.')
		}
	}
	return b.String()
}
