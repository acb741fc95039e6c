package mutant

import (
	"bytes"
	"fmt"
	"strconv"

	"harnessbench/internal/wire"
)

// The faults of this file are those of issues of another harness, OpenCode, that are no switch of ours (H-CMP-76).

// prunedResults takes cleared results out of the request and leaves their calls (its issue 20826).
func prunedResults(_ *state, r *wire.Request) []byte {
	for _, m := range r.Messages() {
		list, pruned := blocks(m), false
		for i, b := range list {
			if bytes.Contains(b, []byte(`"tool_result"`)) && bytes.Contains(b, []byte("[Old tool result content")) {
				list[i], pruned = []byte(`{"type":"text","text":"(pruned)"}`), true
			}
		}
		if pruned {
			return withBlocks(r, m, list)
		}
	}
	return nil
}

// cacheReadCountedTwice has the harness see what was read from the cache twice over (its issue 4416).
func cacheReadCountedTwice(_ *state, chunk []byte) []byte { return multiplied(chunk, 2) }

// thresholdOfASmallWindow has the harness compact at a fifth of its threshold, as with a limit that is fixed while the
// window grows (its issue 21208).
func thresholdOfASmallWindow(_ *state, chunk []byte) []byte { return multiplied(chunk, 5) }

func multiplied(chunk []byte, by int) []byte {
	return readMany.ReplaceAllFunc(chunk, func(m []byte) []byte {
		n, _ := strconv.Atoi(string(m[bytes.IndexByte(m, ':')+1:]))
		return fmt.Appendf(nil, `"cache_read_input_tokens":%d`, by*n)
	})
}

// workingContextLost sends the summary and the newest message alone behind a compaction that kept more (its issue 2945).
func workingContextLost(s *state, r *wire.Request) []byte {
	list := r.Messages()
	if s.boundaries == 0 || s.chain == summaries || s.done || len(list) < 3 {
		return nil
	}
	s.done = true
	ends := [][]byte{list[0].Raw(), list[len(list)-1].Raw()}
	return wire.Apply(r.Body, wire.Replace(r.Get("messages"), array(ends)))
}
