package wire

import (
	"bytes"
	"errors"
	"unicode/utf16"
)

// ParseWhole parses a request as Parse does and besides refuses half a surrogate pair in a string, as the Messages
// API does (api-verdicts.jsonl body-not-json): RFC 8259 lets it through, and so do the parsers of logs, of streams cut
// between two halves, and of a judge that has a verdict of its own on it. Of several faults the first one of the body
// is reported. Errors: as Parse's.
func ParseWhole(prev *Request, body []byte) (*Request, error) {
	req, err := Parse(prev, body)
	end := len(body)
	var syntax *SyntaxError
	if errors.As(err, &syntax) {
		end = syntax.Offset // behind it nothing can be told of strings
	}
	if lone := loneSurrogate(body[:end]); lone != nil {
		return nil, lone
	}
	return req, err
}

// loneSurrogate finds the first escape in JSON text that names half a surrogate pair without its other half.
func loneSurrogate(text []byte) *SyntaxError {
	for i := 0; ; {
		at := nextSurrogate(text, i)
		if at < 0 {
			return nil
		}
		next := text[at+6:]
		switch hi := hex4(text[at+2:]); {
		case hi >= 0xdc00:
			return syntaxAt(text, at, "invalid high surrogate in string")
		case len(next) < 6:
			if len(next) == 0 || next[0] == '\\' && (len(next) == 1 || next[1] == 'u') {
				return nil // the text was cut inside the escape that is due, and what cut it is the fault
			}
			return syntaxAt(text, at+6, "no low surrogate in string")
		case next[0] != '\\' || next[1] != 'u':
			return syntaxAt(text, at+6, "no low surrogate in string")
		case utf16.DecodeRune(hi, hex4(next[2:])) == '\ufffd':
			return syntaxAt(text, at+6, "invalid low surrogate in string")
		}
		i = at + 12
	}
}

// Wellformed is JSON text in which each half of a surrogate pair that has no other half is an escaped U+FFFD, in as many
// bytes; text without one is given back as it is. Logs of other writers and answers may hold such halves; a request may not.
func Wellformed(text []byte) []byte {
	out := text
	for i := 0; ; {
		at := nextSurrogate(text, i)
		if at < 0 {
			return out
		}
		next := text[at+6:]
		if len(next) >= 6 && next[0] == '\\' && next[1] == 'u' && utf16.DecodeRune(hex4(text[at+2:]), hex4(next[2:])) != '\ufffd' {
			i = at + 12
			continue
		}
		if &out[0] == &text[0] {
			out = bytes.Clone(text)
		}
		copy(out[at:], `\ufffd`)
		i = at + 6
	}
}

// nextSurrogate is the offset of the first whole escape \uD800 to \uDFFF at or behind from, -1 when there is none.
// Bodies hold few of them: the search leaps from one to the next.
func nextSurrogate(text []byte, from int) int {
	for i := from; i < len(text); {
		at := bytes.Index(text[i:], []byte(`\u`))
		if at < 0 {
			return -1
		}
		at += i
		if at+6 > len(text) {
			return -1
		}
		escaped := false // by a backslash before it
		for k := at - 1; k >= 0 && text[k] == '\\'; k-- {
			escaped = !escaped
		}
		if !escaped && (text[at+2] == 'd' || text[at+2] == 'D') && hexDigit(text[at+3]) >= 8 && hexDigit(text[at+3]) <= 15 {
			return at
		}
		i = at + 2
	}
	return -1
}
