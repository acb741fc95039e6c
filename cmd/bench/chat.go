package main

import (
	"cmp"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	randv2 "math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"harnessbench/harness"
	"harnessbench/harness/headless"
	"harnessbench/harness/repl"
	"harnessbench/harness/tracelog"
	"harnessbench/harness/world"
	"harnessbench/harness/world/real"
)

// chatting are the flags of chat.
type chatting struct {
	print, cont, fork, partials       bool
	noPersistence, noOffer            bool
	resume, model, fallback, mode     string
	cwd, configDir, baseURL, traceDir string
	output, input                     string
	set                               map[string]string
	maxTurns, cleanupDays             int
	budget                            float64
}

// pick is the value of --resume without one: the person picks from a list.
const pick = "\x00pick"

func chatCommand() *cobra.Command {
	var f chatting
	cmd := &cobra.Command{
		Use:   "chat [PROMPT]",
		Short: "talk to the reference harness, or run it headless with -p",
		Long: "Runs the reference harness on this machine: its tools read and write files and run commands here, after asking\n" +
			"where the permission mode wants it. Sessions lie in projects/ below the configuration directory. The API key comes\n" +
			"from ANTHROPIC_API_KEY; for a server of bench serve any text will do. With -p one prompt (the arguments, or else\n" +
			"standard input) runs without a person, and what would be asked about is refused. /help lists the commands.\n\n" +
			"Exit codes: 0 all went well; 1 with -p, the newest turn ended badly; 2 it could not be carried out.",
		Example: "  bench chat --base-url http://127.0.0.1:8402\n" +
			"  bench chat -p \"which test fails?\" --permission-mode acceptEdits\n" +
			"  bench chat -p --input-format stream-json --output-format stream-json\n" +
			"  bench chat --resume \"the login bug\" --fork-session",
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(cmd, strings.Join(args, " ")) },
	}
	fl := cmd.Flags()
	fl.BoolVarP(&f.print, "print", "p", false, "headless: run the prompt and print what comes of it")
	fl.StringVar(&f.output, "output-format", "", "with -p: text, json or stream-json")
	fl.StringVar(&f.input, "input-format", "", "with -p: text, or stream-json for user messages on standard input")
	fl.BoolVar(&f.partials, "include-partial-messages", false, "with stream-json: the events of answers too")
	fl.BoolVarP(&f.cont, "continue", "c", false, "go on with the newest session of the directory")
	fl.StringVarP(&f.resume, "resume", "r", "", "go on with a session: its `ID or title`, or pick it from a list")
	fl.Lookup("resume").NoOptDefVal = pick
	fl.BoolVar(&f.fork, "fork-session", false, "with --continue or --resume: go on in a copy")
	fl.StringVar(&f.model, "model", "", "`model` to ask (default ANTHROPIC_MODEL, else "+defaultModel+")")
	fl.StringVar(&f.fallback, "fallback-model", "", "`model` to ask when the other is overloaded or declines")
	fl.StringVar(&f.mode, "permission-mode", "", "`mode` at the start: default, acceptEdits, plan, auto, dontAsk or bypassPermissions")
	fl.IntVar(&f.maxTurns, "max-turns", 0, "tool rounds a turn may take; 0 for no limit")
	fl.Float64Var(&f.budget, "max-budget-usd", 0, "what the session may cost, in `USD`; 0 for no limit")
	fl.StringVar(&f.cwd, "cwd", "", "project `directory` (default: the one you are in)")
	fl.StringVar(&f.configDir, "config-dir", "", "configuration `directory` (default CLAUDE_CONFIG_DIR, else ~/.claude)")
	fl.StringVar(&f.baseURL, "base-url", "", "`URL` of the API (default ANTHROPIC_BASE_URL, else "+realAPI+")")
	fl.StringVar(&f.traceDir, "trace", "", "record every call in .traces/ below this `directory`, keys left out")
	fl.StringToStringVar(&f.set, "set", nil, "a switch of the harness, as `NAME=VALUE`; repeat for more")
	fl.BoolVar(&f.noPersistence, "no-session-persistence", false, "write no session log")
	fl.BoolVar(&f.noOffer, "no-summary-offer", false, "never ask for a summary when a large session is resumed")
	fl.IntVar(&f.cleanupDays, "cleanup-days", 0, "delete sessions of all projects that were not written for so many `days`; 0 deletes nothing")
	return cmd
}

// withReference joins --resume of chat with the reference behind it, which a flag with an optional value would leave
// to the arguments.
func withReference(args []string) []string {
	if len(args) == 0 || args[0] != "chat" {
		return args
	}
	out := slices.Clone(args[:1])
	for i := 1; i < len(args); i++ {
		a := args[i]
		if a == "--" {
			return append(out, args[i:]...)
		}
		if (a == "--resume" || a == "-r") && i+1 < len(args) && !strings.HasPrefix(args[i+1], "-") {
			i++
			a = "--resume=" + args[i]
		}
		out = append(out, a)
	}
	return out
}

func (f *chatting) run(cmd *cobra.Command, prompt string) (err error) {
	if err := f.check(prompt); err != nil {
		return err
	}
	cfg, err := f.config(os.Getenv)
	if err != nil {
		return err
	}
	rerun, err := truth(os.Getenv, "CLAUDE_CODE_RESUME_INTERRUPTED_TURN")
	if err != nil {
		return err
	}
	in := newTyped(cmd.InOrStdin())
	from, file := cmd.InOrStdin().(*os.File)
	keys := &keyboard{typed: in, out: cmd.OutOrStdout(), shown: !f.print && file && isTerminal(from)}
	m, base, err := f.machine(os.Getenv, keys)
	if err != nil {
		return err
	}
	turns := &foreground{}
	defer listen(m, turns, in)()
	var rec *tracelog.Recorder
	if f.traceDir != "" {
		dir, err := filepath.Abs(f.traceDir)
		if err != nil {
			return fmt.Errorf("--trace: %w", err)
		}
		rec = tracelog.New(filepath.ToSlash(dir), m.Now(), base)
	}
	out := m.Run(func(w world.World) {
		if rec != nil {
			w = rec.Wrap(w)
		}
		err = f.talk(cmd, turns.wrap(w), cfg, keys, prompt, rerun)
	})
	switch {
	case out.Panic != "":
		return errors.New("the harness panicked: " + out.Panic)
	case out.Killed:
		return exit(exitBench)
	case rec != nil && err == nil:
		return rec.Err()
	}
	return err
}

// check refuses flags that do not go together.
func (f *chatting) check(prompt string) error {
	switch {
	case f.cont && f.resume != "":
		return errors.New("--continue is the newest session, --resume a named one: give one of them")
	case f.fork && !f.cont && f.resume == "":
		return errors.New("--fork-session copies a session: say which, with --continue or --resume")
	case f.print && f.resume == pick:
		return errors.New("--resume: with -p nobody is there to pick; name the session by its id or title")
	case !f.print && (f.output != "" || f.input != "" || f.partials):
		return errors.New("--output-format, --input-format and --include-partial-messages are for programs: give -p as well")
	case f.input == string(headless.StreamJSON) && prompt != "":
		return errors.New("--input-format stream-json: the prompts come on standard input; leave the argument out")
	case f.cleanupDays < 0:
		return fmt.Errorf("--cleanup-days: %d is no number of days; 0 deletes nothing", f.cleanupDays)
	}
	return nil
}

// machine is this computer as the harness sees it, and the URL of the API.
func (f *chatting) machine(env func(string) string, keys *keyboard) (*real.Machine, string, error) {
	base := cmp.Or(f.baseURL, env("ANTHROPIC_BASE_URL"), realAPI)
	shell, err := real.NewBash("/")
	if err != nil {
		return nil, "", err
	}
	var seed [32]byte
	_, _ = rand.Read(seed[:]) // it never fails
	cfg := real.Config{
		Root: "/", BaseURL: base, IDs: randv2.NewChaCha8(seed), Tools: real.OwnTools{}, Shell: shell, Approver: keys,
	}
	if f.print {
		cfg.Approver = nobodyToAsk{}
	}
	m, err := real.New(cfg)
	if err != nil {
		return nil, "", fmt.Errorf("--base-url: %w", err)
	}
	return m, base, nil
}

// talk opens the session and has the conversation.
func (f *chatting) talk(cmd *cobra.Command, w world.World, cfg harness.Config, keys *keyboard, prompt string, rerun bool) error {
	out, errs := cmd.OutOrStdout(), cmd.ErrOrStderr()
	if f.cleanupDays > 0 {
		if _, err := harness.Retain(w, cfg, f.cleanupDays); err != nil {
			fmt.Fprintln(errs, "bench:", err)
		}
	}
	s, err := f.open(w, cfg, keys, out)
	if err != nil {
		return err
	}
	if !f.print {
		return repl.Run(w, s, keys, out, repl.Options{Config: cfg, First: prompt, Rerun: rerun})
	}
	var in io.Reader = keys.typed.reader
	if prompt != "" {
		in = strings.NewReader(prompt)
	}
	opt := headless.Options{Input: headless.Format(f.input), Output: headless.Format(f.output), Partials: f.partials, Rerun: rerun}
	ok, err := headless.Run(w, s, in, out, opt)
	err = errors.Join(err, s.Close(w))
	for _, text := range s.Report() {
		fmt.Fprintln(errs, "bench:", text)
	}
	if err == nil && !ok {
		return exit(exitBroken)
	}
	return err
}

// open starts, resumes or copies a session.
func (f *chatting) open(w world.World, cfg harness.Config, keys *keyboard, out io.Writer) (*harness.Session, error) {
	ref := f.resume
	if ref == pick {
		var err error
		if ref, err = repl.Pick(w, cfg, keys, out); err != nil {
			return nil, err
		}
	}
	switch {
	case f.fork:
		return harness.ForkOf(w, cfg, ref, "")
	case f.cont || ref != "":
		return harness.Resume(w, cfg, ref)
	}
	return harness.Start(w, cfg)
}

// platform is what the system prompt says of this machine.
func platform(env func(string) string) (system, shell string) {
	return runtime.GOOS, filepath.Base(cmp.Or(env("SHELL"), "bash"))
}
