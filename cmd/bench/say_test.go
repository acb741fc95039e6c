package main

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestServeByAScriptFile(t *testing.T) {
	out, code := served(t, func(url string) {
		status, body := say(t, url, `{"role":"user","content":"delete everything"}`)
		require.Equal(t, 200, status)
		require.Contains(t, body, `"stop_reason":"refusal"`)
		status, body = say(t, url, hi)
		require.Equal(t, 400, status)
		require.Contains(t, body, "bench script: no rule of lane main answers call 2")
	}, "--script", filepath.Join("..", "..", "scenarios", "scripts", "failing_test.yaml"))
	require.Equal(t, 0, code, out)
}

func TestServeByAutopilotWithFaults(t *testing.T) {
	out, code := served(t, func(url string) {
		status, body := say(t, url, hi)
		require.Equal(t, 529, status, body)
		status, body = say(t, url, hi)
		require.Equal(t, 200, status)
		_, again := say(t, url, hi)
		require.Equal(t, len(body), len(again), "the same request hears the same, but for ids")
	}, "--autopilot", "0", "--fault", "overloaded,call=1")
	require.Equal(t, 0, code, out)
}

func TestServeNamesWhatItCannotPlay(t *testing.T) {
	for want, args := range map[string][]string{ // any order: each is a run of its own
		`--fault: "resett" is no fault`:                  {"--fault", "resett"},
		`--script: none.yaml: no such file`:              {"--script", "none.yaml"},
		`is a directory; a server plays one`:             {"--script", filepath.Join("..", "..", "scenarios")},
		`schema.go:13:1: `:                               {"--script", "schema.go"},
		`event content_block_stop of tool_use 2`:         {"--fault", "help"},
		`split_utf8         Chunks end in the middle of`: {"--fault", "help"},
	} {
		out, code := served(t, func(string) {}, args...)
		require.Contains(t, out, want)
		if args[1] != "help" {
			require.Equal(t, 2, code)
		}
	}
}
