// Rulebook writes harness/RULES.md and harness/BUGS.md; run it from the module's root. It prints what the pages lack.
package main

import (
	"fmt"
	"os"

	"harnessbench/harness/rulebook"
)

func main() {
	for _, page := range []func() error{rules, bugs} {
		if err := page(); err != nil {
			fmt.Fprintln(os.Stderr, "rulebook:", err)
			os.Exit(2)
		}
	}
}

func rules() error {
	table, err := rulebook.Rules()
	if err != nil {
		return err
	}
	mentions, err := rulebook.Read(os.DirFS("."), rulebook.Dirs[:]...)
	if err != nil {
		return err
	}
	tell(rulebook.Gaps(table, mentions, nil))
	return os.WriteFile("harness/RULES.md", []byte(rulebook.Page(table, mentions)), 0o644)
}

func bugs() error {
	table, err := rulebook.Bugs()
	if err != nil {
		return err
	}
	found, err := rulebook.ReadBugs(os.DirFS("."))
	if err != nil {
		return err
	}
	tell(rulebook.BugGaps(table, found))
	return os.WriteFile("harness/BUGS.md", []byte(rulebook.BugPage(table, found)), 0o644)
}

func tell(gaps []string) {
	for _, gap := range gaps {
		fmt.Println(gap)
	}
}
