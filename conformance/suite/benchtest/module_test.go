package benchtest_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// outsideTest is what somebody else's module writes: a server, a script, a client, the judge.
const outsideTest = `package outside

import (
	"net/http"
	"strings"
	"testing"

	"harnessbench/conformance/suite/benchtest"
	"harnessbench/fakeapi"
	"harnessbench/fakeapi/script"
)

func TestMine(t *testing.T) {
	turn := script.Turn{Prompt: "ping", Answers: []script.Answer{{Blocks: []script.Block{{Kind: "text", Text: "pong"}}}}}
	server := benchtest.Start(t, fakeapi.Options{Script: script.Script{Turns: []script.Turn{turn}}})
	req, _ := http.NewRequest("POST", server.URL+"/v1/messages", strings.NewReader(BODY))
	req.Header = http.Header{"X-Api-Key": {"any"}, "Anthropic-Version": {"2023-06-01"}}
	resp, err := http.DefaultClient.Do(req)
	if err != nil || resp.StatusCode != 200 {
		t.Fatal(resp, err)
	}
	resp.Body.Close()
	server.Holds(t)
}
`

// TestAnotherModuleCanUseIt builds and runs the example from a module of its own, with a replace line (D21): what
// it needs is exported, and names no internal type.
func TestAnotherModuleCanUseIt(t *testing.T) {
	root, err := filepath.Abs(filepath.Join("..", "..", ".."))
	require.NoError(t, err)
	dir := t.TempDir()
	write := func(name, text string) {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
	}
	gomod, err := os.ReadFile(filepath.Join(root, "go.mod"))
	require.NoError(t, err)
	sums, err := os.ReadFile(filepath.Join(root, "go.sum"))
	require.NoError(t, err)
	// The versions are those of the bench's own go.mod.
	text := string(gomod)[len("module harnessbench"):]
	write("go.mod", "module example.com/outside"+text+"\nrequire harnessbench v0.0.0\nreplace harnessbench => "+root+"\n")
	write("go.sum", string(sums))
	legal := "`{\"model\":\"claude-sonnet-5\",\"max_tokens\":50,\"messages\":[{\"role\":\"user\",\"content\":\"ping\"}]}`"
	orphan := "`{\"model\":\"claude-sonnet-5\",\"max_tokens\":50,\"messages\":[{\"role\":\"user\",\"content\":[{\"type\":\"tool_result\",\"tool_use_id\":\"toolu_1\",\"content\":\"x\"}]}]}`"
	run := func(body string) (string, error) {
		write("outside_test.go", outsideTest+"\nconst BODY = "+body+"\n")
		cmd := exec.Command("go", "test", "-mod=mod", "./...")
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "GOFLAGS=", "GOWORK=off")
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
	out, err := run(legal)
	require.NoError(t, err, out)
	out, err = run(orphan)
	require.Error(t, err, "an orphaned result fails the test of whoever sent it: %s", out)
}
