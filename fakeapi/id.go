package fakeapi

import (
	"encoding/binary"
	"encoding/hex"
	"math/bits"
	"math/rand/v2"
	"time"
)

// ids mints identifiers: a prefix, 01 and 22 base-58 digits of a 128-bit number (messages-api.md 3).
type ids struct{ rng *rand.Rand }

// Streams keep one purpose's draws apart from another's.
const (
	accountStream = 1
	answerStream  = 2
)

func newIDs(seed, stream uint64) *ids { return &ids{rand.New(rand.NewPCG(seed, stream))} }

func (g *ids) draw() (hi, lo uint64) { return g.rng.Uint64(), g.rng.Uint64() }

// timed is an id that sorts by time: a UUID of version 7, the form of req_ and msg_.
func (g *ids) timed(prefix string, at time.Time) string {
	hi, lo := g.draw()
	hi = uint64(at.UnixMilli())<<16 | 0x7000 | hi&0x0fff
	return prefix + base58(hi, variant(lo))
}

// random is an id of 128 random bits as a UUID of version 4, the form of toolu_.
func (g *ids) random(prefix string) string {
	hi, lo := g.v4()
	return prefix + base58(hi, lo)
}

// uuid is a UUID of version 4 in the usual notation.
func (g *ids) uuid() string {
	hi, lo := g.v4()
	b := binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint64(nil, hi), lo)
	h := hex.EncodeToString(b)
	return h[:8] + "-" + h[8:12] + "-" + h[12:16] + "-" + h[16:20] + "-" + h[20:]
}

func (g *ids) v4() (hi, lo uint64) {
	hi, lo = g.draw()
	return hi&^0xf000 | 0x4000, variant(lo)
}

func variant(lo uint64) uint64 { return lo&^(3<<62) | 2<<62 }

const alphabet = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"

// base58 writes a 128-bit number as 01 and 22 digits.
func base58(hi, lo uint64) string {
	var out [24]byte
	out[0], out[1] = '0', '1'
	for i := len(out) - 1; i >= 2; i-- {
		var rem uint64
		hi, rem = hi/58, hi%58
		lo, rem = bits.Div64(rem, lo, 58)
		out[i] = alphabet[rem]
	}
	return string(out[:])
}
