package harness

import (
	"fmt"
	"slices"

	"harnessbench/harness/compact"
	"harnessbench/harness/sessionlog"
	"harnessbench/harness/world"
)

// summariseFrom puts a summary in the place of a prompt and all behind it; what stands before it stays, and keeps its
// cached prefix (H-CMD-38).
func (s *Session) summariseFrom(w world.World, p *sessionlog.Entry) error {
	return s.alone(w, "compact", func(w world.World) error {
		path, at, err := s.around(w, p)
		if err != nil {
			return err
		}
		c := s.byHand(compact.Part{Kind: compact.From, Prompt: p.Said()}, path, path[at:])
		c.kept = conversation(path[:at])
		return s.summarise(w, c)
	})
}

// summariseUpTo puts a summary in the place of all before a prompt; the prompt and what follows it stay (H-CMD-39).
func (s *Session) summariseUpTo(w world.World, p *sessionlog.Entry) error {
	return s.alone(w, "compact", func(w world.World) error {
		path, at, err := s.around(w, p)
		switch {
		case err != nil:
			return err
		case conversational(path[:at]) == 0:
			return ErrNothingToCompact
		}
		c := s.byHand(compact.Part{Kind: compact.UpTo, Prompt: p.Said()}, path[:at], path[:at])
		c.kept, c.behind, c.stretch = path[at:], true, true
		return s.summarise(w, c)
	})
}

// around is the current path and the place of a prompt on it. A prompt that a boundary has cut off, or of a branch that
// was left, is not on it, and one before a summary of the server's, or that was snipped or collapsed, is not sent any more:
// what is to be summarised must be part of the payload (H-CMP-83, H-CMP-17, H-CMP-30).
func (s *Session) around(w world.World, p *sessionlog.Entry) (path []*sessionlog.Entry, at int, err error) {
	if path, err = s.settled(w); err != nil {
		return nil, 0, err
	}
	if at = slices.Index(path, p); at < 0 {
		return nil, 0, fmt.Errorf("rewind: the prompt %s is not in the current context, so there is nothing to summarise around it; "+
			"restore the conversation to it first", p.UUID)
	}
	if at < len(path)-len(sentOf(path)) || s.log.Decisions.Hides(p.UUID) {
		return nil, 0, fmt.Errorf("rewind: the prompt %s is not sent any more, since a summary or a cut stands in its place, so there "+
			"is nothing to summarise around it; take a later prompt, or restore the conversation to it first", p.UUID)
	}
	return path, at, nil
}

// conversation is a path without the boundary it begins with.
func conversation(path []*sessionlog.Entry) []*sessionlog.Entry {
	if len(path) > 0 && path[0].Boundary() {
		return path[1:]
	}
	return path
}
