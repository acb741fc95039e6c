package sim

import (
	"container/heap"
	"fmt"
	"math"
	"time"

	"harnessbench/harness/world"
)

// never is the time of a fiber that only another fiber can wake.
const never = time.Duration(math.MaxInt64)

// process is one running program: its fibers and who goes next.
type process struct {
	m       *Machine
	began   time.Duration
	events  int
	current *fiber   // the one that runs, nil between two
	queue   queue    // parked fibers with a time
	live    []*fiber // not ended, in the order they were started
	open    []*body  // answers that are under way
	outputs []output // of background commands that have not ended, the earliest first

	dead   bool // no port call does anything any more
	killed bool
	fault  string
	left   []string
	stuck  []string
}

// run takes one fiber after the other until the first has ended or the process is dead.
func (p *process) run(root *fiber) {
	for !p.dead && !root.done {
		if len(p.queue) == 0 {
			p.giveUp("deadlock: every fiber waits for another")
			return
		}
		if next := p.take(); !p.dead {
			p.resume(next)
		}
	}
	if !p.dead {
		for _, f := range p.live {
			p.left = append(p.left, f.path)
		}
	}
}

// take removes the next fiber from the queue and moves the clock to its time.
func (p *process) take() *fiber {
	next := p.queue[0]
	if next.at-p.began > p.m.cfg.MaxTime {
		p.giveUp(fmt.Sprintf("livelock: more than %v of virtual time in one run", p.m.cfg.MaxTime))
		return next
	}
	heap.Pop(&p.queue)
	p.m.now = max(p.m.now, next.at)
	return next
}

// count enters a port call. It unwinds the fiber when the process is dead or has made too many calls.
func (p *process) count(f *fiber) {
	if p.dead {
		panic(world.Killed{})
	}
	if p.current != f {
		panic(fmt.Sprintf("sim: port call through the handle of fiber %s, which is not the one running: "+
			"a fiber must use the handle it was given", f.path))
	}
	if p.events++; p.events > p.m.cfg.MaxEvents {
		p.giveUp(fmt.Sprintf("livelock: more than %d port calls in one run", p.m.cfg.MaxEvents))
		panic(world.Killed{})
	}
}

// park lets the scheduler choose who goes on; f does not before at. It reports whether f was
// interrupted, which an interruptible call is at most once per Interrupt.
func (p *process) park(f *fiber, at time.Duration, interruptible bool) (interrupted bool) {
	if p.dead {
		panic(world.Killed{})
	}
	if interruptible && f.pending > 0 {
		f.pending--
		return true
	}
	if at != never {
		p.push(f, at)
	}
	f.interruptible = interruptible
	// Going on without a switch of coroutines when nobody else is first only saves time.
	if at != never && p.queue[0] == f {
		p.take()
	} else {
		f.yield(struct{}{})
	}
	f.interruptible = false
	if p.dead {
		panic(world.Killed{})
	}
	if interruptible && f.pending > 0 {
		f.pending--
		return true
	}
	return false
}

// push queues a parked fiber, or moves it when it is queued.
func (p *process) push(f *fiber, at time.Duration) {
	f.at, f.tie = max(at, p.m.now), f.draw()
	if f.index >= 0 {
		heap.Fix(&p.queue, f.index)
	} else {
		heap.Push(&p.queue, f)
	}
}

// giveUp ends the process with a verdict that says what each fiber waits for.
func (p *process) giveUp(reason string) {
	p.dead = true
	p.stuck = append(p.stuck, reason)
	for _, f := range p.live {
		p.stuck = append(p.stuck, f.path+": "+f.waitsFor())
	}
}

// unwind ends all fibers in the order they were started. The peers of open answers see them cancelled.
func (p *process) unwind() {
	p.dead = true
	for len(p.live) > 0 {
		f := p.live[0]
		if f.started {
			p.resume(f)
		} else {
			f.stop()
			f.end()
		}
	}
	for len(p.open) > 0 {
		p.open[0].cancel()
	}
}

// resume runs f until it parks or ends.
func (p *process) resume(f *fiber) {
	f.started = true
	p.current = f
	f.next()
	p.current = nil
}

// queue is a heap of parked fibers, the next one first.
type queue []*fiber

func (q queue) Len() int { return len(q) }

func (q queue) Less(i, j int) bool {
	a, b := q[i], q[j]
	if a.at != b.at {
		return a.at < b.at
	}
	if a.tie != b.tie {
		return a.tie < b.tie
	}
	return a.path < b.path
}

func (q queue) Swap(i, j int) {
	q[i], q[j] = q[j], q[i]
	q[i].index, q[j].index = i, j
}

func (q *queue) Push(x any) {
	f := x.(*fiber)
	f.index = len(*q)
	*q = append(*q, f)
}

func (q *queue) Pop() any {
	last := len(*q) - 1
	f := (*q)[last]
	*q = (*q)[:last]
	f.index = -1
	return f
}
