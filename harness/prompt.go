package harness

import (
	"errors"
	"fmt"
	"strings"

	"harnessbench/harness/inject"
	"harnessbench/harness/rebuild"
	"harnessbench/harness/sessionlog"
	"harnessbench/harness/world"
)

// Outcome says how a turn ended.
type Outcome struct {
	Reason string // completed, interrupted, api_error, stream_error, transport_error
	Text   string // the last text of the model
	Err    error  // what ended the turn, nil when completed or interrupted
}

// Reasons of an Outcome.
const (
	Completed      = "completed"
	WasInterrupted = "interrupted"
	APIFault       = "api_error"
	StreamFault    = "stream_error"
	TransportFault = "transport_error"
)

// Prompt runs one turn in a task of its own and waits for it (H-LOOP-1). The error says that the turn
// could not be carried out: bad use, a disk that fails, a fault of the harness itself.
func (s *Session) Prompt(w world.World, text string) (Outcome, error) {
	if err := s.ready("prompt"); err != nil {
		return Outcome{}, err
	}
	if strings.TrimSpace(text) == "" {
		return Outcome{}, errors.New("prompt: the text is empty")
	}
	var out Outcome
	var err error
	s.running, s.early = true, false
	task := w.Go("turn", func(w world.World) {
		t := turn{s: s, w: w}
		out, err = t.run(text)
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
	text     string // the model's last text
}

// begin logs what the turn starts with: results for calls a crash left open, the prompt, what came into
// force since, volatile text. All of it stands in the log before the first request (H-LOG-80).
func (t *turn) begin(text string) error {
	if err := t.answerLost(); err != nil {
		return err
	}
	if err := t.prompt(text); err != nil {
		return err
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
func (t *turn) prompt(text string) error {
	s := t.s
	err := s.append(t.w, &sessionlog.Entry{
		Type:    sessionlog.User,
		Typed:   true,
		Message: sessionlog.Message{Text: sessionlog.Quote(text)},
	})
	if err != nil || !s.pinned {
		return err
	}
	if err := s.write(t.w, sessionlog.Unpin(s.id, text, s.leaf)); err != nil {
		return err
	}
	s.pinned = false
	return nil
}

// news logs, once on a path, a memory file that changed since the frozen one (H-REB-46, bound models)
// and a date that is over (H-REB-43). Both stand before the prompt's text in the payload.
func (t *turn) news() error {
	s := t.s
	if s.model.Bound && s.memory != s.fresh.memory {
		text := inject.MemoryUpdate(s.memoryFile(), s.fresh.memory)
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
}

func (e *APIError) Error() string {
	return fmt.Sprintf("API error %d %s: %s", e.Status, e.Type, e.Message)
}
