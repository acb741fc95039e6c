package harness

import (
	"errors"
	"fmt"

	"harnessbench/harness/tool"
	"harnessbench/harness/world"
)

// tools runs the calls of one answer, batch after batch (H-LOOP-11). The results of a batch are logged
// when all of it is done, in the order of its calls (H-ARCH-23). stopped: an interrupt came; what had
// finished keeps its result.
func (t *turn) tools(calls []*pendingCall) (stopped bool, err error) {
	plain := make([]tool.Call, len(calls))
	for i, c := range calls {
		plain[i] = c.Call
	}
	next := 0
	for _, batch := range tool.Batches(plain) {
		members := calls[next : next+len(batch)]
		next += len(batch)
		runs, stopped := t.runBatch(members)
		for i, c := range members {
			if !runs[i].done {
				continue
			}
			if err := t.logRun(c, runs[i]); err != nil {
				return false, err
			}
		}
		if stopped {
			return true, nil
		}
	}
	return false, nil
}

// run is what became of one call.
type run struct {
	done bool
	raw  tool.Raw
	err  error // the world could not run it
}

// runBatch runs calls side by side, one in place. After an interrupt the others are interrupted too and
// waited for.
func (t *turn) runBatch(calls []*pendingCall) (runs []run, stopped bool) {
	runs = make([]run, len(calls))
	if len(calls) == 1 {
		runs[0] = runOne(t.w, calls[0])
		return runs, !runs[0].done
	}
	tasks := make([]world.Task, len(calls))
	for i, c := range calls {
		tasks[i] = t.w.Go(fmt.Sprintf("tool %d %s", i+1, c.ID), func(w world.World) { runs[i] = runOne(w, c) })
	}
	for _, task := range tasks {
		if stopped {
			await(t.w, task)
			continue
		}
		if err := t.w.Wait(task); err != nil {
			stopped = true
			for _, other := range tasks {
				other.Interrupt()
			}
			await(t.w, task)
		}
	}
	return runs, stopped
}

// runOne runs a call; one that was refused has its result already.
func runOne(w world.World, c *pendingCall) run {
	if c.Refusal != "" {
		return run{done: true}
	}
	res, err := w.RunTool(world.ToolCall{ID: c.ID, Name: c.Name, Input: c.Input})
	if errors.Is(err, world.ErrInterrupted) {
		return run{}
	}
	return run{done: true, raw: tool.Raw{Output: res.Output, Exit: res.Exit, IsError: res.IsError}, err: err}
}

// logRun words the result and logs it.
func (t *turn) logRun(c *pendingCall, r run) error {
	switch {
	case c.Refusal != "":
		return t.result(c.ID, c.Refusal, true, c)
	case r.err != nil:
		return t.result(c.ID, tool.Error("the tool could not be run: "+r.err.Error()), true, c)
	}
	alias := ""
	if c.Name == tool.BashName {
		t.s.bash = append(t.s.bash, c.Command)
		alias = tool.Alias(len(t.s.bash))
	}
	res := c.Result(r.raw, alias)
	e := resultEntry(c.ID, res.Text, res.IsError, c.Structured(r.raw, res))
	c.answered, e.CallEntry = true, c.entry
	return t.s.append(t.w, e)
}
