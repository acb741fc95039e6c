package harness

import (
	"errors"
	"fmt"
	"path"
	"strings"

	"harnessbench/harness/inject"
	"harnessbench/harness/tool"
	"harnessbench/harness/world"
)

// ruling is what the permission mode says of a call.
type ruling int

const (
	allowed ruling = iota
	asks
	forbidden
)

// effect is what a call does beyond telling something.
type effect int

const (
	none effect = iota
	edits
	fetches // reaches outside, changes nothing
	acts
)

// effectOf tells what a call may do. Commands that only read are those that may run side by side.
func effectOf(c *tool.Call) effect {
	switch c.Name {
	case tool.WriteName, tool.EditName, "NotebookEdit":
		return edits
	case "WebFetch", "WebSearch":
		return fetches
	case tool.BashName:
		if !c.Parallel() {
			return acts
		}
	}
	if strings.HasPrefix(c.Name, "mcp__") {
		return acts
	}
	return none
}

// rule is the permission mode's word on a call, with the reason of a refusal (H-LOOP-10, H-EXT-40): in default mode
// whatever changes something or reaches outside is asked about, acceptEdits lets edits inside the project pass, plan
// refuses edits but of plan files, and commands (H-EXT-41), bypassPermissions asks nothing, dontAsk refuses what would be
// asked.
func (s *Session) rule(c *tool.Call) (ruling, string) {
	does, mode := effectOf(c), s.Mode()
	switch {
	case does == none || mode == ModeBypass:
		return allowed, ""
	case mode == ModePlan && does == edits && within(path.Clean(c.Path), path.Join(s.cfg.ConfigDir, "plans")):
		return allowed, ""
	case mode == ModePlan && (does == edits || does == acts):
		return forbidden, fmt.Sprintf("Plan mode is active: %s may not change anything now. Only the plan file may be written.", c.Name)
	case mode == ModeAcceptEdits && does == edits && within(path.Clean(c.Path), s.cfg.Cwd):
		return allowed, ""
	case mode == ModeDontAsk:
		return forbidden, fmt.Sprintf("%s was not allowed: it would have to be asked about, and the session asks nothing.", c.Name)
	}
	return asks, ""
}

// permit tells whether a call must not run, with its result: the permission mode decides, then the user, where it
// leaves the question open; a call that failed its checks never comes here (H-LOOP-10). A No of the user without a word
// leaves it without one, like an interrupt: the turn ends (H-LOOP-20). A No with feedback gives it as the result, and a
// rule its reason; the turn goes on (H-LOOP-23, H-LOOP-24).
func (t *turn) permit(w world.World, c *pendingCall) (r run, no bool) {
	switch word, reason := t.s.rule(&c.Call); word {
	case allowed:
		return run{}, false
	case forbidden:
		t.deny(c)
		return run{done: true, refused: reason}, true
	}
	a, err := w.Approve(world.ToolCall{ID: c.ID, Name: c.Name, Input: c.Input})
	switch {
	case errors.Is(err, world.ErrInterrupted):
		return run{}, true
	case err != nil:
		return run{done: true, err: fmt.Errorf("the user could not be asked: %w", err)}, true
	case a.Allow:
		return run{}, false
	}
	t.deny(c)
	if a.Feedback == "" {
		return run{}, true
	}
	return run{done: true, refused: inject.Reject + "\n" + a.Feedback}, true
}

func (t *turn) deny(c *pendingCall) {
	t.denied = append(t.denied, Denial{Tool: c.Name, ID: c.ID, Input: c.Input})
}
