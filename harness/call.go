package harness

import (
	"errors"
	"fmt"
	"io"
	"regexp"

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
}

// call sends the next request and assembles what comes back (H-LOOP-40 to H-LOOP-42).
func (t *turn) call() reply {
	if t.s.early {
		t.s.early = false
		return reply{interrupted: true}
	}
	t.s.sent = sent{t.s.leaf, t.volatile}
	r := t.exchange(t.s.request(t.volatile))
	if r.answer == nil {
		return r
	}
	return t.sendable(r)
}

// exchange sends one request, of the main conversation or beside it, and reads its answer.
func (t *turn) exchange(req world.Request) reply {
	resp, err := t.w.Call(req)
	switch {
	case errors.Is(err, world.ErrInterrupted):
		return reply{interrupted: true}
	case err != nil:
		return reply{reason: TransportFault, fault: fmt.Errorf("the API could not be reached: %w", err)}
	case resp.Status != 200:
		return t.refused(resp)
	}
	r := t.stream(resp.Body)
	r.requestID = field(resp.Header, "request-id")
	return r
}

// sendable refuses an answer with a tool call that cannot be told from another by its id, or that no request may hold
// (messages-api.md 2.5): it would be run twice, or keep every later request from being taken. Nothing of the answer is
// kept.
func (t *turn) sendable(r reply) reply {
	seen := map[string]bool{}
	for _, v := range r.answer.Blocks {
		if v.Get("type").Text() != "tool_use" {
			continue
		}
		id, fault := v.Get("id").Text(), error(nil)
		switch {
		case seen[id]:
			fault = fmt.Errorf("the answer has two tool calls with the id %q", id)
		case t.s.log.HasCall(id):
			fault = fmt.Errorf("the answer has a tool call with the id %q, which an earlier call of this session has", id)
		case !callID.MatchString(id):
			fault = fmt.Errorf("the answer has a tool call with the id %q, which is none: %s is wanted", id, callID)
		case v.Get("input").Kind() != '{':
			fault = fmt.Errorf("the input of tool call %s is %s, not an object", id, v.Get("input").Kind())
		}
		if fault != nil {
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
	}
	return reply{reason: APIFault, fault: e}
}

// stream reads the body to its end. Whatever fails after message_stop no longer matters (H-LOOP-44).
func (t *turn) stream(body world.Body) reply {
	var sse wire.SSE
	var asm wire.Assembler
	r := reply{answer: asm.Answer()}
	var cut error
	for {
		chunk, err := body.Next(t.w)
		for _, e := range sse.Feed(chunk) {
			if fault := asm.Event(e); fault != nil && !errors.As(fault, new(*wire.InputError)) {
				body.Close()
				return r.broken(fault)
			} else if fault != nil {
				cut = fault
			}
		}
		switch {
		case err == nil:
			continue
		case errors.Is(err, world.ErrInterrupted):
			r.interrupted = true
		case !r.answer.Complete && errors.Is(err, io.EOF):
			r = r.broken(errors.New("the stream ended before message_stop"))
		case !r.answer.Complete:
			r = r.broken(err)
		}
		break
	}
	body.Close()
	switch {
	case r.fault != nil || r.interrupted:
	case cut != nil && r.answer.StopReason != "max_tokens":
		// The limit may cut a call, which is then left out (H-LOOP-31); otherwise its input is at fault.
		r = r.broken(cut)
	case len(r.answer.Blocks) == 0:
		r = r.broken(errors.New("the answer has no content"))
	}
	return r
}

func (r reply) broken(err error) reply {
	r.reason, r.fault = StreamFault, err
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
