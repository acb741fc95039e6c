package sim

import (
	"fmt"
	"math"
	"slices"
	"time"

	"harnessbench/harness/world"
)

// handle is a fiber's world.
type handle struct{ f *fiber }

var _ world.World = handle{}

// enter begins a port call that has its turn now. It reports whether the call was interrupted before
// it took effect.
func (h handle) enter(op, detail string, interruptible bool) (interrupted bool) {
	p := h.f.p
	p.count(h.f)
	h.f.op, h.f.detail = op, detail
	return p.park(h.f, p.m.now, interruptible)
}

// until parks the fiber for d from now, in the call it is in.
func (h handle) until(d time.Duration) (interrupted bool) {
	at := h.f.p.m.now
	if d > 0 {
		at += min(d, math.MaxInt64-1-at) // a sleep of centuries must not wrap, nor mean never
	}
	return h.f.p.park(h.f, at, true)
}

func (h handle) Now() time.Time {
	h.f.p.count(h.f)
	return h.f.p.m.Now()
}

func (h handle) UUID() string {
	h.f.p.count(h.f)
	ids := h.f.p.m.ids
	return world.FormatUUID(ids.Uint64(), ids.Uint64())
}

func (h handle) Random() uint64 {
	h.f.p.count(h.f)
	return h.f.p.m.draws.Uint64()
}

func (h handle) Sleep(d time.Duration) error {
	h.f.p.count(h.f)
	h.f.op, h.f.detail = world.OpSleep, ""
	if h.until(d) {
		return world.ErrInterrupted
	}
	return nil
}

func (h handle) Go(key string, fn func(world.World)) world.Task {
	p := h.f.p
	p.count(h.f)
	h.f.op, h.f.detail = world.OpGo, key
	child := p.start(h.f, key, fn)
	p.park(h.f, p.m.now, false)
	return child
}

func (h handle) Wait(t world.Task) error {
	target, ok := t.(*fiber)
	if !ok {
		panic(fmt.Sprintf("sim: Wait for a %T, which is no task of this world: pass what Go returned", t))
	}
	if h.enter(world.OpWait, target.path, true) {
		return world.ErrInterrupted
	}
	if target.done {
		return nil
	}
	h.f.waiting = target
	target.waiters = append(target.waiters, h.f)
	interrupted := h.f.p.park(h.f, never, true)
	h.f.waiting = nil
	if interrupted {
		target.waiters = slices.DeleteFunc(target.waiters, func(f *fiber) bool { return f == h.f })
		return world.ErrInterrupted
	}
	return nil
}

func (h handle) ReadFile(path string) ([]byte, error) {
	return h.disk(world.OpDiskRead, path).Read(path)
}

func (h handle) Append(path string, data []byte) error {
	return h.disk(world.OpDiskAppend, path).append(path, data, h.f.p.m.Now())
}

func (h handle) Replace(path string, data []byte) error {
	return h.disk(world.OpDiskReplace, path).replace(path, data, h.f.p.m.Now())
}

func (h handle) ReadDir(path string) ([]string, error) {
	return h.disk(world.OpDiskReadDir, path).readDir(path)
}

func (h handle) Stat(path string) (world.Info, error) {
	return h.disk(world.OpDiskStat, path).stat(path)
}

func (h handle) ReadAt(path string, offset int64, n int) ([]byte, error) {
	return h.disk(world.OpDiskReadAt, path).readAt(path, offset, n)
}

func (h handle) Write(path string, data []byte) error {
	return h.disk(world.OpDiskWrite, path).put(path, data, h.f.p.m.Now())
}

func (h handle) Remove(path string) error {
	return h.disk(world.OpDiskRemove, path).remove(path)
}

func (h handle) Resolve(path string) (string, error) {
	return h.disk(world.OpDiskResolve, path).resolve(path)
}

func (h handle) RunTool(call world.ToolCall) (world.ToolResult, error) {
	if h.enter(world.OpTool, call.Name, true) {
		return world.ToolResult{}, world.ErrInterrupted
	}
	res, takes := h.f.p.m.cfg.Tools.Run(h.f.p.m.Now(), call)
	if res.Own && call.Own != nil {
		return call.Own()
	}
	if h.until(takes) {
		return world.ToolResult{}, world.ErrInterrupted
	}
	return res, nil
}

func (h handle) Approve(call world.ToolCall) (world.Approval, error) {
	if h.enter(world.OpApprove, call.Name, true) {
		return world.Approval{}, world.ErrInterrupted
	}
	a, takes := h.f.p.m.cfg.Approver.Approve(h.f.p.m.Now(), call)
	if h.until(takes) {
		return world.Approval{}, world.ErrInterrupted
	}
	return a, nil
}

func (h handle) Call(req world.Request) (world.Response, error) {
	p := h.f.p
	if h.enter(world.OpCall, req.Path, true) {
		return world.Response{}, world.ErrInterrupted
	}
	b := &body{p: p, start: p.m.now, path: req.Path, patience: req.Patience}
	b.exchange = p.m.cfg.Server.Handle(p.m.Now(), req)
	p.open = append(p.open, b)
	wait, silent := b.headersAfter(), false
	if b.patience > 0 && wait > b.patience {
		wait, silent = b.patience, true
	}
	if h.until(wait) {
		b.cancel()
		return world.Response{}, world.ErrInterrupted
	}
	if silent {
		b.cancel()
		return world.Response{}, world.ErrSilent
	}
	if b.exchange.Status == 0 {
		b.forget()
		return world.Response{}, b.exchange.failure()
	}
	return world.Response{Status: b.exchange.Status, Header: b.exchange.Header, Body: b}, nil
}
