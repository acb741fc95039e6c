package repl

import (
	"errors"
	"io"
	"strings"

	"harnessbench/harness"
	"harnessbench/harness/world"
)

// Input is where a person types.
type Input interface {
	// Line shows a prompt, where there is somebody to see it, and gives the next line without its line feed. io.EOF is the
	// end of the input, or the person's wish to leave.
	Line(prompt string) (string, error)
	// Ahead gives a line that was typed already, without waiting for one.
	Ahead() (string, bool)
}

// Options are how a conversation begins.
type Options struct {
	Config harness.Config // of the session, for what /resume opens
	First  string         // a prompt that was given beforehand, "" for none
	Rerun  bool           // an unanswered last prompt is run at once (CLAUDE_CODE_RESUME_INTERRUPTED_TURN, H-CMD-44)
}

// Run talks until the person leaves or the input ends, and closes the session. A turn or a command that goes wrong is told
// and the conversation goes on; the error is one of the input, the output, or the close.
func Run(w world.World, s *harness.Session, in Input, out io.Writer, opt Options) error {
	c := &chat{in: in, opt: opt, show: &show{out: out}}
	c.w = ahead{w, c}
	c.take(s)
	c.show.line("Session %s with %s in %s. /help lists the commands.", s.ID(), s.Model(), s.Cwd())
	err := c.talk()
	if errors.Is(err, io.EOF) {
		err = nil
	}
	c.s.Listen(nil)
	return errors.Join(err, c.close(c.s), c.show.err)
}

// chat is one conversation under way.
type chat struct {
	w    world.World
	s    *harness.Session
	in   Input
	opt  Options
	show *show
	list []string // session ids as /resume last numbered them
	held []string // lines typed during a turn that wait for its end
}

// take goes on with a session.
func (c *chat) take(s *harness.Session) {
	if c.s != nil {
		c.s.Listen(nil)
	}
	c.s = s
	s.Listen(c.show)
	c.list = nil
}

// close ends a session; one that holds something can be gone on with.
func (c *chat) close(s *harness.Session) error {
	err := s.Close(c.w)
	if s.Leaf() != "" && !c.opt.Config.NoPersistence {
		c.show.line("Go on later with --resume %s.", s.ID())
	}
	return err
}

func (c *chat) talk() error {
	c.report()
	if err := c.opening(); err != nil {
		return err
	}
	if text := c.opt.First; strings.TrimSpace(text) != "" {
		if err := c.said(text); err != nil {
			return err
		}
	}
	for {
		text, err := c.typed()
		if err != nil {
			return err
		}
		if err := c.said(text); err != nil {
			return err
		}
		if c.show.err != nil {
			return nil // told by Run
		}
	}
}

// opening is what a session that was resumed asks for: a summary, or the answer that a crash took (H-CMD-45, H-CMD-44).
func (c *chat) opening() error {
	if err := c.offer(); err != nil {
		return err
	}
	if !c.opt.Rerun {
		return nil
	}
	if _, err := c.s.Rerun(c.w); err != nil && !errors.Is(err, harness.ErrAnswered) {
		c.show.fault(err)
	}
	c.report()
	return nil
}

// offer asks what to do with a large session that was idle for long (H-CMD-45).
func (c *chat) offer() error {
	if !c.s.OffersSummary(c.w) {
		return nil
	}
	c.show.line("This session is large and was idle for over an hour. Go on with a summary of it (s), as it is (a), or as it is and never ask again (n)?")
	for {
		text, err := c.line("s/a/n> ")
		if err != nil {
			return err
		}
		switch strings.ToLower(strings.TrimSpace(text)) {
		case "s", "summary":
			return c.command("compact", "")
		case "n", "never":
			c.opt.Config.NoSummaryOffer = true
			return nil
		case "a", "as it is":
			return nil
		}
		c.show.line("Please type s, a or n.")
	}
}

// typed is what the person says next; a line that ends with a backslash goes on in the next.
func (c *chat) typed() (string, error) {
	text, prompt := "", "> "
	for {
		line, err := c.line(prompt)
		if err != nil {
			return "", err
		}
		before, more := strings.CutSuffix(line, `\`)
		text += before
		if !more {
			return text, nil
		}
		text, prompt = text+"\n", ". "
	}
}

// said carries out a command, or gives the text to the model.
func (c *chat) said(text string) error {
	defer c.report()
	if name, args, ok := asCommand(text); ok {
		return c.command(name, args)
	}
	if strings.TrimSpace(text) == "" {
		return nil
	}
	if _, err := c.s.Prompt(c.w, text); err != nil {
		c.show.fault(err)
	}
	return nil
}

// asCommand reads a line that begins with a slash and a word. A path is none: its first word holds a second slash.
func asCommand(text string) (name, args string, ok bool) {
	rest, slash := strings.CutPrefix(strings.TrimSpace(text), "/")
	name, args, _ = strings.Cut(rest, " ")
	if !slash || name == "" || strings.ContainsAny(name, "/.\n") {
		return "", "", false
	}
	return name, strings.TrimSpace(args), true
}

// report tells what the session has to say beside its turns.
func (c *chat) report() {
	for _, text := range c.s.Report() {
		c.show.line("! %s", text)
	}
}

// aside does something in a task of its own, so that an interrupt ends it and not the conversation.
func (c *chat) aside(name string, do func(world.World) error) (err error) {
	task := c.w.Go(name, func(w world.World) { err = do(w) })
	for !task.Done() {
		if c.w.Wait(task) == nil {
			break
		}
	}
	return err
}
