package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"harnessbench/conformance/compare"
	"harnessbench/conformance/run"
	"harnessbench/internal/model"
	"harnessbench/scenarios"
)

// compareFlags are the flags of bench compare.
type compareFlags struct {
	policies              []string
	json, verbose, strict bool
	model                 string
	seed                  uint64
}

func compareCommand() *cobra.Command {
	var f compareFlags
	cmd := &cobra.Command{
		Use:   "compare STORY",
		Short: "play one story under several policies, side by side: calls, tokens, cost, findings",
		Long: "Plays a story once under each policy, in the simulated world, and prints a row for each. The share behind the\n" +
			"cost is against the first row. A policy is a set of switches over those of the story:\n\n" + policyHelp() + "\n" +
			"--policies takes names, and policies of your own as name:switch=value,switch=value, with commas between;\n" +
			"or a YAML file:\n\n" +
			"  policies:\n    - name: as-it-is\n    - name: prune-late\n      set: {micro.mode: position, micro.clearAtLeast: 20000}\n\n" +
			"Expectations of the story count only where a policy changes nothing. " + exitCodes,
		Example: "  bench compare scenarios/rewind.yaml\n" +
			"  bench compare scenarios/rewind.yaml --policies story,ttl-5m,openai,half:cache.policy=openai,cache.hitRate=0.5\n" +
			"  bench compare scenarios/rewind.yaml --policies policies.yaml --json",
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return compareStory(cmd, args[0], f) },
	}
	fl := cmd.Flags()
	fl.StringArrayVar(&f.policies, "policies", nil, "`LIST` of policies, or a file of them; repeat for more (default: all built-in ones)")
	fl.BoolVar(&f.json, "json", false, "one JSON object a line for each policy")
	fl.BoolVarP(&f.verbose, "verbose", "v", false, "show every finding, not their sums alone")
	fl.BoolVar(&f.strict, "strict", false, "level C findings break a policy too")
	fl.StringVar(&f.model, "model", "", "play on this `model` instead of the story's")
	fl.Uint64Var(&f.seed, "seed", defaultSeed, "seed of ids, signatures, ties and hits by chance")
	return cmd
}

// policyHelp lists the built-in policies.
func policyHelp() string {
	var b strings.Builder
	for _, p := range compare.BuiltIn() {
		fmt.Fprintf(&b, "  %-17s %s\n", p.Name, p.Doc)
	}
	return b.String()
}

func compareStory(cmd *cobra.Command, path string, f compareFlags) error {
	stories, err := loadStories([]string{path})
	if err != nil {
		return err
	}
	if len(stories) != 1 {
		return fmt.Errorf("%s holds %d stories; compare plays one", path, len(stories))
	}
	policies, err := f.named()
	if err != nil {
		return err
	}
	if _, ok := model.Lookup(f.model); !ok && f.model != "" {
		return fmt.Errorf("--model: %q is not in the model table", f.model)
	}
	progress := newProgress(cmd.ErrOrStderr(), len(policies))
	rows, err := compare.Play(stories[0], policies, run.Options{Model: f.model, Seed: f.seed}, f.strict, progress.step)
	progress.done()
	if err != nil {
		return err
	}
	out := &results{w: cmd.OutOrStdout()}
	if f.json {
		enc := json.NewEncoder(out)
		enc.SetEscapeHTML(false)
		for _, r := range rows {
			_ = enc.Encode(r) // the values are plain; what fails to be written, results keeps
		}
	} else {
		fmt.Fprint(out, compare.Table(rows, f.verbose))
	}
	i := slices.IndexFunc(rows, func(r compare.Row) bool { return r.Error != "" })
	switch {
	case out.err != nil:
		return fmt.Errorf("the results could not be written: %w", out.err)
	case i >= 0:
		return fmt.Errorf("policy %s: %s", rows[i].Policy, rows[i].Error)
	case slices.ContainsFunc(rows, func(r compare.Row) bool { return r.Broken }):
		return exit(exitBroken)
	case !slices.ContainsFunc(rows, func(r compare.Row) bool { return r.Checked }):
		return exit(exitNothing)
	}
	return nil
}

// named are the policies of the flag: lists and files, in the order given.
func (f compareFlags) named() ([]compare.Policy, error) {
	if f.policies == nil {
		return compare.BuiltIn(), nil
	}
	var out []compare.Policy
	for _, value := range f.policies {
		if ext := filepath.Ext(value); ext != ".yaml" && ext != ".yml" {
			some, err := compare.Parse(value)
			if err != nil {
				return nil, fmt.Errorf("--policies: %w", err)
			}
			out = append(out, some...)
			continue
		}
		listed, err := scenarios.LoadPolicies(os.DirFS(filepath.Dir(value)), filepath.Base(value))
		var bad scenarios.Errors
		if errors.As(err, &bad) {
			for _, e := range bad { // the loader knows the file by its name in the directory; people need the path they typed
				e.File = filepath.ToSlash(value)
			}
			return nil, bad
		}
		if err != nil {
			return nil, err
		}
		for _, p := range listed {
			out = append(out, compare.Policy{Name: p.Name, Set: p.Set})
		}
	}
	if err := compare.Check(out); err != nil {
		return nil, fmt.Errorf("--policies: %w", err)
	}
	return out, nil
}
