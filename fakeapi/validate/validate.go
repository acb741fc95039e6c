package validate

import (
	"bytes"
	"errors"
	"strconv"

	"harnessbench/internal/model"
	"harnessbench/internal/wire"
)

// Fault is one refusal.
type Fault struct {
	Rule    string // rule id, as Rules lists it
	Status  int
	Type    string // error.type
	Message string
	Details string // error.details as a JSON object, "" for none (messages-api.md 1.5)
}

// Rule describes one rule.
type Rule struct {
	ID, Area, Source, Confidence string
	Era                          string // dates or models it holds for or was seen at, never ""
	Status                       int
	Type, Text                   string // Text is the template of the message, what varies in braces
}

// Headers are what the outer checks read. Get returns the values of a header field joined by ", ";
// names are in lower case.
type Headers interface{ Get(name string) string }

var (
	notJSON = rule{id: "body.json", area: "params", source: "api-verdicts.jsonl body-not-json", confidence: "high",
		text: "The request body is not valid JSON: {detail}: line {line} column {column} (char {char})"}
	notAnObject = rule{id: "body.object", area: "params", source: "messages-api.md 2", confidence: "low",
		text: "Input should be an object"}
)

// SyntaxFault words a body that is not JSON or no object.
func SyntaxFault(err error) *Fault {
	var syntax *wire.SyntaxError
	if !errors.As(err, &syntax) {
		return notAnObject.fault()
	}
	char := syntax.Offset
	if syntax.Line == 1 {
		char = syntax.Column - 1
	}
	return notJSON.fault("detail", syntax.Msg, "line", strconv.Itoa(syntax.Line),
		"column", strconv.Itoa(syntax.Column), "char", strconv.Itoa(char))
}

// Checked is a request that passed: what a later request of the same conversation need not check again.
type Checked struct {
	Request *wire.Request
	Model   model.Model
	// NotJudged lists JSON paths of fields and blocks whose rules are not built (they passed through), sorted.
	NotJudged []string

	head head
	last *node // after the last message; nil when the conversation was not judged
	ids  idSet
	top  []byte // raw tools, whose entries need no second look while they stay
	pass []string
}

// Check validates a body. prev, which may be nil, is an earlier accepted request of the conversation
// under the same headers; messages shared with it are not walked again.
//
// req must have been parsed with prev.Request as its predecessor. One fault is reported: schema first, in
// the order of stops, then unknown members, the model, relations in the same order, and last the
// conversation (api-verdicts-notes.md 2).
func Check(prev *Checked, req *wire.Request, h Headers) (*Checked, *Fault) {
	r := &reading{req: req, walk: walk{head: readHead(h)}, order: stops}
	return r.check(prev)
}

func (r *reading) check(prev *Checked) (*Checked, *Fault) {
	req, order := r.req, r.order
	m, known := model.Lookup(req.Model())
	r.model = m
	r.resume(prev)
	if f := r.schema(order); f != nil {
		return nil, f
	}
	if !known && !r.spoilt["model"] {
		if f := unknownModel.fault("model", req.Model()); !r.spoils("model", f) {
			return nil, f
		}
	}
	if r.spoilt["model"] {
		return nil, nil // the rules behind need a model
	}
	for _, s := range order {
		if s.mean != nil && !r.spoilt[s.name] {
			if f := s.mean(r); f != nil && !r.walk.goesOn(f, 0) {
				return nil, f
			}
		}
	}
	if r.spoilt["messages"] {
		return nil, nil
	}
	if f := r.conv.verdict(); f != nil && r.walk.every == nil {
		return nil, f
	}
	r.everyOfConversation()
	if f := r.judgeContainer(); f != nil && !r.walk.goesOn(f, 0) {
		return nil, f
	}
	return r.checked(), nil
}

// reading is one request being checked.
type reading struct {
	req       *wire.Request
	model     model.Model
	walk      walk
	order     []stop
	part      bool // a continue of a thread: messages may be empty
	row       bool // of a batch
	paused    bool // the conversation ends in an assistant turn that is to be gone on with
	base      *node
	kept      *Checked // an earlier request under the same model and headers
	ids       idSet
	start     int    // first message that is not shared
	spare     []node // nodes for messages to come
	conv      conversation
	tools     []string        // not judged in tools
	sameTools bool            // they passed in an earlier request
	spoilt    map[string]bool // fields that are not well formed, when every fault is asked for
}

// firstOf is the first of several faults, in their order; when every one is asked for, they are noted.
func (r *reading) firstOf(faults ...*Fault) *Fault {
	for _, f := range faults {
		if f != nil && !r.walk.goesOn(f, 0) {
			return f
		}
	}
	return nil
}

// resume takes over what an earlier request learnt about the messages that the two share.
func (r *reading) resume(prev *Checked) {
	if prev == nil || prev.last == nil || prev.Model.ID != r.model.ID || !prev.head.equal(r.walk.head) {
		return
	}
	r.kept = prev
	shared := r.req.SharedMessages()
	at := prev.last
	for at != nil && at.index >= shared {
		at = at.prev
	}
	r.base = at
	if at != nil {
		r.start = at.index + 1
		r.ids = prev.ids.before(r.start)
	}
}

// schema judges every known field in order, then refuses the unknown members.
func (r *reading) schema(order []stop) *Fault {
	open := 0
	for i := range order {
		s := &order[i]
		v := r.req.Get(s.name)
		if !v.Exists() {
			if s.required {
				if f := missing.of(topOwner(s.name)).fault("path", s.name); !r.spoils(s.name, f) {
					return f
				}
			}
			continue
		}
		if !s.open(&r.walk.head) {
			continue
		}
		open++
		if s.null && v.IsNull() {
			continue
		}
		if f := r.judge(s, v); f != nil && !r.spoils(s.name, f) {
			return f
		}
	}
	if open == r.req.Root.Len() {
		return nil
	}
	for name := range r.req.Root.Members() {
		if !r.open(order, name) {
			if f := extra.of(topOwner("top")).fault("path", name); !r.walk.goesOn(f, 0) {
				return f
			}
		}
	}
	return nil
}

// spoils notes that a field is not well formed, when every fault is asked for, and tells whether to go on.
func (r *reading) spoils(name string, f *Fault) bool {
	if !r.walk.goesOn(f, 0) {
		return false
	}
	if r.spoilt == nil {
		r.spoilt = map[string]bool{}
	}
	r.spoilt[name] = true
	return true
}

func (r *reading) judge(s *stop, v wire.Value) *Fault {
	w := &r.walk
	w.in(s.name)
	defer func() { w.path = w.path[:0] }()
	switch {
	case s.schema != nil:
		return s.schema(r)
	case s.check == nil:
		w.pass()
		return nil
	case s.name == "tools" && r.kept != nil && bytes.Equal(r.kept.top, v.Raw()):
		r.tools, r.sameTools = r.kept.pass, true
		return nil
	}
	before := len(w.notJudged)
	f := s.check.judge(w, topOwner(s.name), v)
	if s.name == "tools" {
		r.tools = append([]string(nil), w.notJudged[before:]...)
		w.notJudged = w.notJudged[:before]
	}
	return f
}

// open tells whether a top-level member is known under the headers sent and present.
func (r *reading) open(order []stop, name string) bool {
	if !r.req.Get(name).Exists() {
		return false
	}
	for i := range order {
		if order[i].name == name {
			return order[i].open(&r.walk.head)
		}
	}
	return false
}

func (r *reading) checked() *Checked {
	c := &Checked{Request: r.req, Model: r.model, head: r.walk.head, ids: r.ids, top: r.req.Get("tools").Raw(), pass: r.tools}
	all := append(r.walk.notJudged, r.tools...)
	c.last, c.ids = r.conv.last, r.conv.ids
	all = c.last.collect(all)
	c.NotJudged = sortedUnique(all)
	return c
}
