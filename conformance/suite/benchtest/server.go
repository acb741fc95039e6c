package benchtest

import (
	"encoding/json"
	"net/http/httptest"
	"slices"
	"sync"

	"harnessbench/conformance/invariant"
	"harnessbench/conformance/suite/record"
	"harnessbench/conformance/trace"
	"harnessbench/fakeapi"
	"harnessbench/fakeapi/httpfront"
)

// TB is what of testing.TB is used.
type TB interface {
	Helper()
	Cleanup(func())
	Errorf(format string, args ...any)
}

// Server is a fake Messages API with the traffic it saw.
type Server struct {
	URL string

	mu     sync.Mutex
	events []trace.Event
}

// Start serves a fake Messages API until the test ends. The zero Options answer every valid request with one
// fixed short text; Options.Script says more.
func Start(t TB, opt fakeapi.Options) *Server {
	t.Helper()
	s := &Server{}
	front := httpfront.New(fakeapi.New(opt), httpfront.Options{Seed: opt.Seed})
	srv := httptest.NewServer(record.New(front, record.Options{
		Story: "test",
		Emit: func(e trace.Event) {
			s.mu.Lock()
			defer s.mu.Unlock()
			s.events = append(s.events, e)
		},
		View: func(id string) json.RawMessage { return view(front, id) },
	}))
	t.Cleanup(srv.Close)
	s.URL = srv.URL
	return s
}

// Events is the traffic so far.
func (s *Server) Events() []trace.Event {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.events)
}

// Check judges the traffic so far.
func (s *Server) Check() []invariant.Result {
	j := invariant.New()
	for _, e := range s.Events() {
		j.Event(e)
	}
	return j.Results()
}

// Holds fails the test for every violated H invariant, and when no invariant met an occasion.
func (s *Server) Holds(t TB) {
	t.Helper()
	met := false
	for _, r := range s.Check() {
		met = met || r.Verdict != invariant.Unknown
		for _, f := range r.Findings {
			if f.Level == invariant.H {
				t.Errorf("%s: %s\n\tbut %s", f.Check, f.Fact, f.Other)
			}
		}
	}
	if !met {
		t.Errorf("nothing was checked: the server at %s saw no traffic that an invariant speaks of", s.URL)
	}
}
