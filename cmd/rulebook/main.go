// Rulebook writes harness/RULES.md; run it from the module's root. It prints what the page lacks.
package main

import (
	"fmt"
	"os"

	"harnessbench/harness/rulebook"
)

func main() {
	if err := write(); err != nil {
		fmt.Fprintln(os.Stderr, "rulebook:", err)
		os.Exit(2)
	}
}

func write() error {
	rules, err := rulebook.Rules()
	if err != nil {
		return err
	}
	mentions, err := rulebook.Read(os.DirFS("."), rulebook.Dirs[:]...)
	if err != nil {
		return err
	}
	for _, gap := range rulebook.Gaps(rules, mentions, nil) {
		fmt.Println(gap)
	}
	return os.WriteFile("harness/RULES.md", []byte(rulebook.Page(rules, mentions)), 0o644)
}
