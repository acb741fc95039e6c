package cachewatch

import (
	"fmt"

	"harnessbench/internal/wire"
)

// place is where two requests first differ, in the order tools, system, messages: the part as a JSON path of the later
// one, and the byte of its body.
type place struct {
	section string
	offset  int
}

// first finds the first difference between an earlier request and a later one. What the later one adds behind the
// messages of the earlier is none, but for the first image.
func first(a, b *parsed) (place, bool) {
	for _, name := range []string{"tools", "system"} {
		if at, differ := parts(name, a.Get(name), b.Get(name)); differ {
			return at, true
		}
	}
	at, differ := rewrite(a, b)
	if !differ && a.image.section == "" && b.image.section != "" {
		return b.image, true
	}
	return at, differ
}

// parts compares two arrays, or two values that are none.
func parts(name string, a, b wire.Value) (place, bool) {
	if a.Kind() != '[' || b.Kind() != '[' {
		return value(name, a, b)
	}
	for i := range max(a.Len(), b.Len()) {
		if at, differ := value(fmt.Sprintf("%s.%d", name, i), a.At(i), b.At(i)); differ {
			if !b.At(i).Exists() {
				at.offset = b.Offset() + len(b.Raw()) - 1 // where it would stand
			}
			return at, true
		}
	}
	return place{}, false
}

// value compares two values without their breakpoints. The byte is counted as if none stood before it in the value.
func value(section string, a, b wire.Value) (place, bool) {
	x, y := plain(a), plain(b)
	n := 0
	for n < len(x) && n < len(y) && x[n] == y[n] {
		n++
	}
	return place{section, b.Offset() + n}, n < len(x) || n < len(y)
}

// rewritten tells that the messages of the earlier request do not lead those of the later.
func rewritten(a, b *parsed) bool {
	_, differ := rewrite(a, b)
	return differ
}

func rewrite(a, b *parsed) (place, bool) {
	for i, m := range a.Messages() {
		other := b.Message(i)
		section := fmt.Sprintf("messages.%d", i)
		if i >= b.MessageCount() {
			list := b.Get("messages")
			return place{section, list.Offset() + max(len(list.Raw())-1, 0)}, true
		}
		if m.Role() != other.Role() {
			return place{section + ".role", other.Get("role").Offset()}, true
		}
		if at, differ := blocks(section, m, other, i == a.MessageCount()-1); differ {
			return at, true
		}
	}
	return place{}, false
}

// blocks compares two messages. The last of the earlier request may have got more blocks since.
func blocks(section string, a, b wire.Message, last bool) (place, bool) {
	x, y := a.Blocks(), b.Blocks()
	for i := range x {
		at := fmt.Sprintf("%s.content.%d", section, i)
		if i >= len(y) {
			return place{at, b.Offset() + len(b.Raw()) - 1}, true
		}
		if string(x[i].TextValue().Raw()) == string(y[i].TextValue().Raw()) && x[i].Bare != y[i].Bare {
			continue // a string and one block of text are the same
		}
		if where, differ := value(at, x[i].Value, y[i].Value); differ {
			return where, true
		}
	}
	if len(y) > len(x) && !last {
		return place{fmt.Sprintf("%s.content.%d", section, len(x)), y[len(x)].Value.Offset()}, true
	}
	return place{}, false
}
