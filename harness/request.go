package harness

import (
	"harnessbench/harness/rebuild"
	"harnessbench/harness/sessionlog"
	"harnessbench/harness/world"
)

// Wire constants of the requests (messages-api.md 1.2).
const (
	apiVersion  = "2026-10-21"
	clearAtBeta = "mid-conversation-system-clear-at-2026-08-21"
)

// maxTokens is the first limit of H-LOOP-31; the budget of manual thinking stays below it (H-LOOP-50).
const maxTokens = 8000

// request is the next main call.
func (s *Session) request(v rebuild.Volatile) world.Request {
	return world.Request{
		Method: "POST",
		Path:   "/v1/messages",
		Header: s.header(),
		Body:   s.live.Body(s.front(), v),
		Chain:  "main",
	}
}

// header is the same in every request of a session: the beta is there from the first call on, so that
// its first use later changes nothing (H-REB-59, H-CACHE-21).
func (s *Session) header() []world.Field {
	h := []world.Field{
		{Name: "content-type", Value: "application/json"},
		{Name: "x-api-key", Value: s.cfg.APIKey},
		{Name: "anthropic-version", Value: apiVersion},
	}
	if s.model.SystemMessages {
		h = append(h, world.Field{Name: "anthropic-beta", Value: clearAtBeta})
	}
	return h
}

func (s *Session) front() rebuild.Front {
	f := rebuild.Front{
		Model:     s.cfg.Model,
		MaxTokens: maxTokens,
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
		output = append(append([]byte(`{"effort":`), sessionlog.Quote(m.EffortDefault)...), '}')
	}
	switch {
	case want == "off" && m.ThinkingDisabled != "no":
		return []byte(`{"type":"disabled"}`), output
	case adaptive && !(want == "enabled" && budget):
		return []byte(`{"type":"adaptive"}`), output
	case budget:
		return []byte(`{"type":"enabled","budget_tokens":4000}`), output
	}
	return nil, output
}

// volatilePlace is where volatile text goes now: system where the model takes it (D1).
func (s *Session) volatilePlace() string {
	place := s.cfg.Switches.VolatilePlace
	if place == "" {
		place = rebuild.PlaceSystem
	}
	if place == rebuild.PlaceSystem && !s.model.SystemMessages {
		return rebuild.PlacePrompt
	}
	return place
}
