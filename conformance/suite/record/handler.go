package record

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"harnessbench/conformance/trace"
)

// Options of a recorder.
type Options struct {
	// Emit gets the events, one at a time.
	Emit func(trace.Event)
	// View is the server's view of a request by its request id; nil when the server has none.
	View func(requestID string) json.RawMessage
	// Now is the clock; nil is the wall clock.
	Now func() time.Time
	// Story names the stream in its first event.
	Story string
}

// Handler records what passes a handler. Requests other than POST /v1/messages pass unrecorded.
type Handler struct {
	next http.Handler
	opt  Options

	mu     sync.Mutex
	start  time.Time
	seq    int
	calls  int
	chains *Chains
}

// New records what passes next. The first event, of kind run, is emitted at once.
func New(next http.Handler, opt Options) *Handler {
	if opt.Now == nil {
		opt.Now = time.Now
	}
	h := &Handler{next: next, opt: opt, start: opt.Now(), chains: NewChains()}
	h.emit(trace.Event{Kind: trace.KindRun, Run: &trace.Run{Version: trace.Version, Story: opt.Story, Engine: "process", Lane: "quiet"}})
	return h
}

// End emits the last event.
func (h *Handler) End() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.emit(trace.Event{Kind: trace.KindEnd, End: &trace.End{}})
}

// emit numbers an event and hands it on. The lock is held, or nobody else knows the handler yet.
func (h *Handler) emit(e trace.Event) {
	h.seq++
	e.Seq, e.At = h.seq, h.opt.Now().Sub(h.start)
	h.opt.Emit(e)
}

func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodPost || r.URL.Path != "/v1/messages" {
		h.next.ServeHTTP(w, r)
		return
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return // the client went away in the middle of its request
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	tee := &tee{ResponseWriter: w, status: http.StatusOK, now: h.opt.Now, at: h.opt.Now()}
	tee.begins = func() { h.request(r, body, tee) }
	if h.opt.View == nil || !trace.MayDiffer(body) {
		tee.begin()
	}
	defer func() { h.response(tee, r.Context().Err() == nil) }()
	h.next.ServeHTTP(tee, r)
}

// request emits the request's event: at once, or as soon as the server says what it judged.
func (h *Handler) request(r *http.Request, body []byte, t *tee) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.calls++
	t.call = h.calls
	ev := &trace.Request{
		Call: h.calls, Method: r.Method, Path: r.URL.RequestURI(),
		Header: trace.Redact(fields(r.Header)), Body: body,
	}
	if id := t.Header().Get("request-id"); id != "" && h.opt.View != nil {
		t.view = h.opt.View(id)
		ev.Effective = trace.EffectiveOf(t.view)
	}
	ev.Chain = h.chains.Of(h.calls, ev.Judged())
	h.emit(trace.Event{Kind: trace.KindRequest, Request: ev})
}

func (h *Handler) response(t *tee, ended bool) {
	t.begin()
	h.mu.Lock()
	defer h.mu.Unlock()
	ev := &trace.Response{Call: t.call, View: t.view, Status: t.status, Header: trace.Redact(fields(t.Header())), Body: t.body, Chunks: t.chunks, Ended: ended}
	if id := t.Header().Get("request-id"); id != "" && h.opt.View != nil && ev.View == nil {
		ev.View = h.opt.View(id)
	}
	h.chains.Answered(ev.Call, ev.Status, ev.Body, ev.Ended)
	h.emit(trace.Event{Kind: trace.KindResponse, Response: ev})
}

// tee keeps what is written.
type tee struct {
	http.ResponseWriter
	status int
	body   []byte
	chunks []trace.Chunk
	now    func() time.Time
	at     time.Time
	begins func() // emits the request's event; nil when that is done
	call   int
	view   json.RawMessage
}

func (t *tee) begin() {
	if f := t.begins; f != nil {
		t.begins = nil
		f()
	}
}

func (t *tee) WriteHeader(status int) {
	t.begin()
	t.status = status
	t.ResponseWriter.WriteHeader(status)
}

func (t *tee) Write(b []byte) (int, error) {
	t.begin()
	n, err := t.ResponseWriter.Write(b)
	t.body = append(t.body, b[:n]...)
	t.chunks = append(t.chunks, trace.Chunk{At: t.now().Sub(t.at), Len: n})
	return n, err
}

// Unwrap gives http.ResponseController what lies below: flush, hijack.
func (t *tee) Unwrap() http.ResponseWriter { return t.ResponseWriter }

// fields are header fields by name, in lower case.
func fields(h http.Header) []trace.Field {
	var out []trace.Field
	for name, values := range h { // any order: sorted below
		for _, v := range values {
			out = append(out, trace.Field{Name: strings.ToLower(name), Value: v})
		}
	}
	slices.SortStableFunc(out, func(a, b trace.Field) int { return strings.Compare(a.Name, b.Name) })
	return out
}
