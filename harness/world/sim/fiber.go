package sim

import (
	"fmt"
	"iter"
	"slices"
	"strings"
	"time"

	"github.com/zeebo/xxh3"

	"harnessbench/harness/world"
)

// fiber is one coroutine of a process, and the task handle others have on it.
type fiber struct {
	p        *process
	path     string // names of its ancestors and its own
	slot     *slot  // its place among its siblings, nil for the first fiber
	children map[string]*slot

	hash  uint64 // of seed, run and path: the source of its tie-breaks
	draws uint64

	next  func() (struct{}, bool)
	stop  func()
	yield func(struct{}) bool

	at    time.Duration // parked until
	tie   uint64
	index int // in the queue, -1 when not in it

	started, done bool
	interruptible bool // parked in an interruptible call
	pending       int  // interrupts not yet delivered
	op, detail    string
	waiting       *fiber   // the task it waits for
	waiters       []*fiber // those who wait for it
}

// slot is a key among the children of one fiber.
type slot struct {
	live   bool
	starts uint64
}

var _ world.Task = (*fiber)(nil)

// start makes a fiber that is runnable now.
func (p *process) start(parent *fiber, key string, fn func(world.World)) *fiber {
	f := &fiber{p: p, path: key, index: -1}
	if parent == nil {
		f.hash = xxh3.HashStringSeed(key, mix(p.m.cfg.Seed+p.m.runs))
	} else {
		if parent.children == nil {
			parent.children = map[string]*slot{}
		}
		s := parent.children[key]
		if s == nil {
			s = &slot{}
			parent.children[key] = s
		}
		if s.live {
			panic(fmt.Sprintf("sim: fiber %s starts %q while one of that key runs: keys of live siblings must differ",
				parent.path, key))
		}
		s.live, f.slot = true, s
		f.path = parent.path + "/" + key
		f.hash = xxh3.HashStringSeed(key, mix(parent.hash+s.starts))
		s.starts++
	}
	f.next, f.stop = iter.Pull(func(yield func(struct{}) bool) {
		f.yield = yield
		f.root(fn)
	})
	p.live = append(p.live, f)
	p.push(f, p.m.now)
	return f
}

// root runs the fiber's function. It is the only place where a panic is caught (D26): a kill ends here,
// and a real panic ends the process with its stack.
func (f *fiber) root(fn func(world.World)) {
	defer f.end()
	defer func() {
		v := recover()
		if v == nil {
			return
		}
		if _, kill := v.(world.Killed); kill && f.p.dead {
			return
		}
		f.p.dead = true
		if f.p.fault == "" {
			f.p.fault = "fiber " + f.path + ": " + world.PanicText(v)
		}
	}()
	fn(handle{f})
}

// end takes the fiber out of its process and wakes who waits for it.
func (f *fiber) end() {
	p := f.p
	f.done = true
	if f.slot != nil {
		f.slot.live = false
	}
	i := slices.Index(p.live, f)
	p.live = slices.Delete(p.live, i, i+1)
	for _, w := range f.waiters {
		p.push(w, p.m.now)
	}
	f.waiters = nil
}

// Interrupt frees the fiber from the interruptible call it is parked in, or from the next one.
func (f *fiber) Interrupt() {
	if f.done || f.p.dead {
		return
	}
	f.pending++
	// A fiber parked in such a call had none pending, so only the first has to wake it.
	if f.interruptible && f.pending == 1 {
		f.p.push(f, f.p.m.now)
	}
}

func (f *fiber) Done() bool { return f.done }

// String is the fiber's name in outcomes and hooks.
func (f *fiber) String() string { return f.path }

// waitsFor says what the fiber is parked in.
func (f *fiber) waitsFor() string {
	switch {
	case !f.started:
		return "not started yet"
	case f.waiting != nil:
		return "waits for task " + f.waiting.path
	case f.index >= 0:
		return fmt.Sprintf("%s, until %v after the start of the run", f.call(), f.at-f.p.began)
	default:
		return "runs, last call " + f.call()
	}
}

// call names the port call the fiber is in, or made last.
func (f *fiber) call() string { return strings.TrimSpace(f.op + " " + f.detail) }

// draw is the next number of the fiber's own stream.
func (f *fiber) draw() uint64 {
	f.draws++
	return mix(f.hash + f.draws*0x9e3779b97f4a7c15)
}

// mix is the finisher of splitmix64: nearby inputs give unrelated outputs.
func mix(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
