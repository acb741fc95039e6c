package fakeapi

import (
	"bytes"
	"time"
)

// Aborted tells the machine that the client closed the connection at a time, before the whole of an answer had been
// sent. What it wrote to the cache stays and is billed (Options.DropAborted says otherwise); of a thread the whole
// reply is kept when its generation had ended by then, and nothing before (messages-api.md 2.10, 5.4).
func (s *Server) Aborted(at time.Time, resp Response) {
	if t := resp.thread; t.kept != nil {
		s.threads.Forget(t.kept, t.previous, at)
	}
	if s.opt.DropAborted {
		s.cache.Forget(resp.View.RequestID)
	}
}

// failsAtOnce tells whether an error event comes before the answer has begun: then nothing is written to the cache
// (messages-api.md 5.4).
func failsAtOnce(resp Response) bool {
	for _, f := range resp.Frames {
		switch {
		case bytes.Contains(f.Data, []byte("event: message_start\n")):
			return false
		case bytes.HasPrefix(f.Data, []byte("event: error\n")):
			return true
		}
	}
	return false
}

// unkeep takes a reply out of its thread when a fault turned it into an error: a client that got none sends the
// same continue again.
func (s *Server) unkeep(resp Response) {
	t := resp.thread
	if t.kept == nil {
		return
	}
	failed := resp.Status >= 400
	for _, f := range resp.Frames {
		failed = failed || bytes.HasPrefix(f.Data, []byte("event: error\n"))
	}
	if failed {
		s.threads.Forget(t.kept, t.previous, time.Time{})
	}
}
