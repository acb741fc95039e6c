package sessionlog

import (
	"bytes"
	"fmt"
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
	Linear     bool // entries at its beginning name no parent: they are read as one line in their order
}

// Sentences tells what was passed over, for whoever runs the session; none for a file in order. The open last line of
// a file that a process is still writing is no oddity by itself.
func (r *Report) Sentences() []string {
	var out []string
	count := func(n int, one, many string) {
		switch {
		case n == 1:
			out = append(out, one)
		case n > 1:
			out = append(out, fmt.Sprintf(many, n))
		}
	}
	count(r.Bad, "One line of the log, or its rest, is no JSON object and was passed over.",
		"%d lines of the log, or their rests, are no JSON objects and were passed over.")
	count(r.Unreadable, "One object of the log has no type and was passed over.", "%d objects of the log have no type and were passed over.")
	count(r.Duplicate, "One entry of the log stands there twice; the later one holds.", "%d entries of the log stand there more than once; the later ones hold.")
	if r.Linear {
		out = append(out, "Entries at the beginning of the log name no parent; they are taken in the order of the file.")
	}
	return out
}

// objects walks the JSON objects of a file in order, each with its offset in bytes. Lines end at 0x0A only (LOG-1); a
// line of several objects gives each of them (H-LOG-82, H-LOG-83).
func objects(data []byte, rep *Report) iter.Seq2[int, wire.Value] {
	return func(yield func(int, wire.Value) bool) {
		rep.Open = len(data) > 0 && data[len(data)-1] != '\n'
		for at := 0; at < len(data); {
			end := len(data)
			if i := bytes.IndexByte(data[at:], '\n'); i >= 0 {
				end = at + i
			}
			if !lineObjects(data[at:end], at, rep, yield) {
				return
			}
			at = end + 1
		}
	}
}

// lineObjects walks the objects of one line, which begins at an offset of its file.
func lineObjects(line []byte, at int, rep *Report, yield func(int, wire.Value) bool) bool {
	text := bytes.TrimLeft(line, blanks)
	at += len(line) - len(text)
	text = bytes.TrimRight(text, blanks)
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
				rest = bytes.TrimLeft(text[end:], blanks)
			}
		}
		if err != nil || v.Kind() != '{' {
			rep.Bad++
			return true
		}
		if !first {
			rep.Glued++
		}
		if !yield(at, v) {
			return false
		}
		at += len(text) - len(rest)
		text = rest
	}
	return true
}

// blanks is what JSON calls white space.
const blanks = " \t\r\n"

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
