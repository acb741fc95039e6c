package harness

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"harnessbench/harness/inject"
	"harnessbench/harness/rebuild"
	"harnessbench/harness/sessionlog"
	"harnessbench/harness/world"
)

// sent is how far the path went in the last main request, its reply included once that is complete and asks for no
// tool; and the request's volatile text.
type sent struct {
	leaf     string
	volatile rebuild.Volatile
	bare     bool // its loop does not begin with thinking, so that it switched thinking off
}

// frontBeside is what stands before the messages of a request that goes on from the conversation without being part of it:
// the settings of the last main request, whose cache it reads (H-CMP-46, H-CMD-63, CACHE-6).
func (s *Session) frontBeside() rebuild.Front {
	f := s.front()
	if s.sent.bare {
		f.Thinking = []byte(withoutThinking)
	}
	return f
}

// reply takes in the reply that was logged up to leaf.
func (s *sent) reply(r reply, leaf string) {
	if r.answer == nil || r.fault != nil || !r.answer.Complete || r.answer.StopReason == "pause_turn" {
		return
	}
	for _, b := range r.answer.Blocks {
		if b.Get("type").Text() == "tool_use" {
			return
		}
	}
	s.leaf = leaf
}

// replayed is how many exchanges of /btw a further one carries along (H-CMD-64).
const replayed = 20

// Btw asks a question beside the conversation: one request that nothing remembers but this process (/btw, H-CMD-60 to
// H-CMD-64). Nothing is logged. It may be asked while a turn runs, from another fiber, and does not disturb it. It
// gives the text of the answer.
func (s *Session) Btw(w world.World, question string) (string, error) {
	switch {
	case s.closed:
		return "", errors.New("btw: the session is closed")
	case strings.TrimSpace(question) == "":
		return "", errors.New("btw: the question is empty")
	}
	if err := s.freeze(w); err != nil {
		return "", err
	}
	about := s.sent
	history, leaf := s.concluded(about.leaf)
	about.leaf = leaf
	body, err := s.goingOn(history, about.volatile, s.asked, inject.SideQuestion(), question)
	if err != nil {
		return "", fmt.Errorf("btw: %w", err)
	}
	t := turn{s: s, w: w}
	r := t.exchange(s.beside("btw", body))
	answer, err := textOf(r)
	if err != nil {
		return "", fmt.Errorf("btw: %w", err)
	}
	s.asked = append(s.asked, rebuild.Exchange{Question: question, Answer: answer})
	s.asked = s.asked[max(0, len(s.asked)-replayed):]
	s.aside = &kept{about.leaf, question, answer, r.answer.ID, r.answer.Model, r.requestID, usageOf(r.answer)}
	return answer, nil
}

// goingOn is the body of a request beside the conversation, about a history of it.
func (s *Session) goingOn(history *rebuild.Conversation, v rebuild.Volatile, earlier []rebuild.Exchange, texts ...string) ([]byte, error) {
	if s.taught() {
		return s.taughtAside(s.frontBeside(), history, v, earlier, texts...)
	}
	if len(v.Blocks) == 0 {
		history.EndTurn()
	}
	return history.Aside(s.frontBeside(), v, earlier, texts...), nil
}

// KeepBtw makes the newest exchange of /btw permanent: a new session holds the conversation as it was asked about, and
// the question and its answer behind it as real history (`f`, H-CMD-65). This session is not touched and goes on.
func (s *Session) KeepBtw(w world.World) error {
	switch {
	case s.closed:
		return errors.New("btw: the session is closed")
	case s.aside == nil:
		return errors.New("btw: there is no answer to keep")
	}
	c, err := s.copyOf(w, s.aside.leaf, "", s.aside.entries(s.Mode()))
	if err != nil {
		return err
	}
	return c.write(w, s)
}

// kept is the newest exchange of /btw, with what it takes to make history of it.
type kept struct {
	leaf             string // end of the conversation it was asked about
	question, answer string
	id, model        string // of the answer
	requestID        string
	usage            []byte
}

// entries are the exchange as a prompt and its answer. The answer's thinking is not part of it: it was made behind the
// harness's note to the question, which is not kept.
func (k *kept) entries(mode string) []*sessionlog.Entry {
	return []*sessionlog.Entry{
		{Type: sessionlog.User, Typed: true, Mode: mode, Message: sessionlog.Message{Text: sessionlog.Quote(k.question)}},
		{Type: sessionlog.Assistant, RequestID: k.requestID, Message: sessionlog.Message{
			ID: k.id, Model: k.model, Usage: k.usage, StopReason: "end_turn",
			Blocks: []sessionlog.Block{{Raw: rebuild.TextBlock(k.answer), Type: "text"}},
		}},
	}
}

// ForgetBtw ends the replay of earlier questions (`x`, H-CMD-64).
func (s *Session) ForgetBtw() { s.asked, s.aside = nil, nil }

// concluded is the conversation of the path that ends at an entry, and its end. A reply that waits for results of its
// calls, as a process that died leaves it, is no part of it (H-CMD-60).
func (s *Session) concluded(leaf string) (*rebuild.Conversation, string) {
	path, _ := s.log.Path(leaf)
	c := rebuild.Of(path, s.options(s.log))
	open := c.Unanswered()
	if len(open) == 0 {
		return c, leaf
	}
	asks := func(b sessionlog.Block) bool { return b.Type == "tool_use" && b.ID == open[0] }
	at := len(path) - 1
	for at > 0 && !slices.ContainsFunc(path[at].Message.Blocks, asks) {
		at--
	}
	for id := path[at].Message.ID; at > 0 && path[at-1].Type == sessionlog.Assistant && path[at-1].Message.ID == id; {
		at--
	}
	leaf = ""
	if at > 0 {
		leaf = path[at-1].UUID
	}
	return rebuild.Of(path[:at], s.options(s.log)), leaf
}

// beside is a request that is none of the main conversation.
func (s *Session) beside(chain string, body []byte) world.Request {
	return world.Request{Method: "POST", Path: "/v1/messages", Header: s.header(), Body: body, Chain: chain}
}

// textOf is the text of an answer to a request beside the conversation. Tool calls in it are ignored (H-CMD-62,
// H-CMP-46); without any text it is an error.
func textOf(r reply) (string, error) {
	switch {
	case r.interrupted:
		return "", world.ErrInterrupted
	case r.fault != nil:
		return "", r.fault
	}
	var texts []string
	for _, b := range r.answer.Blocks {
		if b.Get("type").Text() == "text" && !sessionlog.BlankText(b.Get("text").Raw()) {
			texts = append(texts, b.Get("text").Text())
		}
	}
	if len(texts) == 0 {
		return "", errors.New("the answer has no text")
	}
	return strings.Join(texts, "\n\n"), nil
}
