package fakeapi

import (
	"math"
	"strings"

	"harnessbench/fakeapi/script"
	"harnessbench/internal/tokens"
)

// stopped ends what the script says where one of the request's stop_sequences is complete (messages-api.md 3): the
// text ends before it, and what stands behind is never said. It takes answers that max_tokens has ended already: what
// lies beyond that end is not searched, and a sequence that is complete before it came first. Texts alone are
// searched, each by itself.
func (x *exchange) stopped(said script.Answer) script.Answer {
	sequences := x.req.Get("stop_sequences")
	if sequences.Len() == 0 {
		return said
	}
	for i, b := range said.Blocks {
		if b.Kind != "text" {
			continue
		}
		text := b.Text
		if said.Cut > 0 && i == len(said.Blocks)-1 {
			text = text[:boundary(text, said.Cut)]
		}
		at, sequence := len(text)+1, ""
		for _, s := range sequences.Elems() {
			if n := strings.Index(text, s.Text()); n >= 0 && s.Text() != "" && sooner(n, s.Text(), at, sequence) {
				at, sequence = n, s.Text()
			}
		}
		if sequence == "" {
			continue
		}
		said.Blocks = append([]script.Block(nil), said.Blocks[:i]...)
		if at > 0 {
			b.Text, b.Citations = text[:at], nil
			said.Blocks = append(said.Blocks, b)
		}
		said.StopReason, said.StopSequence, said.Refusal, said.Cut = "stop_sequence", sequence, nil, 0
		x.context.most, x.context.swallowed = 0, sequence
		return said
	}
	return said
}

// sooner tells whether a sequence found at n is complete before another one; of two that are complete together the
// one that began first counts, so that no part of either is left.
func sooner(n int, s string, at int, other string) bool {
	end, otherEnd := n+len(s), at+len(other)
	return other == "" || end < otherEnd || end == otherEnd && n < at
}

// withSwallowed is the output of an answer that a stop sequence ended, which counts too (recorded 2026-08).
func (x *exchange) withSwallowed(said float64, count *tokens.Counter) int {
	limit, _ := x.limit(x.rendered.Total)
	return max(1, min(limit, int(math.Ceil(said+count.Text([]byte(x.context.swallowed))))))
}
