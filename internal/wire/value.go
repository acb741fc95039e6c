package wire

import "iter"

// Kind is the first byte of a JSON value: '{' '[' '"' '0' (number) 't' 'f' 'n';
// zero for a value that is absent.
type Kind byte

// Value is a view of one JSON value inside a document: its exact bytes and, for objects and
// arrays, its parts. The zero Value is absent; every accessor of an absent value answers absent.
type Value struct {
	src []byte // exactly the bytes of this value
	off int    // absolute offset in the document
	n   *node
}

type node struct{}

// ParseValue parses one JSON text (surrounding blanks allowed). The error is a *SyntaxError.
func ParseValue(data []byte) (Value, error) { panic("unbuilt") }

func (v Value) Exists() bool { panic("unbuilt") }
func (v Value) Kind() Kind   { panic("unbuilt") }
func (v Value) Raw() []byte  { return v.src }
func (v Value) Offset() int  { return v.off }
func (v Value) IsNull() bool { panic("unbuilt") }

// Get is the member of an object by name (the last of equal names), absent if there is none.
func (v Value) Get(name string) Value { panic("unbuilt") }

// Members walks an object in the order sent.
func (v Value) Members() iter.Seq2[string, Value] { panic("unbuilt") }

// Len is the number of members or elements.
func (v Value) Len() int { panic("unbuilt") }

// At is element i of an array.
func (v Value) At(i int) Value { panic("unbuilt") }

// Elems walks an array.
func (v Value) Elems() iter.Seq2[int, Value] { panic("unbuilt") }

// Text is the decoded string, "" when the value is no string.
func (v Value) Text() string { panic("unbuilt") }

// Int, Float and Bool decode; ok is false when the value is of another kind (or no integer).
func (v Value) Int() (n int64, ok bool)     { panic("unbuilt") }
func (v Value) Float() (f float64, ok bool) { panic("unbuilt") }
func (v Value) Bool() (b, ok bool)          { panic("unbuilt") }

// SyntaxError says where a body stops being JSON. Line and Column count from 1, Column in characters.
type SyntaxError struct {
	Offset, Line, Column int
	Msg                  string
}

func (e *SyntaxError) Error() string { panic("unbuilt") }
