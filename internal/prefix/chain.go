package prefix

import (
	"github.com/zeebo/xxh3"

	"harnessbench/internal/wire"
)

func sum(data []byte) Hash { return xxh3.Hash128(data).Bytes() }

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

// ExtendBind continues a binding chain over one answered block (thinking leaves it unchanged).
func ExtendBind(chain Hash, role string, block wire.Value) Hash {
	if isThinking(block.Get("type").Text()) {
		return chain
	}
	r := reader{}
	return step(chain, r.block(wire.Block{Value: block, Bare: block.Kind() == '"'}), role)
}
