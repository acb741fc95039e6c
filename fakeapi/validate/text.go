package validate

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"harnessbench/internal/wire"
)

// emptyString tells whether v is the JSON string "". It looks at the bytes, so that long texts stay undecoded.
func emptyString(v wire.Value) bool { return v.Kind() == '"' && len(v.Raw()) == 2 }

// blank tells whether v is a string of white space only, "" included.
func blank(v wire.Value) bool {
	if v.Kind() != '"' {
		return false
	}
	if raw := v.Raw(); len(raw) > 2 && raw[1] > ' ' && raw[1] != '\\' && raw[1] < utf8.RuneSelf {
		return false
	}
	return strings.TrimSpace(v.Text()) == ""
}

// endsBlank tells whether a string ends in white space.
func endsBlank(v wire.Value) bool {
	r, n := utf8.DecodeLastRuneInString(v.Text())
	return n > 0 && unicode.IsSpace(r)
}
