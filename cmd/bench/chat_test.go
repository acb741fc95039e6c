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
	"time"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/stretchr/testify/require"
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
	time.Sleep(50 * time.Millisecond) // it waits for a line again
	require.NoError(t, chat.Process.Signal(os.Interrupt))
	require.Contains(t, next(), "Go on later with --resume ")
	require.NoError(t, chat.Wait())

	chat, _, _ = begin()
	require.NoError(t, chat.Process.Signal(syscall.SIGTERM))
	require.Error(t, chat.Wait())
	require.Equal(t, exitBench, chat.ProcessState.ExitCode())
}
