package harness

import (
	"fmt"
	"math"
	"slices"

	"harnessbench/harness/account"
	"harnessbench/harness/cachewatch"
	"harnessbench/harness/compact"
	"harnessbench/harness/rebuild"
	"harnessbench/harness/sessionlog"
	"harnessbench/harness/world"
)

// replacement is what a compaction writes: the boundary, the summary behind it, what is brought back behind that.
type replacement struct {
	boundary, summary *sessionlog.Entry
	restored          []*sessionlog.Entry
	leaf              string // where the conversation then stands
	fresh             snapshot
}

// replace logs the boundary, the summary and what is restored, in one write, so that no moment lies between them, and
// stands behind them (H-CMP-45, H-CMP-52). The boundary's content tells the user; it is not sent (H-CMP-56). System and
// tools are not touched (H-CMP-70), unless what they are made of has changed on disk, as the memory may have (H-CMP-71).
func (s *Session) replace(
	w world.World, c cutting, text string, usage []byte, fresh snapshot, restored []sessionlog.Attach,
) error {
	now := stamp(w.Now())
	r := replacement{fresh: fresh}
	r.boundary = &sessionlog.Entry{
		Type: sessionlog.System, Subtype: "compact_boundary", UUID: w.UUID(), Logical: s.leaf, Time: now,
		Content: sessionlog.Quote("Conversation compacted"),
	}
	r.summary = &sessionlog.Entry{
		Type: sessionlog.User, UUID: w.UUID(), Parent: r.boundary.UUID, Time: now, Summary: true, Hidden: true,
		Message: sessionlog.Message{Text: sessionlog.Quote(text)},
	}
	r.leaf = r.summary.UUID
	for _, a := range restored {
		e := &sessionlog.Entry{Type: sessionlog.Attachment, UUID: w.UUID(), Parent: r.leaf, Time: now, Attach: a}
		r.restored, r.leaf = append(r.restored, e), e.UUID
	}
	m := compact.Metadata{
		Trigger: c.trigger, PreTokens: s.estimate(), Summarized: conversational(c.replaced), Context: c.words, Usage: usage,
	}
	if err := s.fit(&r, c, &m); err != nil {
		return err
	}
	s.keep(c, &r, &m)
	r.boundary.Compact = m.Encode()
	if err := s.freezeKept(w, r.boundary.UUID, c, fresh); err != nil {
		return err
	}
	return s.commit(w, &r, len(c.kept) > 0)
}

// stillLong is the refusal of a summary that would not help. Nothing was logged.
type stillLong struct {
	has, most int
	unit      string // tokens, bytes
}

func (e stillLong) Error() string {
	return fmt.Sprintf("compact: with the summary the conversation would have %d %s, it must have less than %d", e.has, e.unit, e.most)
}

// fit counts what comes after the compaction, and refuses one that would not make the conversation as short as it has
// to be; what is restored is given up before, the least important of it first.
func (s *Session) fit(r *replacement, c cutting, m *compact.Metadata) error {
	for {
		front, _ := account.Weigh(r.fresh.head)
		m.PostTokens = compact.Tokens(s.after(r, c)) + (front+3)/4
		front = (frontChars(&r.fresh) - front + 3) / 4
		var long error
		if c.most > 0 && m.PostTokens+front >= c.most {
			long = stillLong{m.PostTokens + front, c.most, "tokens"}
		} else if has := s.bytesAfter(r, c); has > 0 && has >= c.bytes {
			long = stillLong{has, c.bytes, "bytes"}
		}
		n := len(r.restored)
		if long == nil || n == 0 {
			return long
		}
		r.restored, r.leaf = r.restored[:n-1], r.restored[n-1].Parent
	}
}

// after are the entries that are sent behind a compaction.
func (s *Session) after(r *replacement, c cutting) []*sessionlog.Entry {
	made := append([]*sessionlog.Entry{r.summary}, r.restored...)
	if c.behind {
		return append(made, c.kept...)
	}
	return append(slices.Clip(c.kept), made...)
}

// bytesAfter is how many bytes the messages have behind a compaction, 0 where they may have any number.
func (s *Session) bytesAfter(r *replacement, c cutting) int {
	if c.bytes == 0 {
		return 0
	}
	opt := s.options(s.log)
	opt.Head = r.fresh.head
	if s.model.Bound && !s.keepsThinking() {
		opt.NoThinkingTo = math.MaxInt // behind a new head none is valid (D1)
	}
	return len(rebuild.Of(s.after(r, c), opt).Messages())
}

// keep says in the boundary what stays, and where the conversation then stands. A stretch of the path with nothing
// restored before it is named by its ends, other entries one by one, behind what is restored, which a reader would
// otherwise put behind them (H-LOG-45, H-CMP-74, H-CMP-78).
func (s *Session) keep(c cutting, r *replacement, m *compact.Metadata) {
	if len(c.kept) == 0 {
		return
	}
	first, last := c.kept[0].UUID, c.kept[len(c.kept)-1].UUID
	switch {
	case !c.behind:
		m.Segment = &compact.Segment{Head: first, Anchor: r.boundary.UUID, Tail: last}
		return
	case c.stretch && len(r.restored) == 0:
		last = s.leaf
		m.Segment = &compact.Segment{Head: first, Anchor: r.summary.UUID, Tail: last}
	default:
		m.Listed = &compact.Listed{Anchor: r.summary.UUID}
		for _, e := range slices.Concat(r.restored, c.kept) {
			m.Listed.UUIDs = append(m.Listed.UUIDs, e.UUID)
		}
	}
	r.leaf = last
}

// commit writes a compaction and makes it the conversation's.
func (s *Session) commit(w world.World, r *replacement, keeps bool) error {
	added := slices.Concat([]*sessionlog.Entry{r.boundary, r.summary}, r.restored)
	var lines []byte
	for _, e := range added {
		lines = append(lines, e.Encode(s.writer.Envelope)...)
	}
	pinned := keeps && r.leaf != r.summary.UUID
	if pinned { // by file order the summary would be the leaf (H-REB-2, H-REB-4)
		lines = append(lines, sessionlog.Pin(s.id, r.leaf)...)
	}
	lines = append(lines, s.restated(r.boundary.UUID)...)
	if err := s.write(w, lines); err != nil {
		return err
	}
	for _, e := range added {
		s.log.Add(e)
		s.listener().Logged(e)
	}
	s.fresh = r.fresh
	s.leaf, s.pinned = r.leaf, pinned
	s.ttl, s.latch = s.cfg.ttl(), cachewatch.Latch{} // latches end with a compaction (H-CACHE-21)
	s.cache.Expect(cachewatch.Compaction)
	s.freed = 0
	s.auto.succeeded()
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
