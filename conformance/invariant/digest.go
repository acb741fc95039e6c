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
// another encoder wrote: the order of members does not matter, cache_control is left out, string
// content equals one text block, and an is_error that is not true equals none (H-LOG-22). It is wider
// than the identity of D29, which decides about the cache and the binding; LOG-* ask only whether the
// log explains the block.
func blockDigest(v wire.Value, bare bool) prefix.Hash {
	var d digester
	switch {
	case bare:
		d.text(v.Text())
	case v.Get("type").Text() == "tool_result":
		d.result(v)
	default:
		d.value(v, true)
	}
	return d.sum()
}

// fieldsDigest names all members of a block but cache_control, whatever their order.
func fieldsDigest(v wire.Value) prefix.Hash {
	var d digester
	d.value(v, true)
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
func (d *digester) text(s string) {
	d.atom('{', "")
	d.atom('k', "text")
	d.atom('s', s)
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
		d.text(content.Text())
	case '[':
		for _, part := range content.Elems() {
			d.value(part, true)
		}
	}
	d.atom('}', "")
}

// value writes any value; block says that cache_control is a marker here and no data.
func (d *digester) value(v wire.Value, block bool) {
	switch v.Kind() {
	case '"':
		d.atom('s', v.Text())
	case '{':
		type member struct {
			name string
			v    wire.Value
		}
		var members []member
		for name, m := range v.Members() {
			if !block || name != "cache_control" {
				members = append(members, member{name, m})
			}
		}
		slices.SortStableFunc(members, func(a, b member) int { return cmp.Compare(a.name, b.name) })
		d.atom('{', "")
		for _, m := range members {
			d.atom('k', m.name)
			d.value(m.v, false)
		}
		d.atom('}', "")
	case '[':
		d.atom('[', "")
		for _, e := range v.Elems() {
			d.value(e, false)
		}
		d.atom(']', "")
	default:
		d.atom('a', string(v.Raw()))
	}
}
