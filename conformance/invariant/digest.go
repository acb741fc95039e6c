package invariant

import (
	"cmp"
	"encoding/binary"
	"slices"

	"github.com/zeebo/xxh3"

	"harnessbench/internal/prefix"
	"harnessbench/internal/wire"
)

// blockDigest names what a content block says, so that a block on the wire can be found in a log that
// another encoder wrote. It is as wide as the identity of D29 and wider: the order of members does not
// matter, cache_control and members that say what their absence says are left out, string content equals
// one text block, and all ways to write a result without content are one (H-LOG-22). The identity of D29
// decides about the cache and the binding; LOG-* ask only whether the log explains the block.
func blockDigest(v wire.Value, bare bool) prefix.Hash {
	var d digester
	switch {
	case bare:
		d.text(v)
	case v.Get("type").Text() == "tool_result":
		d.result(v)
	default:
		d.typed(v)
	}
	return d.sum()
}

// fieldsDigest names all members of a block but cache_control, whatever their order.
func fieldsDigest(v wire.Value) prefix.Hash {
	var d digester
	d.object(v, func(name string, _ wire.Value) bool { return name == "cache_control" }, d.free)
	return d.sum()
}

type digester struct{ h xxh3.Hasher }

func (d *digester) sum() prefix.Hash {
	return d.h.Sum128().Bytes()
}

// atom writes a tagged, length-prefixed piece, so that no two different values give one stream.
func (d *digester) atom(tag byte, b string) {
	var head [9]byte
	head[0] = tag
	binary.LittleEndian.PutUint64(head[1:], uint64(len(b)))
	d.h.Write(head[:])
	d.h.WriteString(b)
}

// text is a text block of nothing but text.
func (d *digester) text(v wire.Value) {
	d.atom('{', "")
	d.atom('k', "text")
	d.atom('s', spelled(v))
	d.atom('k', "type")
	d.atom('s', "text")
	d.atom('}', "")
}

func (d *digester) result(v wire.Value) {
	d.atom('{', "result")
	d.atom('s', v.Get("tool_use_id").Text())
	if bad, _ := v.Get("is_error").Bool(); bad {
		d.atom('t', "is_error")
	}
	content := v.Get("content")
	switch content.Kind() {
	case '"':
		if content.Text() != "" {
			d.text(content)
		}
	case '[':
		for _, part := range content.Elems() {
			if part.Get("type").Text() != "text" || part.Get("text").Text() != "" {
				d.typed(part)
			}
		}
	}
	d.atom('}', "")
}

// typed writes a value of the API's own schema: what says nothing is left out.
func (d *digester) typed(v wire.Value) {
	switch v.Kind() {
	case '{':
		d.object(v, saysNothing, func(name string, m wire.Value) {
			switch name {
			case "content", "source", "citations", "caller":
				d.typed(m)
			default:
				d.value(m)
			}
		})
	case '[':
		d.atom('[', "")
		for _, e := range v.Elems() {
			d.typed(e)
		}
		d.atom(']', "")
	default:
		d.value(v)
	}
}

// saysNothing tells members that mean the same as their absence (D29).
func saysNothing(name string, v wire.Value) bool {
	if v.IsNull() {
		return true
	}
	switch name {
	case "cache_control":
		return true
	case "is_error":
		return v.Kind() == 'f'
	case "citations":
		return v.Kind() == '[' && v.Len() == 0
	case "caller":
		return v.Len() == 1 && v.Get("type").Text() == "direct"
	}
	return false
}

// value writes a value of the user's own, all it holds.
func (d *digester) value(v wire.Value) {
	switch v.Kind() {
	case '"':
		d.atom('s', spelled(v))
	case '{':
		d.object(v, func(string, wire.Value) bool { return false }, d.free)
	case '[':
		d.atom('[', "")
		for _, e := range v.Elems() {
			d.value(e)
		}
		d.atom(']', "")
	default:
		d.atom('a', string(v.Raw()))
	}
}

func (d *digester) free(_ string, v wire.Value) { d.value(v) }

// object writes the members that are not left out, sorted by name.
func (d *digester) object(v wire.Value, leftOut func(string, wire.Value) bool, write func(string, wire.Value)) {
	type member struct {
		name string
		v    wire.Value
	}
	var members []member
	for name, m := range v.Members() {
		if !leftOut(name, m) {
			members = append(members, member{name, m})
		}
	}
	slices.SortStableFunc(members, func(a, b member) int { return cmp.Compare(a.name, b.name) })
	d.atom('{', "")
	for _, m := range members {
		d.atom('k', m.name)
		write(m.name, m.v)
	}
	d.atom('}', "")
}
