package mutant

import (
	"bytes"
	"slices"

	"harnessbench/internal/wire"
)

// snippedRoundSent brings a round back that a snip has taken out: the first one that is gone.
func snippedRoundSent(s *state, r *wire.Request) []byte {
	if !bytes.Contains(r.Body, []byte("[snipped ")) {
		return nil
	}
	if before := s.last; s.saved == nil && before != nil {
		for i, m := range before.Messages()[:before.MessageCount()-1] {
			if uses := m.Blocks(); m.Role() == "assistant" && len(uses) == 1 && !bytes.Contains(r.Body, uses[0].Get("id").Raw()) {
				s.saved = append(append(unmarkedMessage(m), ','), append(unmarkedMessage(before.Message(i+1)), ',')...)
				break
			}
		}
	}
	at := slices.IndexFunc(r.Messages(), func(m wire.Message) bool { return bytes.Contains(m.Raw(), []byte("[snipped ")) }) + 1
	if s.saved == nil || at >= r.MessageCount() {
		return nil
	}
	place := r.Message(at).Offset()
	return wire.Apply(r.Body, wire.Splice{Start: place, End: place, With: s.saved})
}

// spanWithoutSummary sends neither the rounds of a span nor the summary that stands for them.
func spanWithoutSummary(s *state, r *wire.Request) []byte {
	if s.chain == summaries {
		return nil
	}
	for _, m := range r.Messages() {
		list := blocks(m)
		if i := slices.IndexFunc(list, func(b []byte) bool { return bytes.Contains(b, []byte("The first log was read.")) }); i >= 0 && len(list) > 1 {
			return withBlocks(r, m, slices.Delete(list, i, i+1))
		}
	}
	return nil
}

// clearedResultSent sends a result in full that the log says is cleared.
func clearedResultSent(_ *state, r *wire.Request) []byte {
	for _, m := range r.Messages() {
		for _, b := range m.Blocks() {
			if b.Get("content").Text() == "[Old tool result content cleared]" {
				return wire.Apply(r.Body, wire.Replace(b.Get("content"), []byte(`"part 1, all of it"`)))
			}
		}
	}
	return nil
}
