package harness

import (
	"fmt"

	"harnessbench/harness/sessionlog"
	"harnessbench/harness/tool"
	"harnessbench/harness/world"
	"harnessbench/internal/wire"
)

// begunCall is a call that was started while its answer still streams.
type begunCall struct {
	id   string
	task world.Task
	run  run
}

// pending is a call of an answer, checked, with what was begun of it.
func (t *turn) pending(b sessionlog.Block, entry string) *pendingCall {
	c := &pendingCall{Call: t.s.toolSet().Check(b.ID, b.Name, b.Input, t.s.command), entry: entry}
	for _, early := range t.begun {
		if early.id == b.ID {
			c.begun = early
		}
	}
	return c
}

// eager starts the calls of an answer whose blocks have stopped, under stream.eagerTools: those that may run side by
// side, up to the first one that may not, that has to be asked about or that cannot run (H-LOOP-43). An answer of which a
// call was started is never dropped, so no tool runs twice.
func (t *turn) eager(a *wire.Answer) {
	if !t.main || !t.s.cfg.Switches.EagerTools {
		return
	}
	for ; t.looked < len(a.Blocks); t.looked++ {
		v := a.Blocks[t.looked]
		if v.Get("type").Text() != "tool_use" || t.held {
			continue
		}
		c := t.pending(sessionlog.BlockOf(v), "")
		rule, _ := t.s.rule(&c.Call)
		if t.held = c.begun != nil || c.Refusal != "" || !c.Parallel() || rule != allowed ||
			len(t.begun) == t.s.concurrency() || t.s.callFault(v) != nil; t.held {
			continue
		}
		early := &begunCall{id: c.ID}
		early.task = t.w.Go(fmt.Sprintf("early %d %s", len(t.begun)+1, c.ID), func(w world.World) { early.run = t.runOne(w, c) })
		t.begun = append(t.begun, early)
	}
}

// wait is the run of a begun call; an interrupt stops it.
func (b *begunCall) wait(w world.World) run {
	if !b.task.Done() && w.Wait(b.task) != nil {
		b.stop(w)
	}
	return b.run
}

// stop ends a begun call: what had finished keeps its result.
func (b *begunCall) stop(w world.World) {
	if b.task.Interrupt(); !b.task.Done() {
		await(w, b.task)
	}
}

// settle ends a begun call that is no longer wanted, and logs its result when it has one.
func (t *turn) settle(c *pendingCall) error {
	if c.begun == nil || c.answered {
		return nil
	}
	if c.begun.stop(t.w); !c.begun.run.done {
		return nil
	}
	done := []finished{t.finish(c, c.begun.run)}
	if err := t.s.spill(t.w, done); err != nil {
		return err
	}
	return t.logResult(&done[0])
}

// concurrency is how many calls run side by side (H-LOOP-11).
func (s *Session) concurrency() int {
	if s.cfg.MaxToolConcurrency > 0 {
		return s.cfg.MaxToolConcurrency
	}
	return tool.MaxParallel
}
