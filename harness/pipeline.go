package harness

import (
	"fmt"

	"harnessbench/harness/compact"
)

// pipeline makes the conversation shorter before a main call, where it has to be: the cheap ways first, the one that
// costs a call last (H-CMP-1, H-CMP-4). The order is fixed: what comes later would take from an earlier layer what that
// one has to save first (H-CMP-2). A layer changes the payload through what it logs and in no other way, so that a
// rebuild repeats it (H-CMP-3), and it leaves a list that can be sent (H-CMP-5). The first layer, the budget of results,
// is decided in the full profile as they come in (spill, H-CMP-11, D4); here its decisions are only repeated. The outcome
// is nil when the call may be made.
func (t *turn) pipeline() (*Outcome, error) {
	t.ended = nil
	if t.s.taught() {
		if err := t.taughtPipeline(); err != nil || t.ended != nil {
			return t.ended, err
		}
		return nil, t.s.live.Check(t.s.shadow)
	}
	if err := t.restored(false); err != nil {
		return nil, err
	}
	if t.s.live.AwaitsServer() { // the answer goes back as it came, or its call is lost (H-LOOP-32)
		return nil, t.s.live.Check(t.s.shadow)
	}
	for _, layer := range [...]func() error{t.snipLayer, t.microLayer, t.collapseLayer, t.autoLayer} {
		if err := layer(); err != nil || t.ended != nil {
			return t.ended, err
		}
	}
	// The shadow must have followed what the layers decided (H-ARCH-12).
	return nil, t.s.live.Check(t.s.shadow)
}

// limits are the numbers of the layers in the profile of the session.
func (s *Session) limits() compact.Limits {
	if s.taught() {
		return compact.Teaching()
	}
	return compact.Full()
}

// window is the size of the context in tokens: the model's, or the smaller one the user wants (H-CMP-35).
func (s *Session) window() int {
	if own := s.cfg.Window; own > 0 {
		return min(own, s.model.Window)
	}
	return s.model.Window
}

// threshold is the size at which the conversation is compacted, in tokens (H-CMP-35 to H-CMP-37).
func (s *Session) threshold() int {
	l := s.limits()
	return l.Auto.Threshold(s.window(), s.model.MaxOutput, s.cfg.CompactPercent)
}

// heedPercent ignores a share of the window that is none, and reports it (H-CMP-37).
func (s *Session) heedPercent() {
	if p := s.cfg.CompactPercent; p < 0 || p > 100 {
		s.notice(fmt.Sprintf("CompactPercent is %d, which is no percentage from 1 to 100: it is ignored.", p))
		s.cfg.CompactPercent = 0
	}
}
