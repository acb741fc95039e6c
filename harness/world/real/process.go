package real

import (
	"context"
	"slices"
	"sync"

	"harnessbench/harness/world"
)

// process is one running program.
type process struct {
	m    *Machine
	ctx  context.Context // ends when the process is dead; answers under way are cancelled with it
	stop context.CancelFunc
	wg   sync.WaitGroup // goroutines of all fibers but the first

	// turn is held by the fiber that runs harness code. It guards current and the fibers' children.
	turn    sync.Mutex
	current *fiber

	// state guards what kills and interrupts from elsewhere touch. It is taken after turn, never before
	// it, and nothing waits while it is held.
	state  sync.Mutex
	dead   bool // no port call does anything any more
	killed bool
	fault  string
	stuck  []string
	live   []*fiber // not ended, in the order they were started
}

func newProcess(m *Machine) *process {
	p := &process{m: m}
	p.ctx, p.stop = context.WithCancel(context.Background())
	return p
}

// finish unwinds what is left after the first fiber and says how the process ended.
func (p *process) finish() world.Outcome {
	p.state.Lock()
	var left []string
	if !p.dead {
		for _, f := range p.live {
			left = append(left, f.path)
		}
	}
	p.dead = true
	p.state.Unlock()
	p.stop()
	p.wg.Wait()
	p.m.cfg.Shell.Ended()
	p.m.cfg.Client.CloseIdleConnections()
	slices.Sort(left)
	return world.Outcome{Killed: p.killed, Panic: p.fault, Left: left, Stuck: p.stuck}
}

func (p *process) kill() {
	p.state.Lock()
	if !p.dead {
		p.killed, p.dead = true, true
	}
	p.state.Unlock()
	p.stop()
}

func (p *process) isDead() bool {
	p.state.Lock()
	defer p.state.Unlock()
	return p.dead
}

// panicked ends the process because of a fault of the harness.
func (p *process) panicked(text string) {
	p.state.Lock()
	if p.fault == "" {
		p.fault = text
	}
	p.dead = true
	p.state.Unlock()
	p.stop()
}

// checkStuck ends the process when every fiber waits for one that has not ended. The caller holds state.
func (p *process) checkStuck() {
	if p.dead || len(p.live) == 0 {
		return
	}
	for _, f := range p.live {
		if f.waiting == nil || f.waiting.done || f.pending > 0 {
			return
		}
	}
	p.dead = true
	p.stuck = append(p.stuck, "deadlock: every fiber waits for another")
	for _, f := range p.live {
		p.stuck = append(p.stuck, f.path+": waits for task "+f.waiting.path)
	}
	p.stop()
}
