package fakeapi

import (
	"math"
	"unicode/utf8"

	"harnessbench/fakeapi/script"
	"harnessbench/internal/tokens"
)

// bounded ends what the script says where max_tokens or the window ends it (messages-api.md 3, 7): in the middle of
// a text, of thinking, or of a call's input.
func (x *exchange) bounded(said script.Answer) script.Answer {
	said.Blocks = x.thoughts(said.Blocks)
	limit, stop := x.limit(x.rendered.Total)
	if x.prewarms() || surely(said.Blocks) <= limit {
		return said
	}
	count := tokens.For(x.model)
	spent := 0.0
	for i, b := range said.Blocks {
		name := count.Text([]byte(b.Name))
		whole := count.Text([]byte(b.Text)) + perBlock + name + count.Text(b.Input)
		if int(math.Ceil(spent+whole)) <= limit {
			spent += whole
			continue
		}
		x.context.most = max(limit, 1)
		said.StopReason, said.StopSequence, said.Refusal, said.Cut = stop, "", nil, 0
		room := float64(limit) - spent - name
		cut, n := ended(b, max(room-perBlock, room/2), count) // an answer of very few tokens says something too
		said.Blocks = append([]script.Block(nil), said.Blocks[:i]...)
		if n > 0 {
			said.Blocks = append(said.Blocks, cut)
			if cut.Kind == "tool_use" || cut.Kind == "server_tool_use" {
				said.Cut = n
			}
		}
		return said
	}
	return said
}

// limit is how many tokens may follow a prompt, and the stop reason of an answer that wants more.
func (x *exchange) limit(total int) (int, string) {
	most, _ := x.req.Get("max_tokens").Int()
	if room := x.model.Window - total; room < int(most) {
		return max(room, 0), "model_context_window_exceeded"
	}
	return int(most), "max_tokens"
}

// surely is a number of tokens that blocks do not exceed, found without counting.
func surely(blocks []script.Block) int {
	const mostPerByte = 4
	n := 0
	for _, b := range blocks {
		n += 2*perBlock + mostPerByte*(len(b.Text)+len(b.Name)+len(b.Input))
	}
	return n
}

// ended is a block cut to a weight, and how many bytes are left of its text or input, 0 for nothing. Blocks that
// come whole are there or not.
func ended(b script.Block, weight float64, count *tokens.Counter) (script.Block, int) {
	switch b.Kind {
	case "text", "thinking":
		n := fitting(b.Text, weight, count)
		b.Text, b.Citations = b.Text[:n], nil
		return b, n
	case "tool_use", "server_tool_use":
		return b, fitting(string(b.Input), weight, count)
	}
	return b, 0
}

// fitting is the length of the longest beginning, found by halving, that weighs no more.
func fitting(s string, weight float64, count *tokens.Counter) int {
	low, high := 0, len(s)
	for low < high {
		mid := (low + high + 1) / 2
		for mid < high && !utf8.RuneStart(s[mid]) {
			mid++
		}
		if count.Text([]byte(s[:mid])) <= weight {
			low = mid
		} else {
			high = max(low, mid-1)
			for high > low && !utf8.RuneStart(s[high]) {
				high--
			}
		}
	}
	return low
}
