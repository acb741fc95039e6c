package harness

import (
	"fmt"

	"harnessbench/harness/account"
	"harnessbench/harness/inject"
	"harnessbench/harness/rebuild"
	"harnessbench/harness/sessionlog"
	"harnessbench/harness/world"
	"harnessbench/internal/model"
)

// auxiliary makes the calls of the small model that come before a new session's first main call: one that shows whether
// the account has quota left, and one that says what the prompt is about (H-ARCH-30, H-ARCH-31). They hold nothing of
// the conversation but this prompt, leave nothing in the log, and count for the cost alone (H-ARCH-32). Whatever becomes
// of them, the main call follows, save after an interrupt.
func (s *Session) auxiliary(w world.World, prompt string) (interrupted bool) {
	if !s.probe {
		return false
	}
	s.probe = false
	for _, body := range [][]byte{quotaProbe(), topicOf(prompt)} {
		if r := s.askSmall(w, body); r.interrupted {
			return true
		}
	}
	return false
}

// askSmall makes one call of the small model. It is not made again, whatever becomes of it, and counts for the cost alone
// (H-ARCH-32).
func (s *Session) askSmall(w world.World, body []byte) reply {
	t := turn{s: s, w: w}
	r := t.answer(s.beside("aux", body))
	if r.answer != nil && len(r.answer.Usage.Raw) > 0 {
		s.ledger.Call(account.Auxiliary, r.answer.Model, r.answer.Usage.Raw)
	}
	return r
}

// quotaProbe asks for one token.
func quotaProbe() []byte {
	return small(1, "", "quota")
}

// topicOf asks what a prompt is about.
func topicOf(prompt string) []byte {
	return small(256, inject.Topic, prompt)
}

// small is a request to the small model: its own prefix, without tools and without a breakpoint.
func small(maxTokens int, system, text string) []byte {
	b := append([]byte(`{"model":`), sessionlog.Quote(model.Small)...)
	b = fmt.Appendf(b, `,"max_tokens":%d`, maxTokens)
	if system != "" {
		b = append(append(append(b, `,"system":[`...), rebuild.TextBlock(system)...), ']')
	}
	b = append(append(b, `,"stream":true,"messages":[{"role":"user","content":[`...), rebuild.TextBlock(text)...)
	return append(b, `]}]}`...)
}
