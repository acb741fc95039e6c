package run

import (
	"encoding/json"
	"errors"
	"time"

	"harnessbench/fakeapi"
	"harnessbench/fakeapi/fault"
	"harnessbench/fakeapi/promptcache"
	"harnessbench/fakeapi/script"
	"harnessbench/harness/world"
	"harnessbench/harness/world/sim"
)

// Engine makes the place a story runs in.
type Engine interface {
	// Name is loop or real (D16), as traces print it.
	Name() string
	// Open starts afresh: an empty disk, a server that has seen nothing.
	Open(s Setup) (Place, error)
}

// Setup is what a place needs to know of the run.
type Setup struct {
	Seed   uint64
	Script script.Script
	Faults []fault.Fault
	// Cache is the provider whose cache the server has, nil for Anthropic's. A server outside the run keeps its own.
	Cache promptcache.Policy
	// Tool answers a tool call with its result and the time it takes.
	Tool func(call world.ToolCall) (world.ToolResult, time.Duration)
	// Exec runs a command line. all is its whole output, for the file of a command that runs on.
	Exec func(cmd world.Command) (exit world.Exit, all string, takes time.Duration)
	// Approve answers for the user.
	Approve func(call world.ToolCall) (world.Approval, time.Duration)
}

// Place is a machine with a server behind it.
type Place struct {
	Machine world.Machine
	// View is the server's view of a request by its request id, nil when the server has none.
	View func(requestID string) json.RawMessage
	// Struck lists the faults that the server played since it was last asked; nil when it plays none.
	Struck func() []fakeapi.Struck
	// RealTime: nobody can move the server's clock, so a wait is really waited.
	RealTime bool
	// Advance lets time pass for machine and server alike.
	Advance func(w world.World, d time.Duration) error
}

// epoch is the day every simulated run begins (simulation.md 3.2: fixed).
var epoch = time.Date(2026, 11, 30, 9, 0, 0, 0, time.UTC)

// Loop is the simulated world with the fake server inside it.
type Loop struct {
	// Server changes the server's options before it starts; nil leaves the defaults.
	Server func(*fakeapi.Options)
}

func (Loop) Name() string { return "loop" }

func (l Loop) Open(s Setup) (Place, error) {
	opt := fakeapi.Options{Seed: s.Seed, Script: s.Script, Faults: s.Faults}
	opt.Cache.Policy = s.Cache
	if l.Server != nil {
		l.Server(&opt)
	}
	srv := &inside{server: fakeapi.New(opt), views: map[string]fakeapi.View{}}
	disk := sim.NewDisk()
	m := sim.New(sim.Config{Seed: s.Seed, Start: epoch, Server: srv, Tools: tools(s.Tool), Disk: disk,
		Shell: shell{s.Exec, disk}, Approver: approver(s.Approve)})
	return Place{
		Machine: m,
		View:    srv.view,
		Struck:  srv.server.TakeStruck,
		Advance: func(w world.World, d time.Duration) error { return w.Sleep(d) },
	}, nil
}

// tools makes a port's runner of a function.
type tools func(world.ToolCall) (world.ToolResult, time.Duration)

func (t tools) Run(_ time.Time, call world.ToolCall) (world.ToolResult, time.Duration) {
	return t(call)
}

// shell makes a port's shell of a function.
type shell struct {
	exec func(world.Command) (world.Exit, string, time.Duration)
	disk *sim.Disk
}

// Exec implements sim.Shell. A command that runs on has written all of its output by the time anybody looks.
func (s shell) Exec(_ time.Time, cmd world.Command) (world.Exit, time.Duration) {
	exit, all, takes := s.exec(cmd)
	if exit.Running && cmd.File != "" {
		if err := s.disk.Write(cmd.File, []byte(all)); err != nil {
			return world.Exit{Output: err.Error(), Code: 1, Dir: cmd.Dir}, 0
		}
	}
	return exit, takes
}

// approver makes a port's user of a function.
type approver func(world.ToolCall) (world.Approval, time.Duration)

func (a approver) Approve(_ time.Time, call world.ToolCall) (world.Approval, time.Duration) {
	return a(call)
}

// inside puts the server behind the simulated world's transport.
type inside struct {
	server *fakeapi.Server
	views  map[string]fakeapi.View
}

// Handle implements sim.Server.
func (i *inside) Handle(now time.Time, req world.Request) sim.Exchange {
	in := fakeapi.Request{Method: req.Method, Path: req.Path, Body: req.Body}
	for _, f := range req.Header {
		in.Header = append(in.Header, fakeapi.Field(f))
	}
	out := i.server.Handle(now, in)
	i.views[out.View.RequestID] = out.View
	ex := sim.Exchange{Status: out.Status, Err: broken(out.Broken)}
	for _, f := range out.Header {
		ex.Header = append(ex.Header, world.Field(f))
	}
	for _, f := range out.Frames {
		ex.Frames = append(ex.Frames, sim.Frame(f))
	}
	return ex
}

// broken is the error a client sees on a connection that a fault has broken.
func broken(how string) error {
	switch how {
	case "":
		return nil
	case fault.Refused:
		return errors.New("connection refused")
	case fault.Unreachable:
		return errors.New("no such host")
	case fault.TimedOut:
		return errors.New("timeout")
	}
	return errors.New("connection reset by peer")
}

func (i *inside) view(id string) json.RawMessage {
	v, ok := i.views[id]
	if !ok {
		return nil
	}
	delete(i.views, id)
	raw, err := json.Marshal(v)
	if err != nil {
		return nil
	}
	return raw
}
