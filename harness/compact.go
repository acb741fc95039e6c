package harness

import (
	"errors"
	"fmt"
	"slices"

	"harnessbench/harness/compact"
	"harnessbench/harness/rebuild"
	"harnessbench/harness/sessionlog"
	"harnessbench/harness/world"
	"harnessbench/internal/wire"
)

// ErrNothingToCompact is the refusal of a compaction without history (H-CMD-21).
var ErrNothingToCompact = errors.New("Not enough messages to compact.")

// Compact puts a summary in the place of the conversation, in the same session and file (/compact, H-CMD-20). The
// instructions, and those of the memory file (H-CMD-23), go to the summariser. Without history it refuses with
// ErrNothingToCompact (H-CMD-21). A compaction that fails, or is interrupted, leaves the conversation as it was
// (H-CMP-65, H-CMP-66).
func (s *Session) Compact(w world.World, instructions string) error {
	if err := s.ready("compact"); err != nil {
		return err
	}
	return s.alone(w, "compact", func(w world.World) error {
		path, err := s.settled(w)
		switch {
		case err != nil:
			return err
		case conversational(path) == 0:
			return ErrNothingToCompact
		}
		return s.summarise(w, cutting{words: instructions, replaced: path})
	})
}

// settled is the current path, after the calls a crash left open are answered in the log, as they will be sent (H-REB-31).
func (s *Session) settled(w world.World) ([]*sessionlog.Entry, error) {
	if err := s.watch(w, true); err != nil {
		return nil, err
	}
	t := turn{s: s, w: w}
	if err := t.answerLost(); err != nil {
		return nil, err
	}
	path, _ := s.log.Path(s.leaf)
	return path, nil
}

// alone runs an operation in a task of its own, as a turn is, so that Interrupt stops it, and waits for it.
func (s *Session) alone(w world.World, key string, f func(w world.World) error) error {
	var err error
	s.running, s.early = true, false
	task := w.Go(key, func(w world.World) { err = f(w) })
	s.turn = task
	if s.early {
		s.early = false
		task.Interrupt()
	}
	await(w, task)
	s.turn, s.running = nil, false
	return err
}

// cutting is what one compaction puts a summary in the place of. What is kept stands before the summary, or behind it
// (H-CMD-38, H-CMD-39).
type cutting struct {
	words          string // the user's instructions
	part           compact.Part
	replaced, kept []*sessionlog.Entry
	behind         bool // kept stands behind the summary
}

// summarise asks for the summary, then logs it (H-CMP-45).
func (s *Session) summarise(w world.World, c cutting) error {
	upTo := s.leaf
	if c.behind {
		upTo = c.replaced[len(c.replaced)-1].UUID
	}
	f := s.front()
	f.MaxTokens = min(s.limits().Auto.Reserve, s.model.MaxOutput)
	ask := compact.Instructions(c.part, compact.MemorySection(s.memory), c.words)
	req := s.beside("compact", s.upTo(upTo).Aside(f, rebuild.Volatile{}, nil, ask))
	if err := s.freeze(w); err != nil {
		return err
	}
	t := turn{s: s, w: w}
	r, err := t.insist(req)
	if err != nil {
		return err
	}
	answer, err := textOf(r)
	if err != nil {
		return fmt.Errorf("compact: %w", err)
	}
	if r.answer.StopReason == "refusal" {
		return errors.New("compact: the model refused to summarise")
	}
	summary, err := compact.Summary(answer)
	if err != nil {
		return fmt.Errorf("compact: %w", err)
	}
	fresh := s.fresh
	if c.behind || c.kept == nil {
		if fresh, err = s.snapshot(w); err != nil { // memory is loaded afresh (H-CMP-71)
			return err
		}
	}
	return s.replace(w, c, summary, usageOf(r.answer), fresh)
}

// insist sends a request for a summary until it has its answer, or an error that stays. A stream that failed is asked
// for again less often than a refusal that may pass (H-CMP-50, H-LOOP-45); each retry is logged (H-LOOP-49).
func (t *turn) insist(req world.Request) (reply, error) {
	for n := 1; ; n++ {
		r := t.exchange(req)
		most := t.s.retries()
		if r.reason == StreamFault {
			most = min(most, t.s.limits().Auto.StreamRetries)
		}
		if r.fault == nil || r.lasting || n > most {
			return r, nil
		}
		if err := t.pause(r, n); errors.Is(err, world.ErrInterrupted) {
			return reply{interrupted: true}, nil
		} else if err != nil {
			return reply{}, err
		}
	}
}

// replace logs the boundary and the summary, in one write, so that no moment lies between them, and stands behind them.
func (s *Session) replace(w world.World, c cutting, summary string, usage []byte, fresh snapshot) error {
	now := stamp(w.Now())
	b := &sessionlog.Entry{
		Type: sessionlog.System, Subtype: "compact_boundary", UUID: w.UUID(), Logical: s.leaf, Time: now,
		Content: sessionlog.Quote("Conversation compacted"),
	}
	e := &sessionlog.Entry{
		Type: sessionlog.User, UUID: w.UUID(), Parent: b.UUID, Time: now, Summary: true, Hidden: true,
		Message: sessionlog.Message{Text: sessionlog.Quote(compact.Text(summary, s.File()))},
	}
	m := compact.Metadata{
		Trigger: compact.Manual, PreTokens: s.estimate(), Summarized: conversational(c.replaced), Context: c.words, Usage: usage,
	}
	leaf, path := e.UUID, slices.Concat(c.kept, []*sessionlog.Entry{e})
	switch {
	case len(c.kept) == 0:
	case c.behind:
		leaf, path = s.leaf, slices.Concat([]*sessionlog.Entry{e}, c.kept)
		m.Segment = &compact.Segment{Head: c.kept[0].UUID, Anchor: e.UUID, Tail: leaf}
	default:
		m.Segment = &compact.Segment{Head: c.kept[0].UUID, Anchor: b.UUID, Tail: c.kept[len(c.kept)-1].UUID}
	}
	m.PostTokens = quarter(len(rebuild.Of(path, rebuild.Options{Head: fresh.head, NoThinkingTo: -1}).Messages()))
	b.Compact = m.Encode()

	if err := s.freezeKept(w, b.UUID, c, fresh); err != nil {
		return err
	}
	lines := append(b.Encode(s.writer.Envelope), e.Encode(s.writer.Envelope)...)
	pinned := leaf != e.UUID
	if pinned { // by file order the summary would be the leaf (H-REB-2, H-REB-4)
		lines = append(lines, sessionlog.Pin(s.id, leaf)...)
	}
	lines = append(lines, s.restated(b.UUID)...)
	if err := s.write(w, lines); err != nil {
		return err
	}
	for _, added := range []*sessionlog.Entry{b, e} {
		s.log.Add(added)
		s.listener().Logged(added)
	}
	s.fresh = fresh
	s.leaf, s.pinned = leaf, pinned
	s.ttl = s.cfg.ttl() // latches end with a compaction (H-CACHE-21)
	after, _ := s.log.Path(s.leaf)
	s.stand(after)
	return s.reread(w)
}

// freezeKept puts on disk what a bound model's path behind the new boundary sends before its messages (H-REB-46, D1). A
// head that stays keeps its bytes, and so its thinking; behind a new head no earlier thinking is valid. A set for a
// boundary that is then not written does no harm.
func (s *Session) freezeKept(w world.World, boundary string, c cutting, fresh snapshot) error {
	if !s.model.Bound || len(c.kept) == 0 {
		return nil
	}
	set := frozenSet{boundary, s.cut, s.force}
	if c.behind {
		set = frozenSet{boundary, s.leaf, fresh}
	}
	s.frozen, s.saved = append(s.frozen, set), false
	return s.freeze(w)
}

// estimate is the size of the next payload in tokens (H-CMP-38): what the last main response reports, output included,
// and a quarter of the bytes since; without a response a quarter of all messages.
func (s *Session) estimate() int {
	path, _ := s.log.Path(s.leaf)
	since := 0
	for i := len(path) - 1; i >= 0; i-- {
		e := path[i]
		if e.Type == sessionlog.Assistant && !e.Notice {
			if n := usageTokens(e.Message.Usage); n > 0 {
				return n + quarter(since)
			}
		}
		since += weight(e)
	}
	return quarter(len(s.live.Messages()))
}

// weight is the bytes an entry brings into the payload.
func weight(e *sessionlog.Entry) int {
	n := len(e.Message.Text)
	for i := range e.Message.Blocks {
		n += len(e.Message.Blocks[i].Raw)
	}
	for _, text := range e.Attach.Texts {
		n += len(text)
	}
	return n
}

func usageTokens(usage []byte) int {
	v, err := wire.ParseValue(usage)
	if err != nil {
		return 0
	}
	sum := 0
	for _, name := range []string{"input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens", "output_tokens"} {
		n, _ := v.Get(name).Int()
		sum += int(n)
	}
	return sum
}

// quarter is the estimate of bytes in tokens, rounded up (H-ACC-4).
func quarter(n int) int { return (n + 3) / 4 }

// conversational counts the user and assistant entries among some.
func conversational(entries []*sessionlog.Entry) int {
	n := 0
	for _, e := range entries {
		if e.Speech() && !e.Notice {
			n++
		}
	}
	return n
}
