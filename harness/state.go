package harness

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"harnessbench/harness/cachewatch"
	"harnessbench/harness/sessionlog"
	"harnessbench/harness/world"
	"harnessbench/internal/model"
)

// SetTitle names the session; the name is logged and wins over a generated one (H-LOG-70, H-LOG-71).
func (s *Session) SetTitle(w world.World, title string) error {
	if err := s.ready("title"); err != nil {
		return err
	}
	title = strings.TrimSpace(title)
	if title == "" {
		return errors.New("title: the title is empty")
	}
	if err := s.write(w, sessionlog.CustomTitle(s.id, title)); err != nil {
		return err
	}
	s.log.State.Title = title
	return nil
}

// Title is the title the user gave, "" for none.
func (s *Session) Title() string { return s.log.State.Title }

// SetModel goes on with another model, and with an effort of it; effort "" is the model's own. It is logged, so that a
// resume goes on with it (H-CMD-42). What of the history the model cannot take is left out from here on: a declared
// break (D37, H-REB-36).
func (s *Session) SetModel(w world.World, id, effort string) error {
	if err := s.ready("model"); err != nil {
		return err
	}
	m, ok := model.Lookup(id)
	switch {
	case !ok:
		return fmt.Errorf("model: no model is called %q; `bench list` shows the known ones", id)
	case effort != "" && !m.TakesEffort(effort):
		return fmt.Errorf("model: %s has no effort %q; it takes %s", m.ID, effort, orNone(m.Effort))
	}
	if err := s.switchModel(w, m, id, effort); err != nil {
		return err
	}
	s.cache.Expect(cachewatch.ModelSwitch)
	return nil
}

// switchModel goes on with another model, in a turn or between two (D37, H-REB-36).
func (s *Session) switchModel(w world.World, m model.Model, id, effort string) error {
	if m.Bound && s.frozen == nil {
		if err := s.thaw(w); err != nil {
			return err
		}
	}
	if err := s.write(w, sessionlog.ModelState(s.id, id, effort)); err != nil {
		return err
	}
	s.log.State.Model, s.log.State.Effort = id, effort
	s.use(m, id, effort)
	path, _ := s.log.Path(s.leaf)
	s.stand(path)
	return nil
}

// use takes a model for the next calls.
func (s *Session) use(m model.Model, id, effort string) {
	s.model, s.cfg.Model, s.effort = m, id, effort
}

// Model is the id the next call asks for.
func (s *Session) Model() string { return s.cfg.Model }

// restoreState takes up what the log says of the session's state (H-CMD-42): the model in use, unless it is retired or
// Config names another on purpose; the permission mode, but for plan and bypassPermissions, which fall back to the start's.
func (s *Session) restoreState() {
	st := s.log.State
	s.mode = s.cfg.Mode
	if m := st.Mode; slices.Contains(permissionModes(), m) && m != ModePlan && m != ModeBypass {
		s.mode = m
	}
	id := st.Model
	if id == "" {
		id = s.lastModel()
	}
	m, known := model.Lookup(id)
	switch {
	case s.cfg.ModelGiven || !known || m.Lifecycle == "retired":
	case m.ID != s.model.ID:
		s.use(m, id, st.Effort)
	case m.TakesEffort(st.Effort):
		s.effort = st.Effort
	}
}

// lastModel is the model of the newest answer on the path, which is all a log of another writer tells.
func (s *Session) lastModel() string {
	path, _ := s.log.Path(s.leaf)
	for i := len(path) - 1; i >= 0; i-- {
		if e := path[i]; e.Type == sessionlog.Assistant && !e.Notice && !e.Meta {
			return e.Message.Model
		}
	}
	return ""
}

func orNone(names []string) string {
	if len(names) == 0 {
		return "none"
	}
	return strings.Join(names, ", ")
}

// Permission modes (H-EXT-40).
const (
	ModeDefault     = "default"
	ModeAcceptEdits = "acceptEdits"
	ModePlan        = "plan"
	ModeAuto        = "auto"
	ModeDontAsk     = "dontAsk"
	ModeBypass      = "bypassPermissions"
)

func permissionModes() []string {
	return []string{ModeDefault, ModeAcceptEdits, ModePlan, ModeAuto, ModeDontAsk, ModeBypass}
}

// SetMode changes the permission mode; it is logged and touches neither system nor tools (H-EXT-40).
func (s *Session) SetMode(w world.World, mode string) error {
	if err := s.ready("mode"); err != nil {
		return err
	}
	if !slices.Contains(permissionModes(), mode) {
		return fmt.Errorf("mode: %q is none; there are %s", mode, strings.Join(permissionModes(), ", "))
	}
	if err := s.write(w, sessionlog.PermissionMode(s.id, mode)); err != nil {
		return err
	}
	s.log.State.Mode, s.mode = mode, mode
	return nil
}

// Mode is the permission mode in force.
func (s *Session) Mode() string {
	if s.mode == "" {
		return ModeDefault
	}
	return s.mode
}
