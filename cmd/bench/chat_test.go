package main

import (
	"bufio"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/stretchr/testify/require"

	"harnessbench/conformance/run"
	"harnessbench/fakeapi"
	"harnessbench/fakeapi/httpfront"
	"harnessbench/harness/repl"
	"harnessbench/scenarios"
)

// fakeAPI starts bench serve for the rest of the script, and puts its address into ANTHROPIC_BASE_URL: served FLAGS...
func fakeAPI(ts *testscript.TestScript, neg bool, args []string) {
	if neg {
		ts.Fatalf("usage: served flags...")
	}
	bench, err := exec.LookPath("bench")
	ts.Check(err)
	server := exec.Command(bench, append([]string{"serve"}, args...)...)
	server.Dir = ts.Getenv("WORK")
	out, err := server.StdoutPipe()
	ts.Check(err)
	ts.Check(server.Start())
	ts.Defer(func() {
		_ = server.Process.Kill()
		_ = server.Wait() // it was killed
	})
	url, err := bufio.NewReader(out).ReadString('\n')
	ts.Check(err)
	ts.Setenv("ANTHROPIC_BASE_URL", strings.TrimSpace(url))
}

// TestSignalsOfAChat: an interrupt ends the turn that runs and not the conversation; without a turn it ends the
// conversation; a request to terminate ends the process at once.
func TestSignalsOfAChat(t *testing.T) {
	asked := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.ReadAll(r.Body) // so that the server sees the connection close
		asked <- struct{}{}
		<-r.Context().Done()
	}))
	defer server.Close()
	self, err := os.Executable()
	require.NoError(t, err)
	bench := filepath.Join(t.TempDir(), "bench")
	require.NoError(t, os.Symlink(self, bench))
	begin := func() (chat *exec.Cmd, in io.Writer, next func() string) {
		chat = exec.Command(bench, "chat", "--base-url", server.URL, "--cwd", t.TempDir())
		chat.Env = []string{"ANTHROPIC_API_KEY=k", "CLAUDE_CONFIG_DIR=" + t.TempDir(), "PATH=" + os.Getenv("PATH")}
		chat.Stderr = os.Stderr
		keys, err := chat.StdinPipe()
		require.NoError(t, err)
		screen, err := chat.StdoutPipe()
		require.NoError(t, err)
		require.NoError(t, chat.Start())
		lines := bufio.NewReader(screen)
		next = func() string {
			line, err := lines.ReadString('\n')
			require.NoError(t, err)
			return line
		}
		require.Contains(t, next(), "/help lists the commands.")
		_, err = io.WriteString(keys, "one\n")
		require.NoError(t, err)
		<-asked
		return chat, keys, next
	}

	chat, keys, next := begin()
	require.NoError(t, chat.Process.Signal(os.Interrupt))
	require.Equal(t, "[interrupted]\n", next())
	_, err = io.WriteString(keys, "/mode\n")
	require.NoError(t, err)
	require.Equal(t, "The permission mode is default.\n", next())
	require.NoError(t, chat.Process.Signal(os.Interrupt))
	require.Contains(t, next(), "Go on later with --resume ")
	require.NoError(t, chat.Wait())

	chat, _, _ = begin()
	require.NoError(t, chat.Process.Signal(syscall.SIGTERM))
	require.Error(t, chat.Wait())
	require.Equal(t, exitBench, chat.ProcessState.ExitCode())
}

// TestTheReadmeShowsAChat: the conversation in it is one with the server it names, as a terminal shows it.
func TestTheReadmeShowsAChat(t *testing.T) {
	root := filepath.Join("..", "..")
	readme, err := os.ReadFile(filepath.Join(root, "README.md"))
	require.NoError(t, err)
	var shown string
	for _, block := range fenced(string(readme)) {
		if strings.HasPrefix(block, "> which test fails?") {
			shown = block
		}
	}
	require.NotEmpty(t, shown)
	var typed, want strings.Builder
	for line := range strings.Lines(shown) {
		said, isSaid := strings.CutPrefix(line, "> ")
		if !isSaid {
			said, isSaid = strings.CutPrefix(line, repl.AnswerPrompt)
		}
		if isSaid {
			typed.WriteString(said)
		} else {
			want.WriteString(line)
		}
	}

	story, err := scenarios.Load(os.DirFS(filepath.Join(root, "scenarios")), "rewind.yaml")
	require.NoError(t, err)
	server := httptest.NewServer(httpfront.New(fakeapi.New(fakeapi.Options{Script: run.Script(story)}), httpfront.Options{}))
	defer server.Close()
	self, err := os.Executable()
	require.NoError(t, err)
	dir := t.TempDir()
	require.NoError(t, os.Symlink(self, filepath.Join(dir, "bench")))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "make"), []byte("#!/bin/sh\necho '--- FAIL: TestLogin'\nexit 2\n"), 0o755))
	chat := exec.Command(filepath.Join(dir, "bench"), "chat", "--base-url", server.URL, "--cwd", dir, "--config-dir", t.TempDir())
	chat.Env = []string{"ANTHROPIC_API_KEY=any", "PATH=" + dir + ":" + os.Getenv("PATH")}
	chat.Stdin = strings.NewReader(typed.String())
	out, err := chat.Output()
	require.NoError(t, err)
	lines := strings.SplitAfter(string(out), "\n")
	require.Equal(t, want.String(), strings.Join(lines[1:len(lines)-2], "")) // without the names of the session
}
