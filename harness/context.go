package harness

import (
	"strings"

	"harnessbench/harness/account"
	"harnessbench/harness/compact"
	"harnessbench/harness/inject"
	"harnessbench/harness/rebuild"
	"harnessbench/harness/sessionlog"
	"harnessbench/harness/world"
	"harnessbench/internal/wire"
)

// Totals are cost, tokens by model, times and changed lines since the session began or /clear was given; a resumed
// session counts what its log holds (H-ACC-11, H-ACC-14).
func (s *Session) Totals() account.Totals { return s.ledger.Totals() }

// ContextReport is the text of /context (H-ACC-3). It logs nothing; Local does, with this as its output (H-ACC-5).
func (s *Session) ContextReport(world.World) string { return s.context().Text() }

// context says what fills the window now (H-ACC-6).
func (s *Session) context() account.Context {
	path, _ := s.log.Path(s.leaf)
	return account.ContextOf(s.model.Display, s.window(), s.threshold(), s.parts(path), reported(path))
}

// parts measures the next request.
func (s *Session) parts(path []*sessionlog.Entry) account.Parts {
	p := account.Parts{Memory: len(s.force.memory), Messages: len(s.live.Messages())}
	for _, block := range s.force.system {
		p.System += len(block)
	}
	tools, _ := wire.ParseValue(s.force.tools) // ours, or checked when it was read
	for _, d := range tools.Elems() {
		deferred, _ := d.Get("defer_loading").Bool()
		switch {
		case deferred:
			p.Deferred += len(d.Raw())
		case strings.HasPrefix(d.Get("name").Text(), "mcp__"):
			p.MCPTools += len(d.Raw())
		default:
			p.Tools += len(d.Raw())
		}
	}
	for _, e := range path {
		part := &p.Messages
		switch e.Attach.Type {
		case "agent_listing_delta":
			part = &p.Agents
		case "skill_listing":
			part = &p.Skills
		case memoryUpdate:
			part = &p.Memory
		}
		if part == &p.Messages {
			continue
		}
		for _, text := range e.Attach.Texts {
			*part += len(text)
		}
	}
	p.Messages = max(0, p.Messages-p.Memory-p.Agents-p.Skills)
	return p
}

// reported is the context size of the newest answer of a path, 0 for none.
func reported(path []*sessionlog.Entry) int {
	for i := len(path) - 1; i >= 0; i-- {
		if e := path[i]; e.Type == sessionlog.Assistant && !e.Notice && !e.Sidechain {
			return account.Read(e.Message.Usage).Last.Context()
		}
	}
	return 0
}

// book counts an entry of the log, on whatever branch (H-ACC-11). A boundary comes here only as a log is read: it holds
// the usage of a summary that another process asked for (H-ACC-13); that of a summary of our own was counted when it came.
func (s *Session) book(e *sessionlog.Entry) {
	switch {
	case e.Type == sessionlog.Assistant && !e.Notice:
		source := account.Main
		if e.Sidechain {
			source = account.Agent
		}
		s.ledger.Answer(source, e.Message.ID, e.RequestID, e.Message.Model, e.Message.Usage)
	case e.Type == sessionlog.User && e.Result != nil:
		s.ledger.Lines(account.Changed(e.Result))
	case e.Boundary():
		if usage := compact.Usage(e.Compact); usage != nil {
			s.ledger.Call(account.Main, "", usage)
		}
	}
}

// Local logs a command that the harness itself carried out, with its output as it was printed, escapes of the
// terminal included. It reaches the model with the next prompt and causes no call (H-INJ-24). name has no slash.
func (s *Session) Local(w world.World, name, args, output string) error {
	if err := s.ready("local command"); err != nil {
		return err
	}
	var blocks []sessionlog.Block
	for _, text := range inject.LocalCommand(name, args, output) {
		blocks = append(blocks, sessionlog.Block{Raw: rebuild.TextBlock(text), Type: "text"})
	}
	return s.append(w, &sessionlog.Entry{Type: sessionlog.User, Message: sessionlog.Message{Blocks: blocks}})
}
