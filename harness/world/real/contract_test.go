package real_test

import (
	"context"
	"errors"
	"io"
	"maps"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"harnessbench/harness/world"
	"harnessbench/harness/world/real"
	"harnessbench/harness/world/sim"
	"harnessbench/harness/world/worldtest"
)

// TestContract runs every situation in a bubble of virtual time, against net/http on in-memory pipes.
// A bubble fails when a goroutine is left in it.
func TestContract(t *testing.T) {
	worldtest.Contract(t, worldtest.Worlds{
		In:     synctest.Test,
		New:    newMachine,
		Settle: synctest.Wait,
	})
}

func newMachine(t *testing.T, p worldtest.Parts) (world.Machine, worldtest.Outside) {
	var one sync.Mutex // the contract's parts are called one at a time
	l := newPipes()
	front := &http.Server{Handler: &exchanges{server: p.Server, one: &one}}
	served := make(chan error)
	go func() { served <- front.Serve(l) }()
	client := &http.Client{Transport: &http.Transport{DialContext: l.dial}}
	t.Cleanup(func() {
		client.CloseIdleConnections()
		_ = front.Close()
		<-served
	})
	root := t.TempDir()
	m, err := real.New(real.Config{
		Root: root, BaseURL: "http://api.test", Client: client,
		IDs: rand.NewPCG(1, 2), Tools: &timedTools{tools: p.Tools, one: &one},
		Shell: &timedShell{shell: p.Shell, one: &one}, Approver: &timedUser{user: p.Approver, one: &one},
	})
	require.NoError(t, err)
	return m, host(root)
}

// host changes the directory of a machine.
type host string

func (h host) Symlink(target, name string) error {
	at := filepath.Join(string(h), name)
	return errors.Join(os.MkdirAll(filepath.Dir(at), 0o700), os.Symlink(target, at))
}

func (h host) Link(old, name string) error {
	at := filepath.Join(string(h), name)
	return errors.Join(os.MkdirAll(filepath.Dir(at), 0o700), os.Link(filepath.Join(string(h), old), at))
}

// exchanges serves a sim.Server over HTTP.
type exchanges struct {
	server sim.Server
	one    *sync.Mutex
}

func (x *exchanges) ServeHTTP(out http.ResponseWriter, in *http.Request) {
	begin := time.Now()
	body, err := io.ReadAll(in.Body)
	if err != nil {
		return
	}
	req := world.Request{Method: in.Method, Path: in.URL.RequestURI(), Body: body}
	for _, name := range slices.Sorted(maps.Keys(in.Header)) {
		for _, value := range in.Header[name] {
			req.Header = append(req.Header, world.Field{Name: strings.ToLower(name), Value: value})
		}
	}
	x.one.Lock()
	e := x.server.Handle(begin, req)
	x.one.Unlock()
	flush := func() { _ = http.NewResponseController(out).Flush() }
	for i, frame := range e.Frames {
		if !pause(in.Context(), frame.After-time.Since(begin)) {
			x.one.Lock()
			defer x.one.Unlock()
			e.Cancelled(time.Since(begin))
			return
		}
		if e.Status == 0 {
			continue
		}
		if i == 0 {
			head(out, e)
		}
		_, _ = out.Write(frame.Data)
		flush()
	}
	switch {
	case e.Status == 0 || e.Err != nil:
		panic(http.ErrAbortHandler)
	case len(e.Frames) == 0:
		head(out, e)
	}
}

func head(out http.ResponseWriter, e sim.Exchange) {
	for _, f := range e.Header {
		out.Header().Add(f.Name, f.Value)
	}
	out.WriteHeader(e.Status)
}

// timedTools lets a sim.ToolRunner take its time.
type timedTools struct {
	tools sim.ToolRunner
	one   *sync.Mutex
}

func (x *timedTools) Run(ctx context.Context, call world.ToolCall) (world.ToolResult, error) {
	x.one.Lock()
	res, takes := x.tools.Run(time.Now(), call)
	x.one.Unlock()
	if !pause(ctx, takes) {
		return world.ToolResult{}, ctx.Err()
	}
	return res, nil
}

// timedShell lets a sim.Shell take its time; timedUser a sim.Approver.
type timedShell struct {
	shell sim.Shell
	one   *sync.Mutex
}

func (x *timedShell) Exec(ctx, _ context.Context, cmd world.Command) (world.Exit, error) {
	x.one.Lock()
	exit, takes := x.shell.Exec(time.Now(), cmd)
	x.one.Unlock()
	if !pause(ctx, takes) {
		return world.Exit{}, ctx.Err()
	}
	return exit, nil
}

func (*timedShell) Ended() {}

type timedUser struct {
	user sim.Approver
	one  *sync.Mutex
}

func (x *timedUser) Approve(ctx context.Context, call world.ToolCall) (world.Approval, error) {
	x.one.Lock()
	a, takes := x.user.Approve(time.Now(), call)
	x.one.Unlock()
	if !pause(ctx, takes) {
		return world.Approval{}, ctx.Err()
	}
	return a, nil
}

// pause waits and reports whether ctx let it.
func pause(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// pipes is a listener whose connections are in memory.
type pipes struct {
	conns  chan net.Conn
	closed chan struct{}
	once   sync.Once
}

func newPipes() *pipes { return &pipes{conns: make(chan net.Conn), closed: make(chan struct{})} }

func (p *pipes) dial(ctx context.Context, _, _ string) (net.Conn, error) {
	client, server := net.Pipe()
	select {
	case p.conns <- server:
		return client, nil
	case <-p.closed:
		return nil, net.ErrClosed
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (p *pipes) Accept() (net.Conn, error) {
	select {
	case c := <-p.conns:
		return c, nil
	case <-p.closed:
		return nil, net.ErrClosed
	}
}

func (p *pipes) Close() error {
	p.once.Do(func() { close(p.closed) })
	return nil
}

func (p *pipes) Addr() net.Addr { return &net.UnixAddr{Name: "pipes"} }
