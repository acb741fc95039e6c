package tokens

import (
	"bytes"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// AppendSpaced appends a JSON text in the one form in which JSON is counted: a blank after each
// colon and comma, no other white space, each string in its shortest escape spelling. So the weight
// of a value does not depend on how the client spells it. raw must be valid JSON.
func AppendSpaced(dst, raw []byte) []byte {
	for i := 0; i < len(raw); i++ {
		switch c := raw[i]; c {
		case ' ', '\t', '\n', '\r':
		case ',', ':':
			dst = append(dst, c, ' ')
		case '"':
			end := stringEnd(raw, i)
			dst = appendString(dst, raw[i:end])
			i = end - 1
		default:
			dst = append(dst, c)
		}
	}
	return dst
}

// stringEnd is the offset behind the string that begins at i.
func stringEnd(raw []byte, i int) int {
	for i++; i < len(raw); i++ {
		switch raw[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(raw)
}

// appendString copies a string token; only \u and \/ have a shorter spelling.
func appendString(dst, s []byte) []byte {
	for {
		k := bytes.IndexByte(s, '\\')
		if k < 0 || k+1 >= len(s) {
			return append(dst, s...)
		}
		dst = append(dst, s[:k]...)
		switch s[k+1] {
		case '/':
			dst = append(dst, '/')
			s = s[k+2:]
		case 'u':
			r, n := unescape(s[k:])
			dst = appendRune(dst, r)
			s = s[k+n:]
		default:
			dst = append(dst, s[k:k+2]...)
			s = s[k+2:]
		}
	}
}

// unescape reads \uXXXX at the start of s, with the second half of a surrogate pair if it follows.
func unescape(s []byte) (r rune, length int) {
	r = hex4(s)
	if utf16.IsSurrogate(r) {
		if len(s) >= 12 && s[6] == '\\' && s[7] == 'u' {
			if both := utf16.DecodeRune(r, hex4(s[6:])); both != utf8.RuneError {
				return both, 12
			}
		}
		return utf8.RuneError, min(6, len(s))
	}
	return r, min(6, len(s))
}

func hex4(s []byte) rune {
	if len(s) < 6 {
		return utf8.RuneError
	}
	n, err := strconv.ParseUint(string(s[2:6]), 16, 16)
	if err != nil {
		return utf8.RuneError
	}
	return rune(n)
}

func appendRune(dst []byte, r rune) []byte {
	switch r {
	case '"', '\\':
		return append(dst, '\\', byte(r))
	case '\n':
		return append(dst, `\n`...)
	case '\r':
		return append(dst, `\r`...)
	case '\t':
		return append(dst, `\t`...)
	case '\b':
		return append(dst, `\b`...)
	case '\f':
		return append(dst, `\f`...)
	}
	if r < ' ' {
		const hex = "0123456789abcdef"
		return append(dst, '\\', 'u', '0', '0', hex[r>>4], hex[r&15])
	}
	return utf8.AppendRune(dst, r)
}

// AppendDecoded appends what a JSON string says; inner is what stands between its quotes.
func AppendDecoded(dst, inner []byte) []byte {
	for {
		k := bytes.IndexByte(inner, '\\')
		if k < 0 || k+1 >= len(inner) {
			return append(dst, inner...)
		}
		dst = append(dst, inner[:k]...)
		switch c := inner[k+1]; c {
		case 'u':
			r, n := unescape(inner[k:])
			dst = utf8.AppendRune(dst, r)
			inner = inner[k+n:]
			continue
		case 'n':
			dst = append(dst, '\n')
		case 't':
			dst = append(dst, '\t')
		case 'r':
			dst = append(dst, '\r')
		case 'b':
			dst = append(dst, '\b')
		case 'f':
			dst = append(dst, '\f')
		default:
			dst = append(dst, c)
		}
		inner = inner[k+2:]
	}
}
