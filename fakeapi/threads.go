package fakeapi

import (
	"time"

	"harnessbench/fakeapi/thread"
	"harnessbench/fakeapi/validate"
	"harnessbench/internal/wire"
)

// threaded is what a request has to do with a thread (messages-api.md 2.10); the zero value is nothing.
type threaded struct {
	on       bool
	scope    string
	previous *thread.Kept // that it continues, nil for a create
	count    int          // of messages that were kept
	resumes  bool         // it brings no message: it goes on with a paused turn
	kept     *thread.Kept // what its own answer left
}

// threadBody opens the thread of a request and returns the body to judge: the one sent, or the whole conversation
// of a continue.
func (x *exchange) threadBody(body []byte) ([]byte, *validate.Fault) {
	if !x.head.beta(validate.ThreadBeta) {
		return body, nil // the field is unknown then
	}
	req, err := wire.ParseWhole(nil, body)
	if err != nil {
		return nil, validate.SyntaxFault(err)
	}
	kind, id := validate.Thread(req, x.head)
	if kind != "create" && kind != "continue" {
		return body, nil // none, or one that the schema refuses
	}
	continues := kind == "continue"
	if fault := validate.CheckPart(req, x.head); fault != nil {
		return nil, fault
	}
	if x.s.opt.ThreadsUnsupported {
		return nil, validate.ThreadAccount(nil)
	}
	if fault := x.s.threads.Refuse(req, continues); fault != nil {
		return nil, fault
	}
	x.thread = threaded{on: true, scope: x.account.scope()}
	if !continues {
		return body, nil
	}
	return x.rebuild(req, id)
}

// rebuild puts a continue together with the conversation it goes on from.
func (x *exchange) rebuild(req *wire.Request, id string) ([]byte, *validate.Fault) {
	k, fault := x.s.threads.Find(x.now, x.thread.scope, id)
	if fault != nil {
		return nil, fault
	}
	if fault := x.s.threads.Agrees(k, req); fault != nil {
		return nil, fault
	}
	x.thread.previous = k
	x.thread.resumes = req.MessageCount() == 0
	if x.thread.resumes && !k.Paused() {
		return nil, validate.ThreadNothingPaused()
	}
	whole, count := k.Whole(req)
	x.thread.count = count
	x.view.Effective = string(whole)
	return whole, nil
}

// keepThread stores the answer of a request that asked for it, from the end of its generation on.
func (x *exchange) keepThread(a *answer) {
	if !x.thread.on || !x.s.threads.Keeps(a.stop) {
		return
	}
	reply := []byte{'['}
	for i, b := range a.blocks {
		if i > 0 {
			reply = append(reply, ',')
		}
		reply = b.json(reply)
	}
	x.thread.kept = x.s.threads.Answered(x.thread.scope, x.req, x.thread.previous, append(reply, ']'), a.stop == "pause_turn")
	x.s.threads.Keep(x.thread.kept, x.thread.previous, a.id, x.at(a.firstByte+time.Duration(a.usage.Output)*PerToken))
}

// sentPath is a text in which paths index the messages that were sent.
func (x *exchange) sentPath(text string) string { return thread.Sent(text, x.thread.count) }
