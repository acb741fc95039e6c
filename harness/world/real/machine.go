package real

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"harnessbench/harness/world"
)

// Config is what a real machine is made of.
type Config struct {
	Root    string // directory that stands for "/"; made when the first file is written
	BaseURL string // of the API; request paths are appended to it
	// Client sends the requests; nil makes one. Its idle connections are closed when a process ends.
	Client *http.Client
	// IDs gives the bits of UUIDs and of random numbers. Only fibers draw from it, one at a time.
	IDs   rand.Source
	Tools ToolRunner // nil: every tool run fails
	Shell Shell      // nil: no command is found
	// Approver answers for the user; nil: every call is allowed.
	Approver Approver

	// Now and Sleep replace the system's clock; nil takes it. Sleep returns early when ctx ends.
	Now   func() time.Time
	Sleep func(ctx context.Context, d time.Duration)
}

// ToolRunner runs tools. It must return soon after ctx ends, which is how an interrupt and a kill stop
// it; what it returns then is dropped. It runs without the process's lock, so several calls overlap.
type ToolRunner interface {
	Run(ctx context.Context, call world.ToolCall) (world.ToolResult, error)
}

// Shell runs command lines; ctx as in ToolRunner. life ends with the process, and ends what runs in the background.
type Shell interface {
	Exec(ctx, life context.Context, cmd world.Command) (world.Exit, error)
	// Ended returns when nothing of a process whose life is over runs any more.
	Ended()
}

// Approver is the user who is asked; ctx as in ToolRunner.
type Approver interface {
	Approve(ctx context.Context, call world.ToolCall) (world.Approval, error)
}

// Machine implements world.Machine. Kill and Now may be called from any goroutine.
type Machine struct {
	cfg  Config
	base string

	mu   sync.Mutex
	proc *process // nil when none runs
}

var _ world.Machine = (*Machine)(nil)

// New checks the configuration. Nothing is opened before a process needs it.
func New(cfg Config) (*Machine, error) {
	if cfg.Root == "" {
		return nil, errors.New("real: Config.Root is empty: name the directory that stands for /")
	}
	if cfg.IDs == nil {
		return nil, errors.New("real: Config.IDs is nil: give a source for UUIDs, such as rand.NewPCG")
	}
	root, err := filepath.Abs(cfg.Root)
	if err != nil {
		return nil, fmt.Errorf("real: Config.Root: %w", err)
	}
	cfg.Root = root
	u, err := url.Parse(cfg.BaseURL)
	if err != nil {
		return nil, fmt.Errorf("real: Config.BaseURL: %w", err)
	}
	if u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return nil, fmt.Errorf("real: Config.BaseURL %q: want http://host or https://host", cfg.BaseURL)
	}
	if cfg.Client == nil {
		transport := http.DefaultTransport.(*http.Transport).Clone()
		cfg.Client = &http.Client{Transport: transport}
	}
	if cfg.Tools == nil {
		cfg.Tools = noTools{}
	}
	if cfg.Shell == nil {
		cfg.Shell = noShell{}
	}
	if cfg.Approver == nil {
		cfg.Approver = allow{}
	}
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	if cfg.Sleep == nil {
		cfg.Sleep = sleep
	}
	return &Machine{cfg: cfg, base: strings.TrimSuffix(cfg.BaseURL, "/")}, nil
}

// Now is the wall clock.
func (m *Machine) Now() time.Time { return m.cfg.Now() }

// Run starts a process and returns when all its fibers have ended. The first fiber runs on the
// caller's goroutine. One process runs at a time.
func (m *Machine) Run(f func(world.World)) (out world.Outcome) {
	p := newProcess(m)
	m.mu.Lock()
	busy := m.proc != nil
	if !busy {
		m.proc = p
	}
	m.mu.Unlock()
	if busy {
		panic("real: Run was called while a process runs on this machine; processes run one after the other")
	}
	// Deferred, so that a test that fails inside the first fiber (runtime.Goexit) leaves nothing behind.
	defer func() {
		out = p.finish()
		m.mu.Lock()
		m.proc = nil
		m.mu.Unlock()
	}()
	p.newFiber(nil, "main").root(f)
	return out
}

// Kill ends the running process: every fiber is unwound at its current or next port call. Without a
// process nothing happens.
func (m *Machine) Kill() {
	m.mu.Lock()
	p := m.proc
	m.mu.Unlock()
	if p != nil {
		p.kill()
	}
}

func sleep(ctx context.Context, d time.Duration) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
	case <-ctx.Done():
	}
}

// noTools has no tool.
type noTools struct{}

func (noTools) Run(_ context.Context, call world.ToolCall) (world.ToolResult, error) {
	return world.ToolResult{Output: "no tool named " + call.Name, IsError: true}, nil
}

// noShell finds no command.
type noShell struct{}

func (noShell) Exec(_, _ context.Context, cmd world.Command) (world.Exit, error) {
	return world.Exit{Output: "sh: command not found\n", Code: 127, Dir: cmd.Dir}, nil
}

func (noShell) Ended() {}

// allow says yes.
type allow struct{}

func (allow) Approve(context.Context, world.ToolCall) (world.Approval, error) {
	return world.Approval{Allow: true}, nil
}
