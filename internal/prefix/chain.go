package prefix

import (
	"strings"

	"github.com/zeebo/xxh3"

	"harnessbench/internal/wire"
)

func sum(data []byte) Hash { return xxh3.Hash128(data).Bytes() }

// with adds a member to the hash of a set.
func (h Hash) with(member Hash) Hash {
	for i := range h {
		h[i] ^= member[i]
	}
	return h
}

// step continues a chain over one block. The role is part of it and the message boundary is not:
// messages of one role in a row are one turn (messages-api.md 2.3, 5.1).
func step(chain, id Hash, role string) Hash {
	var buf [64]byte
	b := append(buf[:0], chain[:]...)
	b = append(b, id[:]...)
	return sum(append(b, role...))
}

// mix continues a chain over something that is no block.
func mix(chain Hash, what, value string) Hash {
	var buf [128]byte
	b := append(buf[:0], chain[:]...)
	b = append(append(b, what...), 0)
	return sum(append(b, value...))
}

func isThinking(typ string) bool { return typ == "thinking" || typ == "redacted_thinking" }

// isBoundary tells the mark between what one model said and what another went on with, which no model sees (2.11).
func isBoundary(typ string) bool { return typ == "fallback" }

// ExtendBind continues a binding chain over one answered block. Thinking, blank text and the boundary between two
// models leave it unchanged.
func ExtendBind(chain Hash, role string, block wire.Value) Hash {
	b := wire.Block{Value: block, Bare: block.Kind() == '"'}
	if isThinking(b.Type()) || isBoundary(b.Type()) || isBlank(b) {
		return chain
	}
	r := reader{}
	return step(chain, r.block(b), role)
}

// isBlank tells text of nothing but white space. A model may say it and no client can send it back
// (messages-api.md 2.3), so no binding covers it.
func isBlank(b wire.Block) bool {
	if b.Type() != "text" {
		return false
	}
	text := b.TextValue()
	if raw := text.Raw(); len(raw) > 1 && raw[1] > ' ' && raw[1] < 0x80 && raw[1] != '\\' && raw[1] != '"' {
		return false // most texts; a long one is not decoded for this
	}
	return strings.TrimSpace(text.Text()) == ""
}
