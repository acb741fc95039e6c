package real

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"

	"harnessbench/harness/world"
)

func (h handle) Call(req world.Request) (world.Response, error) {
	h.f.enter()
	p := h.f.p
	ctx, cancel := context.WithCancel(p.ctx)
	out, err := http.NewRequestWithContext(ctx, req.Method, p.m.base+req.Path, bytes.NewReader(req.Body))
	if err != nil {
		cancel()
		return world.Response{}, err
	}
	for _, field := range req.Header {
		out.Header.Add(field.Name, field.Value)
	}
	if out.Header.Get("Accept-Encoding") == "" {
		// Otherwise the transport would ask for gzip and hide it; the bytes must be the server's.
		out.Header.Set("Accept-Encoding", "identity")
	}
	var in *http.Response
	interrupted := true
	defer func() { // also when a kill unwinds the fiber
		if interrupted || err != nil {
			cancel()
			if in != nil {
				_ = in.Body.Close() // given up; nobody is left to read its error
			}
		}
	}()
	silent := false
	interrupted = h.f.wait(ctx, cancel, func(context.Context) {
		silent = patiently(req.Patience, cancel, func() { in, err = p.m.cfg.Client.Do(out) })
	})
	switch {
	case interrupted:
		return world.Response{}, world.ErrInterrupted
	case silent:
		err = world.ErrSilent
		return world.Response{}, err
	case err != nil:
		return world.Response{}, lasting(err)
	}
	b := &body{p: p, ctx: ctx, cancel: cancel, reader: in.Body, patience: req.Patience}
	return world.Response{Status: in.StatusCode, Header: fields(in.Header), Body: b}, nil
}

// patiently does something that ends at the latest when it is cancelled, which happens after the given time; 0 is never.
// It reports whether that time was over.
func patiently(patience time.Duration, cancel func(), do func()) (over bool) {
	if patience <= 0 {
		do()
		return false
	}
	timer := time.AfterFunc(patience, cancel)
	do()
	return !timer.Stop()
}

// lasting marks an error that will come again: the server's certificate is not trusted (H-LOOP-45).
func lasting(err error) error {
	if errors.As(err, new(*tls.CertificateVerificationError)) {
		return fmt.Errorf("%w: %w", world.ErrPermanent, err)
	}
	return err
}

// fields lists header fields by name, those of one name in the order they came.
func fields(h http.Header) []world.Field {
	var out []world.Field
	for _, name := range slices.Sorted(maps.Keys(h)) {
		for _, value := range h[name] {
			out = append(out, world.Field{Name: strings.ToLower(name), Value: value})
		}
	}
	return out
}

// readSize bounds one chunk, in bytes.
const readSize = 32 << 10

// body reads one answer as its bytes come.
type body struct {
	p        *process
	ctx      context.Context
	cancel   context.CancelFunc
	reader   io.ReadCloser
	patience time.Duration // 0: without end
	err      error         // came with the last bytes
	closed   bool
}

var _ world.Body = (*body)(nil)

// Next finds the caller by whose turn it is: w may be wrapped by decorators.
func (b *body) Next(world.World) ([]byte, error) {
	f := b.p.current
	if f == nil {
		if b.p.isDead() {
			panic(world.Killed{})
		}
		panic("real: Body.Next was called outside a fiber")
	}
	chunk := make([]byte, readSize)
	n, err, closed := 0, b.err, b.closed
	interrupted := f.wait(b.ctx, b.cancel, func(context.Context) {
		if err != nil || closed {
			return
		}
		over := patiently(b.patience, b.cancel, func() {
			for n == 0 && err == nil {
				n, err = b.reader.Read(chunk)
			}
		})
		if over {
			err = world.ErrSilent
		}
	})
	b.err = err
	switch {
	case interrupted:
		b.give()
		return nil, world.ErrInterrupted
	case b.closed: // before, or by another fiber meanwhile
		return nil, world.ErrClosed
	case n > 0:
		return bytes.Clone(chunk[:n]), nil
	case errors.Is(err, world.ErrSilent):
		b.give()
		return nil, err
	default:
		b.cancel()
		return nil, err
	}
}

// Close gives up the rest.
func (b *body) Close() {
	if b.p.isDead() {
		panic(world.Killed{})
	}
	b.give()
}

// give lets go of the connection; the server sees a cancelled request if the end was not reached.
func (b *body) give() {
	if b.closed {
		return
	}
	b.closed = true
	b.cancel()
	_ = b.reader.Close() // given up; its error has no reader
}
