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

// scan counts the features of a text in one pass. Long counts the letters of a word beyond longAt; camel splits
// words also where the case changes inside them.
func scan(text []byte, longAt int, camel bool) (f Counts) {
	n := len(text)
	for i := 0; i < n; {
		start := i
		switch c := classes[text[i]]; c {
		case lower, upper:
			i = f.letters(text, i, longAt, camel)
		case digit:
			for i++; i < n && classes[text[i]] == digit; i++ {
			}
			f[Digit] += i - start
			if start > 0 && text[start-1] == ' ' {
				f[SpDig]++
			}
		case punct:
			for i++; i < n && classes[text[i]] == punct; i++ {
			}
			f[Punct]++
			if i-start > 2 {
				f[Extra] += i - start - 2
			}
		case newline:
			for i++; i < n && classes[text[i]]-blank <= newline-blank; i++ {
			}
			f[NL]++
		case wide:
			f[Uni]++
			i++
		default:
			i++
		}
	}
	return f
}

// isLetter tells ASCII letters: the classes of both cases stand side by side.
func isLetter(b byte) bool { return classes[b]-lower <= upper-lower }

// letters takes one run of letters: a word, or with camel as many as its case tells apart.
func (f *Counts) letters(text []byte, i, longAt int, camel bool) int {
	start, n := i, len(text)
	capital := classes[text[i]] == upper
	if capital && i > 0 && text[i-1] == ' ' {
		f[Cap]++
	}
	for i++; i < n && classes[text[i]] == lower; i++ {
	}
	if i < n && classes[text[i]] == upper {
		return f.mixed(text, start, i, longAt, camel)
	}
	if i-start <= 2 {
		f.ending(text, start)
	}
	f.addWord(i-start, longAt)
	return i
}

// mixed takes a run of letters with a capital at i, behind its first letter.
func (f *Counts) mixed(text []byte, start, i, longAt int, camel bool) int {
	lows := i - start
	if classes[text[start]] == upper {
		lows--
	}
	for ; i < len(text) && isLetter(text[i]); i++ {
		if classes[text[i]] == lower {
			lows++
		}
	}
	if lows > 0 {
		f[Mixed]++
	}
	if i-start <= 2 {
		f.ending(text, start)
	}
	if !camel {
		f.addWord(i-start, longAt)
		return i
	}
	for at := start; at < i; {
		at = f.camelWord(text[:i], at, longAt)
	}
	return i
}

// ending counts a run of one or two letters behind an apostrophe that stands behind a letter.
func (f *Counts) ending(text []byte, start int) {
	if start > 1 && text[start-1] == '\'' && isLetter(text[start-2]) {
		f[Apos]++
	}
}

// camelWord takes one word that ends where its case changes: HTMLParser is two, camelCase is two,
// Capital is one.
func (f *Counts) camelWord(text []byte, i, longAt int) int {
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

func (f *Counts) addWord(letters, longAt int) {
	f[Word]++
	if letters > longAt {
		f[Long] += letters - longAt
	}
	if letters == 1 {
		f[One]++
	}
}
