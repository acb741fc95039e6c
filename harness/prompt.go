package harness

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"harnessbench/harness/inject"
	"harnessbench/harness/rebuild"
	"harnessbench/harness/sessionlog"
	"harnessbench/harness/world"
)

// Outcome says how a turn ended.
type Outcome struct {
	Reason string // one of the reasons below
	Text   string // the last text of the model
	Err    error  // what ended the turn, nil when completed or interrupted
}

// Reasons of an Outcome.
const (
	Completed       = "completed"
	WasInterrupted  = "interrupted"
	APIFault        = "api_error"
	StreamFault     = "stream_error"
	TransportFault  = "transport_error"
	PromptTooLong   = "prompt_too_long"      // the conversation does not fit the model's window (H-LOOP-34, H-LOOP-48)
	MaxTurnsReached = "max_turns"            // tool rounds (H-LOOP-7)
	BudgetSpent     = "max_budget"           // cost of the session (H-LOOP-7)
	MaxOutput       = "max_output_tokens"    // the answer was cut again and again (H-LOOP-31)
	PauseLimit      = "pause_limit"          // the server paused again and again (H-LOOP-32)
	Refused         = "refusal"              // by the model (H-LOOP-33)
	BlockingLimit   = "blocking_limit"       // too large to go on, and nothing may shorten it (H-CMP-40)
	RapidRefill     = "rapid_refill_breaker" // compacted again and again (H-CMP-64)
)

// Prompt runs one turn in a task of its own and waits for it (H-LOOP-1). Text that was queued and is left when the turn
// ends begins further turns, which run too; the Outcome is that of the last one (H-LOOP-25). The error says that the turn
// could not be carried out: bad use, a disk that fails, a fault of the harness itself.
func (s *Session) Prompt(w world.World, text string) (Outcome, error) {
	if err := s.ready("prompt"); err != nil {
		return Outcome{}, err
	}
	if strings.TrimSpace(text) == "" {
		return Outcome{}, errors.New("prompt: the text is empty")
	}
	return s.turns(w, func(t *turn) error {
		waiting, err := t.leftover(true)
		if err != nil {
			return err
		}
		return t.begin(append(waiting, said{text, s.source()}))
	})
}

// source is where the texts given to Prompt come from: "" for somebody who types.
func (s *Session) source() string {
	if strings.HasPrefix(s.cfg.Entrypoint, "sdk") {
		return "sdk"
	}
	return ""
}

// turns runs a turn in a task, and behind it the turns that queued text begins.
func (s *Session) turns(w world.World, begin func(*turn) error) (out Outcome, err error) {
	s.running, s.early = true, false
	task := w.Go("turn", func(w world.World) {
		if err = s.History(w); err != nil {
			return
		}
		for begin != nil {
			t := &turn{s: s, w: w, main: true, limit: maxTokens, from: w.Now(), spentAPI: s.Totals().API}
			if out, err = t.whole(begin); err != nil {
				return
			}
			stopped := out.Reason == WasInterrupted || out.Reason == Completed && t.takeNotes()
			var next []said
			if next, err = t.leftover(stopped); err != nil {
				return
			}
			begin = nil
			if len(next) > 0 {
				begin = func(t *turn) error { return t.begin(next) }
			}
		}
	})
	s.turn = task
	if s.early {
		s.early = false
		task.Interrupt()
	}
	await(w, task)
	s.turn, s.running = nil, false
	return out, err
}

// whole is one turn from its prompt to its end.
func (t *turn) whole(begin func(*turn) error) (Outcome, error) {
	var out Outcome
	err := begin(t)
	if err == nil {
		var end *Outcome
		if end, err = t.run(); err == nil {
			out = *end
		}
	}
	t.s.listener().Ended(Result{
		Outcome: out, Fault: err, StopReason: t.stop, Answers: t.answers, Denied: t.denied,
		Took: t.w.Now().Sub(t.from), API: t.s.Totals().API - t.spentAPI,
	})
	return out, err
}

// Interrupt stops the running turn (H-LOOP-20, H-LOOP-22); no turn: nothing happens. It may be called
// from another fiber, or from inside a port call of the turn itself.
func (s *Session) Interrupt() {
	switch {
	case s.turn != nil:
		s.turn.Interrupt()
	case s.running:
		s.early = true
	}
}

// await waits until the task has ended, whatever interrupts come meanwhile.
func await(w world.World, task world.Task) {
	for !task.Done() {
		if w.Wait(task) == nil {
			return
		}
	}
}

// turn is one prompt and the calls it takes.
type turn struct {
	s        *Session
	w        world.World
	volatile rebuild.Volatile
	said     string // the newest prompt of the turn
	text     string // the model's last text
	stop     string // stop reason of the last answer

	from     time.Time
	spentAPI time.Duration // before the turn
	answers  int
	rounds   int // of tools (H-LOOP-7)
	denied   []Denial

	limit     int  // output tokens of the next call, before the model's own limit
	escalated bool // the limit was raised (H-LOOP-31)
	repaired  bool // refused thinking was left out
	continued int  // times the model was asked to go on
	pauses    int  // times the server paused
	breaks    int  // answers that broke off behind a call

	prompts   map[string]bool // uuids of those of the turn
	ended     *Outcome        // what a layer of the pipeline ended the turn with
	dismissed bool            // the tool compact ran: calls behind it in the same answer do not (H-CMP-55)
	reacted   int             // compactions because a call was refused as too long (H-CMP-60)
	compacted bool            // there was a compaction in the turn
	told      bool            // that no compaction would help

	main   bool         // this is a turn of the conversation, not a call beside it
	begun  []*begunCall // calls started while the answer streams
	looked int          // blocks of that answer seen
	held   bool         // nothing more of it is started early
}

// begin logs what the turn starts with: results for calls a crash left open, the prompts, what came into
// force since, volatile text. All of it stands in the log before the first request (H-LOG-80).
func (t *turn) begin(prompts []said) error {
	if err := t.answerLost(); err != nil {
		return err
	}
	if !t.s.taught() {
		if err := t.restored(true); err != nil {
			return err
		}
	}
	for _, p := range prompts {
		if err := t.prompt(p); err != nil {
			return err
		}
	}
	if err := t.news(); err != nil {
		return err
	}
	if err := t.remind(); err != nil {
		return err
	}
	return t.s.freeze(t.w)
}

// answerLost answers each call that has no result on the path: its process ended before it had one. The
// call is not run again; the results are logged before they are sent (H-REB-31, LOG-6).
func (t *turn) answerLost() error {
	for _, id := range t.s.live.Unanswered() {
		if err := t.result(id, inject.Missing, true, nil); err != nil {
			return err
		}
	}
	return nil
}

// prompt logs the typed text (H-LOG-20) and ends the pin of a rewind.
func (t *turn) prompt(p said) error {
	s := t.s
	t.said = p.text
	err := s.append(t.w, &sessionlog.Entry{
		Type:    sessionlog.User,
		Typed:   true,
		Mode:    s.mode,
		Source:  p.source,
		Message: sessionlog.Message{Text: sessionlog.Quote(p.text)},
	})
	if err != nil {
		return err
	}
	if t.prompts == nil {
		t.prompts = map[string]bool{}
	}
	t.prompts[s.leaf] = true
	if s.pinned {
		if err := s.write(t.w, sessionlog.Unpin(s.id, p.text, s.leaf)); err != nil {
			return err
		}
		s.pinned = false
	}
	return s.checkpointPrompt(t.w)
}

// news logs, once on a path, a memory file that changed since the one in force, where the head cannot show it (H-REB-46:
// bound models; H-CMP-83: behind a summary of the server's)
// and a date that is over (H-REB-43). Both stand before the prompt's text in the payload.
func (t *turn) news() error {
	s := t.s
	if (s.model.Bound || s.live.Condensed()) && s.memory != s.fresh.memory {
		text := inject.MemoryUpdate(s.fresh.memory)
		if err := t.attach(memoryUpdate, s.fresh.memory, text); err != nil {
			return err
		}
	}
	if today := inject.Date(t.w.Now()); today != s.date {
		return t.attach(dateChange, today, inject.DateChange(today))
	}
	return nil
}

// Types of attachments (H-LOG-52).
const (
	memoryUpdate = "memory_update"
	dateChange   = "date_change"
	currentTime  = "current_time"
)

func (t *turn) attach(typ, content, text string) error {
	return t.s.append(t.w, &sessionlog.Entry{
		Type:   sessionlog.Attachment,
		Attach: sessionlog.Attach{Type: typ, Content: content, Texts: [][]byte{sessionlog.Quote(text)}},
	})
}

// remind decides the turn's volatile text (H-INJ-42) and logs it: under volatile.place=system with its
// text, else only that it was due (H-LOG-53, H-LOG-54).
func (t *turn) remind() error {
	s := t.s
	if !s.cfg.Switches.InjectTime {
		return nil
	}
	text, place := inject.Time(t.w.Now()), s.volatilePlace()
	attach := sessionlog.Attach{Type: currentTime, Place: place}
	if place == rebuild.PlaceSystem {
		attach.Texts = [][]byte{sessionlog.Quote(text)}
	} else {
		t.volatile = rebuild.Volatile{Place: place, Blocks: [][]byte{rebuild.TextBlock(text)}}
	}
	return s.append(t.w, &sessionlog.Entry{Type: sessionlog.Attachment, Attach: attach})
}

// APIError is a refusal of the server.
type APIError struct {
	Status        int
	Type, Message string
	Code          string // details.error_code, "" for none
}

func (e *APIError) Error() string {
	return fmt.Sprintf("API error %d %s: %s", e.Status, e.Type, e.Message)
}
