package fakeapi

import (
	"strings"
	"time"

	"harnessbench/fakeapi/fault"
	"harnessbench/fakeapi/validate"
	"harnessbench/internal/wire"
)

// RuleExpectation is the view's rule of a request that a rule of the script took and expected to be otherwise.
const RuleExpectation = "script-expectation"

// RuleFault is the view's rule of an error answer that a fault on demand made.
const RuleFault = "fault"

// Struck is a fault that met a call: what it does and where in the answer.
type Struck struct {
	Name string `json:"name"`
	At   string `json:"at"`
	// Missed: the answer had no such place, and went out as it was.
	Missed bool `json:"missed,omitempty"`
}

// Pause is a wait directly before a frame of an answer, by index, that belongs to a fault; a front that sends
// without regard to times keeps it nevertheless. The times of the frames hold it already.
type Pause struct {
	Frame int
	For   time.Duration
}

// Handle answers one request that arrives at a time. The same calls in the same order give the same bytes.
func (s *Server) Handle(now time.Time, req Request) Response {
	path, _, _ := strings.Cut(req.Path, "?")
	if len(s.opt.Faults) == 0 || req.Method != "POST" || path != "/v1/messages" {
		return s.handle(now, req)
	}
	due := s.faults.Due(s.describe(req.Body))
	for _, f := range due {
		if f.Unprocessed() {
			return s.strike(s.unprocessed(now, f), f)
		}
	}
	resp := s.handle(now, req)
	for _, f := range due {
		if f.Twice() {
			s.player.Undo() // both runs say the same
			resp = s.handle(now, req)
		}
	}
	for _, f := range due {
		resp = s.strike(resp, f)
	}
	s.unkeep(resp)
	if failsAtOnce(resp) {
		s.cache.Forget(resp.View.RequestID)
	}
	s.faults.Saw(answerOf(resp))
	return resp
}

// describe is what faults are matched to. A body that is no request matches no turn, model or text.
func (s *Server) describe(body []byte) fault.Call {
	req, err := wire.Parse(nil, body)
	if err != nil {
		return fault.Call{}
	}
	turn, text := s.player.Turn(req)
	return fault.Call{Turn: turn, Model: req.Model(), Text: text}
}

// unprocessed is the error answer of a fault before the machine, or nothing.
func (s *Server) unprocessed(now time.Time, f fault.Fault) Response {
	x := &exchange{s: s, now: now, id: s.ids.timed("req_", now), known: true, account: s.home}
	x.view.RequestID = x.id
	r, ok := f.Refusal(now)
	if !ok {
		return Response{View: x.view}
	}
	resp := x.refuse(&validate.Fault{Rule: RuleFault, Status: r.Status, Type: r.Type, Message: r.Message})
	if r.Details != "" {
		body := quote([]byte(`{"type":"error","error":{"type":`), r.Type)
		body = quote(append(body, `,"message":`...), r.Message)
		body = quote(append(body, `,"details":{"error_code":`...), r.Details)
		body = append(quote(append(body, `}},"request_id":`...), x.id), '}')
		resp.Frames[0].Data = body
	}
	if r.ContentType != "" {
		resp.Frames[0].Data = []byte(r.Body)
		resp.Header[0].Value = r.ContentType
	}
	if r.Foreign {
		resp.Header = resp.Header[:1:1]
	}
	var header []Field // what says when to come back is the fault's alone
	for _, h := range resp.Header {
		if h.Name != "retry-after" && (h.Name != "x-should-retry" || f.ShouldRetry == "") {
			header = append(header, h)
		}
	}
	for _, h := range r.Header {
		header = append(header, Field(h))
	}
	resp.Header = header
	return resp
}

// strike applies one fault and writes it down.
func (s *Server) strike(resp Response, f fault.Fault) Response {
	if resp.Status >= 400 && resp.View.Rule != RuleFault { // refused before anything could happen to its answer
		s.note(&resp, Struck{Name: f.Do, At: f.Place(), Missed: true})
		return resp
	}
	if resp.View.Rule == RuleFault {
		s.note(&resp, Struck{Name: f.Do, At: f.Place()})
		return resp
	}
	out, ok := s.faults.Strike(f, answerOf(resp))
	s.note(&resp, Struck{Name: f.Do, At: f.Place(), Missed: !ok})
	if !ok {
		return resp
	}
	if !f.Delivers() && !f.Unprocessed() {
		s.player.Undo() // who asks again gets the same answer
	}
	resp.Status, resp.Broken = out.Status, out.Broken
	resp.Header, resp.Frames, resp.Pauses = nil, nil, nil
	for _, h := range out.Header {
		resp.Header = append(resp.Header, Field(h))
	}
	for _, fr := range out.Frames {
		resp.Frames = append(resp.Frames, Frame(fr))
	}
	for _, p := range out.Pauses {
		resp.Pauses = append(resp.Pauses, Pause(p))
	}
	return resp
}

func answerOf(resp Response) fault.Answer {
	a := fault.Answer{Status: resp.Status, Broken: resp.Broken}
	for _, h := range resp.Header {
		a.Header = append(a.Header, fault.Field(h))
	}
	for _, fr := range resp.Frames {
		a.Frames = append(a.Frames, fault.Frame(fr))
	}
	for _, p := range resp.Pauses {
		a.Pauses = append(a.Pauses, fault.Pause(p))
	}
	return a
}

// maxStruck bounds what nobody asks for.
const maxStruck = 1 << 10

func (s *Server) note(resp *Response, f Struck) {
	resp.View.Faults = append(resp.View.Faults, f)
	if len(s.struck) < maxStruck {
		s.struck = append(s.struck, f)
	}
}

// TakeStruck lists the faults that met calls since it was last asked, in order.
func (s *Server) TakeStruck() []Struck {
	out := s.struck
	s.struck = nil
	return out
}
