package fakeapi

import (
	"strconv"
	"time"

	"harnessbench/fakeapi/promptcache"
	"harnessbench/internal/model"
	"harnessbench/internal/prefix"
)

// fillView writes down what the server saw in an accepted request (D28).
func (x *exchange) fillView(a *answer) {
	v, r, l := &x.view, x.rendered, x.look
	v.Usage = a.usage
	written := map[int]bool{}
	for _, b := range l.Split.Writes {
		written[b] = true
	}
	for _, b := range l.Marks {
		m := r.Mark(b)
		path := m.Path
		if path == "" { // automatic caching marks a block without naming one
			path = r.Blocks.At(b).Path()
		}
		v.Breakpoints = append(v.Breakpoints, Breakpoint{
			Path: path, TTL: ttlWord(m.TTL), Tokens: r.Blocks.At(b).Tokens, Eligible: l.Eligible(b), Written: written[b],
		})
	}
	v.Base, v.Read, v.Cold = entry(r, l.Base), entry(r, l.Read), l.Cold
	v.Parts = parts(r, l.Base)
	for _, t := range x.verified.Transformations() {
		if !t.Allowed {
			v.Dropped = append(v.Dropped, Dropped{x.context.base.Named(t.Path), t.Reason})
		}
	}
}

func ttlWord(d time.Duration) string {
	if d == model.TTLLong {
		return "1h"
	}
	return "5m"
}

func entry(r *prefix.Rendered, f *promptcache.Found) *Entry {
	if f == nil {
		return nil
	}
	return &Entry{RequestID: f.Request, Path: r.Blocks.At(f.Block).Path(), Tokens: f.Tokens, AgeMS: f.Age.Milliseconds()}
}

// parts sums the blocks behind base up to pieces: system and tools together, then each message. What a piece
// adds is counted at its last block, so that the pieces and base make up the prefix at the last block.
func parts(r *prefix.Rendered, base *promptcache.Found) []Part {
	from, at := 0, 0
	if base != nil {
		from, at = base.Block+1, base.Tokens
	}
	var out []Part
	for i := from; i < r.Blocks.Len(); {
		j := i
		for j < r.Blocks.Len() && samePiece(r.Blocks.At(i), r.Blocks.At(j)) {
			j++
		}
		path := "system"
		if r.Blocks.At(i).Level == prefix.Messages {
			path = "messages." + strconv.Itoa(r.Blocks.At(i).Message)
		}
		if n := r.Blocks.At(j-1).Tokens - at; n > 0 {
			out = append(out, Part{path, n})
		}
		at = r.Blocks.At(j - 1).Tokens
		i = j
	}
	return out
}

func samePiece(a, b *prefix.Block) bool {
	if a.Level != prefix.Messages || b.Level != prefix.Messages {
		return (a.Level == prefix.Messages) == (b.Level == prefix.Messages)
	}
	return a.Message == b.Message
}
