package tokens

// class sorts bytes for the one pass over a text.
type class uint8

const (
	other class = iota // control characters and continuation bytes of UTF-8
	lower
	upper
	digit
	punct
	blank
	newline
	wide // first byte of a character beyond ASCII
)

var classes = func() (t [256]class) {
	for b := range t {
		switch {
		case b >= 'a' && b <= 'z':
			t[b] = lower
		case b >= 'A' && b <= 'Z':
			t[b] = upper
		case b >= '0' && b <= '9':
			t[b] = digit
		case b == ' ', b == '\t':
			t[b] = blank
		case b == '\n', b == '\r':
			t[b] = newline
		case b > ' ' && b < 0x7f:
			t[b] = punct
		case b >= 0xc0:
			t[b] = wide
		}
	}
	return t
}()

// features are the counts of messages-api.md 9.1.
type features struct {
	word, digit, spdig, punct, extra, nl, uni, long, cap int
}

// scan counts the features of a text in one pass. long counts the letters of a word beyond longAt;
// camel splits words also where the case changes inside them.
func scan(text []byte, longAt int, camel bool) (f features) {
	n := len(text)
	for i := 0; i < n; {
		start := i
		switch c := classes[text[i]]; c {
		case lower, upper:
			if c == upper && i > 0 && text[i-1] == ' ' {
				f.cap++
			}
			if camel {
				i = f.camelWord(text, i, longAt)
				continue
			}
			for i++; i < n && classes[text[i]]-lower <= upper-lower; i++ {
			}
			f.addWord(i-start, longAt)
		case digit:
			for i++; i < n && classes[text[i]] == digit; i++ {
			}
			f.digit += i - start
			if start > 0 && text[start-1] == ' ' {
				f.spdig++
			}
		case punct:
			for i++; i < n && classes[text[i]] == punct; i++ {
			}
			f.punct++
			if i-start > 2 {
				f.extra += i - start - 2
			}
		case newline:
			for i++; i < n && classes[text[i]]-blank <= newline-blank; i++ {
			}
			f.nl++
		case wide:
			f.uni++
			i++
		default:
			i++
		}
	}
	return f
}

// camelWord takes one word that ends where its case changes: HTMLParser is two, camelCase is two,
// Capital is one.
func (f *features) camelWord(text []byte, i, longAt int) int {
	start, n := i, len(text)
	for i < n && classes[text[i]] == upper {
		i++
	}
	if i-start <= 1 {
		for i < n && classes[text[i]] == lower {
			i++
		}
	}
	f.addWord(i-start, longAt)
	return i
}

func (f *features) addWord(letters, longAt int) {
	f.word++
	if letters > longAt {
		f.long += letters - longAt
	}
}
