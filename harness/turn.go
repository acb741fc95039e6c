package harness

import (
	"fmt"

	"harnessbench/harness/inject"
	"harnessbench/harness/rebuild"
	"harnessbench/harness/sessionlog"
	"harnessbench/harness/tool"
	"harnessbench/internal/wire"
)

// run is the loop: call, run the tools asked for, call again; without a tool call the turn ends
// (H-ARCH-10, H-LOOP-3).
func (t *turn) run(text string) (Outcome, error) {
	if err := t.begin(text); err != nil {
		return Outcome{}, err
	}
	for {
		// The incremental shadow of H-ARCH-12, on every call.
		if err := t.s.live.Check(t.s.shadow); err != nil {
			return Outcome{}, err
		}
		sent := t.w.Now()
		r := t.call()
		t.s.ledger.Took(sent, t.w.Now())
		calls, err := t.record(r)
		if err != nil {
			return Outcome{}, err
		}
		if r.answer != nil {
			t.text = lastText(r.answer, t.text)
		}
		switch {
		case r.interrupted && (len(calls) > 0 || r.answer == nil || !r.answer.Complete):
			return t.interrupted(calls)
		case r.fault != nil:
			return t.broken(r, calls)
		case len(calls) == 0:
			return Outcome{Reason: Completed, Text: t.text}, nil
		}
		stopped, err := t.tools(calls)
		if err != nil {
			return Outcome{}, err
		}
		if stopped {
			return t.interrupted(calls)
		}
	}
}

// pendingCall is a client tool call of an answer that was logged.
type pendingCall struct {
	tool.Call
	entry    string // uuid of the assistant entry that holds it
	answered bool
}

// record logs an answer, one entry a block, with the final usage and stop reason on each (H-LOG-24 to
// H-LOG-27); a null stop reason marks what an interrupt or a broken stream left. It gives the client
// calls of the answer. Of a broken answer that completed no text and no call nothing is kept (H-LOOP-44).
func (t *turn) record(r reply) ([]*pendingCall, error) {
	if r.answer == nil || r.fault != nil && !worthKeeping(r.answer) {
		return nil, nil
	}
	var calls []*pendingCall
	for _, v := range r.answer.Blocks {
		block := sessionlog.BlockOf(v)
		if raw := oneLine(block.Raw); len(raw) > 0 {
			block.Raw = raw
		}
		e := &sessionlog.Entry{
			Type:      sessionlog.Assistant,
			RequestID: r.requestID,
			Message: sessionlog.Message{
				ID:     r.answer.ID,
				Model:  r.answer.Model,
				Blocks: []sessionlog.Block{block},
				Usage:  usageOf(r.answer),
			},
		}
		if r.answer.Complete && r.fault == nil {
			e.Message.StopReason, e.Message.StopSequence = r.answer.StopReason, r.answer.StopSequence
		}
		if err := t.s.append(t.w, e); err != nil {
			return nil, err
		}
		if block.Type == "tool_use" {
			calls = append(calls, &pendingCall{Call: tool.Check(block.ID, block.Name, block.Input, t.s.command), entry: e.UUID})
		}
	}
	t.s.sent.reply(r, t.s.leaf)
	return calls, nil
}

// worthKeeping tells an answer with a completed text or call.
func worthKeeping(a *wire.Answer) bool {
	for _, v := range a.Blocks {
		switch b := sessionlog.BlockOf(v); b.Type {
		case "thinking", "redacted_thinking":
		case "text":
			if !b.Blank {
				return true
			}
		default:
			return true
		}
	}
	return false
}

// broken ends a turn whose answer did not come, or not whole: calls in what was kept are answered as
// errors and not run (H-LOOP-44 with stream.eagerTools off), and a notice is logged that is never sent
// (H-LOG-29).
func (t *turn) broken(r reply, calls []*pendingCall) (Outcome, error) {
	for _, c := range calls {
		text := tool.Error("the answer broke off before its end; this call was not run")
		if err := t.result(c.ID, text, true, c); err != nil {
			return Outcome{}, err
		}
	}
	note := r.fault.Error()
	if r.reason == StreamFault {
		note = "The answer is incomplete: " + note
	}
	err := t.s.append(t.w, &sessionlog.Entry{
		Type:   sessionlog.Assistant,
		Notice: true,
		Message: sessionlog.Message{
			ID:         t.w.UUID(),
			Model:      sessionlog.SyntheticModel,
			Blocks:     []sessionlog.Block{{Raw: rebuild.TextBlock(note), Type: "text"}},
			StopReason: "end_turn",
			Usage:      []byte(`{"input_tokens":0,"cache_creation_input_tokens":0,"cache_read_input_tokens":0,"output_tokens":0}`),
		},
	})
	return Outcome{Reason: r.reason, Text: t.text, Err: r.fault}, err
}

// interrupted ends a turn the user stopped: calls without a result are answered as rejected, and the
// marker says whether there were any (H-LOOP-20, H-LOOP-22).
func (t *turn) interrupted(calls []*pendingCall) (Outcome, error) {
	marker := inject.Interrupted
	for _, c := range calls {
		marker = inject.InterruptedTool
		if c.answered {
			continue
		}
		if err := t.result(c.ID, inject.Reject, true, c); err != nil {
			return Outcome{}, err
		}
	}
	err := t.s.append(t.w, &sessionlog.Entry{
		Type:    sessionlog.User,
		Message: sessionlog.Message{Blocks: []sessionlog.Block{{Raw: rebuild.TextBlock(marker), Type: "text"}}},
	})
	return Outcome{Reason: WasInterrupted, Text: t.text}, err
}

// result logs a result that the harness made: a user entry with one tool_result block (H-LOG-21).
func (t *turn) result(id, text string, isError bool, c *pendingCall) error {
	e := resultEntry(id, text, isError, sessionlog.Quote("Error: "+text))
	if c != nil {
		c.answered, e.CallEntry = true, c.entry
	}
	return t.s.append(t.w, e)
}

func resultEntry(id, text string, isError bool, structured []byte) *sessionlog.Entry {
	return &sessionlog.Entry{
		Type:   sessionlog.User,
		Result: structured,
		Message: sessionlog.Message{Blocks: []sessionlog.Block{{
			Raw: rebuild.ToolResult(id, text, isError), Type: "tool_result", ID: id,
		}}},
	}
}

// lastText is the last text of an answer, or what there was.
func lastText(a *wire.Answer, before string) string {
	for i := len(a.Blocks) - 1; i >= 0; i-- {
		if a.Blocks[i].Get("type").Text() == "text" {
			return a.Blocks[i].Get("text").Text()
		}
	}
	return before
}

// usageOf is the usage as it came (H-LOG-28).
func usageOf(a *wire.Answer) []byte {
	if len(a.Usage.Raw) == 0 {
		return fmt.Appendf(nil, `{"input_tokens":%d,"output_tokens":%d}`, a.Usage.Input, a.Usage.Output)
	}
	return oneLine(a.Usage.Raw)
}

// oneLine replaces line feeds, which in JSON only stand between tokens: a block must fit a line of the log.
func oneLine(raw []byte) []byte {
	out := raw
	for i, c := range raw {
		if c != '\n' && c != '\r' {
			continue
		}
		if &out[0] == &raw[0] {
			out = append([]byte(nil), raw...)
		}
		out[i] = ' '
	}
	return out
}
