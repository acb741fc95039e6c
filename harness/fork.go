package harness

import (
	"fmt"
	"strings"

	"harnessbench/harness/sessionlog"
	"harnessbench/harness/world"
)

// Fork goes on in a copy of the conversation, in a new file under a new id; the file so far stays as it is (/branch,
// H-CMD-50, H-CMD-54). title "" is the present one with ` (fork)` behind it (H-CMD-51). The next request equals the one
// the source would have sent (H-CMD-53). After an error the session goes on in its own file.
func (s *Session) Fork(w world.World, title string) error {
	if err := s.ready("fork"); err != nil {
		return err
	}
	c, err := s.copyOf(w, s.leaf, title, nil)
	if err != nil {
		return err
	}
	if err := c.write(w, s); err != nil {
		return err
	}
	return s.moveTo(c)
}

// ForkOf resumes a session in a copy of it (--fork-session, H-CMD-54); ref as in Resume. The source is not written to.
func ForkOf(w world.World, cfg Config, ref, title string) (*Session, error) {
	s, err := Resume(w, cfg, ref)
	if err != nil {
		return nil, err
	}
	if err := s.Fork(w, title); err != nil {
		return nil, err
	}
	return s, nil
}

// copied is a session's active chain under another id.
type copied struct {
	id     string
	lines  []byte
	frozen []frozenSet
}

// copyOf copies the chain that ends at leaf, its state behind it, and then entries of its own (H-CMD-50 to H-CMD-52).
func (s *Session) copyOf(w world.World, leaf, title string, more []*sessionlog.Entry) (copied, error) {
	data, err := s.present(w)
	if err != nil {
		return copied{}, err
	}
	c := copied{id: w.UUID()}
	opt := sessionlog.ForkOptions{
		Source: s.id, Session: c.id, Preserve: s.cfg.Switches.Fork == "preserve", NewID: w.UUID, Now: stamp(w.Now()),
	}
	log := sessionlog.Load(data)
	log.Bridge = s.log.Bridge
	f, err := sessionlog.Fork(log, leaf, opt)
	if err != nil {
		return copied{}, err
	}
	c.lines = f.Lines
	env := s.writer.Envelope
	env.Session = c.id
	path, _ := log.Path(leaf)
	at := f.IDs[leaf]
	for i := len(path) - 1; i >= 0 && at == ""; i-- { // the leaf may be of a kind that is not copied
		at = f.IDs[path[i].UUID]
	}
	for _, e := range more {
		e.UUID, e.Parent, e.Time = w.UUID(), at, opt.Now
		c.lines = append(c.lines, e.Encode(env)...)
		at = e.UUID
	}
	state := s.log.State
	switch {
	case strings.TrimSpace(title) != "":
		state.Title = strings.TrimSpace(title)
	case state.Title != "":
		state.Title += forkMark
	case state.AITitle != "":
		state.AITitle += forkMark
	}
	c.lines = append(c.lines, state.Encode(c.id)...)
	if sessionlog.Load(c.lines).Leaf() != at { // by file order a result beside the path would be the leaf (H-REB-2, H-REB-5)
		c.lines = append(c.lines, sessionlog.Pin(c.id, at)...)
	}
	if s.model.Bound {
		boundary := ""
		if path[0].Boundary() {
			boundary = f.IDs[path[0].UUID]
		}
		c.frozen = []frozenSet{{boundary, f.IDs[s.cut], s.force}}
	}
	return c, nil
}

// forkMark ends the title of a copy that was given none of its own (H-CMD-51).
const forkMark = " (fork)"

// write puts the copy on disk: first what a bound model must send again (H-REB-46), then the log in one write.
func (c *copied) write(w world.World, s *Session) error {
	if c.frozen != nil {
		file := sessionlog.FrozenFile(s.project, c.id)
		if err := w.Replace(file, encodeFrozen(c.frozen)); err != nil {
			return fmt.Errorf("frozen request parts %s: %w", file, err)
		}
	}
	file := sessionlog.File(s.project, c.id)
	if err := w.Append(file, c.lines); err != nil {
		return fmt.Errorf("fork: session log %s: %w", file, err)
	}
	return nil
}

// moveTo goes on in a copy that was written. Backups of files stay behind: there is no undo across a fork (H-CMD-51).
func (s *Session) moveTo(c copied) error {
	before := *s
	s.home = s.project
	s.open(c.id, c.lines)
	s.log = sessionlog.Load(c.lines)
	s.leaf, s.pinned = s.log.Leaf(), s.log.Pinned()
	s.files, s.frozen, s.saved = checkpoints{}, c.frozen, len(c.frozen) > 0
	path, _ := s.log.Path(s.leaf)
	s.stand(path)
	if err := s.live.CheckAll(before.live); err != nil {
		*s = before
		return fmt.Errorf("fork: %w", err)
	}
	return nil
}
