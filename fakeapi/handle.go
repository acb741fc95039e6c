package fakeapi

import (
	"fmt"
	"time"

	"harnessbench/fakeapi/promptcache"
	"harnessbench/fakeapi/script"
	"harnessbench/fakeapi/thinking"
	"harnessbench/fakeapi/validate"
	"harnessbench/internal/model"
	"harnessbench/internal/prefix"
	"harnessbench/internal/wire"
)

// exchange is one request on its way through the server.
type exchange struct {
	s    *Server
	now  time.Time
	head headers
	id   string
	view View

	account *account

	atOnce  bool
	counts  bool // count_tokens
	speed   float64
	known   bool   // the key was taken
	allow   string // the method that would have been right
	thread  threaded
	context managed

	req      *wire.Request
	model    model.Model
	mode     mode
	rendered *prefix.Rendered
	verified *thinking.Verified
	look     *promptcache.Look

	hops  []hop         // its fallbacks
	ahead []block       // what models before this one said in the same answer
	late  time.Duration // how far into the answer this one begins

	batched bool // a row of a batch
}

// messages is POST /v1/messages: the checks in the order of messages-api.md 1.5, then the answer.
func (x *exchange) messages(body []byte) Response {
	body, fault := x.threadBody(body)
	if fault != nil {
		return x.refuse(fault)
	}
	check := validate.Check
	if x.thread.resumes {
		check = validate.CheckResumed
	}
	a, fault := x.sample(body, check)
	if fault != nil {
		return x.refuse(fault)
	}
	server, a, fault := x.fallBack(a, check)
	if fault != nil {
		return x.refuse(fault)
	}
	x.diagnose(a)
	if server == x {
		x.keepThread(a)
	} else { // no thread is kept of what another model said (messages-api.md 2.10)
		x.view.ServedBy = server.model.ID
	}
	x.fillView(a)
	server.view = x.view
	resp := a.respond(server)
	resp.thread = x.thread
	return resp
}

// sample answers a body by the model it names: checks, cache and what the script says.
func (x *exchange) sample(body []byte, by check) (*answer, *validate.Fault) {
	t, prev, fault := x.accept(body, by)
	if fault != nil {
		return nil, fault
	}
	if x.hops, fault = x.readHops(by); fault != nil {
		return nil, fault
	}
	if fault := x.tooLong(); fault != nil {
		return nil, fault
	}
	said, fault := x.choose()
	if fault != nil {
		return nil, fault
	}
	x.look = x.s.cache.Look(x.now, x.account.scope(), x.rendered, prev.path())
	x.context.chain = bind(x.context.chain, x.ahead)
	a := x.answer(said)
	t.rendered, t.verified, t.base = x.context.bound, x.verified, x.context.base
	t.cached = x.look.Commit(x.id, x.at(x.late+a.firstByte))
	x.serverSteps(a)
	x.s.recent.keep(prev, t)
	return a, nil
}

// check is the rules of an endpoint.
type check func(prev *validate.Checked, req *wire.Request, h validate.Headers) (*validate.Checked, *validate.Fault)

// accept parses, checks and renders a body, from the kept request that it continues, if any.
func (x *exchange) accept(body []byte, by check) (t, prev *turn, fault *validate.Fault) {
	t = &turn{trace: traceOf(body, x.head, x.account.scope())}
	prev = x.s.recent.find(t.trace, body)
	req, err := wire.ParseWhole(prev.request(), body)
	if err != nil {
		return nil, nil, validate.SyntaxFault(err)
	}
	x.req = req
	if t.checked, fault = by(prev.accepted(), req, x.head); fault != nil {
		return nil, nil, fault
	}
	x.model = t.checked.Model
	x.view.Model, x.view.NotJudged = x.model.ID, t.checked.NotJudged
	if x.s.retired(x.model, x.now) {
		return nil, nil, validate.Told(RuleRetired, "model", req.Model())
	}
	x.mode = modeOf(x.model, req, x.head)
	return t, prev, x.render(prev)
}

// at is the moment at which what lies so far into the answer has left.
func (x *exchange) at(after time.Duration) time.Time {
	switch {
	case x.atOnce:
		return x.now
	case x.speed > 0:
		return x.now.Add(time.Duration(float64(after) / x.speed))
	}
	return x.now.Add(after)
}

// render renders the prompt and checks the thinking in it; blocks that a check drops are left out.
func (x *exchange) render(prev *turn) *validate.Fault {
	if fault := x.manual(); fault != nil {
		return fault
	}
	policy := x.bindingPolicy()
	opt, fault := x.takeUp(prev)
	if fault != nil {
		return fault
	}
	v, fault := x.account.signer.Verify(prev.thinking(), x.rendered.Request.SharedMessages(), x.rendered, policy)
	if fault != nil {
		fault.Message = x.context.base.Named(fault.Message)
		return fault
	}
	x.verified = v
	dropped := map[prefix.Place]string{}
	for _, t := range v.Transformations() {
		if !t.Allowed {
			dropped[prefix.Place{Message: t.Message, Index: t.Index}] = t.Reason
		}
	}
	if len(dropped) > 0 {
		opt.Dropped = dropped
		x.rendered = prefix.Render(x.rendered, x.rendered.Request, x.model, opt)
	}
	x.mode.lose(x.rendered)
	x.edit(opt)
	x.view.Total = x.rendered.Total
	if n := x.rendered.Blocks.Len(); n > 0 {
		x.view.Positions = x.rendered.Blocks.At(n-1).Pos + 1
	}
	return nil
}

// choose takes the answer from the script.
func (x *exchange) choose() (script.Answer, *validate.Fault) {
	if most, ok := x.req.Get("max_tokens").Int(); ok && most == 0 {
		return script.Answer{StopReason: "max_tokens"}, nil // prewarming (messages-api.md 5.9)
	}
	if x.s.player.Empty() {
		return script.Answer{Blocks: []script.Block{{Kind: "text", Text: FixedText}}}, nil
	}
	ask := x.s.player.Answer
	if x.late > 0 {
		ask = x.s.player.Retry
	}
	said, miss := ask(x.req)
	if miss != nil && validate.Compacts(x.req) {
		return script.Answer{}, nil // a summary is written without one
	}
	if miss != nil {
		return said, noAnswer(miss)
	}
	for _, b := range said.Blocks {
		if b.Kind == "tool_use" && !x.offers(b.Name) {
			return said, scriptFault(fmt.Sprintf("the script calls the tool %q here, but the request does not offer it", b.Name))
		}
	}
	return said, nil
}

// offers tells whether the request lets the model call a tool.
func (x *exchange) offers(name string) bool {
	if x.req.Get("tool_choice").Get("type").Text() == "none" {
		return false
	}
	for _, t := range x.req.Get("tools").Elems() {
		if t.Get("name").Text() == name {
			return true
		}
	}
	return false
}

// noAnswer words a request that the script did not foresee, so that nobody takes it for a rule of the API.
func noAnswer(m *script.Miss) *validate.Fault {
	if m.Expectation {
		return &validate.Fault{Rule: RuleExpectation, Status: 400, Type: typeInvalid, Message: "bench script: " + m.Problem}
	}
	if m.Problem != "" {
		return scriptFault(m.Problem)
	}
	if m.Prompt != "" {
		return scriptFault(fmt.Sprintf("the script's turn %q has no answer number %d", clip(m.Prompt), m.Answer))
	}
	return scriptFault(fmt.Sprintf("no turn of the script matches the newest user text %q (answer number %d)", clip(m.Newest), m.Answer))
}

func scriptFault(message string) *validate.Fault {
	return &validate.Fault{Rule: RuleNoAnswer, Status: 400, Type: typeInvalid, Message: "bench script: " + message}
}

// clip cuts a text to 60 characters.
func clip(s string) string {
	r := []rune(s)
	if len(r) > 60 {
		return string(r[:60]) + "..."
	}
	return s
}
