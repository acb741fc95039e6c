package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"harnessbench/conformance/trace"
)

// served starts bench serve, lets talk speak to it, ends it, and returns what it printed behind its address, and
// its exit code.
func served(t *testing.T, talk func(url string), args ...string) (string, int) {
	t.Helper()
	self, err := os.Executable()
	require.NoError(t, err)
	bench := filepath.Join(t.TempDir(), "bench")
	require.NoError(t, os.Symlink(self, bench))
	server := exec.Command(bench, append([]string{"serve"}, args...)...)
	stdout, err := server.StdoutPipe()
	require.NoError(t, err)
	var stderr bytes.Buffer
	server.Stderr = &stderr
	require.NoError(t, server.Start())
	lines := bufio.NewReader(stdout)
	url, err := lines.ReadString('\n')
	if err == nil {
		talk(strings.TrimSpace(url))
		require.NoError(t, server.Process.Signal(os.Interrupt))
	}
	rest, err := io.ReadAll(lines)
	require.NoError(t, err)
	code := 0
	if err := server.Wait(); err != nil {
		code = server.ProcessState.ExitCode()
	}
	return string(rest) + stderr.String(), code
}

// say sends one message list and returns the status and the body.
func say(t *testing.T, url, messages string) (int, string) {
	t.Helper()
	body := `{"model":"claude-sonnet-5","max_tokens":10,"tools":[{"name":"t","input_schema":{"type":"object"}}],"messages":[` + messages + `]}`
	req, err := http.NewRequest("POST", url+"/v1/messages", strings.NewReader(body))
	require.NoError(t, err)
	req.Header = http.Header{"X-Api-Key": {"secret-key"}, "Anthropic-Version": {"2023-06-01"}}
	resp, err := http.DefaultClient.Do(req)
	require.NoError(t, err)
	defer resp.Body.Close()
	out, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	return resp.StatusCode, string(out)
}

const (
	hi      = `{"role":"user","content":"hi"}`
	more    = `,{"role":"assistant","content":"hello"},{"role":"user","content":"go on"}`
	dangles = `,{"role":"assistant","content":[{"type":"tool_use","id":"toolu_1","name":"t","input":{}}]},{"role":"user","content":"go on"}`
)

func TestServeRecordsAndJudges(t *testing.T) {
	file := filepath.Join(t.TempDir(), "traffic.jsonl")
	out, code := served(t, func(url string) {
		for _, messages := range []string{hi, hi + more} {
			status, _ := say(t, url, messages)
			require.Equal(t, 200, status)
		}
	}, "--record", file, "--check")
	assert.Equal(t, 0, code, out)
	assert.Contains(t, out, "2 calls  held: ")
	assert.Contains(t, out, "PAIR-1")

	raw, err := os.ReadFile(file)
	require.NoError(t, err)
	assert.NotContains(t, string(raw), "secret-key")
	r := trace.NewReader(bytes.NewReader(raw))
	var kinds []string
	var chains []string
	for {
		e, err := r.Next()
		if err == io.EOF {
			break
		}
		require.NoError(t, err)
		kinds = append(kinds, string(e.Kind))
		if e.Request != nil {
			chains = append(chains, e.Request.Chain)
		}
	}
	assert.Equal(t, []string{"run", "request", "response", "request", "response", "end"}, kinds)
	assert.Equal(t, []string{"chain-1", "chain-1"}, chains)
}

func TestServeSaysWhatBroke(t *testing.T) {
	out, code := served(t, func(url string) {
		status, _ := say(t, url, hi+dangles)
		require.Equal(t, 400, status)
	}, "--check")
	assert.Equal(t, 1, code, out)
	assert.Contains(t, out, "call 1  PAIR-1: ")
	assert.Equal(t, 1, strings.Count(out, "PAIR-1: "), "once")
}

func TestServeRefusesAPaceThatIsNone(t *testing.T) {
	for _, text := range []string{"fast", "0x", "-1x", "x", "10", "infx", "nanx"} {
		_, err := speedOf(text)
		assert.Error(t, err, text)
	}
	for text, want := range map[string]float64{"virtual": 0, "real": 1, "10x": 10, "0.5x": 0.5} {
		got, err := speedOf(text)
		assert.NoError(t, err)
		assert.Equal(t, want, got)
	}
}

func TestServeRefusesRetiredModelsWhenAsked(t *testing.T) {
	ask := func(url string) string {
		t.Helper()
		body := `{"model":"claude-3-7-sonnet-20250219","max_tokens":10,"messages":[` + hi + `]}`
		req, err := http.NewRequest("POST", url+"/v1/messages", strings.NewReader(body))
		require.NoError(t, err)
		req.Header = http.Header{"X-Api-Key": {"secret-key"}, "Anthropic-Version": {"2023-06-01"}}
		resp, err := http.DefaultClient.Do(req)
		require.NoError(t, err)
		defer resp.Body.Close()
		out, err := io.ReadAll(resp.Body)
		require.NoError(t, err)
		return fmt.Sprint(resp.StatusCode, " ", string(out))
	}
	served(t, func(url string) { assert.Contains(t, ask(url), "200 ") })
	served(t, func(url string) {
		assert.Contains(t, ask(url), `404 {"type":"error","error":{"type":"not_found_error","message":"model: claude-3-7-sonnet-20250219"}`)
	}, "--refuse-retired")
}
