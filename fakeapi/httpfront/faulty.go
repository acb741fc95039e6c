package httpfront

import (
	"net"
	"net/http"
	"time"

	"harnessbench/fakeapi"
)

// playFaulty sends an answer that a fault has met: each frame in a write of its own, the fault's waits kept even
// where answers are not paced, and the connection ended as the fault says. A connection that nobody would have
// accepted can only be reset here.
func (f *front) playFaulty(w http.ResponseWriter, r *http.Request, resp fakeapi.Response) {
	pauses := resp.Pauses
	wait := func(frame int) bool {
		for len(pauses) > 0 && pauses[0].Frame <= frame {
			d := pauses[0].For
			pauses = pauses[1:]
			timer := time.NewTimer(d)
			select {
			case <-timer.C:
			case <-r.Context().Done():
				timer.Stop()
				return false
			}
		}
		return true
	}
	if resp.Status == 0 {
		if wait(len(resp.Frames)) {
			breakOff(w, resp)
		}
		return
	}
	flush := http.NewResponseController(w)
	for i, fr := range resp.Frames {
		if !wait(i) {
			return
		}
		if i == 0 {
			setHeader(w, resp.Header)
			w.WriteHeader(resp.Status)
		}
		if _, err := w.Write(fr.Data); err != nil {
			return // the client went away; what it was answered stays true
		}
		if err := flush.Flush(); err != nil {
			return
		}
	}
	if wait(len(resp.Frames)) && resp.Broken != "" {
		breakOff(w, resp)
	}
}

// breakOff ends a broken connection. Where something of an answer was sent, the chunked body stays without its end,
// which is an error to every client: a reset would also throw away bytes that the client has not read yet, and the
// place of the break would be a matter of luck.
func breakOff(w http.ResponseWriter, resp fakeapi.Response) {
	if resp.Status == 0 {
		cutOff(w)
		return
	}
	panic(http.ErrAbortHandler)
}

// cutOff ends a connection on which nothing was answered, by a reset where it allows that.
func cutOff(w http.ResponseWriter) {
	conn, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		panic(http.ErrAbortHandler) // the server closes the connection
	}
	under := conn
	if inner, ok := conn.(interface{ NetConn() net.Conn }); ok { // TLS
		under = inner.NetConn()
	}
	if tcp, ok := under.(*net.TCPConn); ok {
		_ = tcp.SetLinger(0) // without it the end is orderly, which is as near as it gets
	}
	_ = conn.Close() // it is over either way
}
