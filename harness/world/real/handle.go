package real

import (
	"context"
	"fmt"
	"time"

	"harnessbench/harness/world"
)

// handle is a fiber's world.
type handle struct{ f *fiber }

var _ world.World = handle{}

func (h handle) Now() time.Time {
	h.f.enter()
	return h.f.p.m.Now()
}

func (h handle) UUID() string {
	h.f.enter()
	ids := h.f.p.m.cfg.IDs
	return world.FormatUUID(ids.Uint64(), ids.Uint64())
}

func (h handle) Random() uint64 {
	h.f.enter()
	return h.f.p.m.cfg.IDs.Uint64()
}

func (h handle) Sleep(d time.Duration) error {
	ctx, cancel := context.WithCancel(h.f.p.ctx)
	defer cancel()
	if h.f.wait(ctx, cancel, func(ctx context.Context) { h.f.p.m.cfg.Sleep(ctx, d) }) {
		return world.ErrInterrupted
	}
	return nil
}

func (h handle) Go(key string, fn func(world.World)) world.Task {
	h.f.enter()
	child := h.f.p.newFiber(h.f, key)
	h.f.p.wg.Go(func() { child.root(fn) })
	h.f.pass()
	return child
}

func (h handle) Wait(t world.Task) error {
	target, ok := t.(*fiber)
	if !ok {
		panic(fmt.Sprintf("real: Wait for a %T, which is no task of this world: pass what Go returned", t))
	}
	h.f.enter()
	ctx, cancel := context.WithCancel(h.f.p.ctx)
	defer cancel()
	h.f.p.state.Lock()
	h.f.waiting = target
	h.f.p.state.Unlock()
	interrupted := h.f.wait(ctx, cancel, func(ctx context.Context) {
		select {
		case <-target.ended:
		case <-ctx.Done():
		}
	})
	if interrupted {
		return world.ErrInterrupted
	}
	return nil
}

func (h handle) RunTool(call world.ToolCall) (res world.ToolResult, err error) {
	ctx, cancel := context.WithCancel(h.f.p.ctx)
	defer cancel()
	interrupted := h.f.wait(ctx, cancel, func(ctx context.Context) {
		res, err = h.f.p.m.cfg.Tools.Run(ctx, call)
	})
	if interrupted {
		return world.ToolResult{}, world.ErrInterrupted
	}
	if err == nil && res.Own && call.Own != nil {
		return call.Own()
	}
	return res, err
}

func (h handle) Exec(cmd world.Command) (exit world.Exit, err error) {
	ctx, cancel := context.WithCancel(h.f.p.ctx)
	defer cancel()
	interrupted := h.f.wait(ctx, cancel, func(ctx context.Context) {
		exit, err = h.f.p.m.cfg.Shell.Exec(ctx, h.f.p.ctx, cmd)
	})
	if interrupted {
		return world.Exit{}, world.ErrInterrupted
	}
	return exit, err
}

func (h handle) Approve(call world.ToolCall) (a world.Approval, err error) {
	ctx, cancel := context.WithCancel(h.f.p.ctx)
	defer cancel()
	interrupted := h.f.wait(ctx, cancel, func(ctx context.Context) {
		a, err = h.f.p.m.cfg.Approver.Approve(ctx, call)
	})
	if interrupted {
		return world.Approval{}, world.ErrInterrupted
	}
	return a, err
}
