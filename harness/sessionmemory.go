package harness

import (
	"errors"
	"io/fs"
	"strings"
	"unicode/utf8"

	"harnessbench/harness/sessionlog"
	"harnessbench/harness/world"
)

// remember puts the session's memory file in the place of the conversation, without a call: it is the summary of what
// stands before a tail of some messages (compact.sessionMemory, H-CMP-80). done is false where the summary has to be asked
// for: the file is not there, is empty or no text, the user wants something of the summary, the conversation would stay
// too long, or the tail would hold a tool loop whose thinking has to go back (H-LOOP-52).
func (s *Session) remember(w world.World, c cutting) (done bool, err error) {
	if !s.cfg.Switches.SessionMemory || !c.restores || c.words != "" {
		return false, nil
	}
	text, err := w.ReadFile(sessionlog.SessionMemory(s.dir(), s.id))
	switch {
	case errors.Is(err, world.ErrInterrupted):
		return false, err
	case errors.Is(err, fs.ErrNotExist):
		return false, nil
	case err != nil:
		s.notice("The session's memory file cannot be read, so a summary is asked for: " + err.Error() + ".")
		return false, nil
	case !utf8.Valid(text) || strings.TrimSpace(string(text)) == "":
		return false, nil
	}
	path, _ := s.log.Path(s.leaf)
	limits := s.limits().Memory
	at := limits.Tail(path)
	if conversational(path[:at]) == 0 || at <= len(path)-len(sentOf(path)) || s.inOpenThinking(path) {
		return false, nil
	}
	c.keepFrom(path, at)
	if c.most == 0 || c.most > s.threshold() {
		c.most = s.threshold()
	}
	err = s.stands(w, c, strings.TrimSpace(string(text)), nil)
	if errors.As(err, new(stillLong)) {
		return false, nil
	}
	return err == nil, err
}
