package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/stretchr/testify/require"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"bench": main})
}

// TestScripts runs testdata/script: the command line as a person types it, exit codes included.
func TestScripts(t *testing.T) {
	root, err := filepath.Abs(filepath.Join("..", ".."))
	require.NoError(t, err)
	testscript.Run(t, testscript.Params{
		Dir: filepath.Join("testdata", "script"),
		Setup: func(env *testscript.Env) error {
			env.Setenv("STORIES", filepath.Join(root, "scenarios"))
			for _, dir := range []string{"scenarios", "golden"} {
				if err := os.CopyFS(filepath.Join(env.WorkDir, dir), os.DirFS(filepath.Join(root, dir))); err != nil {
					return err
				}
			}
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"code": code, "replace": replace, "served": fakeAPI},
	})
}

// replace changes a text in a file: replace FILE OLD NEW
func replace(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: replace file old new")
	}
	text := ts.ReadFile(args[0])
	if !strings.Contains(text, args[1]) {
		ts.Fatalf("%s does not hold %q", args[0], args[1])
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(strings.ReplaceAll(text, args[1], args[2])), 0o644))
}

// code runs a program and demands its exit code: code 2 bench run x.yaml
func code(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: code N program args...")
	}
	err := ts.Exec(args[1], args[2:]...)
	got := "0"
	if exit, ok := err.(*exec.ExitError); ok {
		got = string(rune('0' + exit.ExitCode()))
	}
	if got != args[0] {
		ts.Fatalf("exit code %s, want %s (%v)", got, args[0], err)
	}
}

// verdicts is what must be equal between engines: verdict and occasions of each check.
func verdicts(t *testing.T, out []byte) []string {
	t.Helper()
	var list []string
	for line := range bytes.Lines(out) {
		var r struct {
			Story  string
			Broken bool
			Calls  int
			Checks []struct {
				Check, Verdict string
				Occasions      int
			}
		}
		require.NoError(t, json.Unmarshal(line, &r))
		require.False(t, r.Broken, "%s", line)
		require.Positive(t, r.Calls)
		for _, c := range r.Checks {
			raw, err := json.Marshal(c)
			require.NoError(t, err)
			list = append(list, r.Story+" "+string(raw))
		}
	}
	require.NotEmpty(t, list)
	return list
}

// TestARealServerGivesTheSameVerdicts starts bench serve as its own process and plays the story against it
// twice: verdicts and occasion counts are those of the run inside one process.
func TestARealServerGivesTheSameVerdicts(t *testing.T) {
	story := filepath.Join("..", "..", "scenarios", "rewind.yaml")
	self, err := os.Executable()
	require.NoError(t, err)
	// testscript.Main runs a command when the program is called by its name.
	bench := filepath.Join(t.TempDir(), "bench")
	require.NoError(t, os.Symlink(self, bench))
	run := func(args ...string) []byte {
		cmd := exec.Command(bench, args...)
		cmd.Stderr = os.Stderr
		out, err := cmd.Output()
		require.NoError(t, err)
		return out
	}
	inside := verdicts(t, run("run", story, "--json"))

	server := exec.Command(bench, "serve", "--script", story)
	stdout, err := server.StdoutPipe()
	require.NoError(t, err)
	server.Stderr = os.Stderr
	require.NoError(t, server.Start())
	defer func() {
		_ = server.Process.Signal(os.Interrupt)
		require.NoError(t, server.Wait(), "serve ends cleanly when interrupted")
	}()
	url, err := bufio.NewReader(stdout).ReadString('\n')
	require.NoError(t, err)
	for range 2 {
		require.Equal(t, inside, verdicts(t, run("run", story, "--api", strings.TrimSpace(url), "--json")))
	}
}
