package invariant

import (
	"bytes"
	"slices"
	"strings"
	"time"

	"harnessbench/conformance/trace"
	"harnessbench/internal/prefix"
	"harnessbench/internal/tokens"
	"harnessbench/internal/wire"
)

// What asked for a compaction, as the stream shows it.
const (
	byUser   = "manual"   // a command of the user's
	byItself = "auto"     // nothing: the conversation had become long
	byRefuse = "reactive" // a main request was refused as too long
	byModel  = "called"   // a call of the tool that compacts
)

// compactions follows how summaries take the place of the conversation: what asks for one, the requests for it, the
// boundary in the log, and the main conversation around them.
type compactions struct {
	options map[string]string
	op      string // operation under way, without what the user does beside it
	turn    int    // operations that opened a turn, so far

	base     *call   // newest accepted main request
	size     int     // tokens of its prompt and answer as the server reported them, 0 when that says nothing of the next
	added    int     // bytes logged behind its answer
	weight   float64 // the same bytes in tokens, as the server would count them in a prompt
	images   int     // among them
	accepted int     // main answers so far
	shifted  bool    // since base something else than a compaction declared a break
	refused  bool    // the newest main request was refused as too long
	called   bool    // the newest main answer calls the tool that compacts
	cut      bool    // the newest main answer was cut at max_tokens
	paused   bool    // the newest main answer waits for a call of the server's, and nothing else was begun since
	prompt   *entry
	first    *entry   // typed in the turn under way, nil when that is not known
	past     *measure // before another process or model took the conversation over, nil for not known
	words    bool     // a text was typed ahead that may be a command
	open     *attempt
	asked    *attempt // newest of the operation under way
	due      *commit  // no main request has followed it yet
	server   condensing
}

// attempt is one try to get a summary: its requests, until the boundary stands in the log or something shows that none
// will come.
type attempt struct {
	trigger  string
	step     int
	first    *call
	said     map[prefix.Hash]bool // blocks of its first request
	newest   *call
	refused  *call // newest, when it was refused as too long
	requests int
	tooLong  int  // requests refused as too long
	lasting  int  // requests refused with an error that stays, these included
	waits    bool // newest has no answer yet
	answered bool // newest was accepted
	aborted  bool
	used     bool   // a boundary came of it
	answer   string // text of the newest answer
	ended    time.Duration
}

// commit is a boundary as it was logged.
type commit struct {
	file     *logfile
	boundary *entry
	trigger  string
	attempt  *attempt // nil when no request for it was seen
	bare     bool     // no request of the operation can be what it came of
	paused   bool     // the newest answer waits for a call of the server's
	path     []*entry // what it was made of, root first
	sent     []*entry // of that, what was sent
	stays    []*entry // of that, what the boundary keeps and is sent behind it
	kept     map[string]bool
	prompt   *entry // typed last, nil when that is not known
	base     *call
	size     int // as of base
	added    int // bytes logged behind base
	weight   float64
	accepted int
	turn     int
	shifted  bool

	done       int // bytes logged behind base when the next operation began, 0 before
	doneWeight float64
}

func newCompactions() *compactions { return &compactions{options: map[string]string{}} }

// take reads one event that was read already otherwise.
func (x *compactions) take(m *moment) {
	defer x.server.take(m, x)
	switch {
	case m.Run != nil:
		for k, v := range m.Run.Options { // any order: each is kept by its name
			x.options[k] = v
		}
	case m.Op != nil:
		x.operation(m)
	case m.Fault != nil && m.Fault.Name == "kill":
		x.gone()
	case m.End != nil:
		x.fail(m)
	case m.Event.Request != nil && m.call != nil:
		x.request(m)
	case m.Event.Response != nil && m.call != nil:
		x.response(m)
	case m.write != nil && m.write.file == m.reading.logs.current:
		x.write(m)
	}
}

// beside tells what the user does while a turn or a command runs, or what changes nothing about the conversation.
func beside(op string) bool {
	switch op {
	case "queue", "interrupt", "btw", "keep_btw", "forget_btw", "file", "title", "wait", "context", "set":
		return true
	}
	return false
}

func (x *compactions) operation(m *moment) {
	op := m.Op
	if op.Name == "set" {
		if key, value, ok := strings.Cut(op.Text, "="); ok {
			x.options[key] = value
		}
	}
	x.words = x.words || op.Name == "queue" && strings.HasPrefix(op.Text, "/")
	if op.Breaks && op.Name != "compact" && op.Name != "summarize" && op.Name != "use" && op.Name != "resume" {
		x.shifted, x.past = true, nil
	}
	if op.Name == "interrupt" && x.open != nil {
		x.open.aborted = true
	}
	if beside(op.Name) {
		return
	}
	if x.due != nil && x.due.done == 0 {
		x.due.done, x.due.doneWeight = x.added, x.weight
	}
	x.fail(m)
	x.op, x.called, x.refused, x.paused, x.asked = op.Name, false, false, false, nil
	switch op.Name {
	case "prompt", "rerun":
		x.turn++
		x.prompt, x.first = nil, nil
	case "kill":
		x.gone()
	case "resume", "use", "exit":
		x.passOn(op)
	case "rewind", "clear", "fork":
		x.past = nil
		x.forget()
	}
}

// forget drops what is known of the conversation: another one goes on, or a part of it.
func (x *compactions) forget() {
	x.base, x.size, x.added, x.weight, x.images, x.prompt, x.due, x.refused, x.called = nil, 0, 0, 0, 0, nil, nil, false, false
}

// gone: the process is, and with it whatever it was about to do.
func (x *compactions) gone() {
	x.open, x.past = nil, nil
	x.forget()
}

// fail ends the attempt under way without a boundary.
func (x *compactions) fail(m *moment) {
	if x.open != nil {
		x.open.ended = m.At
		m.failed = x.open
		x.open = nil
	}
}

func (x *compactions) request(m *moment) {
	c := m.call
	switch {
	case c.chain.name == "compact":
		if x.open == nil {
			x.open = &attempt{trigger: x.trigger(), step: c.step, first: c, said: c.chain.conv.digests()}
		}
		a := x.open
		x.asked = a
		m.overlap = a.waits
		m.earlier = a.newest
		a.newest, a.waits, a.answered = c, true, false
		a.requests++
		m.tried = a
	case c.chain.main():
		m.during = x.open != nil && x.open.waits
		m.fronted = x.fronted(c)
		if m.taken = x.unlogged(c); m.taken {
			x.open = nil
		}
		x.fail(m)
		if x.due != nil && x.due.file == c.file {
			m.behind = x.due
		}
		x.due = nil
	}
}

// unlogged tells whether the summary that was asked for stands in a main request, in the place of all messages, the newest
// prompt among them: so it goes in the teaching profile, which logs nothing of it.
func (x *compactions) unlogged(c *call) bool {
	return x.options["profile"] == "teaching" && x.open != nil && x.open.answered && x.prompt != nil && !c.chain.conv.holds(x.prompt)
}

// fronted tells whether a request begins with another message than the request for the summary that was just given: so it
// goes in the teaching profile, which keeps the newest messages behind a summary and logs nothing of it (H-CMP-60).
func (x *compactions) fronted(c *call) bool {
	if x.options["profile"] != "teaching" || x.open == nil || !x.open.answered {
		return false
	}
	a, b := &x.open.first.rendered.Blocks, &c.rendered.Blocks
	i := firstDifference(x.open.first.rendered, c.rendered)
	return i < a.Len() && i < b.Len() && a.At(i).Level == prefix.Messages && a.At(i).Message == 0 && a.At(i).Index == 0
}

func (x *compactions) trigger() string {
	switch {
	case x.op == "compact" || x.op == "summarize":
		return byUser
	case x.refused:
		return byRefuse
	case x.called:
		return byModel
	}
	return byItself
}

func (x *compactions) response(m *moment) {
	c := m.call
	switch {
	case c.chain.name == "compact":
		if a := x.open; a != nil && a.newest == c {
			a.waits, a.answered, a.refused = false, m.answer.accepted, nil
			a.answer = answeredText(m.answer)
			if stays(m.Event.Response.Status) {
				a.lasting++
			}
			if tooLong(m.Event.Response) {
				a.tooLong++
				a.refused = c
			}
			m.tried = a
		}
	case !c.chain.main():
	case m.answer.accepted:
		u := m.answer.Usage
		x.base, x.size, x.added, x.weight, x.images = c, u.Total()+u.Output, 0, 0, 0
		x.cut, x.past = m.answer.StopReason == "max_tokens", nil
		x.paused = m.answer.StopReason == "pause_turn"
		if u.Total() > c.model.Window && c.model.Window > 0 {
			x.size = 0 // no such count can be true
		}
		x.accepted++
		x.shifted, x.refused, x.called = false, m.answer.StopReason == "model_context_window_exceeded", false
		for _, b := range m.answer.Blocks {
			x.called = x.called || b.Get("type").Text() == "tool_use" && b.Get("name").Text() == "compact"
		}
	default:
		x.refused = overfull(m.Event.Response)
	}
}

// tooLong tells the two forms in which a request is refused for its length (messages-api.md 7).
func tooLong(r *trace.Response) bool {
	if r.Status == 413 {
		return true
	}
	_, message, ok := wire.APIError(r.Body)
	return ok && r.Status == 400 && strings.Contains(message, "prompt is too long")
}

// overfull tells also the refusal for the output asked for (H-LOOP-48).
func overfull(r *trace.Response) bool {
	_, message, _ := wire.APIError(r.Body)
	return tooLong(r) || r.Status == 400 && strings.Contains(message, "exceed context limit")
}

func (x *compactions) write(m *moment) {
	w := m.write
	x.added += len(w.Data)
	if x.base != nil {
		x.weight += tokens.For(x.base.model).Text(w.Data)
	}
	x.images += bytes.Count(w.Data, []byte(`"type":"image"`))
	if w.frees {
		x.size, x.past = 0, nil
	}
	if w.spans {
		x.open = nil // what was asked for came: rounds are shown as that summary (H-CMP-32)
	}
	for _, e := range w.entries {
		switch {
		case e.subtype == "microcompact_boundary":
			x.size, x.past = 0, nil
		case e.subtype == "compact_boundary" && x.commits() && !w.first:
			m.commit = x.committed(w, e)
		case e.kind == "user" && e.prompt && !e.meta && !e.summary && !e.side && (x.op == "prompt" || x.op == "queue"):
			x.prompt = e
			if x.first == nil {
				x.first = e
			}
		}
	}
}

// commits tells whether a boundary written now is one that was made now: a copy of a session holds those of the source, as
// the first write of a file does at any time.
func (x *compactions) commits() bool {
	switch x.op {
	case "compact", "summarize", "prompt", "rerun":
		return true
	}
	return false
}

func (x *compactions) committed(w *write, e *entry) *commit {
	f := w.file
	own, weight := x.fromLine(w, e)
	c := &commit{file: f, boundary: e, trigger: x.trigger(), attempt: x.open, kept: map[string]bool{}, prompt: x.prompt,
		base: x.base, size: x.size, added: x.added - own, weight: x.weight - weight, accepted: x.accepted, turn: x.turn, shifted: x.shifted}
	if x.open != nil {
		c.trigger = x.open.trigger
	}
	c.paused = x.paused
	if c.bare = x.asked == nil || x.asked.used; !c.bare {
		x.asked.used = true
	}
	if e.keeps != nil {
		for _, k := range e.keeps.entries {
			c.kept[f.entries[k].uuid] = true
		}
	}
	if i, ok := f.byUUID[e.logical]; ok {
		for _, k := range f.way(i, e.index) {
			c.path = append(c.path, f.entries[k])
		}
	}
	for _, e := range c.path {
		if c.kept[e.uuid] {
			c.stays = append(c.stays, e)
		}
	}
	c.sent, c.stays = fromCondensed(c.path), fromCondensed(c.stays)
	x.open, x.size, x.past, x.due = nil, 0, nil, c
	return c
}

// fromCondensed is the part of a path that is sent: from the newest summary of the server's on (H-CMP-83).
func fromCondensed(path []*entry) []*entry {
	for i, e := range slices.Backward(path) {
		if e.condenses() {
			return path[i:]
		}
	}
	return path
}

// holds tells whether a message has a block of an entry.
func (c *conversation) holds(e *entry) bool {
	return slices.ContainsFunc(c.msgs, func(m message) bool { return m.holds(e) })
}

// digests are the blocks of a request by what they say.
func (c *conversation) digests() map[prefix.Hash]bool {
	out := map[prefix.Hash]bool{}
	for _, m := range c.msgs {
		for _, b := range m.blocks {
			out[b.digest] = true
		}
	}
	return out
}
