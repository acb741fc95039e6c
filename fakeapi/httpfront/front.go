package httpfront

import (
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"harnessbench/fakeapi"
)

// Options of a front; the zero value is the default of each.
type Options struct {
	// Clock tells the time of a request; nil is the wall clock. /_bench/clock adds to it.
	Clock func() time.Time
	// Seed draws the padding.
	Seed uint64
	// Plain leaves out the padding of event lines (messages-api.md 4, sse_padding).
	Plain bool
	// Speed paces answers: each frame leaves at its own time divided by Speed, 1 being the times of the machine. 0
	// sends every answer at once, in one write, as if no time passed.
	Speed float64
	// Wait sleeps for a paced answer, or fails when the context ends first; nil is the wall clock's.
	Wait func(context.Context, time.Duration) error
	// Watcher, when set, is told of every exchange.
	Watcher Watcher
}

// front is the handler. The lock covers the machine, the clock's offset and the draws.
type front struct {
	opt Options

	mu      sync.Mutex
	server  *fakeapi.Server
	offset  time.Duration
	padding *rand.Rand
	views   views

	watch watch
}

// New serves a machine. Nobody else may use it from then on.
func New(server *fakeapi.Server, opt Options) http.Handler {
	if opt.Clock == nil {
		opt.Clock = time.Now
	}
	if opt.Wait == nil {
		opt.Wait = wait
	}
	f := &front{opt: opt, server: server, watch: watch{to: opt.Watcher}}
	f.fresh()
	return f
}

// fresh is the state before the first request.
func (f *front) fresh() {
	f.offset = 0
	f.padding = rand.New(rand.NewPCG(f.opt.Seed, paddingStream))
	f.views = views{}
}

// paddingStream keeps the padding's draws apart from those of the machine.
const paddingStream = 3

func (f *front) now() time.Time { return f.opt.Clock().Add(f.offset) }

func (f *front) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if strings.HasPrefix(r.URL.Path, controlPrefix) {
		f.control(w, r)
		return
	}
	body, err := readBody(r)
	if err != nil {
		return // the client went away in the middle of its request; nobody is left to answer
	}
	req := fakeapi.Request{Method: r.Method, Path: r.URL.RequestURI(), Header: fields(r), Body: body, AtOnce: f.opt.Speed == 0, Speed: f.opt.Speed, Base: base(r)}
	began := f.opt.Clock()
	resp, n, out := f.handle(req)
	if n > 0 {
		k := &keeping{ResponseWriter: w}
		defer func() { f.watch.left(n, f.moment(), resp, k, sizeOf(resp, out)) }()
		w = k
	}
	if f.opt.Speed > 0 {
		f.pace(w, r, began, resp)
		return
	}
	if len(resp.View.Faults) > 0 {
		f.playFaulty(w, r, resp)
		return
	}
	setHeader(w, resp.Header)
	w.WriteHeader(resp.Status)
	_, err = w.Write(out)
	if err != nil {
		return // the client went away; what it was answered stays true (messages-api.md 5.4)
	}
}

// base is how the client reached this server.
func base(r *http.Request) string {
	if r.TLS != nil {
		return "https://" + r.Host
	}
	return "http://" + r.Host
}

func setHeader(w http.ResponseWriter, header []fakeapi.Field) {
	values := make([]string, len(header))
	for i, h := range header {
		values[i] = h.Value
		w.Header()[canonical(h.Name)] = values[i : i+1 : i+1]
	}
}

// handle runs the machine and writes its answer out, padded, in one piece; of an answer with a fault frame by frame.
func (f *front) handle(req fakeapi.Request) (resp fakeapi.Response, n int, out []byte) {
	f.mu.Lock()
	defer f.mu.Unlock()
	now := f.now()
	resp = f.server.Handle(now, req)
	n = f.watch.arrived(now, req, resp)
	f.views.keep(resp.View)
	for i, fr := range resp.Frames {
		if len(resp.View.Faults) > 0 || f.opt.Speed > 0 {
			resp.Frames[i].Data = f.pad(nil, fr.Data)
			continue
		}
		out = f.pad(out, fr.Data)
	}
	return resp, n, out
}

// sizeOf is the size of a whole answer as it is sent: out where it goes in one piece.
func sizeOf(resp fakeapi.Response, out []byte) int {
	n := len(out)
	if n == 0 {
		for _, fr := range resp.Frames {
			n += len(fr.Data)
		}
	}
	return n
}

// moment is now, for who does not hold the lock.
func (f *front) moment() time.Time {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.now()
}

// canonical is the name as Go's server writes it.
func canonical(name string) string {
	if c, known := canonicalNames[name]; known {
		return c
	}
	return http.CanonicalHeaderKey(name)
}

// canonicalNames saves working out the names of every answer anew.
var canonicalNames = func() map[string]string {
	names := []string{"content-type", "cache-control", "request-id", "anthropic-organization-id", "anthropic-workspace-id", "x-should-retry"}
	for _, kind := range []string{"requests", "tokens", "input-tokens", "output-tokens"} {
		for _, part := range []string{"-limit", "-remaining", "-reset"} {
			names = append(names, "anthropic-ratelimit-"+kind+part)
		}
	}
	out := make(map[string]string, len(names))
	for _, n := range names {
		out[n] = http.CanonicalHeaderKey(n)
	}
	return out
}()

// readBody reads a body; of one over the limit it reads no more than shows that it is.
func readBody(r *http.Request) ([]byte, error) {
	most := int64(fakeapi.MaxBody(r.URL.Path)) + 1
	if n := r.ContentLength; n >= 0 && n < most {
		body := make([]byte, n)
		_, err := io.ReadFull(r.Body, body)
		return body, err
	}
	body, err := io.ReadAll(io.LimitReader(r.Body, most))
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return body, err
}

// fields are the header fields in the order of their names, in lower case.
func fields(r *http.Request) []fakeapi.Field {
	out := make([]fakeapi.Field, 0, len(r.Header)+1)
	for name, values := range r.Header { // any order: sorted below
		for _, v := range values {
			out = append(out, fakeapi.Field{Name: strings.ToLower(name), Value: v})
		}
	}
	slices.SortStableFunc(out, func(a, b fakeapi.Field) int { return strings.Compare(a.Name, b.Name) })
	return out
}
