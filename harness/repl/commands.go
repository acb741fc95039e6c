package repl

import (
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"harnessbench/harness"
	"harnessbench/harness/account"
	"harnessbench/harness/world"
)

// commands are what can be typed behind a slash.
func commands() []command {
	return []command{
		{"help", "", "this list", (*chat).help},
		{"clear", "[NAME]", "begin a new session; NAME is for the old one", (*chat).clear},
		{"compact", "[WHAT]", "put a summary in the place of the conversation; WHAT matters most in it", (*chat).compact},
		{"rewind", "[N [ACTION]]", "list the prompts, or go back to before prompt N: " + strings.Join(actions(), ", "), (*chat).rewind},
		{"resume", "[N|ID|TITLE]", "list the sessions of this directory, or go on with one", (*chat).resume},
		{"branch", "[TITLE]", "go on in a copy of this session", (*chat).branch},
		{"btw", "QUESTION", "ask beside the conversation; nothing of it is kept", (*chat).btw},
		{"keep", "", "make the last /btw a session of its own", (*chat).keep},
		{"forget", "", "end the replay of earlier /btw questions", (*chat).forget},
		{"context", "", "what fills the window", (*chat).context},
		{"cost", "", "tokens and cost so far", (*chat).cost},
		{"title", "NAME", "name the session", (*chat).title},
		{"model", "ID [EFFORT]", "go on with another model", (*chat).model},
		{"mode", "[MODE]", "show or change the permission mode", (*chat).mode},
		{"exit", "", "leave", (*chat).exit},
	}
}

type command struct {
	name, args, says string
	do               func(*chat, string) error
}

func actions() []string {
	return []string{harness.RestoreConversation, harness.RestoreCode, harness.RestoreBoth, harness.SummarizeFrom, harness.SummarizeUpTo}
}

// command carries out one. What goes wrong in it is told; the error is the end of the conversation.
func (c *chat) command(name, args string) error {
	if name == "quit" {
		name = "exit"
	}
	for _, cmd := range commands() {
		if cmd.name != name {
			continue
		}
		err := cmd.do(c, args)
		if errors.Is(err, io.EOF) {
			return err
		}
		if err != nil {
			c.show.fault(err)
		}
		return nil
	}
	c.show.line("There is no command /%s; /help lists what there is.", name)
	return nil
}

func (c *chat) exit(string) error { return io.EOF }

func (c *chat) help(string) error {
	for _, cmd := range commands() {
		c.show.line("  %-24s %s", strings.TrimSpace("/"+cmd.name+" "+cmd.args), cmd.says)
	}
	c.show.line(`Everything else is said to the model; a line that ends with \ goes on in the next.`)
	return nil
}

func (c *chat) clear(name string) error {
	if err := c.s.ClearAs(c.w, name); err != nil {
		return err
	}
	c.show.line("A new session begins: %s.", c.s.ID())
	return nil
}

func (c *chat) compact(words string) error {
	return c.s.Compact(c.w, words) // the boundary is shown as it is logged
}

// rewind lists the prompts or goes back to before one (H-CMD-30).
func (c *chat) rewind(args string) error {
	if err := c.s.History(c.w); err != nil {
		return err
	}
	prompts := c.s.Prompts()
	if args == "" {
		for i, p := range prompts {
			code := ""
			if p.Code {
				code = "  (files changed since)"
			}
			c.show.line("  %d  %s%s", i+1, oneLine(p.Text), code)
		}
		if len(prompts) == 0 {
			c.show.line("There is no prompt to go back to.")
		}
		return nil
	}
	number, action, _ := strings.Cut(args, " ")
	n, err := strconv.Atoi(number)
	if err != nil || n < 1 || n > len(prompts) {
		return fmt.Errorf("rewind: %q is no prompt; /rewind lists them with their numbers", number)
	}
	if action = strings.TrimSpace(action); action == "" {
		action = harness.RestoreConversation
	}
	done, err := c.s.RewindTo(c.w, prompts[n-1].UUID, action)
	if err != nil {
		return err
	}
	c.restored(done)
	return nil
}

func (c *chat) restored(r harness.Restored) {
	for _, f := range r.Files {
		c.show.line("  restored %s", f)
	}
	if n := len(r.Skipped); n > 0 { // H-CMD-37
		c.show.line("Restored the code, but skipped %d files", n)
		for _, f := range r.Skipped {
			c.show.line("  skipped %s", f)
		}
	}
	if r.Input != "" {
		c.show.line("Back to before: %s", r.Input)
	}
}

// resume lists sessions, or leaves this one for another (H-CMD-40).
func (c *chat) resume(ref string) error {
	if ref == "" {
		list, err := Sessions(c.w, c.opt.Config)
		if err != nil {
			return err
		}
		c.list = nil
		for i, l := range list {
			c.show.line("  %d  %s", i+1, l.Text)
			c.list = append(c.list, l.ID)
		}
		if len(list) == 0 {
			c.show.line("There is no session in this directory.")
		}
		return nil
	}
	if n, err := strconv.Atoi(ref); err == nil && n >= 1 && n <= len(c.list) {
		ref = c.list[n-1]
	}
	s, err := harness.Resume(c.w, c.opt.Config, ref)
	switch {
	case err != nil:
		return err
	case s.ID() == c.s.ID():
		return errors.New("resume: this is the session you are in")
	}
	if err := c.close(c.s); err != nil {
		c.show.fault(err)
	}
	c.take(s)
	c.show.line("Session %s with %s.", s.ID(), s.Model())
	c.report()
	return c.opening()
}

// Listed is a session as a person picks it.
type Listed struct{ ID, Text string }

// Sessions are those of the project, the one written last first.
func Sessions(w world.World, cfg harness.Config) ([]Listed, error) {
	list, err := harness.List(w, cfg)
	if err != nil {
		return nil, err
	}
	out := make([]Listed, len(list))
	for i, l := range list {
		at := l.Written.UTC().Format("2006-01-02 15:04")
		out[i] = Listed{l.Session, visible(fmt.Sprintf("%s  %s  %s", l.Session, at, oneLine(l.Title)))}
	}
	return out, nil
}

// Pick asks for a session of the project: its number in the list, its id or its title (H-CMD-40).
func Pick(w world.World, cfg harness.Config, in Input, out io.Writer) (ref string, err error) {
	list, err := Sessions(w, cfg)
	if err != nil {
		return "", err
	}
	if len(list) == 0 {
		return "", fmt.Errorf("there is no session in %s to go on with", cfg.Cwd)
	}
	o := &show{out: out}
	for i, l := range list {
		o.line("  %d  %s", i+1, l.Text)
	}
	for o.err == nil {
		text, err := in.Line("number, id or title> ")
		if err != nil {
			return "", fmt.Errorf("no session was picked: %w", err)
		}
		if text = strings.TrimSpace(text); text == "" {
			continue
		}
		if n, err := strconv.Atoi(text); err == nil && n >= 1 && n <= len(list) {
			return list[n-1].ID, nil
		}
		return text, nil
	}
	return "", o.err
}

func (c *chat) branch(title string) error {
	from := c.s.ID()
	if err := c.s.Fork(c.w, title); err != nil {
		return err
	}
	c.show.line("Session %s goes on from here; %s stays as it is.", c.s.ID(), from)
	return nil
}

func (c *chat) btw(question string) error {
	return c.aside("btw", func(w world.World) error {
		answer, err := c.s.Btw(w, question)
		if err == nil {
			c.show.line("%s", answer)
			c.show.line("[/keep makes this a session of its own, /forget ends its replay]")
		}
		return err
	})
}

func (c *chat) keep(string) error {
	if err := c.s.KeepBtw(c.w); err != nil {
		return err
	}
	c.show.line("Kept as a session of its own; /resume lists it.")
	return nil
}

func (c *chat) forget(string) error {
	c.s.ForgetBtw()
	c.show.line("Forgotten.")
	return nil
}

// context shows the report of /context and logs it, so that the model knows what the person saw (H-ACC-5, H-INJ-24).
func (c *chat) context(args string) error {
	if err := c.s.History(c.w); err != nil {
		return err
	}
	return c.printed("context", args, c.s.ContextReport(c.w))
}

func (c *chat) cost(args string) error {
	if err := c.s.History(c.w); err != nil {
		return err
	}
	return c.printed("cost", args, Cost(c.s.Totals()))
}

// printed shows the output of a command and logs both.
func (c *chat) printed(name, args, text string) error {
	c.show.line("%s", strings.TrimRight(text, "\n"))
	return c.s.Local(c.w, name, args, text)
}

// Cost is the text of /cost, with a line feed at its end.
func Cost(t account.Totals) string {
	var b strings.Builder
	fmt.Fprintf(&b, "Total cost: $%.4f\n", t.CostUSD)
	fmt.Fprintf(&b, "Lines changed: %d added, %d removed\n", t.LinesAdded, t.LinesRemoved)
	for _, part := range []struct {
		of   string
		rows []account.ModelTotal
	}{{"", t.Models}, {" (helpers)", t.Agents}} {
		for _, m := range part.rows {
			u := m.Usage
			fmt.Fprintf(&b, "%s%s: %d calls, %d input, %d cache read, %d cache write, %d output ($%.4f)\n",
				m.Model, part.of, m.Calls, u.Input, u.Read, u.Write5m+u.Write1h, u.Output, m.CostUSD)
		}
	}
	return b.String()
}

func (c *chat) title(name string) error {
	if err := c.s.SetTitle(c.w, name); err != nil {
		return err
	}
	c.show.line("The session is called %s.", c.s.Title())
	return nil
}

func (c *chat) model(args string) error {
	if args == "" {
		c.show.line("%s", c.s.Model())
		return nil
	}
	id, effort, _ := strings.Cut(args, " ")
	if err := c.s.SetModel(c.w, id, strings.TrimSpace(effort)); err != nil {
		return err
	}
	c.show.line("From here on with %s.", c.s.Model())
	return nil
}

func (c *chat) mode(mode string) error {
	if mode != "" {
		if err := c.s.SetMode(c.w, mode); err != nil {
			return err
		}
	}
	c.show.line("The permission mode is %s.", c.s.Mode())
	return nil
}

// oneLine is the beginning of a text on one line.
func oneLine(text string) string {
	const most = 80
	r := []rune(strings.Join(strings.Fields(text), " "))
	if len(r) > most {
		return string(r[:most]) + "..."
	}
	return string(r)
}
