package sessionlog

import (
	"bytes"
	"iter"

	"harnessbench/internal/wire"
)

// Report counts what a load met and passed over (H-LOG-82 to H-LOG-86). A bad line costs only itself.
type Report struct {
	Blank      int  // blank lines
	Bad        int  // lines, or rests of lines, that hold no object
	Glued      int  // objects that did not begin their line
	Duplicate  int  // entries whose uuid came again later
	Unreadable int  // objects without a type
	Open       bool // the last line has no line feed
}

// objects walks the JSON objects of a file in order. Lines end at 0x0A only; a line of several objects
// gives each of them (H-LOG-82, H-LOG-83).
func objects(data []byte, rep *Report) iter.Seq[wire.Value] {
	return func(yield func(wire.Value) bool) {
		rep.Open = len(data) > 0 && data[len(data)-1] != '\n'
		for len(data) > 0 {
			text := data
			if i := bytes.IndexByte(data, '\n'); i >= 0 {
				text, data = data[:i], data[i+1:]
			} else {
				data = nil
			}
			if !lineObjects(text, rep, yield) {
				return
			}
		}
	}
}

func lineObjects(text []byte, rep *Report, yield func(wire.Value) bool) bool {
	text = bytes.TrimSpace(text)
	if len(text) == 0 {
		rep.Blank++
		return true
	}
	for first := true; len(text) > 0; first = false {
		v, err := wire.ParseValue(text)
		rest := []byte(nil)
		if err != nil {
			end := objectEnd(text)
			if v, err = wire.ParseValue(text[:end]); err == nil {
				rest = bytes.TrimLeft(text[end:], " \t\r")
			}
		}
		if err != nil || v.Kind() != '{' {
			rep.Bad++
			return true
		}
		if !first {
			rep.Glued++
		}
		if !yield(v) {
			return false
		}
		text = rest
	}
	return true
}

// objectEnd is where the first object of a text ends, len(text) if it does not end.
func objectEnd(text []byte) int {
	depth, quoted := 0, false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{' || c == '[':
			depth++
		case c == '}' || c == ']':
			if depth--; depth <= 0 {
				return i + 1
			}
		}
	}
	return len(text)
}
