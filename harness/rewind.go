package harness

import (
	"fmt"

	"harnessbench/harness/rebuild"
	"harnessbench/harness/sessionlog"
	"harnessbench/harness/world"
)

// Rewind takes the conversation back to before the prompt entry with this uuid: its parent becomes the
// leaf, and a record pins it (H-CMD-31, H-CMD-32). The prompt must stand on the current path, or beyond
// a compact boundary of it (H-CMD-30, H-CMD-33). An unknown uuid is an error that changes nothing.
func (s *Session) Rewind(w world.World, prompt string) error {
	if err := s.ready("rewind"); err != nil {
		return err
	}
	var target *sessionlog.Entry
	for _, e := range s.log.Whole(s.leaf) {
		if e.UUID == prompt && e.Typed {
			target = e
		}
	}
	if target == nil {
		return fmt.Errorf("rewind: no prompt on the current path has the uuid %q", prompt)
	}
	if err := s.write(w, sessionlog.Pin(s.id, target.Parent)); err != nil {
		return err
	}
	s.leaf, s.pinned = target.Parent, true
	path, _ := s.log.Path(s.leaf)
	s.stand(path)
	return s.reread(w)
}

// reread checks the whole conversation against the one its log file gives now (H-ARCH-12).
func (s *Session) reread(w world.World) error {
	data, err := s.present(w)
	if err != nil {
		return err
	}
	log := sessionlog.Load(data)
	path, _ := log.Path(s.leaf)
	shadow := rebuild.Of(path, s.options(log))
	if err := s.live.CheckAll(shadow); err != nil {
		return fmt.Errorf("%s: %w", s.writer.File, err)
	}
	return nil
}
