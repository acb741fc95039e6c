package wire

import (
	"bytes"
	"fmt"
	"unicode/utf8"
)

// SyntaxError says where a body stops being JSON. Line and Column count from 1, Column in characters.
type SyntaxError struct {
	Offset, Line, Column int
	Msg                  string
}

func (e *SyntaxError) Error() string {
	return fmt.Sprintf("not JSON at line %d, column %d (byte %d): %s", e.Line, e.Column, e.Offset, e.Msg)
}

// syntaxAt places a message; offset may be the end of the data.
func syntaxAt(data []byte, offset int, msg string) *SyntaxError {
	before := data[:offset]
	start := bytes.LastIndexByte(before, '\n') + 1
	return &SyntaxError{
		Offset: offset,
		Line:   bytes.Count(before, []byte{'\n'}) + 1,
		Column: utf8.RuneCount(before[start:]) + 1,
		Msg:    msg,
	}
}

// NotObjectError says that a request body is JSON but no object.
type NotObjectError struct{ Kind Kind }

func (e *NotObjectError) Error() string {
	return "the request body must be a JSON object, not " + e.Kind.String()
}

// String names the kind with its article, for error texts.
func (k Kind) String() string {
	switch k {
	case '{':
		return "an object"
	case '[':
		return "an array"
	case '"':
		return "a string"
	case '0':
		return "a number"
	case 't', 'f':
		return "a boolean"
	case 'n':
		return "null"
	}
	return "absent"
}
