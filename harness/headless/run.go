package headless

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"harnessbench/harness"
	"harnessbench/harness/world"
)

// Format is the form of an output, or of an input.
type Format string

// Formats; an input is Text or StreamJSON (H-LOOP-60, H-LOOP-63).
const (
	Text       Format = "text"
	JSON       Format = "json"
	StreamJSON Format = "stream-json"
)

// Options are how a headless run talks to the program that started it. The zero value takes and gives plain text.
type Options struct {
	Input    Format // Text (the whole input is one prompt) or StreamJSON
	Output   Format
	Partials bool // with StreamJSON: a stream_event line for each event of an answer
	Rerun    bool // an unanswered last prompt is run before the input is read (H-CMD-44)
}

// check fills in what was left out and refuses what does not go together.
func (o *Options) check() error {
	if o.Input == "" {
		o.Input = Text
	}
	if o.Output == "" {
		o.Output = Text
	}
	switch {
	case o.Input != Text && o.Input != StreamJSON:
		return fmt.Errorf("headless: the input format is %q, want text or stream-json", o.Input)
	case o.Output != Text && o.Output != JSON && o.Output != StreamJSON:
		return fmt.Errorf("headless: the output format is %q, want text, json or stream-json", o.Output)
	case o.Partials && o.Output != StreamJSON:
		return errors.New("headless: partial messages need the output format stream-json")
	}
	return nil
}

// Run gives the session the prompts of an input, one turn each, and writes what happens (H-LOOP-60). It returns when the
// input has ended, or at the first prompt that could not be carried out, or line that could not be read or written. A turn
// that ends badly is no error: the output says it, and the next prompt follows; ok tells that the newest turn ended well.
// The session stays open; its listener is taken.
func Run(w world.World, s *harness.Session, in io.Reader, out io.Writer, opt Options) (ok bool, err error) {
	if err := opt.check(); err != nil {
		return false, err
	}
	p := &printer{s: s, out: out, opt: opt}
	s.Listen(p)
	defer s.Listen(nil)
	p.init()
	rerun := false
	if opt.Rerun {
		_, err := s.Rerun(w)
		rerun = err == nil
		if err != nil && !errors.Is(err, harness.ErrAnswered) {
			return false, err
		}
	}
	err = prompts(in, opt.Input, rerun, func(m Message) error {
		if m.Held {
			s.Queue(m.Text)
			return nil
		}
		_, err := s.Prompt(w, m.Text)
		return errors.Join(err, p.err)
	})
	p.finish()
	if p.err != nil {
		return false, fmt.Errorf("headless: the output could not be written: %w", p.err)
	}
	return err == nil && p.last != nil && p.good(), err
}

// prompts reads an input. One without a prompt is an error, unless something else was done.
func prompts(in io.Reader, format Format, done bool, each func(Message) error) error {
	if format == StreamJSON {
		return messages(in, each)
	}
	data, err := io.ReadAll(in)
	if err != nil {
		return fmt.Errorf("headless: the input could not be read: %w", err)
	}
	text := strings.TrimRight(string(data), "\n")
	switch {
	case strings.TrimSpace(text) != "":
		return each(Message{Text: text})
	case done:
		return nil
	}
	return errors.New("headless: the input is empty, want a prompt")
}
