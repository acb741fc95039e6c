package trace

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"unicode/utf8"
)

// Reader reads a trace event by event. Memory is bounded by the longest line.
type Reader struct {
	in    *bufio.Reader
	line  int
	last  int
	begun bool
	err   error
}

// NewReader makes a reader.
func NewReader(r io.Reader) *Reader { return &Reader{in: bufio.NewReaderSize(r, 64<<10)} }

// FormatError says where a trace is not what it should be. Line and Column count from 1, Column in
// characters of the line.
type FormatError struct {
	Line, Column int
	Msg          string
	Err          error // io.ErrUnexpectedEOF when the last line is cut
}

func (e *FormatError) Error() string { return fmt.Sprintf("%d:%d: %s", e.Line, e.Column, e.Msg) }

func (e *FormatError) Unwrap() error { return e.Err }

// Next returns the next event, io.EOF after the last. Any other error is a *FormatError or comes
// from the underlying reader; after an error every further call returns it again.
func (r *Reader) Next() (Event, error) {
	if r.err != nil {
		return Event{}, r.err
	}
	e, err := r.next()
	if err != nil {
		r.err = err
		return Event{}, err
	}
	r.last, r.begun = e.Seq, true
	return e, nil
}

func (r *Reader) next() (Event, error) {
	raw, err := r.in.ReadBytes('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return Event{}, err
	}
	if len(raw) == 0 {
		if !r.begun {
			return Event{}, &FormatError{Line: 1, Column: 1, Msg: "empty; a trace begins with its run event", Err: io.ErrUnexpectedEOF}
		}
		return Event{}, io.EOF
	}
	r.line++
	if err != nil {
		return Event{}, &FormatError{Line: r.line, Column: utf8.RuneCount(raw) + 1,
			Msg: "the last line is cut off; every event ends in a line feed", Err: io.ErrUnexpectedEOF}
	}
	raw = raw[:len(raw)-1]
	var e Event
	if err := decode(raw, &e); err != nil {
		return Event{}, r.at(raw, err)
	}
	if err := follows(e, r.begun, r.last); err != nil {
		return Event{}, &FormatError{Line: r.line, Column: 1, Msg: err.Error()}
	}
	return e, nil
}

// decode reads one line strictly: a name the version does not know is an error, since it would
// otherwise be judged as if it were not there.
func decode(raw []byte, e *Event) error {
	if version, ok := foreign(raw); ok {
		return fmt.Errorf("trace version %d; this program knows version %d", version, Version)
	}
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.DisallowUnknownFields()
	if err := dec.Decode(e); err != nil {
		return err
	}
	if rest := bytes.TrimSpace(raw[dec.InputOffset():]); len(rest) > 0 {
		return &trailing{int(dec.InputOffset()), rest[0]}
	}
	return nil
}

// foreign tells whether a line is the run event of another version. It looks before the strict
// reading, so that a newer file is refused for its version and not for its first new name.
func foreign(raw []byte) (version int, ok bool) {
	var head struct {
		Run *struct {
			Version int `json:"version"`
		} `json:"run"`
	}
	if !bytes.Contains(raw, []byte(`"run"`)) || json.Unmarshal(raw, &head) != nil || head.Run == nil {
		return 0, false
	}
	return head.Run.Version, head.Run.Version != Version
}

type trailing struct {
	off int
	b   byte
}

func (t *trailing) Error() string { return fmt.Sprintf("%q after the event; one event a line", t.b) }

var unknownField = regexp.MustCompile(`^json: unknown field "(.*)"$`)

// at turns a decoding error into one with a place.
func (r *Reader) at(raw []byte, err error) error {
	off, msg := 0, err.Error()
	var syn *json.SyntaxError
	var typ *json.UnmarshalTypeError
	var tail *trailing
	var text *textError
	switch {
	case errors.As(err, &syn):
		off, msg = int(syn.Offset)-1, "not JSON: "+syn.Error()
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		off, msg = len(raw), "not JSON: the line ends inside the event"
	case errors.As(err, &typ):
		// the offset is the end of the value
		off, msg = int(typ.Offset)-1, fmt.Sprintf("%s holds a JSON %s; it must be %s", typ.Field, typ.Value, plain(typ))
	case errors.As(err, &text):
		off, msg = bytes.LastIndex(raw, []byte(text.value)), text.Error()
	case errors.As(err, &tail):
		off = tail.off
	default:
		if m := unknownField.FindStringSubmatch(msg); m != nil {
			off = bytes.Index(raw, []byte(`"`+m[1]+`"`))
			msg = fmt.Sprintf("version %d has no field %q here", Version, m[1])
		}
	}
	off = min(max(off, 0), len(raw))
	return &FormatError{Line: r.line, Column: utf8.RuneCount(raw[:off]) + 1, Msg: msg}
}

// plain names the kind of JSON a field wants.
func plain(e *json.UnmarshalTypeError) string {
	switch e.Type.Kind().String() {
	case "int", "int64", "uint64":
		return "a whole number"
	case "bool":
		return "true or false"
	case "string":
		return "a string"
	case "slice":
		return "an array"
	}
	return "an object"
}
