package prefix

import "iter"

// Blocks are the blocks of a rendering, in render order. Renderings of one conversation share the parts
// they have in common, so that one more turn costs what is new in it; therefore a block holds nothing that
// belongs to one request alone (see Rendered.Value and Rendered.Mark).
type Blocks struct {
	pieces [][]Block // all but the last hold pieceLen blocks; shared ones are never written to
	n      int
}

// pieceLen is a compromise: a turn copies half a piece and one slice header a piece of its history.
const pieceLen = 64

// Len is the number of blocks.
func (b *Blocks) Len() int { return b.n }

// At is block i. It may be shared by other renderings and must not be changed.
func (b *Blocks) At(i int) *Block { return &b.pieces[i/pieceLen][i%pieceLen] }

// All walks the blocks in render order.
func (b *Blocks) All() iter.Seq2[int, *Block] { return b.From(0) }

// From walks the blocks from the i-th on.
func (b *Blocks) From(i int) iter.Seq2[int, *Block] {
	return func(yield func(int, *Block) bool) {
		for ; i < b.n; i++ {
			if !yield(i, b.At(i)) {
				return
			}
		}
	}
}

// last is the last block, nil when there is none.
func (b *Blocks) last() *Block {
	if b.n == 0 {
		return nil
	}
	return b.At(b.n - 1)
}

// add appends a block. The last piece belongs to this rendering alone.
func (b *Blocks) add(block Block) {
	if b.n%pieceLen == 0 {
		b.pieces = append(b.pieces, nil)
	}
	p := &b.pieces[len(b.pieces)-1]
	*p = append(*p, block)
	b.n++
}

// beginning are the first n blocks, ready to be added to.
func (b *Blocks) beginning(n int) Blocks {
	whole, rest := n/pieceLen, n%pieceLen
	pieces := make([][]Block, whole, whole+2)
	copy(pieces, b.pieces)
	if rest > 0 {
		const room = 8
		pieces = append(pieces, append(make([]Block, 0, min(rest+room, pieceLen)), b.pieces[whole][:rest]...))
	}
	return Blocks{pieces, n}
}

// shared tells whether both hold the very same block i.
func (b *Blocks) shared(o *Blocks, i int) bool { return b.At(i) == o.At(i) }

// Shared is a number of leading blocks that this rendering has in common with another because it took them
// over; more may be equal.
func (r *Rendered) Shared(o *Rendered) int { return r.Blocks.Shared(&o.Blocks) }

// Shared is a number of leading blocks that are the very same.
func (b *Blocks) Shared(o *Blocks) int {
	lo, hi := 0, min(len(b.pieces), len(o.pieces)) // pieces [0, lo) are the same, hi is not
	for lo < hi {
		mid := (lo + hi) / 2
		if b.shared(o, mid*pieceLen) {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return min(lo*pieceLen, b.n, o.n)
}
