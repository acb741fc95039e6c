package httpfront

import (
	"net/http"
	"sync"
	"time"

	"harnessbench/fakeapi"
)

// Watcher is told of every exchange with the machine; control endpoints are none. Calls come one at a time.
type Watcher interface {
	// Arrived comes in the order in which the machine took the requests, counted from 1, with all that it will
	// answer.
	Arrived(n int, at time.Time, req fakeapi.Request, resp fakeapi.Response)
	// Left comes when an answer has gone out, or as much of it as the client waited for; whole tells which.
	Left(n int, at time.Time, resp fakeapi.Response, sent []byte, whole bool)
}

// watch tells a watcher, one at a time.
type watch struct {
	to Watcher
	mu sync.Mutex
	n  int
}

func (w *watch) arrived(at time.Time, req fakeapi.Request, resp fakeapi.Response) int {
	if w.to == nil {
		return 0
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.n++
	w.to.Arrived(w.n, at, req, resp)
	return w.n
}

// keeping is a writer that keeps what was sent.
type keeping struct {
	http.ResponseWriter
	sent []byte
}

func (k *keeping) Write(p []byte) (int, error) {
	n, err := k.ResponseWriter.Write(p)
	k.sent = append(k.sent, p[:n]...)
	return n, err
}

// Unwrap lets a ResponseController flush and hijack.
func (k *keeping) Unwrap() http.ResponseWriter { return k.ResponseWriter }

// left reports an answer that was sent through a keeping writer.
func (w *watch) left(n int, at time.Time, resp fakeapi.Response, k *keeping, size int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.to.Left(n, at, resp, k.sent, resp.Broken == "" && len(k.sent) == size)
}
