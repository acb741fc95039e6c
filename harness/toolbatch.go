package harness

import (
	"errors"
	"fmt"

	"harnessbench/harness/sessionlog"
	"harnessbench/harness/tool"
	"harnessbench/harness/world"
)

// tools runs the calls of one answer, batch after batch (H-LOOP-11). The results of a batch are logged
// when all of it is done, in the order of its calls (H-ARCH-23); all stand in one message of the next request (H-LOOP-12).
// stopped: an interrupt came; what had
// finished keeps its result.
func (t *turn) tools(calls []*pendingCall) (stopped bool, err error) {
	plain := make([]tool.Call, len(calls))
	for i, c := range calls {
		plain[i] = c.Call
	}
	t.dismissed = false
	next, answer := 0, []finished(nil)
	for _, batch := range tool.Batches(plain, t.s.concurrency()) {
		members := calls[next : next+len(batch)]
		next += len(batch)
		runs, stopped := t.runBatch(members)
		for i, c := range members {
			if runs[i].done {
				answer = append(answer, t.finish(c, runs[i]))
			}
		}
		if err := t.s.spill(t.w, answer); err != nil {
			return false, err
		}
		for i := range answer {
			if answer[i].logged {
				continue
			}
			if err := t.logResult(&answer[i]); err != nil {
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
	// refused is the result of a call that was not allowed to run.
	refused string
}

// runBatch runs calls side by side, one in place. After an interrupt the others are interrupted too and
// waited for.
func (t *turn) runBatch(calls []*pendingCall) (runs []run, stopped bool) {
	runs = make([]run, len(calls))
	if len(calls) == 1 {
		runs[0] = t.runOne(t.w, calls[0])
		return runs, !runs[0].done
	}
	tasks := make([]world.Task, len(calls))
	for i, c := range calls {
		tasks[i] = t.w.Go(fmt.Sprintf("tool %d %s", i+1, c.ID), func(w world.World) { runs[i] = t.runOne(w, c) })
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
	for _, r := range runs {
		stopped = stopped || !r.done // the user said no
	}
	return runs, stopped
}

// runOne runs a call; one that was refused has its result already. The check of what a Write or Edit must have read
// stands before anything that runs (H-LOOP-10).
func (t *turn) runOne(w world.World, c *pendingCall) run {
	s := t.s
	if c.Refusal == "" && (c.Name == tool.WriteName || c.Name == tool.EditName) {
		if _, fault, err := s.mayWrite(w, &c.Call); err != nil || fault != "" {
			c.Refusal = tool.Error(faultOf(fault, err))
		}
	}
	if c.Refusal == "" && t.dismissed {
		c.Refusal = tool.Error("the conversation was compacted by a call before this one; this call was not run")
	}
	if c.Refusal != "" {
		return run{done: true}
	}
	if c.begun != nil {
		return c.begun.wait(w)
	}
	if r, no := t.permit(w, c); no {
		return r
	}
	if c.Name == tool.CompactName {
		return t.taughtTool(c)
	}
	call := world.ToolCall{ID: c.ID, Name: c.Called, Input: c.Input}
	var raw tool.Raw
	if own := s.own(&c.Call); own != nil {
		call.Own = func() (world.ToolResult, error) {
			var err error
			raw, err = own(w)
			res := world.ToolResult{Output: raw.Output, Exit: raw.Exit, IsError: raw.IsError, Own: true}
			if raw.Media != "" {
				res.Output = fmt.Sprintf("%s, %d bytes", raw.Media, len(raw.Output))
			}
			return res, err
		}
	}
	res, err := w.RunTool(call)
	switch {
	case errors.Is(err, world.ErrInterrupted):
		return run{}
	case err != nil || res.Own && call.Own != nil:
		return run{done: true, raw: raw, err: err}
	case res.Own:
		return run{done: true, err: fmt.Errorf("nothing here carries out %s", c.Called)}
	}
	return run{done: true, raw: tool.Raw{Output: res.Output, Exit: res.Exit, IsError: res.IsError}}
}

// finish words the result of a call. Whatever failed is a result like any other, and the turn goes on (H-LOOP-14).
func (t *turn) finish(c *pendingCall, r run) finished {
	f := finished{call: c, raw: r.raw}
	switch {
	case c.Refusal != "":
		f.result = tool.Failed(c.Refusal)
		return f
	case r.refused != "":
		f.result = tool.Failed(r.refused)
		return f
	case r.err != nil:
		f.result = tool.Failed(tool.Error("the tool could not be run: " + r.err.Error()))
		return f
	case c.Name == tool.ReadName && !r.raw.IsError:
		if same, seeded := t.s.unchanged(t.w, &c.Call, r.raw.Output); same {
			f.result = c.Unchanged(seeded)
			return f
		}
	}
	alias := ""
	if c.Name == tool.BashName {
		t.s.bash = append(t.s.bash, c.Command)
		alias = tool.Alias(len(t.s.bash))
	}
	f.result = c.Result(r.raw, alias)
	return f
}

// logResult logs the result of a call: a user entry with one tool_result block (H-LOG-21), of text or of an image.
func (t *turn) logResult(f *finished) error {
	c, res := f.call, &f.result
	e := resultEntry(c.ID, res.Whole(), res.IsError, res.Structured)
	if res.Content != nil {
		raw := append([]byte(`{"type":"tool_result","tool_use_id":`), sessionlog.Quote(c.ID)...)
		e.Message.Blocks[0].Raw = append(append(append(raw, `,"content":`...), res.Content...), '}')
	}
	c.answered, e.CallEntry, f.logged = true, c.entry, true
	return t.s.append(t.w, e)
}
