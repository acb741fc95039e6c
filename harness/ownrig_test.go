package harness_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"harnessbench/harness"
	"harnessbench/harness/world"
	"harnessbench/internal/wire"
)

// ownRig is a rig whose tools run in the harness's own ways, over the simulated disk and shell.
func ownRig(t *testing.T, script ...answer) *rig {
	r := newRig(t, systems, script...)
	r.tool = func(world.ToolCall) (world.ToolResult, time.Duration) { return world.ToolResult{Own: true}, 0 }
	r.shell = func(cmd world.Command) (world.Exit, time.Duration) {
		return world.Exit{Output: "ran " + cmd.Line + "\n", Dir: cmd.Dir}, time.Second
	}
	return r
}

// calls makes an answer of tool calls, each "Name {input}", with running ids.
func calls(n *int, list ...string) answer {
	var blocks []string
	for _, call := range list {
		*n++
		name, input, _ := strings.Cut(call, " ")
		blocks = append(blocks, use(fmt.Sprintf("toolu_%d", *n), name, input))
	}
	return says(blocks...)
}

// results plays one prompt in which the model makes calls, one answer each, and gives the tool_result blocks.
func (r *rig) results(w world.World, s *harness.Session, list ...string) []wire.Value {
	r.t.Helper()
	r.script = r.script[:0]
	for _, call := range list {
		r.script = append(r.script, calls(&r.made, call))
	}
	r.script = append(r.script, says(text("done")))
	r.next = 0
	out := r.prompt(w, s, "go")
	require.Equal(r.t, harness.Completed, out.Reason, "%v", out.Err)
	return r.last(len(list))
}

// last gives the last n results of the newest request.
func (r *rig) last(n int) []wire.Value {
	r.t.Helper()
	req, err := wire.Parse(nil, r.requests[len(r.requests)-1].Body)
	require.NoError(r.t, err)
	var all []wire.Value
	for _, m := range req.Messages() {
		for _, b := range m.Blocks() {
			if b.Type() == "tool_result" {
				all = append(all, b.Value)
			}
		}
	}
	require.GreaterOrEqual(r.t, len(all), n)
	return all[len(all)-n:]
}

// result plays one call and gives its result's text; a failed one begins with "error: ".
func (r *rig) result(w world.World, s *harness.Session, call string) string {
	r.t.Helper()
	return textOf(r.results(w, s, call)[0])
}

func textOf(v wire.Value) string {
	if is, _ := v.Get("is_error").Bool(); is {
		return "error: " + v.Get("content").Text()
	}
	return v.Get("content").Text()
}

func (r *rig) write(path, content string) {
	r.t.Helper()
	require.NoError(r.t, r.disk.Write(path, []byte(content)))
}

func (r *rig) content(path string) string {
	r.t.Helper()
	data, err := r.disk.Read(path)
	require.NoError(r.t, err)
	return string(data)
}

// toolError is how a failed call reads.
func toolError(s string) string { return "error: <tool_use_error>" + s + "</tool_use_error>" }

// logText is all session logs of the machine.
func (r *rig) logText() string {
	r.t.Helper()
	var b strings.Builder
	for _, file := range r.disk.Files() {
		if strings.HasSuffix(file, ".jsonl") {
			b.WriteString(r.content(file))
		}
	}
	return b.String()
}
