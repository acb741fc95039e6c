package real

import (
	"context"
	"fmt"
	"runtime"
	"slices"

	"harnessbench/harness/world"
)

// fiber is one goroutine of a process, and the task handle others have on it.
type fiber struct {
	p        *process
	path     string // names of its ancestors and its own
	parent   *fiber
	key      string
	children map[string]bool // keys of live children; guarded by the turn

	ended chan struct{} // closed at its end

	// guarded by the process's state
	done    bool
	pending int    // interrupts not yet delivered
	cancel  func() // frees the interruptible call it is in; nil outside of one
	waiting *fiber // the task it waits for
}

var _ world.Task = (*fiber)(nil)

func (p *process) newFiber(parent *fiber, key string) *fiber {
	f := &fiber{p: p, parent: parent, key: key, path: key, ended: make(chan struct{})}
	if parent != nil {
		f.path = parent.path + "/" + key
		if parent.children == nil {
			parent.children = map[string]bool{}
		}
		if parent.children[key] {
			panic(fmt.Sprintf("real: fiber %s starts %q while one of that key runs: keys of live siblings must differ",
				parent.path, key))
		}
		parent.children[key] = true
	}
	p.state.Lock()
	p.live = append(p.live, f)
	p.state.Unlock()
	return f
}

// root runs the fiber's function on the calling goroutine. It is where a kill and a panic end (D26).
func (f *fiber) root(fn func(world.World)) {
	f.take()
	defer f.end()
	defer func() {
		v := recover()
		if v == nil {
			return
		}
		if _, kill := v.(world.Killed); kill && f.p.isDead() {
			return
		}
		f.p.panicked("fiber " + f.path + ": " + world.PanicText(v))
	}()
	if !f.p.isDead() {
		fn(handle{f})
	}
}

// end takes the fiber out of its process. The fiber holds the turn.
func (f *fiber) end() {
	if f.parent != nil {
		delete(f.parent.children, f.key)
	}
	p := f.p
	p.state.Lock()
	f.done = true
	i := slices.Index(p.live, f)
	p.live = slices.Delete(p.live, i, i+1)
	p.checkStuck()
	p.state.Unlock()
	close(f.ended)
	f.leave()
}

// take waits for the fiber's turn; leave lets others have it.
func (f *fiber) take() {
	f.p.turn.Lock()
	f.p.current = f
}

func (f *fiber) leave() {
	f.p.current = nil
	f.p.turn.Unlock()
}

// enter begins a port call.
func (f *fiber) enter() {
	if f.p.isDead() {
		panic(world.Killed{})
	}
	if f.p.current != f {
		panic(fmt.Sprintf("real: port call through the handle of fiber %s, which is not the one running: "+
			"a fiber must use the handle it was given", f.path))
	}
}

// pass gives other fibers a turn.
func (f *fiber) pass() {
	f.enter()
	f.leave()
	runtime.Gosched()
	f.take()
	if f.p.isDead() {
		panic(world.Killed{})
	}
}

// wait does something that waits, without the turn and under a context that ends with an interrupt or
// a kill. It reports whether the call was interrupted, before, during or right after it.
func (f *fiber) wait(ctx context.Context, cancel func(), do func(context.Context)) (interrupted bool) {
	p := f.p
	f.enter()
	if f.begin(cancel) {
		return true
	}
	func() {
		f.leave()
		defer f.take() // also when do panics: the unwinding is harness code
		do(ctx)
	}()
	p.state.Lock()
	defer p.state.Unlock()
	f.cancel, f.waiting = nil, nil
	if p.dead {
		panic(world.Killed{})
	}
	return f.consume()
}

// begin makes the call interruptible, unless an interrupt came before it.
func (f *fiber) begin(cancel func()) (interrupted bool) {
	f.p.state.Lock()
	defer f.p.state.Unlock()
	if f.consume() {
		f.waiting = nil
		return true
	}
	f.cancel = cancel
	f.p.checkStuck()
	return false
}

// consume delivers one interrupt if there is one. The caller holds state.
func (f *fiber) consume() bool {
	if f.pending == 0 {
		return false
	}
	f.pending--
	return true
}

// Interrupt may be called from any goroutine.
func (f *fiber) Interrupt() {
	f.p.state.Lock()
	cancel := f.cancel
	if f.done || f.p.dead {
		cancel = nil
	} else {
		f.pending++
	}
	f.p.state.Unlock()
	if cancel != nil {
		cancel()
	}
}

func (f *fiber) Done() bool {
	f.p.state.Lock()
	defer f.p.state.Unlock()
	return f.done
}

// String is the fiber's name in outcomes and hooks.
func (f *fiber) String() string { return f.path }
