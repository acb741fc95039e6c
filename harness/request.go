package harness

import (
	"bytes"
	"fmt"
	"strings"

	"harnessbench/harness/rebuild"
	"harnessbench/harness/sessionlog"
	"harnessbench/harness/world"
)

// Wire constants of the requests (messages-api.md 1.2).
const (
	apiVersion  = "2026-10-21"
	bindingBeta = "thinking-binding-controls-2026-08-01"
	clearAtBeta = "mid-conversation-system-clear-at-2026-08-21"
	editBeta    = "context-management-2025-06-27"
)

// thinkingBudget is the budget of manual thinking, in tokens; every output limit stays above it (H-LOOP-50).
const thinkingBudget = 4000

// withoutThinking is the parameter that switches thinking off.
const withoutThinking = `{"type":"disabled"}`

// mainChain is the chain of the conversation's own calls.
const mainChain = "main"

// request is a main call.
func (s *Session) request(f rebuild.Front, v rebuild.Volatile) world.Request {
	return world.Request{
		Method: "POST",
		Path:   "/v1/messages",
		Header: s.header(),
		Body:   s.body(f, v),
		Chain:  mainChain,
	}
}

// body is a main call's: the conversation's own, or the list of the teaching profile.
func (s *Session) body(f rebuild.Front, v rebuild.Volatile) []byte {
	if s.taught() {
		return s.taughtBody(f, v)
	}
	return s.live.Body(f, v)
}

// header is the same in every request of a session: the beta is there from the first call on, so that
// its first use later changes nothing (H-REB-59, H-CACHE-21).
func (s *Session) header() []world.Field {
	h := []world.Field{
		{Name: "content-type", Value: "application/json"},
		{Name: "x-api-key", Value: s.cfg.APIKey},
		{Name: "anthropic-version", Value: apiVersion},
	}
	var betas []string
	if s.model.SystemMessages {
		betas = append(betas, clearAtBeta)
	}
	if s.keepsThinking() {
		betas = append(betas, bindingBeta)
	}
	if s.edits() != nil {
		betas = append(betas, editBeta)
	}
	if s.serverCompacts() || s.live.Condensed() {
		betas = append(betas, compactBeta)
	}
	if betas = s.latch.Use(betas...); len(betas) > 0 { // what was sent once stays (H-CACHE-21)
		h = append(h, world.Field{Name: "anthropic-beta", Value: strings.Join(betas, ",")})
	}
	return h
}

// front is what stands before the messages. Of what a user can do between two calls only the model, its effort and the
// thinking change it: files, the memory file, the permission mode, a rewind do not (H-CACHE-23).
func (s *Session) front() rebuild.Front {
	f := rebuild.Front{
		Two:       s.cfg.Switches.Breakpoints == "two",
		UserID:    s.cfg.UserID,
		Edits:     s.edits(),
		Model:     s.cfg.Model,
		MaxTokens: outputLimit(maxTokens, s.model),
		System:    s.force.system,
		Tools:     s.force.tools,
		TTL:       s.ttl,
	}
	f.Thinking, f.Output = s.thinking()
	return f
}

// thinking is the parameter by generation (H-LOOP-50, messages-api.md 6.1): adaptive with effort where
// the model takes it, else a budget. A value the model refuses is not sent; the model's own way is
// then taken.
func (s *Session) thinking() (thinking, output []byte) {
	m, want := s.model, s.cfg.Switches.Thinking
	adaptive, budget := m.ThinkingAdaptive == "yes", m.ThinkingBudget != "no"
	// The effort of messages-api.md 10; its defaults are high or below, which every mode takes.
	if adaptive && len(m.Effort) > 0 {
		effort := m.EffortDefault
		if s.effort != "" {
			effort = s.effort
		}
		output = append(append([]byte(`{"effort":`), sessionlog.Quote(effort)...), '}')
	}
	switch {
	case want == "off" && m.ThinkingDisabled != "no":
		return []byte(withoutThinking), output
	case s.keepsThinking():
		return []byte(`{"type":"adaptive","block_binding":{"prefix_mismatch_behavior":"drop_block"}}`), output
	case adaptive && !(want == "enabled" && budget):
		return []byte(`{"type":"adaptive"}`), output
	case budget:
		return fmt.Appendf(nil, `{"type":"enabled","budget_tokens":%d}`, thinkingBudget), output
	}
	return nil, output
}

// budgeted tells whether the thinking parameter holds a budget.
func (s *Session) budgeted() bool {
	parameter, _ := s.thinking()
	return bytes.Contains(parameter, []byte(`"budget_tokens"`))
}

// volatilePlace is where volatile text goes now: system where the model takes it (D1); at the end in the teaching profile,
// whose layers would tear a message of its own from its place, or in its prompt, where the model checks what stands before
// its thinking.
func (s *Session) volatilePlace() string {
	switch {
	case s.taught() && s.dropsAtBreak():
		return rebuild.PlacePrompt
	case s.taught():
		return rebuild.PlaceTail
	}
	place := s.cfg.Switches.VolatilePlace
	if place == "" {
		place = rebuild.PlaceSystem
	}
	if place == rebuild.PlaceSystem && !s.model.SystemMessages {
		return rebuild.PlacePrompt
	}
	return place
}
