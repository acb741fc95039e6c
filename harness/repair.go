package harness

import (
	"errors"
	"regexp"

	"harnessbench/harness/sessionlog"
)

// refusedThinking is how the API refuses thinking that was sent back to it (messages-api.md 6.4, 6.6).
var refusedThinking = regexp.MustCompile("Invalid `(signature|data)` in `(thinking|redacted_thinking)` block|" +
	"`thinking` or `redacted_thinking` blocks in the latest assistant message cannot be modified")

// repair meets a refusal of thinking that was sent back, as of a signature that a gateway spoiled: all thinking so far is
// left out from now on, and the request can be sent again; otherwise every later one would be refused too (REC-1). The log
// says so, so that a resume does the same. It happens once in a turn. Like a model switch it is a declared break (D1).
func (t *turn) repair(fault error) (again bool, err error) {
	var e *APIError
	if t.repaired || !errors.As(fault, &e) || e.Status != 400 || !refusedThinking.MatchString(e.Message) || !t.s.sendsThinking() {
		return false, nil
	}
	t.repaired = true
	detail := append([]byte(`{"error":{"status":400,"type":`), sessionlog.Quote(e.Type)...)
	detail = append(append(append(detail, `,"message":`...), sessionlog.Quote(e.Message)...), "}}"...)
	err = t.s.append(t.w, &sessionlog.Entry{
		Type: sessionlog.System, Subtype: sessionlog.ThinkingRefused, Level: "warning", Detail: detail,
		Content: sessionlog.Quote("The API refused the thinking of earlier answers. It is left out from here on."),
	})
	if err != nil {
		return false, err
	}
	t.s.notice("The API refused the thinking of earlier answers; the session goes on without it: " + e.Error())
	path, _ := t.s.log.Path(t.s.leaf)
	t.s.stand(path)
	return true, t.s.freeze(t.w)
}

// sendsThinking tells that the path holds thinking that is not left out.
func (s *Session) sendsThinking() bool {
	path, _ := s.log.Path(s.leaf)
	to := s.options(s.log).NoThinkingTo
	for _, e := range path {
		for i := range e.Message.Blocks {
			if e.Order > to && e.Message.Blocks[i].IsThinking() {
				return true
			}
		}
	}
	return false
}
