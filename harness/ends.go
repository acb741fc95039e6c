package harness

import (
	"harnessbench/harness/inject"
	"harnessbench/harness/rebuild"
	"harnessbench/harness/sessionlog"
)

// end is the outcome of a turn that ends here.
func (t *turn) end(reason string, err error) *Outcome {
	return &Outcome{Reason: reason, Text: t.text, Err: err}
}

// fail ends a turn with a notice that is logged and never sent (H-LOG-29).
func (t *turn) fail(reason string, err error) (*Outcome, error) {
	return t.end(reason, err), t.say(err.Error())
}

// say logs a notice that is never sent.
func (t *turn) say(note string) error {
	return t.s.append(t.w, &sessionlog.Entry{
		Type:   sessionlog.Assistant,
		Notice: true,
		Message: sessionlog.Message{
			ID:         t.w.UUID(),
			Model:      sessionlog.SyntheticModel,
			Blocks:     []sessionlog.Block{{Raw: rebuild.TextBlock(note), Type: "text"}},
			StopReason: stopEnd,
			Usage:      []byte(`{"input_tokens":0,"cache_creation_input_tokens":0,"cache_read_input_tokens":0,"output_tokens":0}`),
		},
	})
}

// broken goes on behind an answer that did not come whole, or ends the turn where none came. Completed calls of what was
// kept are answered as errors, for nothing runs without the end of its answer; with stream.eagerTools they are run. In
// both cases the turn goes on from their results (H-LOOP-44). A notice says that the answer is incomplete.
func (t *turn) broken(r reply, calls []*pendingCall) (*Outcome, error) {
	note := r.fault.Error()
	if r.reason == StreamFault {
		note = "The answer is incomplete: " + note
	}
	if len(calls) == 0 {
		return t.end(r.reason, r.fault), t.say(note)
	}
	if !t.s.cfg.Switches.EagerTools {
		if err := t.unrun(calls, "the answer broke off before its end; this call was not run"); err != nil {
			return nil, err
		}
	}
	if err := t.say(note); err != nil {
		return nil, err
	}
	if t.breaks == t.s.retries() {
		return t.end(r.reason, r.fault), t.unrun(calls, "answers broke off too often; this call was not run")
	}
	t.breaks++
	if t.s.cfg.Switches.EagerTools {
		return t.round(calls)
	}
	return nil, nil
}

// interrupted ends a turn the user stopped: calls without a result are answered as rejected, and the marker says
// whether there were any (H-LOOP-20, H-LOOP-22); it will stand at the head of the next prompt's message (H-LOOP-21). A
// call that was started early and has ended keeps its result.
func (t *turn) interrupted(calls []*pendingCall) (*Outcome, error) {
	marker := inject.Interrupted
	for _, c := range calls {
		marker = inject.InterruptedTool
		if err := t.settle(c); err != nil {
			return nil, err
		}
		if c.answered {
			continue
		}
		if err := t.result(c.ID, inject.Reject, true, c); err != nil {
			return nil, err
		}
	}
	return t.end(WasInterrupted, nil), t.s.append(t.w, textEntry(marker))
}
