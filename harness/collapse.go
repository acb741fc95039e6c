package harness

import (
	"errors"
	"fmt"

	"harnessbench/harness/cachewatch"
	"harnessbench/harness/compact"
	"harnessbench/harness/sessionlog"
	"harnessbench/harness/world"
)

// collapseLayer shows the oldest rounds as a summary when the next payload would reach the threshold, one span a call;
// where the conversation is so large that no call may be made, one after the other until it is below the threshold
// (H-CMP-30, H-CMP-32). While it is on, nothing is compacted unasked (H-CMP-31). A span that cannot be summarised leaves
// everything as it was; after a few in a row none is tried (H-CMP-63). One that would free next to nothing is not tried
// either, unless the request is held, and where the size is back at once again and again, the turn ends (H-CMP-64).
func (t *turn) collapseLayer() error {
	s := t.s
	if !s.cfg.Switches.Collapse {
		return nil
	}
	l := s.limits()
	if s.auto.open(t.w.Now(), &l.Auto, s.cooldown()) {
		return nil
	}
	held := s.held()
	for first := true; s.estimate() >= s.threshold() && (first || held); first = false {
		path, c, any := s.spanToCollapse(held)
		if !any {
			return nil
		}
		soon, thrashing := false, false
		if first {
			soon, thrashing = s.auto.spans.refill(&l.Auto)
		}
		if thrashing {
			return t.endsWith(RapidRefill, s.thrash(s.threshold()))
		}
		done, err := t.collapse(path, c)
		if !done || err != nil {
			return err
		}
		if first {
			s.auto.spans.count(soon)
		}
	}
	return nil
}

// held tells that the conversation is so large that no call may be made, and that spans can bring it below the threshold:
// the request is held until they have (H-CMP-32).
func (s *Session) held() bool {
	l, size := s.limits().Auto, s.estimate()
	if size < l.Blocked(s.window(), s.model.MaxOutput) {
		return false
	}
	path, _ := s.log.Path(s.leaf)
	return size-compact.Collapsible(sentOf(path), &s.log.Decisions) < s.threshold()
}

// spanToCollapse is the next span of the path; any is false for none that is worth its call, unless the request is held, or
// none that may be edited now.
func (s *Session) spanToCollapse(held bool) (path []*sessionlog.Entry, c compact.Cut, any bool) {
	path, _ = s.log.Path(s.leaf)
	path = sentOf(path)
	c, any = compact.Collapse(path, &s.log.Decisions, held)
	l := s.limits()
	worth := held || c.Tokens >= l.Collapse.Least(s.threshold())
	return path, c, any && worth && !s.inOpenThinking(path)
}

// collapse commits one span; done is false when its summary could not be had.
func (t *turn) collapse(path []*sessionlog.Entry, c compact.Cut) (done bool, err error) {
	s := t.s
	summary, err := t.spanSummary(path, c)
	switch {
	case errors.Is(err, world.ErrInterrupted):
		t.ended, err = t.interrupted(nil)
		return false, err
	case err != nil:
		l := s.limits()
		s.auto.failed(t.w.Now(), &l.Auto)
		s.notice("A span of the conversation could not be collapsed: " + err.Error() + ". It goes on as it was.")
		return false, nil
	}
	note := s.breakNote()
	r := sessionlog.Removal{Leaf: s.leaf, Gone: c.Gone, Freed: max(0, c.Tokens-len(summary)/4)}
	if err := s.decide(t.w, sessionlog.CollapseRecord(s.id, r, summary), nil); err != nil {
		return false, err
	}
	s.log.Decisions.Collapse(r, summary)
	s.auto.failures = 0
	s.auto.spans.made()
	s.restand()
	s.cache.Expect(cachewatch.Compaction)
	s.notice(fmt.Sprintf("Collapse: %d messages are shown as a summary, about %d tokens less%s.", c.Messages, r.Freed, note))
	return true, nil
}

// spanSummary asks for the summary of a span, as a JSON string: in the request the conversation would make up to its end,
// so that its cache is read (H-CMP-46).
func (t *turn) spanSummary(path []*sessionlog.Entry, c compact.Cut) ([]byte, error) {
	end := 0
	for i, e := range path {
		if e.UUID == c.Gone[len(c.Gone)-1] {
			end = i + 1
		}
	}
	r, err := t.askSummary(cutting{trigger: compact.Auto, source: path[:end], cuts: t.s.limits().Auto.HeadCuts})
	if err != nil {
		return nil, err
	}
	text, err := summaryIn(r)
	if err != nil {
		return nil, err
	}
	return sessionlog.Quote(compact.SpanText(text)), nil
}
