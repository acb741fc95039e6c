package mutant

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"

	"harnessbench/harness/world"
	"harnessbench/internal/model"
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
func cacheReadCountedTwice(_ *state, chunk []byte) []byte {
	return rereading(chunk, func(n int) int { return 2 * n })
}

// fixedThreshold is the number of tokens from which on the harness takes its window for full, whatever the model's is (its
// issue 21208).
const fixedThreshold = 40_000

// thresholdIsFixed has the harness see its window all but full once it reads so many tokens.
func thresholdIsFixed(s *state, chunk []byte) []byte {
	var id string
	if json.Unmarshal(s.last.Get("model").Raw(), &id) != nil {
		return chunk
	}
	m, _ := model.Lookup(id)
	return rereading(chunk, func(n int) int {
		if n < fixedThreshold {
			return n
		}
		return m.Window / 100 * 98 // more than any threshold, and room for the rest of the usage
	})
}

// rereading changes the number of tokens read from the cache.
func rereading(chunk []byte, to func(n int) int) []byte {
	return readMany.ReplaceAllFunc(chunk, func(m []byte) []byte {
		n, _ := strconv.Atoi(string(m[bytes.IndexByte(m, ':')+1:]))
		return fmt.Appendf(nil, `"cache_read_input_tokens":%d`, to(n))
	})
}

// pruneUntold logs the clearing of old results as a notice like any other: nothing says that the cache is void from there
// on (its issue 3917).
func pruneUntold(_ *state, w world.World, path string, line []byte) error {
	return w.Append(path, bytes.ReplaceAll(line, []byte(`"subtype":"microcompact_boundary"`), []byte(`"subtype":"informational"`)))
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
