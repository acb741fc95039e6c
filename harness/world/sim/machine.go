package sim

import (
	"errors"
	"math/rand/v2"
	"slices"
	"time"

	"harnessbench/harness/world"
)

// Limits of one Run unless Config says otherwise.
const (
	DefaultMaxEvents = 1_000_000
	DefaultMaxTime   = 30 * 24 * time.Hour
)

// Config is what a simulated machine is made of.
type Config struct {
	Seed   uint64
	Start  time.Time  // the first instant
	Server Server     // nil: every call fails
	Tools  ToolRunner // nil: every tool run fails
	Shell  Shell      // nil: no command is found
	Disk   *Disk      // nil: an empty one
	// Approver answers for the user; nil: every call is allowed at once.
	Approver Approver

	// MaxEvents bounds the port calls of one Run, MaxTime its virtual time; 0 takes the defaults. A run
	// that goes past one ends as stuck (livelock).
	MaxEvents int
	MaxTime   time.Duration
}

// ToolRunner runs tools. takes is how long the run lasts in virtual time; an interrupt or a kill before
// its end loses the result, not what Run did.
type ToolRunner interface {
	Run(now time.Time, call world.ToolCall) (res world.ToolResult, takes time.Duration)
}

// Shell runs command lines. takes is how long the command lasts in virtual time, exit how it ends by itself; the
// machine stops it at its timeout, or moves it to the background. What it does to the disk it does at once.
type Shell interface {
	Exec(now time.Time, cmd world.Command) (exit world.Exit, takes time.Duration)
}

// Approver is the user who is asked. takes is how long the answer takes.
type Approver interface {
	Approve(now time.Time, call world.ToolCall) (a world.Approval, takes time.Duration)
}

// Machine implements world.Machine. Its clock, disk and ids go on from process to process. It is for
// one goroutine; Kill and Now may be called from inside the Server, the ToolRunner and decorators.
type Machine struct {
	cfg        Config
	now        time.Duration // since cfg.Start
	ids, draws *rand.PCG
	runs       uint64
	proc       *process // nil when none runs
}

var _ world.Machine = (*Machine)(nil)

// These separate the draws of ids, and those of numbers, from all other uses of the seed.
const (
	idStream   = 0x6964732e75756964
	drawStream = 0x64726177732e6e6f
)

// New makes a machine on which nothing runs yet.
func New(cfg Config) *Machine {
	if cfg.Disk == nil {
		cfg.Disk = NewDisk()
	}
	if cfg.Server == nil {
		cfg.Server = noServer{}
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
	if cfg.MaxEvents == 0 {
		cfg.MaxEvents = DefaultMaxEvents
	}
	if cfg.MaxTime == 0 {
		cfg.MaxTime = DefaultMaxTime
	}
	return &Machine{cfg: cfg, ids: rand.NewPCG(cfg.Seed, idStream), draws: rand.NewPCG(cfg.Seed, drawStream)}
}

// Now is the virtual time, in the location of Config.Start.
func (m *Machine) Now() time.Time { return m.cfg.Start.Add(m.now) }

// Disk is the machine's disk, for looking at it and changing it from outside.
func (m *Machine) Disk() *Disk { return m.cfg.Disk }

// Run starts a process and returns when all its fibers have ended. One process runs at a time.
func (m *Machine) Run(f func(world.World)) (out world.Outcome) {
	if m.proc != nil {
		panic("sim: Run was called while a process runs on this machine; processes run one after the other")
	}
	m.runs++
	p := &process{m: m, began: m.now}
	m.proc = p
	// Deferred, so that a test that fails inside a fiber (runtime.Goexit) leaves no coroutine behind.
	defer func() {
		p.unwind()
		p.flush()
		m.proc = nil
		slices.Sort(p.left)
		out = world.Outcome{Killed: p.killed, Panic: p.fault, Left: p.left, Stuck: p.stuck}
	}()
	p.run(p.start(nil, "main", f))
	return out
}

// Kill ends the running process: every fiber is unwound at its current or next port call. Without a
// process nothing happens.
func (m *Machine) Kill() {
	if p := m.proc; p != nil && !p.dead {
		p.killed, p.dead = true, true
	}
}

// noServer refuses every connection.
type noServer struct{}

func (noServer) Handle(time.Time, world.Request) Exchange {
	return Exchange{Err: errors.New("sim: connection refused: the machine has no server")}
}

// noTools has no tool.
type noTools struct{}

func (noTools) Run(_ time.Time, call world.ToolCall) (world.ToolResult, time.Duration) {
	return world.ToolResult{Output: "no tool named " + call.Name, IsError: true}, 0
}

// noShell finds no command.
type noShell struct{}

func (noShell) Exec(_ time.Time, cmd world.Command) (world.Exit, time.Duration) {
	return world.Exit{Output: "sh: command not found\n", Code: 127, Dir: cmd.Dir}, 0
}

// allow says yes.
type allow struct{}

func (allow) Approve(time.Time, world.ToolCall) (world.Approval, time.Duration) {
	return world.Approval{Allow: true}, 0
}
