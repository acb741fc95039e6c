package harness

import (
	"errors"
	"fmt"
	"io"
	"regexp"
	"time"

	"harnessbench/harness/account"
	"harnessbench/harness/sessionlog"
	"harnessbench/harness/world"
	"harnessbench/internal/wire"
)

// reply is what came of one call.
type reply struct {
	answer      *wire.Answer // nil when no answer began
	requestID   string
	interrupted bool
	reason      string // of an Outcome, with fault
	fault       error
	lasting     bool          // the same request would meet the fault again
	hollow      bool          // the fault is a whole answer without content
	wait        time.Duration // what the server asks to wait before the next try, 0 for nothing
}

// call sends the next request of the turn and assembles what comes back (H-LOOP-40 to H-LOOP-42). An answer that met
// the first output limit, and one refused by a model that has a fallback, are dropped and asked for again (H-LOOP-31,
// H-LOOP-33).
func (t *turn) call() (reply, error) {
	if t.s.early {
		t.s.early = false
		return reply{interrupted: true}, nil
	}
	for {
		r, err := t.attempts()
		switch {
		case err != nil:
			return r, err
		case r.answer == nil:
			return r, nil
		case r.interrupted, r.fault != nil, len(t.begun) > 0:
			return t.sendable(r), nil
		case r.answer.StopReason == stopMaxTokens && t.escalate():
			t.discard(r)
		case r.answer.StopReason == stopRefusal && t.canFallBack():
			t.discard(r)
			if err := t.fallBack(); err != nil {
				return reply{}, err
			}
		default:
			return t.sendable(r), nil
		}
	}
}

// next is the turn's next request.
func (t *turn) next() world.Request {
	t.s.sent = sent{leaf: t.s.leaf, volatile: t.volatile}
	f := t.s.front()
	f.MaxTokens = outputLimit(t.limit, t.s.model)
	if f.Edits != nil {
		f.Edits.CompactAt = t.compactAt()
	}
	if t.s.model.ThinkingAdaptive != "yes" && t.s.budgeted() && t.s.bareLoop() {
		t.s.sent.bare, f.Thinking = true, []byte(withoutThinking) // with a budget the loop must begin with thinking (messages-api.md 6.5)
	}
	return t.s.request(f, t.volatile)
}

// exchange sends one request, of the main conversation or beside it, and reads its answer.
func (t *turn) exchange(req world.Request) reply {
	from := t.w.Now()
	r := t.answer(req)
	t.s.ledger.Took(from, t.w.Now())
	if r.answer != nil {
		t.s.warmed = from
	}
	if req.Chain != mainChain && r.answer != nil { // no entry of the log will hold it
		t.s.ledger.Call(account.Main, r.answer.Model, r.answer.Usage.Raw)
	}
	return r
}

func (t *turn) answer(req world.Request) reply {
	sent := t.w.Now()
	t.s.sending(sent, req)
	req.Patience = transportIdle
	resp, err := t.w.Call(req)
	switch {
	case errors.Is(err, world.ErrInterrupted):
		return reply{interrupted: true}
	case err != nil:
		fault := fmt.Errorf("the API could not be reached: %w", silence(err))
		return reply{reason: TransportFault, fault: fault, lasting: errors.Is(err, world.ErrPermanent)}
	case resp.Status != 200:
		return t.refused(resp)
	}
	r := t.stream(resp.Body, &watchdog{fed: sent})
	r.requestID = field(resp.Header, "request-id")
	t.s.cached(req.Chain, resp, r)
	return r
}

// sendable refuses an answer with a tool call that cannot be told from another by its id, or that no request may hold
// (messages-api.md 2.5): it would be run twice, or keep every later request from being taken. Nothing of the answer is
// kept.
func (t *turn) sendable(r reply) reply {
	t.s.distinguish(r.answer)
	seen := map[string]bool{}
	for _, v := range r.answer.Blocks {
		if v.Get("type").Text() != "tool_use" {
			continue
		}
		id := v.Get("id").Text()
		fault := t.s.callFault(v)
		if seen[id] {
			fault = fmt.Errorf("the answer has two tool calls with the id %q", id)
		}
		if fault != nil {
			for _, early := range t.begun {
				early.stop(t.w)
			}
			r.answer = nil
			if !r.interrupted && r.fault == nil {
				r = r.broken(fault)
			}
			return r
		}
		seen[id] = true
	}
	return r
}

// distinguish gives calls new ids where an earlier call of the session has theirs, as of a gateway that numbers the calls
// of each round anew: log and requests then hold each id once. What thinking was made behind is left as it came, for a
// model may check that.
func (s *Session) distinguish(a *wire.Answer) {
	taken := map[string]bool{}
	for _, v := range a.Blocks {
		taken[v.Get("id").Text()] = true
	}
	for i := len(a.Blocks) - 1; i >= 0; i-- {
		v := a.Blocks[i]
		switch v.Get("type").Text() {
		case "thinking", "redacted_thinking":
			return
		case "tool_use":
		default:
			continue
		}
		old := v.Get("id").Text()
		if !s.log.HasCall(old) {
			continue
		}
		id := old
		for n := 2; s.log.HasCall(id) || taken[id]; n++ {
			id = fmt.Sprintf("%s_%d", old, n)
		}
		named, err := wire.ParseValue(wire.Apply(v.Raw(), wire.SetMember(v, "id", sessionlog.Quote(id))))
		if err == nil {
			a.Blocks[i], taken[id] = named, true
		}
	}
}

// callFault says what keeps a call from being run and sent back, nil for nothing.
func (s *Session) callFault(v wire.Value) error {
	switch id := v.Get("id").Text(); {
	case s.log.HasCall(id):
		return fmt.Errorf("the answer has a tool call with the id %q, which an earlier call of this session has", id)
	case !callID.MatchString(id):
		return fmt.Errorf("the answer has a tool call with the id %q, which is none: %s is wanted", id, callID)
	case v.Get("input").Kind() != '{':
		return fmt.Errorf("the input of tool call %s is %s, not an object", id, v.Get("input").Kind())
	}
	return nil
}

// callID is the form of tool call ids.
var callID = regexp.MustCompile(`^[a-zA-Z0-9_-]+$`)

// refused reads an error answer.
func (t *turn) refused(resp world.Response) reply {
	var body []byte
	for {
		chunk, err := resp.Body.Next(t.w)
		body = append(body, chunk...)
		if errors.Is(err, world.ErrInterrupted) {
			resp.Body.Close()
			return reply{interrupted: true}
		}
		if err != nil {
			break
		}
	}
	resp.Body.Close()
	e := &APIError{Status: resp.Status}
	var ok bool
	if e.Type, e.Message, ok = wire.APIError(body); !ok {
		e.Type, e.Message = "no_error_object", string(body[:min(len(body), 200)])
	} else if v, err := wire.ParseValue(body); err == nil {
		e.Code = v.Get("error").Get("details").Get("error_code").Text()
	}
	r := reply{reason: APIFault, fault: e, lasting: e.lasting(), wait: asked(field(resp.Header, "retry-after"), t.w.Now())}
	if tooLong(e) {
		r.reason = PromptTooLong
	}
	return r
}

// stream reads the body to its end (H-LOOP-40, H-LOOP-41), or until it brought nothing for too long. Whatever fails
// after message_stop no longer matters (H-LOOP-44).
func (t *turn) stream(body world.Body, dog *watchdog) reply {
	var sse wire.SSE
	var asm wire.Assembler
	r := reply{answer: asm.Answer()}
	t.looked, t.held = 0, false
	var cut error
	for {
		chunk, err := body.Next(t.w)
		for _, e := range sse.Feed(chunk) {
			fault := asm.Event(e)
			dog.heard(e, t.w.Now())
			if t.main {
				t.s.listener().Streamed(e.Data)
			}
			if fault != nil && !errors.As(fault, new(*wire.InputError)) {
				body.Close()
				return r.broken(fault)
			} else if fault != nil {
				cut = fault
			}
			t.eager(r.answer)
		}
		switch fault := dog.fault(t.w.Now()); {
		case err == nil && (fault == nil || r.answer.Complete):
			continue
		case err == nil:
			r = r.broken(fault)
		case errors.Is(err, world.ErrInterrupted):
			r.interrupted = true
		case !r.answer.Complete && errors.Is(err, io.EOF):
			r = r.broken(errors.New("the stream ended before message_stop"))
		case !r.answer.Complete:
			r = r.broken(silence(err))
		}
		break
	}
	body.Close()
	switch {
	case r.fault != nil || r.interrupted:
	case cut != nil && !cutShort(r.answer.StopReason):
		// The limit may cut a call, which is then left out (H-LOOP-31); otherwise its input is at fault.
		r = r.broken(cut)
	case len(r.answer.Blocks) == 0 && !cutShort(r.answer.StopReason) && r.answer.StopReason != stopRefusal:
		r = r.broken(errors.New("the answer has no content"))
		r.hollow = true
	}
	return r
}

func (r reply) broken(err error) reply {
	r.reason, r.fault, r.lasting = StreamFault, err, lastingInStream(err)
	return r
}

func field(header []world.Field, name string) string {
	for _, f := range header {
		if f.Name == name {
			return f.Value
		}
	}
	return ""
}
