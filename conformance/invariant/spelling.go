package invariant

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"harnessbench/internal/wire"
)

// spelled is the text of a string. Half a surrogate pair decodes to the same replacement character
// whichever half it is; such a string is told by its bytes.
func spelled(v wire.Value) string {
	text := v.Text()
	if !strings.ContainsRune(text, utf8.RuneError) || !bytes.Contains(v.Raw(), []byte(`\u`)) {
		return text
	}
	return string(halves(v.Raw()[1 : len(v.Raw())-1]))
}

// halves decodes the inside of a JSON string, and writes each lone half of a surrogate pair as its
// three bytes, which no well-formed text holds.
func halves(inner []byte) []byte {
	var out []byte
	from := 0
	flush := func(to int) {
		var text string
		if json.Unmarshal(slices.Concat([]byte{'"'}, inner[from:to], []byte{'"'}), &text) == nil {
			out = append(out, text...)
		}
	}
	for i := 0; i < len(inner); {
		if inner[i] != '\\' {
			i++
			continue
		}
		unit, ok := escaped(inner[i:])
		switch {
		case !ok:
			i += 2
		case !utf16.IsSurrogate(unit):
			i += 6
		default:
			if low, ok := escaped(inner[i+6:]); ok && utf16.DecodeRune(unit, low) != utf8.RuneError {
				i += 12
				continue
			}
			flush(i)
			out = append(out, 0xe0|byte(unit>>12), 0x80|byte(unit>>6)&0x3f, 0x80|byte(unit)&0x3f)
			i += 6
			from = i
		}
	}
	flush(len(inner))
	return out
}

// escaped reads the escape of four hexadecimal digits at the start of b.
func escaped(b []byte) (rune, bool) {
	if len(b) < 6 || b[0] != '\\' || b[1] != 'u' {
		return 0, false
	}
	n, err := strconv.ParseUint(string(b[2:6]), 16, 16)
	return rune(n), err == nil
}
