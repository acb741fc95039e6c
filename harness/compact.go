package harness

import (
	"errors"
	"fmt"

	"harnessbench/harness/compact"
	"harnessbench/harness/rebuild"
	"harnessbench/harness/sessionlog"
	"harnessbench/harness/world"
)

// ErrNothingToCompact is the refusal of a compaction without history (H-CMD-21).
var ErrNothingToCompact = errors.New("Not enough messages to compact.")

// Compact puts a summary in the place of the conversation, in the same session and file (/compact, H-CMD-20); nothing
// else is lost (H-CMD-22). The instructions, and those of the memory file (H-CMD-23), go to the summariser. Without
// history it refuses with ErrNothingToCompact (H-CMD-21). A compaction that fails, or is interrupted, leaves the
// conversation as it was (H-CMP-65, H-CMP-66).
func (s *Session) Compact(w world.World, instructions string) error {
	if err := s.ready("compact"); err != nil {
		return err
	}
	if s.cfg.NoCompact {
		return errors.New("compact: it is switched off for this process (DISABLE_COMPACT)")
	}
	return s.alone(w, "compact", func(w world.World) error {
		path, err := s.settled(w)
		switch {
		case err != nil:
			return err
		case conversational(path) == 0:
			return ErrNothingToCompact
		}
		return s.summarise(w, s.wholly(path, instructions))
	})
}

// wholly is the compaction of a path that the user asked for: of all of it, or up to the recent messages that stay
// (H-CMP-74).
func (s *Session) wholly(path []*sessionlog.Entry, instructions string) cutting {
	c := s.byHand(compact.Part{}, path, path)
	c.words, c.restores, c.first = instructions, !s.taught(), len(path)
	if at := s.recent(path); at < len(path) {
		c.keepFrom(path, at)
	}
	return c
}

// byHand is a compaction that the user asked for.
func (s *Session) byHand(part compact.Part, source, replaced []*sessionlog.Entry) cutting {
	return cutting{trigger: compact.Manual, part: part, source: source, replaced: replaced, cuts: s.limits().Auto.HeadCuts}
}

// settled is the current path, after the calls a crash left open are answered in the log, as they will be sent (H-REB-31),
// and the prompt of a turn that ended at a summary of the server's is brought back behind it (H-CMP-84).
func (s *Session) settled(w world.World) ([]*sessionlog.Entry, error) {
	if err := s.watch(w, true); err != nil {
		return nil, err
	}
	t := turn{s: s, w: w}
	if err := t.answerLost(); err != nil {
		return nil, err
	}
	if s.justCondensed() {
		if err := t.restored(true); err != nil {
			return nil, err
		}
	}
	path, _ := s.log.Path(s.leaf)
	return path, nil
}

// alone runs an operation in a task of its own, as a turn is, so that Interrupt stops it, and waits for it.
func (s *Session) alone(w world.World, key string, f func(w world.World) error) error {
	var err error
	s.running, s.early = true, false
	task := w.Go(key, func(w world.World) { err = f(w) })
	s.turn = task
	if s.early {
		s.early = false
		task.Interrupt()
	}
	await(w, task)
	s.turn, s.running = nil, false
	return err
}

// cutting is what one compaction puts a summary in the place of. What is kept stands before the summary, or behind it
// (H-CMD-38, H-CMD-39, H-CMP-74, H-CMP-78).
type cutting struct {
	trigger        string // compact.Manual, compact.Auto
	words          string // the user's instructions
	part           compact.Part
	source         []*sessionlog.Entry // what the summary is made of
	replaced, kept []*sessionlog.Entry
	behind         bool             // kept stands behind the summary
	stretch        bool             // kept is one stretch of the path, up to its end
	volatile       rebuild.Volatile // of the turn, where it goes on
	restores       bool             // material is brought back behind the summary
	first          int              // place on the path of the turn's first prompt, its end for none

	strip bool // images are left out of what the summary is made of
	over  int  // tokens by estimate that the request would be too long
	cuts  int  // how often its oldest rounds may be left out, or long texts be shortened
	most  int  // tokens by estimate below which the conversation must come, 0 for whatever comes
	bytes int  // the same for its messages, in bytes
}

// summarise takes the memory file for the summary, or asks for one, then logs it with what is brought back (H-CMP-45).
func (s *Session) summarise(w world.World, c cutting) error {
	if done, err := s.remember(w, c); done || err != nil {
		return err
	}
	t := turn{s: s, w: w}
	r, err := t.askSummary(c)
	if err != nil {
		return err
	}
	summary, err := summaryIn(r)
	if err != nil {
		return err
	}
	return s.stands(w, c, summary, usageOf(r.answer))
}

// stands logs a summary with what is brought back. usage is that of the call it came from, nil for none.
func (s *Session) stands(w world.World, c cutting, summary string, usage []byte) (err error) {
	fresh := s.fresh
	if c.behind || c.kept == nil {
		if fresh, err = s.reloaded(w); err != nil {
			return err
		}
	}
	var restored []sessionlog.Attach
	if c.restores {
		if restored, err = s.restoration(w, c.kept); err != nil {
			return err
		}
	}
	return s.replace(w, c, compact.Text(summary, s.File()), usage, fresh, restored)
}

// summaryIn is the summary that an answer holds (H-CMP-48).
func summaryIn(r reply) (string, error) {
	answer, err := textOf(r)
	if err != nil {
		return "", fmt.Errorf("compact: %w", err)
	}
	if r.answer.StopReason == "refusal" {
		return "", errors.New("compact: the model refused to summarise")
	}
	summary, err := compact.Summary(answer)
	if err != nil {
		return "", fmt.Errorf("compact: %w", err)
	}
	return summary, nil
}

// conversational counts the user and assistant entries among some.
func conversational(entries []*sessionlog.Entry) int {
	n := 0
	for _, e := range entries {
		if e.Speech() && !e.Notice {
			n++
		}
	}
	return n
}
