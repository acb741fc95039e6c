package wire

import (
	"bytes"
	"iter"
	"strconv"
)

// Kind is the first byte of a JSON value: '{' '[' '"' '0' (number) 't' 'f' 'n';
// zero for a value that is absent.
type Kind byte

// Value is a view of one JSON value inside a document: its exact bytes and, for objects and
// arrays, its parts. The zero Value is absent; every accessor of an absent value answers absent.
type Value struct {
	src []byte // exactly the bytes of this value
	off int    // absolute offset in the document
	n   *node  // set for objects and arrays
}

// node is the parsed form of one object or array. It holds no bytes and only offsets relative to the
// first byte of the container, so that a later document may share it wherever the same bytes stand.
//
// The parts of a long array stand in pieces, so that the next turn of a conversation shares all but the last with
// the one before; everything else has them in parts alone.
type node struct {
	pieces [][]part // of pieceLen parts each
	parts  []part   // the rest
}

const pieceLen = 256

func (n *node) len() int { return len(n.pieces)*pieceLen + len(n.parts) }

func (n *node) at(i int) *part {
	if c := i / pieceLen; c < len(n.pieces) {
		return &n.pieces[c][i%pieceLen]
	}
	return &n.parts[i-len(n.pieces)*pieceLen]
}

// beginning are the first k parts, ready to be added to.
func (n *node) beginning(k int) *node {
	const room = 8
	b := &node{pieces: make([][]part, 0, k/pieceLen+1)}
	for c := range k / pieceLen {
		if c < len(n.pieces) {
			b.pieces = append(b.pieces, n.pieces[c])
			continue
		}
		from := (c - len(n.pieces)) * pieceLen
		b.pieces = append(b.pieces, n.parts[from:from+pieceLen:from+pieceLen])
	}
	b.parts = make([]part, 0, k%pieceLen+room)
	for i := len(b.pieces) * pieceLen; i < k; i++ {
		b.parts = append(b.parts, *n.at(i))
	}
	return b
}

// part is one member or element. Offsets count from the container's first byte; the name, quotes
// included, is [name, nameEnd), both zero in arrays.
type part struct {
	name, nameEnd uint32
	start, end    uint32
	n             *node // set when the part is itself a container
}

// ParseValue parses one JSON text (surrounding blanks allowed). The error is a *SyntaxError.
func ParseValue(data []byte) (Value, error) { return scan(data, Value{}) }

// Exists tells whether there is a value at all.
func (v Value) Exists() bool { return len(v.src) > 0 }

// Kind is the kind of the value.
func (v Value) Kind() Kind {
	if len(v.src) == 0 {
		return 0
	}
	if c := v.src[0]; c != '-' && (c < '0' || c > '9') {
		return Kind(c)
	}
	return '0'
}

// Raw is the exact bytes of the value; they belong to the document and must not be changed.
func (v Value) Raw() []byte { return v.src }

// Offset is where the value starts in its document, in bytes.
func (v Value) Offset() int { return v.off }

// IsNull tells whether the value is the literal null; an absent value is not.
func (v Value) IsNull() bool { return v.Kind() == 'n' }

// Same tells, without looking into containers, whether two views show one value: objects and arrays
// that share their parse (see Parse), scalars of equal bytes, or two absent values. False says nothing
// about containers that were parsed apart.
func (v Value) Same(o Value) bool {
	if v.n != nil || o.n != nil {
		return v.n == o.n
	}
	return bytes.Equal(v.src, o.src)
}

// Get is the member of an object by name (the last of equal names), absent if there is none.
func (v Value) Get(name string) Value {
	if i := v.find(name); i >= 0 {
		return v.part(i)
	}
	return Value{}
}

// find is the index of the last member of that name, -1 when there is none.
func (v Value) find(name string) int {
	if v.Kind() != '{' {
		return -1
	}
	for i := v.n.len() - 1; i >= 0; i-- {
		if v.named(i, name) {
			return i
		}
	}
	return -1
}

// named tells whether member i has that name. An escape is longer than what it stands for, so only
// longer spellings need decoding.
func (v Value) named(i int, name string) bool {
	inner := v.inner(i)
	if len(inner) <= len(name) {
		return string(inner) == name
	}
	return bytes.IndexByte(inner, '\\') >= 0 && unescape(inner) == name
}

// inner is the name of member i as spelled, without its quotes.
func (v Value) inner(i int) []byte {
	p := v.n.at(i)
	return v.src[p.name+1 : p.nameEnd-1]
}

func (v Value) part(i int) Value {
	p := v.n.at(i)
	return Value{src: v.src[p.start:p.end:p.end], off: v.off + int(p.start), n: p.n}
}

// NameAt is the name of member i of an object in the order sent, nil when there is none. The bytes are the
// document's own unless the name is spelled with escapes.
func (v Value) NameAt(i int) []byte {
	if v.Kind() != '{' || i < 0 || i >= v.n.len() {
		return nil
	}
	inner := v.inner(i)
	if bytes.IndexByte(inner, '\\') < 0 {
		return inner
	}
	return []byte(unescape(inner))
}

// MemberAt is the value of member i of an object, absent when there is none. With NameAt an object is read in one
// pass, where a Get for each of its fields searches it anew.
func (v Value) MemberAt(i int) Value {
	if v.Kind() != '{' || i < 0 || i >= v.n.len() {
		return Value{}
	}
	return v.part(i)
}

// Members walks an object in the order sent.
func (v Value) Members() iter.Seq2[string, Value] {
	return func(yield func(string, Value) bool) {
		if v.Kind() != '{' {
			return
		}
		for i := range v.n.len() {
			if !yield(unescape(v.inner(i)), v.part(i)) {
				return
			}
		}
	}
}

// Len is the number of members or elements.
func (v Value) Len() int {
	if v.n == nil {
		return 0
	}
	return v.n.len()
}

// At is element i of an array.
func (v Value) At(i int) Value {
	if v.Kind() != '[' || i < 0 || i >= v.n.len() {
		return Value{}
	}
	return v.part(i)
}

// Elems walks an array.
func (v Value) Elems() iter.Seq2[int, Value] {
	return func(yield func(int, Value) bool) {
		if v.Kind() != '[' {
			return
		}
		for i := range v.n.len() {
			if !yield(i, v.part(i)) {
				return
			}
		}
	}
}

// Text is the decoded string, "" when the value is no string. An escape that names half of a surrogate
// pair gives U+FFFD; the bytes of Raw keep it.
func (v Value) Text() string {
	if v.Kind() != '"' {
		return ""
	}
	return unescape(v.src[1 : len(v.src)-1])
}

// Int decodes a number written as an integer; ok is false when the value is of another kind, has a
// fraction or exponent, or does not fit.
func (v Value) Int() (n int64, ok bool) {
	if v.Kind() != '0' {
		return 0, false
	}
	n, err := strconv.ParseInt(string(v.src), 10, 64)
	if err != nil {
		return 0, false
	}
	return n, true
}

// Float decodes a number; ok is false when the value is of another kind or beyond a float64.
func (v Value) Float() (f float64, ok bool) {
	if v.Kind() != '0' {
		return 0, false
	}
	f, err := strconv.ParseFloat(string(v.src), 64)
	if err != nil {
		return 0, false
	}
	return f, true
}

// Bool decodes true and false; ok is false for every other kind.
func (v Value) Bool() (b, ok bool) {
	k := v.Kind()
	return k == 't', k == 't' || k == 'f'
}

// own is the value as a document of its own: a copy of its bytes, starting at offset 0.
func (v Value) own() Value { return Value{src: bytes.Clone(v.src), n: v.n} }
