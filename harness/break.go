package harness

import (
	"harnessbench/harness/rebuild"
	"harnessbench/harness/sessionlog"
)

// Ways to stay legal at a declared break, where thinking made before it no longer fits what stands before it
// (thinking.onBreak, D1).
const (
	OnBreakDrop      = "drop"       // leave out all thinking before the break
	OnBreakDropBlock = "drop-block" // send what the model can read, and ask the server to drop what does not fit
	OnBreakServer    = "server"     // let the server make the edit where it can, so that all stays valid; else leave out
)

// cutAt says up to which Order the thinking of a path is left out because of model switches, refusals and edits, -1 for none
// (H-REB-36, D37).
func (s *Session) cutAt(path []*sessionlog.Entry) int {
	refused := rebuild.ThinkingRefusedTo(path)
	if s.dropsAtBreak() {
		refused = max(refused, s.editedTo(path))
	}
	if s.keepsThinking() {
		return max(refused, rebuild.UnreadableTo(path, s.model))
	}
	return max(refused, rebuild.NoThinkingTo(path, s.model))
}

// keepsThinking tells that requests ask the server to drop thinking that does not fit. Only models that check have the
// setting, and on some of them only adaptive thinking takes it (messages-api.md 6.6).
func (s *Session) keepsThinking() bool {
	adaptive := s.model.ThinkingAdaptive == "yes" && (s.cfg.Switches.Thinking != "off" || s.model.ThinkingDisabled == "no")
	return s.model.Bound && adaptive && s.cfg.Switches.OnBreak == OnBreakDropBlock
}
