package wire

import (
	"encoding/binary"
	"math/bits"
	"strconv"
	"unicode/utf8"
)

// str reads the string that starts at i. Eight bytes at a time are passed over as long as none of them
// is a quote, a backslash, a control character or part of a character beyond ASCII.
func (s *scanner) str(i int) int {
	const ones, tops = 0x0101010101010101, 0x8080808080808080
	d := s.data
	j := i + 1
	for {
		for j+8 <= len(d) {
			w := binary.LittleEndian.Uint64(d[j:])
			// A subtraction sets the top bit of the byte that is too small; borrows reach only
			// bytes behind it, so the first marked byte is always a true one.
			if m := (w | (w - 0x20*ones) | ((w ^ '"'*ones) - ones) | ((w ^ '\\'*ones) - ones)) & tops; m != 0 {
				j += bits.TrailingZeros64(m) / 8
				break
			}
			j += 8
		}
		if j >= len(d) {
			return s.fail(len(d), "the data ends inside a string")
		}
		switch c := d[j]; {
		case c == '"':
			return j + 1
		case c == '\\':
			if j = s.escape(j); j < 0 {
				return -1
			}
		case c < 0x20:
			return s.fail(j, "control character "+strconv.QuoteRune(rune(c))+" in a string must be escaped")
		case c < utf8.RuneSelf:
			j++
		default:
			for j < len(d) && d[j] >= utf8.RuneSelf {
				r, size := utf8.DecodeRune(d[j:])
				if r == utf8.RuneError && size <= 1 {
					return s.fail(j, "invalid UTF-8 in a string")
				}
				j += size
			}
		}
	}
}

// escape reads the escape at i. Half a surrogate pair is JSON (RFC 8259, 8.2) and is let through.
func (s *scanner) escape(i int) int {
	if i+1 >= len(s.data) {
		return s.fail(len(s.data), "the data ends inside a string")
	}
	switch s.data[i+1] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return i + 2
	case 'u':
		for j := i + 2; j < i+6; j++ {
			if j >= len(s.data) {
				return s.fail(len(s.data), "the data ends inside a string")
			}
			if hexDigit(s.data[j]) > 15 {
				return s.failAt(j, "a hexadecimal digit of a \\u escape")
			}
		}
		return i + 6
	}
	return s.failAt(i+1, "an escape (one of \"\\/bfnrtu)")
}

func (s *scanner) literal(i int, word string) int {
	for k := range word {
		if i+k >= len(s.data) || s.data[i+k] != word[k] {
			return s.failAt(i+k, "the literal "+word)
		}
	}
	return i + len(word)
}

func (s *scanner) number(i int) int {
	if s.data[i] == '-' {
		i++
	}
	if i < len(s.data) && s.data[i] == '0' {
		i++
	} else if i = s.digits(i); i < 0 {
		return -1
	}
	if i < len(s.data) && s.data[i] == '.' {
		if i = s.digits(i + 1); i < 0 {
			return -1
		}
	}
	if i < len(s.data) && (s.data[i] == 'e' || s.data[i] == 'E') {
		i++
		if i < len(s.data) && (s.data[i] == '+' || s.data[i] == '-') {
			i++
		}
		return s.digits(i)
	}
	return i
}

// digits reads one digit or more.
func (s *scanner) digits(i int) int {
	start := i
	for i < len(s.data) && s.data[i] >= '0' && s.data[i] <= '9' {
		i++
	}
	if i == start {
		return s.failAt(i, "a digit")
	}
	return i
}

// quoteRune shows the first character of b in an error text.
func quoteRune(b []byte) string {
	r, size := utf8.DecodeRune(b)
	if r == utf8.RuneError && size <= 1 {
		return "byte 0x" + strconv.FormatUint(uint64(b[0]), 16)
	}
	return strconv.QuoteRune(r)
}
