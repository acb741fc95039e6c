package invariant

import (
	"strings"
	"time"

	"harnessbench/conformance/trace"
	"harnessbench/internal/model"
	"harnessbench/internal/prefix"
	"harnessbench/internal/wire"
)

// reading is the judge's own view of the stream, made once for all checks: requests parsed and
// rendered over the ones before, answers assembled, log lines read.
type reading struct {
	chains   map[string]*chain
	open     map[int]*call // calls without a response yet
	breaks   int           // declared breaks so far
	moved    int           // requests so far that volatile text of the one before has left
	lives    int           // processes so far: an exit, a kill or a resume ends one
	thoughts *thoughts
	logs     *logs
	explains *explainer
	compacts *compactions
	ops      bool   // the stream tells what the user did
	place    string // where volatile text goes, "" by default (volatile.place)
}

// chain is one conversation as the API sees it.
type chain struct {
	name    string
	newest  *call // newest readable request
	conv    *conversation
	lost    bool // an answer may have been used that the stream does not hold
	foreign bool // the next request may hold thinking from before the stream
}

// call is one request to the Messages API.
type call struct {
	number, step int
	chain        *chain
	req          *wire.Request
	rendered     *prefix.Rendered
	model        model.Model
	file         *logfile      // of the session it belongs to, nil when none is known
	breaks       int           // declared breaks before it
	turn         int           // message that opened its newest turn, -1 for none
	when         time.Duration // it was sent, since the start of the run
	moves        bool          // volatile text in it is a declared break of its own
	moved        int           // requests that volatile text had left, up to this one
	apart        bool          // by its nature it does not begin as the conversation does
	loose        []loosened    // thinking in it whose binding is broken
	cached       int           // tokens that its answer reports as read from the cache or written to it, 0 for not known
	edits        string        // of the server's, that its answer reports
	leg, from    *leg          // it is part of, and goes on from; nil where it stands for itself
	tested       bool          // it holds thinking whose binding is known
}

// moment is one event with what was read from it.
type moment struct {
	trace.Event
	reading *reading
	call    *call        // of a request, or of a response to a known request
	before  *call        // request: the one before it on the chain, nil for the first
	answer  answer       // of a response
	write   *write       // of a log event
	log     *explanation // request of the main conversation, where its log is known

	tried   *attempt // request for a summary, or its response
	earlier *call    // request for a summary: the one before it in its attempt, nil for the first
	overlap bool     // request for a summary: the one before it has no answer yet
	failed  *attempt // ended with this event, without a boundary
	commit  *commit  // log event: a boundary
	during  bool     // main request: a request for a summary has no answer yet
	behind  *commit  // main request: the first behind this boundary

	condensed *condensed // response: it holds a summary that the server wrote
	resumes   *condensed // main request: the first behind a pause of the server's, in the turn that it belongs to
	fronted   bool       // main request: a summary that was asked for stands in front of it, of which the teaching profile logs nothing
	taken     bool       // main request: a summary stands in it, of which the teaching profile logs nothing
}

func newReading() *reading {
	return &reading{chains: map[string]*chain{}, open: map[int]*call{}, thoughts: newThoughts(), logs: newLogs(), explains: newExplainer(), compacts: newCompactions()}
}

// take reads one event.
func (r *reading) take(e trace.Event) *moment {
	m := &moment{Event: e, reading: r}
	switch {
	case e.Run != nil:
		r.place = e.Run.Options["volatile.place"]
	case e.Op != nil:
		r.op(e.Op)
	case e.Fault != nil && e.Fault.Name == "kill":
		r.ended()
	case e.Request != nil:
		r.request(m)
	case e.Response != nil:
		r.response(m)
	case e.Log != nil && e.Log.Given:
		r.logs.given(e.Log)
	case e.Log != nil:
		m.write = r.logs.take(e.Log)
		if m.write.frees {
			r.breaks++
		}
		for _, entry := range m.write.entries {
			if entry.declares() {
				r.breaks++
			}
		}
	case e.Leaf != nil:
		r.logs.leaf(e.Leaf)
	case e.Tool != nil:
		r.logs.tool(e.Tool, r.lives)
	}
	r.compacts.take(m)
	return m
}

func (r *reading) op(op *trace.Op) {
	r.ops = true
	if op.Breaks {
		r.breaks++
	}
	switch op.Name {
	case "set":
		if place, ok := placeOf(op.Text); ok {
			r.place = place
		}
	case "kill", "exit", "resume":
		r.ended()
	case "clear":
		r.logs.current = nil
	}
	if op.Name == "resume" && r.logs.unseen(op.Session) {
		for _, c := range r.chains { // any order: each is marked alike
			c.foreign = true
		}
	}
	r.logs.session(op.Session)
}

// ended notes that a process is gone: answers still on their way may have been used by it, to the last
// byte it read, without the stream holding them.
func (r *reading) ended() {
	r.lives++
	r.logs.orphan()
	for _, c := range r.open { // any order: each is marked alike
		c.chain.lost = true
	}
	clear(r.open)
}

func (r *reading) request(m *moment) {
	e := m.Event.Request
	if !isMessages(e.Path) {
		return
	}
	c := r.chainOf(e.Chain, e.Chain)
	req, err := c.parse(e)
	if err != nil {
		return // not a request of this API; the server refuses it
	}
	if c.warmed(req) {
		c = r.chainOf(e.Chain+" "+keepAlive, keepAlive)
		if req, err = c.parse(e); err != nil {
			return
		}
	}
	var prevRendered *prefix.Rendered
	if c.newest != nil {
		prevRendered = c.newest.rendered
	}
	mdl, known := model.Lookup(req.Model())
	if !known {
		mdl = model.Model{ID: req.Model()}
	}
	m.call = &call{number: e.Call, step: m.Step, chain: c, req: req, model: mdl, breaks: r.breaks,
		rendered: prefix.Render(prevRendered, req, mdl, prefix.Options{})}
	if c.main() {
		m.call.file = r.logs.current
	}
	m.before = c.newest
	c.conv.read(req)
	m.call.turn, m.call.when, m.call.moves = c.conv.turn, m.At, movesVolatile(mdl.Bound, r.place)
	r.move(m.call)
	m.call.apart = r.compacts.apart(m.call)
	c.newest = m.call
	for number, open := range r.open { // any order: each is marked alike
		if open.chain == c {
			c.lost = true
			delete(r.open, number)
		}
	}
	r.open[e.Call] = m.call
	r.thoughts.sent(m.call)
	m.call.loose, m.call.tested = r.thoughts.loose(m.call, r.told())
	if c.main() && r.logs.written {
		m.log = r.explains.explain(m.call, r.logs, r.lives)
	}
}

// move counts a request that volatile text has left. One beside the conversation is compared with that, and counts for itself.
func (r *reading) move(c *call) {
	before := c.chain.newest
	if c.chain.alone() {
		before = nil
		for _, name := range [...]string{"main", ""} {
			if main := r.chains[name]; main != nil && before == nil {
				before = main.newest
			}
		}
	}
	c.moved = r.moved
	if leaves(before, c) {
		c.moved++
	}
	if !c.chain.alone() {
		r.moved = c.moved
	}
}

// told tells whether the stream says what breaks a prefix: what the user did, and what the layers do by themselves, of which
// those of the teaching profile log nothing.
func (r *reading) told() bool { return r.ops && r.compacts.options["profile"] != "teaching" }

// chainOf is the chain that the stream knows under a key, made when it is new.
func (r *reading) chainOf(key, name string) *chain {
	c := r.chains[key]
	if c == nil {
		c = &chain{name: name, conv: newConversation(), foreign: true}
		r.chains[key] = c
	}
	return c
}

// parse reads a request over the one before it on the chain.
func (c *chain) parse(e *trace.Request) (*wire.Request, error) {
	if c.newest == nil {
		return wire.Parse(nil, judged(e))
	}
	return wire.Parse(c.newest.req, judged(e))
}

// main tells the conversation the session log records. A stream that names no chains has one.
func (c *chain) main() bool { return c.name == "main" || c.name == "" }

// alone tells a chain whose requests stand each for itself: questions aside, summaries, auxiliary calls, and what is
// sent for the cache alone.
func (c *chain) alone() bool {
	return c.name == "aux" || c.name == "btw" || c.name == "compact" || c.name == keepAlive
}

// isMessages tells the endpoint that is judged from its neighbours (counting, batches).
func isMessages(path string) bool {
	path, _, _ = strings.Cut(path, "?")
	return path == "" || strings.HasSuffix(path, "/messages")
}

func (r *reading) response(m *moment) {
	e := m.Event.Response
	c := r.open[e.Call]
	if c == nil {
		return
	}
	delete(r.open, e.Call)
	m.call, m.answer = c, assemble(e)
	c.edits = m.answer.edits
	if c.cached = stored(m.answer); c.cached > c.rendered.Total*3/2 {
		c.cached = 0 // no count of this prompt
	}
	r.thoughts.issue(c, m.answer)
}
