package harness

import (
	"fmt"

	"harnessbench/harness/account"
	"harnessbench/harness/cachewatch"
	"harnessbench/harness/compact"
	"harnessbench/harness/inject"
	"harnessbench/harness/rebuild"
	"harnessbench/harness/sessionlog"
	"harnessbench/internal/model"
	"harnessbench/internal/wire"
)

// compactBeta opens the compaction of the server, and the blocks it leaves (H-CMP-82).
const compactBeta = "compact-2026-01-12"

// serverRestored is the type of the attachment behind a summary of the server's: what is brought back (H-CMP-84). Its
// content is the memory put in force.
const serverRestored = "server_compaction"

// serverCompacts tells that the server compacts the conversation, and the client does not by itself (H-CMP-87): the
// other layers stay. A model that cannot keeps the client's own way.
func (s *Session) serverCompacts() bool {
	return s.cfg.Switches.CompactServer && s.model.ThresholdCompaction && !s.cfg.NoCompact && !s.taught()
}

// compactAt is the size from which the next main call asks the server to compact, in input tokens, 0 for not at all: after
// three failures in a row it is not asked any more, or not until the cooldown is over (H-CMP-63), and behind a summary of
// its own it is not before there is an answer, for all it could do is summarise that summary (H-CMP-39).
func (t *turn) compactAt() int {
	s := t.s
	l := s.limits().Auto
	if !s.serverCompacts() || s.justCondensed() || s.auto.open(t.w.Now(), &l, s.cooldown()) {
		return 0
	}
	return t.serverTrigger()
}

// serverTrigger is the default of the API, or the client's own threshold where that is lower, and no less than the API takes
// (H-CMP-82). Where front and newest input alone have that size no summary gets below it: then it is the client's
// threshold, and 0 where they have that size too.
func (t *turn) serverTrigger() int {
	least := t.s.least(t.newestInput())
	for _, at := range [...]int{min(model.DefaultCompactTrigger, t.s.threshold()), t.s.threshold()} {
		if at = max(model.MinCompactTrigger, at); least < at {
			return at
		}
	}
	return 0
}

// justCondensed tells that the newest answer on the path is a summary of the server's, with no answer behind it. It is read
// from the path, so that a process that was resumed knows it too.
func (s *Session) justCondensed() bool {
	if !s.live.Condensed() {
		return false
	}
	path, _ := s.log.Path(s.leaf)
	for i := len(path) - 1; i >= 0; i-- {
		if compact.Answers(path[i]) {
			return condensedBy(path[i])
		}
	}
	return false
}

// condensing takes in the summary that the server wrote at the head of an answer. A block without content is a failure:
// it is not sent back, and it counts (H-CMP-83). Where the size is back at once again and again, the turn ends (H-CMP-64);
// the outcome is nil where it goes on.
func (t *turn) condensing(a *wire.Answer) (*Outcome, error) {
	s := t.s
	l := s.limits().Auto
	for _, v := range a.Blocks {
		b := sessionlog.BlockOf(v)
		switch {
		case b.Type != stopCompaction:
		case rebuild.Condenses(&b):
			soon, thrashing := s.auto.refill(&l)
			s.auto.succeeded()
			s.auto.count(soon && !thrashing)
			if t.compacted = true; thrashing {
				return t.fail(RapidRefill, s.thrash(t.serverTrigger()))
			}
			s.notice("The server compacted the conversation.")
		default:
			text := "The server could not compact the conversation. It goes on as it was."
			if s.auto.failed(t.w.Now(), &l) {
				text += fmt.Sprintf(" After %d failures in a row it is not asked again%s; /compact may still do it.", s.auto.failures, s.until())
			}
			s.notice(text)
		}
	}
	return nil, nil
}

// restored brings back what a summary of the server's would lose, in front of the call behind it, or of the prompt where that
// comes first: memory as it is on disk,
// what the restorers have, the files read last, and the newest prompt word for word (H-CMP-84, H-CMP-71, H-CMP-73,
// H-CMP-78). It stands in one entry, so that a process that died before it left nothing half done, and the next one
// begins again.
func (t *turn) restored(begins bool) error {
	s := t.s
	if s.unrestored == "" {
		return nil
	}
	memory, err := s.readMemory(t.w)
	if err != nil {
		return err
	}
	if memory != s.fresh.memory {
		s.fresh.memory, s.fresh.head = memory, rebuild.TextBlock(inject.Head(memory, s.fresh.date))
	}
	texts := [][]byte{sessionlog.Quote(inject.Condensed), sessionlog.Quote(inject.Head(memory, s.date))}
	material, err := s.restoration(t.w, nil)
	if err != nil {
		return err
	}
	for i := range material {
		texts = append(texts, material[i].Texts...)
	}
	texts = append(texts, t.saidBefore(s.unrestored, begins)...)
	return s.append(t.w, &sessionlog.Entry{
		Type: sessionlog.Attachment, Attach: sessionlog.Attach{Type: serverRestored, Content: memory, Texts: texts},
	})
}

// saidBefore is what the user said in the turn before the entry that condensed it, with what stands beside it, nil
// where that turn was answered and a newer prompt stands behind, or comes next where a turn begins. A turn that was
// stopped before its prompt was brought back, as one that thrashed or was interrupted, leaves it to the next turn to do
// so: a stop loses no prompt.
func (t *turn) saidBefore(condensed string, begins bool) (texts [][]byte) {
	path, _ := t.s.log.Path(t.s.leaf)
	at := len(path)
	for at > 0 && (at == len(path) || path[at].UUID != condensed) {
		at--
	}
	since := path[min(at+1, len(path)):]
	if begins && answeredSince(since) {
		return nil
	}
	for i, e := range since {
		if e.Typed && answeredSince(since[:i]) {
			return nil
		}
	}
	path = path[:at]
	for _, e := range newestInput(path[t.firstPrompt(path):]) {
		switch {
		case e.Typed && e.Message.Text != nil:
			texts = append(texts, e.Message.Text)
		case e.Typed:
			texts = append(texts, sessionlog.Quote(e.Said()))
		default:
			texts = append(texts, e.Attach.Texts...)
		}
	}
	return texts
}

// condensedBy tells an entry that holds a summary of the server's: what stands before it is no longer sent.
func condensedBy(e *sessionlog.Entry) bool {
	if e.Type != sessionlog.Assistant || e.Sidechain {
		return false
	}
	for i := range e.Message.Blocks {
		if rebuild.Condenses(&e.Message.Blocks[i]) {
			return true
		}
	}
	return false
}

// sentOf is the part of a path that is sent: from the newest summary of the server's on (H-CMP-83).
func sentOf(path []*sessionlog.Entry) []*sessionlog.Entry {
	for i := len(path) - 1; i >= 0; i-- {
		if condensedBy(path[i]) {
			return path[i:]
		}
	}
	return path
}

// expectCondensed labels what an answer with a summary of the server's does to the cache (H-CACHE-13). silent tells that its
// usage says nothing: the summary alone was paid for, as a step of its own (H-CMP-85).
func (s *Session) expectCondensed(a *wire.Answer) (silent bool) {
	for _, v := range a.Blocks {
		if b := sessionlog.BlockOf(v); rebuild.Condenses(&b) {
			s.cache.Expect(cachewatch.Compaction)
			return account.Read(a.Usage.Raw).Last.Context() == 0
		}
	}
	return false
}
