package main

import (
	"bytes"
	"encoding/pem"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"harnessbench/fakeapi"
	"harnessbench/fakeapi/httpfront"
	"harnessbench/fakeapi/script"
)

// TestTheRealAPIOverTLS plays a story as against the real API: over TLS, with a key from the environment, with
// a budget, the model saying what it likes.
func TestTheRealAPIOverTLS(t *testing.T) {
	const key = "sk-test-do-not-print"
	server := httptest.NewTLSServer(httpfront.New(fakeapi.New(fakeapi.Options{Seed: 1, Keys: []string{key}, Script: script.Script{Autopilot: &script.Autopilot{Seed: 1}}}), httpfront.Options{Seed: 1}))
	defer server.Close()
	cert := filepath.Join(t.TempDir(), "cert.pem")
	require.NoError(t, os.WriteFile(cert, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw}), 0o600))
	self, err := os.Executable()
	require.NoError(t, err)
	bench := filepath.Join(t.TempDir(), "bench")
	require.NoError(t, os.Symlink(self, bench))
	story := func(name string) string { return filepath.Join("..", "..", "scenarios", name+".yaml") }
	run := func(env []string, args ...string) (string, string, int) {
		cmd := exec.Command(bench, append([]string{"run", "--api", "real", "--base-url", server.URL}, args...)...)
		cmd.Env = append([]string{"SSL_CERT_FILE=" + cert, "PATH=" + os.Getenv("PATH"), "TMPDIR=" + t.TempDir()}, env...)
		var out, errs bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &errs
		_ = cmd.Run()
		require.NotContains(t, out.String()+errs.String(), key)
		return out.String(), errs.String(), cmd.ProcessState.ExitCode()
	}
	withKey := []string{"ANTHROPIC_API_KEY=" + key}

	trace := filepath.Join(t.TempDir(), "live.jsonl")
	out, errs, code := run(withKey, story("parallel_tools"), "--trace", trace)
	require.Equal(t, 0, code, out+errs)
	require.Contains(t, errs, "estimated cost: $")
	require.Contains(t, out, "not judged here: the story's expectations, CACHE-6, CMP-1,")
	require.Contains(t, out, "LOG-5, LOG-6, REW-1, THINK-5\n")
	events, err := os.ReadFile(trace)
	require.NoError(t, err)
	require.NotContains(t, string(events), key)
	require.Contains(t, string(events), `"engine":"process"`)

	_, errs, code = run(nil, story("parallel_tools"))
	require.Equal(t, 2, code)
	require.Contains(t, errs, "ANTHROPIC_API_KEY")

	_, errs, code = run(withKey, story("parallel_tools"), "--budget-usd", "0.000001")
	require.Equal(t, 2, code)
	require.Contains(t, errs, "over the budget")

	_, errs, code = run(withKey, story("rewind"))
	require.Equal(t, 2, code, "the story waits past the life of a cache entry")
	require.Contains(t, errs, "rewind.yaml:20: the story waits past_cache_life")

	out, errs, code = run([]string{"ANTHROPIC_API_KEY=wrong"}, story("parallel_tools"))
	require.Equal(t, 3, code, "a key that is refused leaves nothing to judge: %s%s", out, errs)
	require.Contains(t, out, "NOTHING CHECKED")
	require.Contains(t, out, "call 1.1 was refused: 401 authentication_error: invalid x-api-key")
}
