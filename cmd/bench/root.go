package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"
)

// Exit codes (architecture.md 5.1).
const (
	exitHeld    = 0 // all held
	exitBroken  = 1 // a violation or a golden difference
	exitBench   = 2 // the bench could not do its job
	exitNothing = 3 // nothing was checked
)

// exit carries a code that is no error of the bench.
type exit int

func (e exit) Error() string { return fmt.Sprintf("exit code %d", int(e)) }

const exitCodes = `Exit codes: 0 all held; 1 something broke (a violation, a golden difference); 2 the bench could
not do its job (bad input, no server); 3 nothing was checked.`

// cli runs one command line and returns the exit code.
func cli(args []string, out, errs io.Writer) int {
	root := &cobra.Command{
		Use:           "bench",
		Short:         "simulation and conformance test bench for agent harnesses",
		Long:          "bench plays scripted stories against an agent harness that talks to a Messages API, records every byte\nbetween them, and judges what held, what broke and what it cost.\n\n" + exitCodes,
		SilenceUsage:  true,
		SilenceErrors: true,
	}
	root.SetArgs(withReference(args))
	root.SetOut(out)
	root.SetErr(errs)
	root.AddCommand(runCommand(), compareCommand(), serveCommand(), chatCommand(), schemaCommand(), listCommand(), rulesCommand(), versionCommand())
	root.InitDefaultCompletionCmd(args...)
	for _, c := range root.Commands() {
		if c.Name() == "completion" {
			c.Args, c.RunE = cobra.ArbitraryArgs, func(*cobra.Command, []string) error {
				return errors.New("completion takes the name of a shell: bash, fish, powershell or zsh")
			}
		}
	}
	err := root.ExecuteContext(context.Background())
	var code exit
	switch {
	case err == nil:
		return exitHeld
	case errors.As(err, &code):
		return int(code)
	}
	fmt.Fprintln(errs, "bench:", err)
	return exitBench
}
