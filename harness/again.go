package harness

import (
	"errors"

	"harnessbench/harness/inject"
	"harnessbench/harness/rebuild"
	"harnessbench/harness/sessionlog"
	"harnessbench/harness/world"
	"harnessbench/internal/wire"
)

// ErrAnswered is the refusal of a rerun that has nothing to do.
var ErrAnswered = errors.New("rerun: the last prompt has its answer")

// Rerun runs the turn of a prompt that has no answer, as a crash or a failed call left it; an open tool loop goes on
// (H-CMD-44). Without such a prompt it is ErrAnswered, and nothing changes.
func (s *Session) Rerun(w world.World) (Outcome, error) {
	if err := s.ready("rerun"); err != nil {
		return Outcome{}, err
	}
	if !s.unanswered() {
		return Outcome{}, ErrAnswered
	}
	return s.turns(w, (*turn).again)
}

// again takes up a turn whose prompt is logged: results for open calls, and of what the turn starts with only what is
// missing.
func (t *turn) again() error {
	if err := t.answerLost(); err != nil {
		return err
	}
	if err := t.news(); err != nil {
		return err
	}
	if err := t.remindAgain(); err != nil {
		return err
	}
	return t.s.freeze(t.w)
}

// unanswered tells a path whose last speech is the user's: a prompt, results of tools, or what keeps the model going. An
// interrupt's marker ends its turn; a notice is no answer, and a local command asks for none.
func (s *Session) unanswered() bool {
	if len(s.live.Unanswered()) > 0 {
		return true
	}
	path, _ := s.log.Path(s.leaf)
	for i := len(path) - 1; i >= 0; i-- {
		e := path[i]
		switch {
		case !e.Speech() || e.Notice || e.Sidechain || e.Hidden && !e.Summary:
		case e.Type == sessionlog.Assistant:
			return e.Message.StopReason == stopPause || e.Message.StopReason == stopCompaction
		default:
			if told := madeText(e); told == inject.Interrupted || told == inject.InterruptedTool {
				return false
			} else if e.Typed || resultOf(e) || goesOn(e) {
				return true
			}
		}
	}
	return false
}

// madeText is the text of an entry that holds one text block, "" for others.
func madeText(e *sessionlog.Entry) string {
	if len(e.Message.Blocks) != 1 || e.Message.Blocks[0].Type != "text" {
		return ""
	}
	v, err := wire.ParseValue(e.Message.Blocks[0].Raw)
	if err != nil {
		return ""
	}
	return v.Get("text").Text()
}

// resultOf tells an entry that holds the result of a tool.
func resultOf(e *sessionlog.Entry) bool {
	return len(e.Message.Blocks) > 0 && e.Message.Blocks[0].Type == "tool_result"
}

// remindAgain decides the volatile text of a turn that is taken up: where its first process logged that it was due, the
// text is made again, since no log holds it, save under volatile.place=system, where it stands there.
func (t *turn) remindAgain() error {
	s := t.s
	path, _ := s.log.Path(s.leaf)
	for i := len(path) - 1; i >= 0 && path[i].UUID != s.prompt; i-- {
		a := path[i].Attach
		if a.Type != currentTime {
			continue
		}
		if a.Texts == nil {
			t.volatile = rebuild.Volatile{Place: a.Place, Blocks: [][]byte{rebuild.TextBlock(inject.Time(t.w.Now()))}}
		}
		return nil
	}
	return t.remind()
}
