package harness_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"harnessbench/harness"
	"harnessbench/harness/world"
	"harnessbench/harness/world/sim"
	"harnessbench/internal/wire"
)

// rig is one simulated machine with a scripted server: answers are taken in order, the last one repeats.
type rig struct {
	t        *testing.T
	m        *sim.Machine
	disk     *sim.Disk
	cfg      harness.Config
	script   []answer
	answer   func() answer // in place of the script
	check    func(req world.Request)
	chunks   int // frames per answer, 0: one per event
	next     int
	requests []world.Request
	ran      []string // ids of tools that were started
	tool     func(call world.ToolCall) (world.ToolResult, time.Duration)
	made     int // ids of calls given so far
	shell    func(cmd world.Command) (world.Exit, time.Duration)
}

// answer is one scripted answer: raw blocks, or an exchange of its own.
type answer struct {
	blocks   []string
	stop     string
	input    int // tokens it reports of its call, 0 for 3
	exchange *sim.Exchange
}

func text(s string) string { return fmt.Sprintf(`{"type":"text","text":%q}`, s) }

func thinking(s, sig string) string {
	return fmt.Sprintf(`{"type":"thinking","thinking":%q,"signature":%q}`, s, sig)
}

func use(id, name, input string) string {
	return fmt.Sprintf(`{"type":"tool_use","id":%q,"name":%q,"input":%s}`, id, name, input)
}

func says(blocks ...string) answer {
	stop := "end_turn"
	for _, b := range blocks {
		if strings.Contains(b, `"tool_use"`) {
			stop = "tool_use"
		}
	}
	return answer{blocks: blocks, stop: stop}
}

const (
	configDir = "/home/u/.claude"
	cwd       = "/w/app"
	plain     = "claude-sonnet-4-6"
	systems   = "claude-sonnet-5"
	bound     = "claude-sonnet-5-5"
	manual    = "claude-haiku-4-5"
)

func newRig(t *testing.T, model string, script ...answer) *rig {
	r := &rig{t: t, disk: sim.NewDisk(), script: script}
	r.cfg = harness.Config{Model: model, ConfigDir: configDir, Cwd: cwd, APIKey: "test-key"}
	r.tool = func(world.ToolCall) (world.ToolResult, time.Duration) {
		return world.ToolResult{Output: "out\n"}, time.Second
	}
	if err := r.disk.Write(cwd+"/CLAUDE.md", []byte("Use tabs.\n")); err != nil {
		panic(err)
	}
	r.m = sim.New(sim.Config{
		Seed: 7, Start: time.Date(2026, 11, 30, 9, 0, 0, 0, time.UTC), Server: r, Tools: r, Shell: r, Disk: r.disk, MaxEvents: 100_000,
	})
	return r
}

// Handle is the scripted server.
func (r *rig) Handle(_ time.Time, req world.Request) sim.Exchange {
	r.requests = append(r.requests, req)
	if r.check != nil {
		r.check(req)
	}
	a := r.script[min(r.next, len(r.script)-1)]
	if r.answer != nil {
		a = r.answer()
	}
	r.next++
	if a.exchange != nil {
		return *a.exchange
	}
	e := stream(fmt.Sprintf("msg_%d", r.next), modelOf(r.t, req.Body), a)
	if r.chunks > 0 {
		e.Frames = join(e.Frames, r.chunks)
	}
	return e
}

// modelOf is the model a request asks for.
func modelOf(t *testing.T, body []byte) string {
	t.Helper()
	v, err := wire.ParseValue(body)
	require.NoError(t, err)
	return v.Get("model").Text()
}

// Run is the scripted tool.
func (r *rig) Run(_ time.Time, call world.ToolCall) (world.ToolResult, time.Duration) {
	r.ran = append(r.ran, call.ID)
	return r.tool(call)
}

// Exec is the scripted shell.
func (r *rig) Exec(_ time.Time, cmd world.Command) (world.Exit, time.Duration) {
	if r.shell == nil || strings.HasPrefix(cmd.Line, "git --no-optional-locks") {
		return world.Exit{Output: "sh: command not found\n", Code: 127, Dir: cmd.Dir}, 0
	}
	return r.shell(cmd)
}

// stream delivers an answer as events, 100 ms apart, text and input in two deltas.
func stream(id, model string, a answer) sim.Exchange {
	e := sim.Exchange{Status: 200, Header: []world.Field{{Name: "request-id", Value: "req_" + id}}}
	at := time.Duration(0)
	send := func(name, data string) {
		at += 100 * time.Millisecond
		e.Frames = append(e.Frames, sim.Frame{After: at, Data: []byte("event: " + name + "\ndata: " + data + "\n\n")})
	}
	send("message_start", fmt.Sprintf(`{"type":"message_start","message":{"id":%q,"type":"message","role":"assistant","model":%q,`+
		`"content":[],"stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":%d,"output_tokens":1}}}`, id, model, max(a.input, 3)))
	for i, b := range a.blocks {
		v, err := wire.ParseValue([]byte(b))
		if err != nil {
			panic(err)
		}
		start, deltas := b, []string(nil)
		two := func(kind, field string, s string) {
			deltas = append(deltas, fmt.Sprintf(`{"type":%q,%q:%q}`, kind, field, s[:len(s)/2]),
				fmt.Sprintf(`{"type":%q,%q:%q}`, kind, field, s[len(s)/2:]))
		}
		switch v.Get("type").Text() {
		case "text":
			start = `{"type":"text","text":""}`
			two("text_delta", "text", v.Get("text").Text())
		case "thinking":
			start = `{"type":"thinking","thinking":"","signature":""}`
			two("thinking_delta", "thinking", v.Get("thinking").Text())
			deltas = append(deltas, fmt.Sprintf(`{"type":"signature_delta","signature":%q}`, v.Get("signature").Text()))
		case "tool_use":
			start = fmt.Sprintf(`{"type":"tool_use","id":%q,"name":%q,"input":{}}`, v.Get("id").Text(), v.Get("name").Text())
			two("input_json_delta", "partial_json", string(v.Get("input").Raw()))
		}
		send("content_block_start", fmt.Sprintf(`{"type":"content_block_start","index":%d,"content_block":%s}`, i, start))
		for _, d := range deltas {
			send("content_block_delta", fmt.Sprintf(`{"type":"content_block_delta","index":%d,"delta":%s}`, i, d))
		}
		send("content_block_stop", fmt.Sprintf(`{"type":"content_block_stop","index":%d}`, i))
	}
	send("message_delta", fmt.Sprintf(`{"type":"message_delta","delta":{"stop_reason":%q,"stop_sequence":null},"usage":{"output_tokens":9}}`, a.stop))
	send("message_stop", `{"type":"message_stop"}`)
	return e
}

// join makes n frames of many.
func join(frames []sim.Frame, n int) []sim.Frame {
	out := make([]sim.Frame, n)
	for i, f := range frames {
		o := &out[i*n/len(frames)]
		o.After, o.Data = f.After, append(o.Data, f.Data...)
	}
	return out
}

// process runs f as the first fiber of a process and requires that it ended well.
func (r *rig) process(f func(w world.World)) {
	r.t.Helper()
	out := r.m.Run(f)
	require.Empty(r.t, out.Panic)
	require.Empty(r.t, out.Left)
	require.Empty(r.t, out.Stuck)
}

// session runs f with a new session, and closes it.
func (r *rig) session(f func(w world.World, s *harness.Session)) {
	r.t.Helper()
	r.process(func(w world.World) {
		s, err := harness.Start(w, r.cfg)
		require.NoError(r.t, err)
		f(w, s)
		require.NoError(r.t, s.Close(w))
	})
}

// resumed runs f with the newest session in a new process, and closes it.
func (r *rig) resumed(f func(w world.World, s *harness.Session)) {
	r.t.Helper()
	r.process(func(w world.World) {
		s, err := harness.Resume(w, r.cfg, "")
		require.NoError(r.t, err)
		f(w, s)
		require.NoError(r.t, s.Close(w))
	})
}

func (r *rig) prompt(w world.World, s *harness.Session, text string) harness.Outcome {
	r.t.Helper()
	out, err := s.Prompt(w, text)
	require.NoError(r.t, err)
	return out
}

// shape writes the messages of a request in short: roles and block types, texts cut.
func shape(t *testing.T, body []byte) []string {
	t.Helper()
	req, err := wire.Parse(nil, body)
	require.NoError(t, err, "%s", body)
	var out []string
	for _, m := range req.Messages() {
		line := m.Role() + ":"
		for _, b := range m.Blocks() {
			line += " " + b.Type()
			switch b.Type() {
			case "text":
				s := b.TextValue().Text()
				s = strings.TrimPrefix(s, "<system-reminder>\n")
				line += "(" + s[:min(len(s), 24)] + ")"
			case "tool_use":
				line += "(" + b.Get("id").Text() + ")"
			case "tool_result":
				s := b.Get("content").Text()
				line += "(" + b.Get("tool_use_id").Text() + " " + strings.ReplaceAll(s[:min(len(s), 24)], "\n", "|") + ")"
			}
			if b.Get("cache_control").Exists() {
				line += "*"
			}
		}
		out = append(out, line)
	}
	return out
}

func (r *rig) shape(i int) []string {
	r.t.Helper()
	require.Less(r.t, i, len(r.requests))
	return shape(r.t, r.requests[i].Body)
}
