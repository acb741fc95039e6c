package sim

import (
	"errors"
	"io"
	"slices"
	"time"

	"harnessbench/harness/world"
)

// Server answers requests. Handle is called when the request arrives and gives the whole exchange,
// with the times at which its parts leave.
type Server interface {
	Handle(now time.Time, req world.Request) Exchange
}

// Exchange is the answer to one request.
type Exchange struct {
	// Status 0 means that no answer comes: Call returns Err at the time of the last frame.
	Status int
	Header []world.Field
	// Frames are the pieces of the body in the order they leave. Status and headers leave with the
	// first; a frame without data only lets time pass.
	Frames []Frame
	// Err, with a status, breaks the body off after the last frame: reading returns it in place of io.EOF.
	Err error
	// Cancelled, if not nil, is called once when the client gives up before the last frame has left
	// (close, interrupt, end of its process), with the time since the request. It must not use any port.
	Cancelled func(after time.Duration)
}

// Frame is a piece of a body and when it leaves, counted from the request.
type Frame struct {
	After time.Duration
	Data  []byte
}

func (e Exchange) failure() error {
	if e.Err == nil {
		return errors.New("sim: the server gave neither status nor error")
	}
	return e.Err
}

// lastAfter is when the exchange is over for the server.
func (e Exchange) lastAfter() time.Duration {
	last := time.Duration(0)
	for _, f := range e.Frames {
		last = max(last, f.After)
	}
	return last
}

// body reads one exchange, one frame at a time.
type body struct {
	p        *process
	path     string
	start    time.Duration // of the request, in virtual time
	exchange Exchange
	patience time.Duration // 0: without end
	read     int           // frames handed out
	closed   bool
}

var _ world.Body = (*body)(nil)

// headersAfter is when the call returns.
func (b *body) headersAfter() time.Duration {
	switch e := b.exchange; {
	case e.Status == 0:
		return e.lastAfter()
	case len(e.Frames) > 0:
		return e.Frames[0].After
	default:
		return 0
	}
}

// Next finds the caller by who is running: w may be wrapped by decorators.
func (b *body) Next(world.World) ([]byte, error) {
	f := b.p.current
	if f == nil {
		if b.p.dead {
			panic(world.Killed{})
		}
		panic("sim: Body.Next was called outside a fiber")
	}
	h := handle{f}
	if h.enter(world.OpRead, b.path, true) {
		b.cancel()
		return nil, world.ErrInterrupted
	}
	from := b.p.m.now
	for !b.closed {
		if b.read == len(b.exchange.Frames) {
			b.forget()
			if b.exchange.Err != nil {
				return nil, b.exchange.Err
			}
			return nil, io.EOF
		}
		frame := b.exchange.Frames[b.read]
		due, silent := b.start+frame.After, false
		if b.patience > 0 && due > from+b.patience {
			due, silent = from+b.patience, true
		}
		if wait := due - b.p.m.now; wait > 0 && h.until(wait) {
			b.cancel()
			return nil, world.ErrInterrupted
		}
		if silent && !b.closed {
			b.cancel()
			return nil, world.ErrSilent
		}
		b.read++
		if len(frame.Data) > 0 {
			return frame.Data, nil
		}
	}
	return nil, world.ErrClosed
}

// Close gives up the rest.
func (b *body) Close() {
	if b.p.dead {
		panic(world.Killed{})
	}
	b.cancel()
}

// cancel ends the exchange from the client's side, once.
func (b *body) cancel() {
	if b.closed {
		return
	}
	b.closed = true
	if !b.forget() {
		return
	}
	if after := b.p.m.now - b.start; b.exchange.Cancelled != nil && after < b.exchange.lastAfter() {
		b.exchange.Cancelled(after)
	}
}

// forget takes the exchange out of those under way and reports whether it was one.
func (b *body) forget() bool {
	i := slices.Index(b.p.open, b)
	if i < 0 {
		return false
	}
	b.p.open = slices.Delete(b.p.open, i, i+1)
	return true
}
