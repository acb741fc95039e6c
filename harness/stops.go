package harness

import (
	"errors"
	"fmt"

	"harnessbench/harness/inject"
	"harnessbench/harness/rebuild"
	"harnessbench/harness/sessionlog"
	"harnessbench/harness/tool"
	"harnessbench/internal/wire"
)

// Stop reasons of an answer (harness.md 4.4).
const (
	stopEnd        = "end_turn"
	stopTool       = "tool_use"
	stopMaxTokens  = "max_tokens"
	stopSequence   = "stop_sequence"
	stopPause      = "pause_turn"
	stopRefusal    = "refusal"
	stopWindow     = "model_context_window_exceeded"
	stopCompaction = "compaction"
)

// Bounds of what one turn goes on with by itself.
const (
	maxContinuations = 3  // after max_tokens (H-LOOP-31)
	maxPauses        = 10 // pause_turn and compaction together (H-LOOP-32)
)

// cutShort tells stop reasons of answers whose last block may have been cut off.
func cutShort(stop string) bool { return stop == stopMaxTokens || stop == stopWindow }

// concludes tells stop reasons behind which, without tool calls, nothing follows.
func concludes(stop string) bool {
	switch stop {
	case stopMaxTokens, stopPause, stopCompaction:
		return false
	}
	return true
}

// after does what a whole answer asks for; nil when the turn goes on (harness.md 4.4). Complete tool calls decide before
// the stop reason does (H-LOOP-3, H-LOOP-4), save in a refused answer.
func (t *turn) after(a *wire.Answer, calls []*pendingCall) (*Outcome, error) {
	if a.StopReason == stopRefusal {
		return t.declined(calls)
	}
	t.unknownStop(a.StopReason)
	if over, err := t.condensing(a); over != nil || err != nil {
		return over, err
	}
	if len(calls) > 0 {
		return t.round(calls)
	}
	switch a.StopReason {
	case stopMaxTokens:
		return t.goOn()
	case stopPause, stopCompaction:
		return t.resume(a.StopReason)
	case stopWindow:
		return t.windowFull()
	}
	return t.end(Completed, nil), nil
}

// round runs the calls of an answer (H-ARCH-4). Answer and results are two more messages of the next request (H-LOOP-5).
func (t *turn) round(calls []*pendingCall) (*Outcome, error) {
	t.rounds++
	stopped, err := t.tools(calls)
	switch {
	case err != nil:
		return nil, err
	case stopped:
		return t.interrupted(calls)
	}
	return nil, nil
}

// unknownStop reports a stop reason that the harness does not know; the turn ends as after end_turn (H-LOOP-30).
func (t *turn) unknownStop(stop string) {
	switch stop {
	case stopEnd, stopTool, stopMaxTokens, stopSequence, stopPause, stopWindow, stopCompaction:
	default:
		t.s.notice(fmt.Sprintf("The answer ended for a reason this program does not know: %q. The turn ended there.", stop))
	}
}

// goOn asks the model to go on with an answer that the raised limit cut too (H-LOOP-31).
func (t *turn) goOn() (*Outcome, error) {
	if t.continued == maxContinuations {
		err := fmt.Errorf("the answer met the limit of %d output tokens, and so did %d continuations", outputLimit(t.limit, t.s.model), t.continued)
		return t.fail(MaxOutput, err)
	}
	t.continued++
	return nil, t.prod(inject.Continue)
}

// resume sends again after the server paused (H-LOOP-32), or after it compacted the conversation and waits for what is
// to be restored, which the next call begins with (H-CMP-84). A paused answer goes back as it is, with nothing behind it.
func (t *turn) resume(stop string) (*Outcome, error) {
	if t.pauses == maxPauses {
		return t.fail(PauseLimit, fmt.Errorf("the server paused the turn %d times", t.pauses+1))
	}
	t.pauses++
	if stop == stopCompaction && t.s.taught() { // whose layers restore nothing (H-CMP-75)
		return nil, t.prod(inject.Condensed)
	}
	return nil, nil
}

// windowFull ends a turn whose answer filled the model's window: what there is of it is kept, and only a shorter
// conversation can go on (H-LOOP-34).
func (t *turn) windowFull() (*Outcome, error) {
	err := fmt.Errorf("the answer filled the context window of %d tokens; compact the conversation, or go back in it", t.s.model.Window)
	return t.fail(PromptTooLong, err)
}

// declined ends a turn whose answer was refused by the model. What came of it is kept; calls in it are not run
// (H-LOOP-33).
func (t *turn) declined(calls []*pendingCall) (*Outcome, error) {
	if err := t.unrun(calls, "the model declined to go on; this call was not run"); err != nil {
		return nil, err
	}
	return t.fail(Refused, errors.New("the model declined to answer"))
}

// prod logs a user text that the harness made to keep the model going. It is a block, as everything is that nobody typed
// (H-LOG-20), and not marked isMeta: a process that died behind it would then lose its branch to an older one, since such
// an entry is no leaf (H-REB-2).
func (t *turn) prod(text string) error {
	return t.s.append(t.w, textEntry(text))
}

func textEntry(text string) *sessionlog.Entry {
	return &sessionlog.Entry{
		Type:    sessionlog.User,
		Message: sessionlog.Message{Blocks: []sessionlog.Block{{Raw: rebuild.TextBlock(text), Type: "text"}}},
	}
}

// unrun answers calls that are not run, as errors that say why.
func (t *turn) unrun(calls []*pendingCall, why string) error {
	for _, c := range calls {
		if err := t.settle(c); err != nil {
			return err
		}
		if c.answered {
			continue
		}
		if err := t.result(c.ID, tool.Error(why), true, c); err != nil {
			return err
		}
	}
	return nil
}
