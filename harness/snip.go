package harness

import (
	"fmt"

	"harnessbench/harness/cachewatch"
	"harnessbench/harness/compact"
	"harnessbench/harness/sessionlog"
	"harnessbench/harness/tool"
	"harnessbench/harness/world"
)

// snipLayer leaves out whole rounds from the middle of a conversation of too many messages, or of one whose model asked
// for it by the tool Snip (H-CMP-17). A record names what is gone; what that frees counts at the threshold at once.
func (t *turn) snipLayer() error {
	s := t.s
	if !s.cfg.Switches.Snip {
		return nil
	}
	path, _ := s.log.Path(s.leaf)
	path = sentOf(path)
	l := s.limits().Snip
	c, any := l.Snip(path, &s.log.Decisions, s.snipAsked(path))
	if !any || s.inOpenThinking(path) {
		return nil
	}
	note := s.breakNote()
	r := sessionlog.Removal{Leaf: s.leaf, Gone: c.Gone, Freed: c.Tokens}
	total := s.log.Decisions.SnipTotal + c.Messages
	if err := s.decide(t.w, sessionlog.SnipRecord(s.id, r, total), nil); err != nil {
		return err
	}
	s.log.Decisions.Snip(r, total)
	s.restand()
	s.cache.Expect(cachewatch.Compaction)
	s.notice(fmt.Sprintf("Snip: %d messages of the middle are left out, about %d tokens less%s.", c.Messages, c.Tokens, note))
	return nil
}

// snipAsked tells that the model called Snip in this turn or the one before, and no snip has come since: on some models it
// waits for the end of a tool loop.
func (s *Session) snipAsked(path []*sessionlog.Entry) bool {
	done := -1
	for _, r := range s.log.Decisions.Removals {
		if e := s.log.Find(r.Leaf); e != nil {
			done = max(done, e.Order)
		}
	}
	calls := map[string]bool{}
	for i, prompts := len(path)-1, 0; i >= 0 && prompts < 2; i-- {
		e := path[i]
		if e.Typed {
			prompts++
		}
		for j := range e.Message.Blocks {
			switch b := &e.Message.Blocks[j]; {
			case b.Type == "tool_result" && e.Order > done && e.Type == sessionlog.User:
				calls[b.ID] = true
			case b.Type == "tool_use" && b.Name == tool.SnipName && calls[b.ID] && compact.Answers(e):
				return true
			}
		}
	}
	return false
}

// ownSnip answers a call of Snip; the cut itself is made before the next request (H-CMP-17).
func (s *Session) ownSnip(world.World, *tool.Call) (tool.Raw, error) {
	return tool.Raw{Output: "Older rounds of the middle are left out from the next request on, if there are enough of them."}, nil
}

// freedSince is how many tokens cuts took off the payload of a path since its newest answer, which its usage does not
// know of (tokensFreed, H-CMP-17, H-CMP-38).
func (s *Session) freedSince(path []*sessionlog.Entry) int {
	answer, on := -1, map[string]bool{}
	for _, e := range path {
		if compact.Answers(e) {
			answer = max(answer, e.Order)
		}
		on[e.UUID] = true
	}
	n := 0
	for _, r := range s.log.Decisions.Removals {
		if e := s.log.Find(r.Leaf); e != nil && on[r.Leaf] && e.Order >= answer {
			n += r.Freed
		}
	}
	return n
}
