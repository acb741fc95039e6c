package harness

import (
	"fmt"

	"harnessbench/harness/cachewatch"
	"harnessbench/harness/rebuild"
	"harnessbench/harness/sessionlog"
	"harnessbench/harness/world"
)

// Actions of RewindTo (H-CMD-30).
const (
	RestoreBoth         = "both"
	RestoreConversation = "conversation"
	RestoreCode         = "code"
	SummarizeFrom       = "summarize_from"
	SummarizeUpTo       = "summarize_up_to"
)

// Restored is what a RewindTo did.
type Restored struct {
	Input   string   // text that returns to the input, "" for none
	Files   []string // files written or deleted, absolute, in order
	Skipped []string // files that could not be restored, absolute, in order (H-CMD-37)
}

// Point is a prompt that /rewind offers.
type Point struct {
	UUID, Text, Time string
	// Code tells that a tracked file was changed at this prompt or after it, so that the code can be restored (H-CMD-36).
	Code bool
}

// Prompts lists the prompts of the current path, across compact boundaries, oldest first (H-CMD-30).
func (s *Session) Prompts() []Point {
	var out []Point
	for _, e := range s.whole() {
		out = append(out, Point{e.UUID, e.Said(), e.Time, s.files.changedSince(e.UUID)})
	}
	return out
}

// whole are the typed prompts of the current path and of what its boundaries cut off.
func (s *Session) whole() []*sessionlog.Entry {
	var out []*sessionlog.Entry
	seen := map[string]bool{}
	for _, e := range s.log.Whole(s.leaf) {
		if point(e) && !seen[e.UUID] {
			seen[e.UUID] = true
			out = append(out, e)
		}
	}
	return out
}

// RewindTo goes back to before a prompt, in one of five ways (H-CMD-30). Conversation and code are independent of each
// other (H-CMD-36); the code is restored first, so that a process that dies in between leaves the prompt on the path. An
// unknown prompt or action is an error that changes nothing.
func (s *Session) RewindTo(w world.World, prompt, action string) (Restored, error) {
	if err := s.ready("rewind"); err != nil {
		return Restored{}, err
	}
	if err := s.History(w); err != nil {
		return Restored{}, err
	}
	p, err := s.target(prompt)
	if err != nil {
		return Restored{}, err
	}
	switch action {
	case RestoreBoth, RestoreCode:
		r, err := s.restoreCode(w, p.UUID)
		if err != nil || action == RestoreCode {
			return r, err
		}
		r.Input = p.Said()
		return r, s.back(w, p)
	case RestoreConversation:
		return Restored{Input: p.Said()}, s.back(w, p)
	case SummarizeFrom:
		return Restored{Input: p.Said()}, s.summariseFrom(w, p)
	case SummarizeUpTo:
		return Restored{}, s.summariseUpTo(w, p)
	}
	return Restored{}, fmt.Errorf("rewind: %q is no action; there are %s, %s, %s, %s, %s", action,
		RestoreBoth, RestoreConversation, RestoreCode, SummarizeFrom, SummarizeUpTo)
}

// Rewind takes the conversation back to before the prompt entry with this uuid: its parent becomes the leaf, and a record
// pins it (H-CMD-31, H-CMD-32). Beyond a compact boundary the history before it is current again (H-CMD-33); a prompt of
// a branch that was left makes that branch the current one. An unknown uuid is an error that changes nothing.
func (s *Session) Rewind(w world.World, prompt string) error {
	_, err := s.RewindTo(w, prompt, RestoreConversation)
	return err
}

// target finds a prompt of the main conversation, on whatever branch.
func (s *Session) target(prompt string) (*sessionlog.Entry, error) {
	if e := s.log.Find(prompt); e != nil && point(e) {
		return e, nil
	}
	return nil, fmt.Errorf("rewind: no prompt of this session has the uuid %q", prompt)
}

// point tells a prompt of the main conversation, which /rewind can go back to.
func point(e *sessionlog.Entry) bool { return e.Typed && !e.Sidechain && !e.Team }

// back stands before a prompt. What depends on the path is recomputed from the new one (H-CMD-34).
func (s *Session) back(w world.World, p *sessionlog.Entry) error {
	leaf := s.log.Above(p)
	if err := s.write(w, sessionlog.Pin(s.id, leaf)); err != nil {
		return err
	}
	s.leaf, s.pinned = leaf, true
	s.cache.Expect(cachewatch.Rewind)
	path, _ := s.log.Path(s.leaf)
	s.stand(path)
	return s.reread(w)
}

// reread checks the whole conversation against the one its log file gives now (H-ARCH-12).
func (s *Session) reread(w world.World) error {
	if s.cfg.NoPersistence {
		return nil
	}
	log, _, err := s.load(w)
	if err != nil {
		return err
	}
	path, _ := log.Path(s.leaf)
	log.Decisions.Stand(path)
	shadow := rebuild.Of(path, s.options(log))
	if err := s.live.CheckAll(shadow); err != nil {
		return fmt.Errorf("%s: %w", s.writer.File, err)
	}
	return nil
}
