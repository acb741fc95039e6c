package harness

import (
	"errors"
	"regexp"
	"strconv"

	"harnessbench/harness/compact"
	"harnessbench/harness/rebuild"
	"harnessbench/harness/sessionlog"
	"harnessbench/harness/world"
)

// implausible is how many times the estimate the server's count may not be, to be taken as one of the same text: no text
// has more tokens than bytes.
const implausible = 8

// react compacts the conversation because a main call was refused as too long, and lets the call be made once more
// (H-CMP-60). It does so once in a turn, whatever became of the automatic compactions, and not where the conversation
// was compacted and has no answer since (CMP-3). Images and then, if need be, the oldest rounds are left out
// of what is summarised, each once (H-CMP-62). What comes of it is shorter than what was refused, in bytes too (CMP-8); where
// what stays alone is not, no summary is asked for. again is false when the refusal stands.
func (t *turn) react(r reply) (again bool, err error) {
	s := t.s
	if s.taught() && r.reason == PromptTooLong {
		return t.taughtReact()
	}
	l := s.limits()
	if r.reason != PromptTooLong || s.cfg.NoCompact || t.reacted >= l.Reactive.Retries {
		return false, nil
	}
	if s.auto.fresh() {
		s.notice("The conversation is too long although it was just compacted, and it is not compacted again before an answer: " +
			"shorten it with /compact, go back in it, or begin anew with /clear.")
		return false, nil
	}
	t.reacted++
	c, any, helps := t.emergency(r, true)
	if any && !helps {
		c, any, helps = t.emergency(r, false)
	}
	switch {
	case !any:
		return false, nil
	case !helps:
		s.notice("The conversation is too long, and no compaction could make it short enough: what has to stay is as long.")
		return false, nil
	}
	err = s.summarise(t.w, c)
	switch {
	case err == nil:
		t.compacted = true
		return true, nil
	case errors.Is(err, world.ErrInterrupted):
		t.ended, err = t.interrupted(nil)
		return true, err
	case s.auto.fresh():
		return false, err
	}
	s.notice("The conversation is too long and could not be compacted: " + err.Error() + ".")
	return false, nil
}

// emergency says what a compaction because of a refusal is about, with the recent messages kept or without; helps is false
// where it could not make the conversation short enough.
func (t *turn) emergency(r reply, recent bool) (c cutting, any, helps bool) {
	s, l := t.s, t.s.limits()
	if c, any = t.whatToReplace(recent); !any {
		return c, false, false
	}
	c.strip, c.cuts, c.most = true, l.Reactive.Cuts, l.Auto.Blocked(s.model.Window, s.model.MaxOutput)
	source := sentOf(s.cleared(c.source))
	all := compact.Tokens(rebuild.Shown(source, s.options(s.log))) + compact.Tokens(c.kept) + s.frontChars()/4
	if told, most := counted(r.fault); told > 0 && told < implausible*all {
		// The server's count says how far the estimate is off.
		room := scaled(most-l.Auto.Reserve, all, told)
		c.over = max(0, compact.Tokens(s.shown(source))+s.frontChars()/4-room)
		c.most = min(max(c.most, scaled(c.most, all, told)), scaled(most, all, told))
	}
	c.bytes = len(s.live.Messages())
	return c, true, s.least(c.kept) < c.most && s.leastBytes(c) < c.bytes
}

// leastBytes is how many bytes messages have at least behind a compaction: with an empty summary and nothing brought back.
func (s *Session) leastBytes(c cutting) int {
	empty := &sessionlog.Entry{Type: sessionlog.User, Summary: true, Message: sessionlog.Message{Text: sessionlog.Quote(compact.Text("", s.File()))}}
	return s.bytesAfter(&replacement{summary: empty, fresh: s.fresh}, c)
}

// scaled brings a count of the server's to the scale of the estimate: all by estimate are told by the server.
func scaled(n, all, told int) int { return int(int64(max(0, n)) * int64(all) / int64(told)) }

// tooMany is the server's word on a prompt that is too long, with the numbers (messages-api.md 7).
var tooMany = regexp.MustCompile(`^prompt is too long: ([0-9]+) tokens > ([0-9]+)`)

// counted reads from a refusal how many tokens the server counted, what the answer may take included where it says so,
// and how many there may be; 0 when it does not say.
func counted(fault error) (told, most int) {
	var e *APIError
	if !errors.As(fault, &e) {
		return 0, 0
	}
	if m := tooMany.FindStringSubmatch(e.Message); m != nil {
		told, _ = strconv.Atoi(m[1])
		most, _ = strconv.Atoi(m[2])
	} else if m := overLimit.FindStringSubmatch(e.Message); m != nil {
		told, _ = strconv.Atoi(m[1])
		most, _ = strconv.Atoi(m[3])
	}
	if told <= 0 || most <= 0 {
		return 0, 0
	}
	return told, most
}
