package golden

import (
	"cmp"
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"
	"time"

	"harnessbench/conformance/trace"
)

// Format is the version of the text form; it stands in the first line. A change of the form changes
// all goldens in one commit that changes nothing else.
const Format = 1

// Renderer writes the text of one run, event by event. It holds lines back only while a call or an
// answer's log entries are unfinished.
type Renderer struct {
	w   io.Writer
	err error

	pending []string // lines not yet written
	open    map[int]*call
	answer  *group // answer whose entries are being collected
	line    int    // its line in pending
	partial bool   // it has no stop reason

	step    int
	start   time.Duration // of the step
	first   bool          // no step has begun
	body    bool          // the step has lines besides its title
	naming  naming
	store   *store
	calls   map[int]*call
	byID    map[string]*call // by request id
	threads map[string]*reader
	total   totals
	left    []string
}

// New makes a renderer that writes to w.
func New(w io.Writer) *Renderer {
	return &Renderer{
		w: w, first: true, step: -1,
		open: map[int]*call{}, calls: map[int]*call{}, byID: map[string]*call{},
		threads: map[string]*reader{}, store: newStore(), naming: naming{},
	}
}

// Render writes the text of a whole stream. checks are the judge's results; they are sorted here.
func Render(w io.Writer, events iter.Seq[trace.Event], checks []Check) error {
	r := New(w)
	for e := range events {
		r.Event(e)
	}
	return r.End(checks)
}

// Event takes the next event of the stream.
func (r *Renderer) Event(e trace.Event) {
	if e.Kind == trace.KindRun && e.Run != nil {
		r.header(e.Run)
		return
	}
	if e.Kind == trace.KindEnd || e.Kind == trace.KindTwin {
		if e.End != nil {
			r.left = e.End.Left
		}
		return // a twin is a shadow of a call: the checks speak about it
	}
	if e.Kind != trace.KindLog {
		r.closeAnswer()
	}
	if e.Step != r.step {
		r.begin(e)
		if e.Kind == trace.KindOp {
			r.flush()
			return
		}
	}
	at := e.At - r.start
	switch {
	case e.Op != nil:
		r.add(at, "user", r.operation(e.Op))
	case e.Request != nil:
		r.request(at, e.Request)
	case e.Response != nil:
		r.response(at, e.Response)
	case e.Log != nil:
		r.log(at, e.Log)
	case e.Tool != nil:
		r.tool(at, e.Tool)
	case e.File != nil:
		r.file(at, e.File)
	case e.Notice != nil:
		r.add(at, "says", e.Notice.Text)
	case e.Fault != nil:
		r.add(at, "fault", fmt.Sprintf("%-21s %s", e.Fault.Name, e.Fault.At))
	case e.Leaf != nil:
		r.leaf(at, e.Leaf)
	}
	r.flush()
}

// End writes the tree, the sums and the checks, and returns the first error of writing.
func (r *Renderer) End(checks []Check) error {
	r.closeAnswer()
	r.pending = append(r.pending, "")
	r.pending = append(r.pending, r.store.tree()...)
	for _, name := range r.left {
		r.pending = append(r.pending, pair("left", name+" had not ended"))
	}
	r.pending = append(r.pending, r.total.line())
	r.pending = append(r.pending, r.checkLines(checks)...)
	r.open = nil
	r.flush()
	return r.err
}

func (r *Renderer) header(run *trace.Run) {
	r.pending = append(r.pending, clean(fmt.Sprintf("trace %d   %s   engine %s   lane %s   model %s", Format, run.Story, run.Engine, run.Lane, run.Model)))
	if text := strings.Join(strings.Fields(run.Text), " "); text != "" {
		r.pending = append(r.pending, pair("story", text))
	}
	for _, name := range sorted(run.Options) {
		r.pending = append(r.pending, pair("option", name+" "+run.Options[name]))
	}
}

// begin starts a step; its first operation is its title.
func (r *Renderer) begin(e trace.Event) {
	if r.first || r.body {
		r.pending = append(r.pending, "")
	}
	r.first, r.body = false, false
	r.step, r.start, r.naming = e.Step, e.At, naming{}
	title := "begins"
	if e.Op != nil {
		title = r.operation(e.Op)
	}
	r.pending = append(r.pending, pair(fmt.Sprintf("step %d", e.Step), title))
}

// operation words what the user or the world did.
func (r *Renderer) operation(o *trace.Op) string {
	out := o.Name
	switch {
	case o.Text != "" && slices.Contains([]string{"prompt", "queue", "btw", "title", "clear", "fork", "compact", "resume"}, o.Name):
		out += " " + quote(o.Text)
	case o.Target != "" && r.store.byUUID[o.Target] != nil:
		out += " " + cmp.Or(strings.ReplaceAll(o.Text, "_", " "), "before") + " " + r.store.byUUID[o.Target].group.name
	case o.To > 0:
		out += fmt.Sprintf(" before the prompt of step %d", o.To)
	case o.Name == "wait":
		out += " " + o.Wait
	case o.Text != "":
		out += " " + o.Text
	}
	if o.Copy {
		out += " in a copy"
	}
	if o.Breaks {
		out += ", a declared break of the prefix"
	}
	return out
}

// add appends one line of the step: time, lane, and the rest in fixed columns.
func (r *Renderer) add(at time.Duration, lane, rest string) {
	r.body = true
	r.pending = append(r.pending, clean(fmt.Sprintf("%9s  %-5s %s", seconds(at), lane, rest)))
}

// flush writes what is finished: everything, unless a call or an answer's entries are still open.
func (r *Renderer) flush() {
	if len(r.open) > 0 || r.answer != nil || r.err != nil {
		return
	}
	for _, line := range r.pending {
		if _, r.err = io.WriteString(r.w, line+"\n"); r.err != nil {
			return
		}
	}
	r.pending = r.pending[:0]
}
