package wire

import (
	"bytes"
	"unicode/utf16"
	"unicode/utf8"
)

// unescape decodes the inside of a valid JSON string.
func unescape(inner []byte) string {
	i := bytes.IndexByte(inner, '\\')
	if i < 0 {
		return string(inner)
	}
	return string(appendUnescaped(make([]byte, 0, len(inner)), inner))
}

// appendUnescaped decodes the inside of a valid JSON string onto dst; half a surrogate pair becomes U+FFFD.
func appendUnescaped(dst, inner []byte) []byte {
	for {
		i := bytes.IndexByte(inner, '\\')
		if i < 0 {
			return append(dst, inner...)
		}
		dst = append(dst, inner[:i]...)
		c := inner[i+1]
		inner = inner[i+2:]
		switch c {
		case 'b':
			dst = append(dst, '\b')
		case 'f':
			dst = append(dst, '\f')
		case 'n':
			dst = append(dst, '\n')
		case 'r':
			dst = append(dst, '\r')
		case 't':
			dst = append(dst, '\t')
		case 'u':
			r := hex4(inner)
			inner = inner[4:]
			if utf16.IsSurrogate(r) {
				if full := utf16.DecodeRune(r, nextEscape(inner)); full != utf8.RuneError {
					r, inner = full, inner[6:]
				}
			}
			dst = utf8.AppendRune(dst, r) // writes U+FFFD for a lone surrogate
		default: // quote, slash, backslash
			dst = append(dst, c)
		}
	}
}

// nextEscape is the code unit of a \uXXXX at the start of s, 0 when none stands there.
func nextEscape(s []byte) rune {
	if len(s) < 6 || s[0] != '\\' || s[1] != 'u' {
		return 0
	}
	return hex4(s[2:])
}

func hex4(s []byte) rune {
	var r rune
	for _, c := range s[:4] {
		r = r<<4 | rune(hexDigit(c))
	}
	return r
}

// hexDigit is the worth of a hexadecimal digit, or above 15 when c is none.
func hexDigit(c byte) byte {
	switch {
	case c >= '0' && c <= '9':
		return c - '0'
	case c >= 'a' && c <= 'f':
		return c - 'a' + 10
	case c >= 'A' && c <= 'F':
		return c - 'A' + 10
	}
	return 0xff
}
