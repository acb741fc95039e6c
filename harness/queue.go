package harness

import (
	"strings"

	"harnessbench/harness/sessionlog"
)

// said is a prompt: its text, and where it came from ("" for typed, queued, sdk).
type said struct{ text, source string }

// queued is text typed ahead.
type queued struct {
	text   string
	logged bool // its enqueue record is written
}

// Queue takes text typed while a turn runs: it goes along with the next call of the turn, behind the results of tools;
// what is left when the turn ends begins a turn of its own, and after an interrupt all of it begins one turn at once
// (H-LOOP-25). Text that begins with a slash is a command and waits for the end of the turn. Like Interrupt it may be
// called from another fiber, or from inside a port call of the turn itself. Without a turn the text goes with the next
// prompt, before it. Blank text is nothing.
func (s *Session) Queue(text string) {
	if strings.TrimSpace(text) != "" {
		s.queue = append(s.queue, queued{text: text})
	}
}

// takeQueued brings what was typed during the tools to the next call: an attachment each, behind the results.
func (t *turn) takeQueued() error {
	if err := t.logQueue(); err != nil {
		return err
	}
	for len(t.s.queue) > 0 && !strings.HasPrefix(t.s.queue[0].text, "/") {
		text, err := t.dequeue()
		if err != nil {
			return err
		}
		err = t.s.append(t.w, &sessionlog.Entry{
			Type: sessionlog.Attachment,
			Attach: sessionlog.Attach{
				Type: "queued_command", Mode: "prompt", Content: text, Texts: [][]byte{sessionlog.Quote(text)},
			},
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// leftover is what begins the next turn: the oldest text, or all of it when the user wants it sent at once.
func (t *turn) leftover(all bool) ([]said, error) {
	if err := t.logQueue(); err != nil || len(t.s.queue) == 0 {
		return nil, err
	}
	if !all {
		text, err := t.dequeue()
		return []said{{text, "queued"}}, err
	}
	if err := t.operation(sessionlog.PopAll, ""); err != nil {
		return nil, err
	}
	var out []said
	for _, q := range t.s.queue {
		out = append(out, said{q.text, "queued"})
	}
	t.s.queue = nil
	return out, nil
}

// logQueue writes the records of what came to the queue. Queue has no world to write with, so they stand where the turn
// next comes to its log.
func (t *turn) logQueue() error {
	for i := range t.s.queue {
		q := &t.s.queue[i]
		if q.logged {
			continue
		}
		if err := t.operation(sessionlog.Enqueue, q.text); err != nil {
			return err
		}
		q.logged = true
	}
	return nil
}

func (t *turn) dequeue() (string, error) {
	if err := t.operation(sessionlog.Dequeue, ""); err != nil {
		return "", err
	}
	text := t.s.queue[0].text
	t.s.queue = t.s.queue[1:]
	return text, nil
}

func (t *turn) operation(name, text string) error {
	return t.s.write(t.w, sessionlog.QueueOperation(t.s.id, name, text, stamp(t.w.Now())))
}
