package harness

import (
	"errors"
	"fmt"
	"time"

	"harnessbench/harness/compact"
	"harnessbench/harness/rebuild"
	"harnessbench/harness/sessionlog"
	"harnessbench/harness/world"
)

// autoLayer is the last layer: it puts a summary in the place of the conversation when the next payload would reach the
// threshold (H-CMP-39). A failed attempt leaves everything as it was, and the call is made (H-CMP-65); one that was
// interrupted ends the turn and does not count (H-CMP-66). Where what stays would by itself reach the threshold, none
// is tried, and none has failed, unless the call would hardly fit and the summary makes it a good deal shorter. Where
// nothing may shorten the conversation, no call is made that would hardly fit (H-CMP-40). Behind a compaction another
// one waits for an answer, and where answers bring the size back at once again and again, the turn ends (H-CMP-64).
func (t *turn) autoLayer() error {
	s := t.s
	if t.compactAt() > 0 || s.justCondensed() { // the server does it, in the call itself (H-CMP-87), or has done it
		return nil
	}
	l := s.limits()
	size, a := s.estimate(), &s.auto
	if s.autoOff() || a.open(t.w.Now(), &l.Auto, s.cooldown()) {
		return t.block(size, l.Auto.Blocked(s.window(), s.model.MaxOutput))
	}
	if size < s.threshold() || a.fresh() {
		return nil
	}
	c, any := t.whatToReplace(true)
	if !any {
		return nil
	}
	c.most, c.cuts = min(s.threshold(), size), l.Auto.HeadCuts
	if least := s.least(c.kept); least >= c.most {
		if size < l.Auto.Blocked(s.window(), s.model.MaxOutput) || least >= size-size/compact.LeastGain {
			t.inVain()
			return nil
		}
		c.most = size // a call that would hardly fit is worth a summary though the threshold is not met, by an estimate that may be high
	}
	soon, thrashing := a.refill(&l.Auto)
	if thrashing {
		return t.endsWith(RapidRefill, s.thrash(s.threshold()))
	}
	err := s.summarise(t.w, c)
	switch {
	case err == nil:
		t.compacted = true
		a.count(soon)
	case errors.Is(err, world.ErrInterrupted):
		t.ended, err = t.interrupted(nil)
		return err
	case a.fresh(): // it was made, and something is wrong with it
		return err
	default:
		s.autoFailed(t.w.Now(), &l.Auto, err)
	}
	return nil
}

// autoFailed takes in that a compaction by itself failed (H-CMP-63, H-CMP-65).
func (s *Session) autoFailed(now time.Time, l *compact.AutoLimits, why error) {
	text := "The conversation could not be compacted: " + why.Error() + ". It goes on as it was."
	if s.auto.failed(now, l) {
		text += fmt.Sprintf(" After %d failures in a row it is not tried again%s; /compact may still do it.", s.auto.failures, s.until())
	}
	s.notice(text)
}

// least is the size, in tokens by estimate, that a conversation has at least whose messages all went but these: with an
// empty summary and nothing brought back.
func (s *Session) least(kept []*sessionlog.Entry) int {
	return compact.Tokens(kept) + (s.frontChars()+3)/4
}

// inVain tells, once in a turn, that no compaction is tried since none could help.
func (t *turn) inVain() {
	if !t.told {
		t.told = true
		t.s.notice("The newest prompt alone fills the context as far as it may: the conversation is not compacted until it is answered.")
	}
}

// thrash is the error of a conversation that is back at a size at once after each summary (H-CMP-64).
func (s *Session) thrash(size int) error {
	l := s.limits().Auto
	return fmt.Errorf("Autocompact is thrashing: %d times in a row the conversation was back at %d tokens within %d calls "+
		"of a summary. Something large comes back each time; read it in smaller parts, or begin anew with /clear",
		l.Refills, size, l.RefillCalls)
}

func (s *Session) until() string {
	if d := s.cooldown(); d > 0 {
		return " for " + d.String()
	}
	return ""
}

// autoOff tells that the conversation is not compacted unasked (H-CMP-40). While spans are collapsed instead, that layer
// has had its turn by now (H-CMP-31).
func (s *Session) autoOff() bool {
	return s.cfg.NoAutoCompact || s.cfg.NoCompact || s.cfg.Switches.NoAuto || s.cfg.Switches.Collapse
}

// block ends the turn when the next payload is too large to be sent with room for its answer (H-CMP-40).
func (t *turn) block(size, most int) error {
	if size < most {
		return nil
	}
	return t.endsWith(BlockingLimit, fmt.Errorf("the conversation has %d tokens and is not compacted by itself; from %d on "+
		"no call is made: compact it with /compact, go back in it, or begin anew with /clear", size, most))
}

// endsWith ends the turn in a layer.
func (t *turn) endsWith(reason string, why error) (err error) {
	t.ended, err = t.fail(reason, why)
	return err
}

// whatToReplace says what a compaction in this turn is about; any is false when there is nothing that it could replace.
// Between two turns the summary is of what stands before the new prompt; inside a tool loop it is of all of it. The
// prompt is kept in both cases (H-CMP-78, D5), and where it may be, of what came before it the recent messages (H-CMP-74).
func (t *turn) whatToReplace(recent bool) (c cutting, any bool) {
	path, _ := t.s.log.Path(t.s.leaf)
	first := t.firstPrompt(path)
	c = cutting{trigger: compact.Auto, behind: true, source: path, restores: !t.s.taught()}
	if answeredSince(path[first:]) {
		c.volatile = t.volatile
	} else {
		c.source = path[:first]
	}
	c.kept = newestInput(path[first:])
	c.first, c.replaced = first, without(path, c.kept)
	if at := t.s.recent(path); recent && at < len(path) {
		c.keepFrom(path, at)
	}
	return c, conversational(c.source) > 0
}

// newestInput is what the user said in the turn, word for word.
func (t *turn) newestInput() []*sessionlog.Entry {
	path, _ := t.s.log.Path(t.s.leaf)
	return newestInput(path[t.firstPrompt(path):])
}

// keepFrom keeps a path from a place on, and of the turn before it what the user said.
func (c *cutting) keepFrom(path []*sessionlog.Entry, at int) {
	c.source, c.behind = path[:at], true
	if c.stretch = at <= c.first; c.stretch {
		c.kept = path[at:]
	} else {
		c.kept = append(newestInput(path[c.first:at]), path[at:]...)
	}
	c.part = compact.Part{Kind: compact.UpTo, Prompt: saidFirst(path[at:])}
	c.replaced = without(path, c.kept)
}

// firstPrompt is the place of the first prompt of the turn on the path, or of the newest one where the turn was taken up
// again; the end of the path when there is none.
func (t *turn) firstPrompt(path []*sessionlog.Entry) int {
	at := len(path)
	for i := len(path) - 1; i >= 0; i-- {
		if !path[i].Typed {
			continue
		}
		if at == len(path) || t.prompts[path[i].UUID] {
			at = i
		}
	}
	return at
}

// answeredSince tells that the model, or a tool, has spoken among entries.
func answeredSince(entries []*sessionlog.Entry) bool {
	for _, e := range entries {
		if e.Type == sessionlog.Assistant && !e.Notice || resultOf(e) {
			return true
		}
	}
	return false
}

// newestInput is what the user said in a turn, word for word, with what stands before it in its message: attachments of
// the prompt, and text that was typed while the turn ran. News of memory and date stand at the new head.
func newestInput(entries []*sessionlog.Entry) (kept []*sessionlog.Entry) {
	answered := false
	for i, e := range entries {
		answered = answered || answeredSince(entries[i:i+1])
		switch {
		case e.Typed:
			kept = append(kept, e)
		case e.Type != sessionlog.Attachment:
		case e.Attach.Type == "queued_command" && e.Attach.Mode == "prompt", e.Attach.Place != "":
			kept = append(kept, e)
		case !answered && rebuild.WithPrompt(&e.Attach) && e.Attach.Type != memoryUpdate && e.Attach.Type != dateChange:
			kept = append(kept, e)
		}
	}
	return kept
}

// recent is where the messages begin that stay behind a summary, the end of the path for none (H-CMP-74): of those that are
// sent, so that behind a summary of the server's there may be fewer. None stay in the
// middle of a tool loop whose thinking would no longer be valid: the loop may not go on without it (H-LOOP-52, D1).
func (s *Session) recent(path []*sessionlog.Entry) int {
	if !s.cfg.Switches.KeepRecent || s.inOpenThinking(path) {
		return len(path)
	}
	from := behindCondensed(path)
	at := from + compact.Recent(path[from:], compact.KeepRecent, s.threshold()/2)
	if conversational(path[:at]) == 0 {
		return len(path)
	}
	return at
}

// behindCondensed is the place on a path behind the newest summary of the server's and the rest of its answer, 0 without
// one: that summary, and what it stands for, is no message that stays.
func behindCondensed(path []*sessionlog.Entry) int {
	at := len(path) - len(sentOf(path))
	if at == len(path) || !condensedBy(path[at]) {
		return 0
	}
	answer := path[at].Message.ID
	for at < len(path) && (!compact.Answers(path[at]) || path[at].Message.ID == answer) && !path[at].Typed {
		at++
	}
	return at
}

// saidFirst is the text of the first prompt among entries, "" for none.
func saidFirst(entries []*sessionlog.Entry) string {
	for _, e := range entries {
		if e.Typed {
			return e.Said()
		}
	}
	return ""
}

// without are the entries of a path that are not among some.
func without(path, some []*sessionlog.Entry) (rest []*sessionlog.Entry) {
	left := make(map[string]bool, len(some))
	for _, e := range some {
		left[e.UUID] = true
	}
	for _, e := range path {
		if !left[e.UUID] {
			rest = append(rest, e)
		}
	}
	return rest
}
