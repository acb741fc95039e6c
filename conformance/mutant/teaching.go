package mutant

import (
	"bytes"
	"slices"

	"harnessbench/internal/wire"
)

// compactToolWithoutCall sends the summary and the results of the round whose model asked for it, and leaves out the message
// of their calls, as the listing that the teaching profile is made after does (H-CMP-55).
func compactToolWithoutCall(s *state, r *wire.Request) []byte {
	list := r.Messages()
	if s.chain == summaries || len(list) < 3 || !bytes.Contains(list[0].Raw(), []byte(`"text":"[Compacted]`)) ||
		!bytes.Contains(list[1].Raw(), []byte(`"name":"compact"`)) {
		return nil
	}
	var sent [][]byte
	for _, m := range list {
		sent = append(sent, m.Raw())
	}
	return wire.Apply(r.Body, wire.Replace(r.Get("messages"), array(slices.Delete(sent, 1, 2))))
}
