package harness

import (
	"harnessbench/harness/account"
	"harnessbench/harness/sessionlog"
	"harnessbench/internal/model"
	"harnessbench/internal/wire"
)

// estimate is the size of the next payload in tokens (H-CMP-38). It is kept up with the conversation, and made again
// from the path where that became another.
func (s *Session) estimate() int {
	if s.sized == nil {
		s.sized = &account.Gauge{}
		path, _ := s.log.Path(s.leaf)
		for _, e := range path {
			s.weigh(s.sized, e)
		}
	}
	return max(0, s.sized.Tokens(s.frontChars())-s.freed)
}

// weigh adds an entry of the path to an estimate.
func (s *Session) weigh(g *account.Gauge, e *sessionlog.Entry) {
	if e.Sidechain || e.Notice || e.Hidden && !e.Summary {
		return
	}
	if condensedBy(e) {
		g.Restart()
	}
	if e.Type == sessionlog.Assistant {
		made, _ := model.Lookup(e.Message.Model)
		if g.Answer(e.Message.Usage, made.Window) {
			return
		}
	}
	if e.Micro != nil { // it took tokens off what the answers before it had counted
		v, _ := wire.ParseValue(e.Micro)
		n, _ := v.Get("tokensSaved").Int()
		g.Free(int(max(0, n)))
	}
	if e.Message.Text != nil {
		g.Add(e.Message.Text)
	}
	for i := range e.Message.Blocks {
		raw := e.Message.Blocks[i].Raw
		if text := s.log.Decisions.Replaced[e.Message.Blocks[i].ID]; text != nil && e.Type == sessionlog.User {
			raw = text
		}
		g.Add(raw)
	}
	for _, text := range e.Attach.Texts {
		g.Add(text)
	}
	if e.Subtype == "local_command" && e.Content != nil {
		g.Add(e.Content)
	}
}

// frontChars is how many characters a request holds before its messages, the head of the first one included.
func (s *Session) frontChars() int { return frontChars(&s.force) }

func frontChars(before *snapshot) int {
	n, _ := account.Weigh(before.tools)
	for _, part := range append([][]byte{before.head}, before.system...) {
		chars, _ := account.Weigh(part)
		n += chars
	}
	return n
}
