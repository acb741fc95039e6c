package harness

import (
	"fmt"

	"harnessbench/harness/rebuild"
	"harnessbench/harness/sessionlog"
	"harnessbench/harness/tool"
	"harnessbench/internal/wire"
)

// run is the loop: call, run the tools asked for, call again; without a tool call the turn ends
// (H-LOOP-2, H-LOOP-3). What was typed meanwhile goes along with the next call (H-ARCH-10, H-LOOP-25).
func (t *turn) run() (*Outcome, error) {
	if stopped := t.s.auxiliary(t.w, t.said); stopped {
		return t.interrupted(nil)
	}
	for {
		// The incremental shadow of H-ARCH-12, on every call.
		if err := t.s.live.Check(t.s.shadow); err != nil {
			return nil, err
		}
		if over := t.spent(); over != nil {
			return over, nil
		}
		if over, err := t.pipeline(); over != nil || err != nil {
			return over, err
		}
		over, err := t.step()
		if over != nil || err != nil {
			return over, err
		}
		if err := t.takeQueued(); err != nil {
			return nil, err
		}
	}
}

// step is one call and what its answer asks for: the model asks, the harness does it (H-ARCH-4). nil when the turn goes on.
func (t *turn) step() (*Outcome, error) {
	t.begun, t.stop = nil, ""
	r, err := t.call()
	if err != nil {
		return nil, err
	}
	calls, err := t.record(r)
	if err != nil {
		return nil, err
	}
	t.s.sent.reply(r, t.s.leaf)
	if r.answer != nil {
		t.text, t.stop = lastText(r.answer, t.text), r.answer.StopReason
		t.answers++
	}
	switch {
	case r.interrupted && (len(calls) > 0 || r.answer == nil || !r.answer.Complete || !concludes(r.answer.StopReason)):
		return t.interrupted(calls)
	case r.fault != nil:
		if again, err := t.react(r); again || err != nil {
			return t.ended, err
		}
		return t.broken(r, calls)
	}
	return t.after(r.answer, calls)
}

// pendingCall is a client tool call of an answer that was logged.
type pendingCall struct {
	tool.Call
	entry    string // uuid of the assistant entry that holds it
	answered bool
	begun    *begunCall // it was started while the answer streamed
}

// record logs an answer, one entry a block, with the final usage and stop reason on each (H-LOG-24 to H-LOG-27):
// thinking too is an entry where it stood in the answer, so that it goes back there unmodified (H-LOOP-51 to
// H-LOOP-53). A null stop reason marks what an interrupt or a broken stream left. It gives the client calls of the
// answer, which stand in front of all their results (H-LOG-33). Of a broken answer that completed no text and no call
// nothing is kept (H-LOOP-44).
func (t *turn) record(r reply) ([]*pendingCall, error) {
	if r.answer == nil || r.fault != nil && !worthKeeping(r.answer) {
		return nil, nil
	}
	t.s.freed = 0
	if r.answer.Complete && r.fault == nil { // what was cut off is no answer between two compactions (H-CMP-39, CMP-3)
		t.s.auto.answered()
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
			calls = append(calls, t.pending(block, e.UUID))
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
