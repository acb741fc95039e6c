package wire

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// Splice replaces the bytes [Start, End) of a document by With.
type Splice struct {
	Start, End int
	With       []byte
}

// Apply makes the edited copy; splices must not overlap, in any order. Every byte outside them stays
// (architecture.md 3). It panics when splices overlap or leave the body, as an index out of range does.
//
// Each splice is worked out for the document as it is: two that take a container's only member
// out and put another one in belong into two calls.
func Apply(body []byte, splices ...Splice) []byte {
	sorted := slices.Clone(splices)
	slices.SortStableFunc(sorted, func(a, b Splice) int { return cmp.Compare(a.Start, b.Start) })
	size := len(body)
	at := 0
	for _, s := range sorted {
		if s.Start < at || s.End < s.Start || s.End > len(body) {
			panic(fmt.Sprintf("wire: splice [%d, %d) overlaps another or leaves a body of %d bytes", s.Start, s.End, len(body)))
		}
		at = s.End
		size += len(s.With) - (s.End - s.Start)
	}
	out := make([]byte, 0, size)
	at = 0
	for _, s := range sorted {
		out = append(append(out, body[at:s.Start]...), s.With...)
		at = s.End
	}
	return append(out, body[at:]...)
}

// SetMember replaces the value of a member (the last of equal names) or adds the member at the end of
// the object. It addresses the document the value was parsed from, as the others do. A value of the
// wrong kind gives a splice that changes nothing.
func SetMember(object Value, name string, raw []byte) Splice {
	if i := object.find(name); i >= 0 {
		return Replace(object.part(i), raw)
	}
	if object.Kind() != '{' {
		return nothing(object)
	}
	key, _ := jsontext.AppendQuote(nil, strings.ToValidUTF8(name, "\ufffd")) // fails on invalid UTF-8 only
	return object.insert(append(append(key, ':'), raw...))
}

// AppendElem adds an element at the end of an array.
func AppendElem(array Value, raw []byte) Splice {
	if array.Kind() != '[' {
		return nothing(array)
	}
	return array.insert(raw)
}

// insert puts a part behind the last one.
func (v Value) insert(raw []byte) Splice {
	at := v.off + 1
	if n := v.n.len(); n > 0 {
		at = v.off + int(v.n.at(n-1).end)
		raw = append([]byte{','}, raw...)
	}
	return Splice{at, at, raw}
}

// Replace exchanges the whole value.
func Replace(v Value, raw []byte) Splice {
	return Splice{v.off, v.off + len(v.src), raw}
}

// RemoveMember takes every member of that name out, each with one comma; a splice that changes nothing
// when there is none.
func RemoveMember(object Value, name string) Splice {
	if object.find(name) < 0 {
		return nothing(object)
	}
	parts := object.n.parts
	last := len(parts) - 1
	kept := last // the last member that stays
	for kept >= 0 && object.named(kept, name) {
		kept--
	}
	var cuts [][2]uint32
	for i := range max(kept, 0) {
		if object.named(i, name) {
			cuts = append(cuts, [2]uint32{parts[i].name, parts[i+1].name})
		}
	}
	if kept < 0 {
		cuts = append(cuts, [2]uint32{parts[0].name, parts[last].end})
	} else if kept < last { // the comma before the tail goes with it
		cuts = append(cuts, [2]uint32{parts[kept].end, parts[last].end})
	}
	s := Splice{Start: object.off + int(cuts[0][0]), End: object.off + int(cuts[len(cuts)-1][1])}
	for i := 1; i < len(cuts); i++ { // what stands between equal names stays
		s.With = append(s.With, object.src[cuts[i-1][1]:cuts[i][0]]...)
	}
	return s
}

func nothing(v Value) Splice { return Splice{Start: v.off, End: v.off} }
