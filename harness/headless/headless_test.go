package headless_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"harnessbench/harness"
	"harnessbench/harness/headless"
	"harnessbench/harness/world"
	"harnessbench/harness/world/sim"
)

// server answers with scripted bodies, in order.
type server struct {
	bodies []string // an SSE body, or "!STATUS BODY"
	got    []string // bodies of the requests
}

func (s *server) Handle(_ time.Time, req world.Request) sim.Exchange {
	s.got = append(s.got, string(req.Body))
	body := s.bodies[min(len(s.got), len(s.bodies))-1]
	e := sim.Exchange{Status: 200}
	if rest, refused := strings.CutPrefix(body, "!"); refused {
		if _, err := fmt.Sscan(rest, &e.Status); err != nil {
			panic(err)
		}
		body = rest[4:]
	}
	e.Frames = []sim.Frame{{After: time.Second, Data: []byte(body)}}
	return e
}

func (*server) Run(time.Time, world.ToolCall) (world.ToolResult, time.Duration) {
	return world.ToolResult{Output: "ok"}, 2 * time.Second
}

func (*server) Approve(_ time.Time, call world.ToolCall) (world.Approval, time.Duration) {
	return world.Approval{Allow: !strings.Contains(string(call.Input), "rm"), Feedback: "not that"}, 0
}

// sse is an answer of one block.
func sse(id, block, delta, stop string) string {
	var b strings.Builder
	for _, e := range []string{
		fmt.Sprintf(`{"type":"message_start","message":{"id":%q,"type":"message","role":"assistant","model":"claude-sonnet-5","content":[],"stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":10,"output_tokens":1}}}`, id),
		`{"type":"content_block_start","index":0,"content_block":` + block + `}`,
		`{"type":"content_block_delta","index":0,"delta":` + delta + `}`,
		`{"type":"content_block_stop","index":0}`,
		fmt.Sprintf(`{"type":"message_delta","delta":{"stop_reason":%q,"stop_sequence":null},"usage":{"output_tokens":5}}`, stop),
		`{"type":"message_stop"}`,
	} {
		name := strings.SplitN(e[len(`{"type":"`):], `"`, 2)[0]
		b.WriteString("event: " + name + "\ndata: " + e + "\n\n")
	}
	return b.String()
}

func says(id, text string) string {
	return sse(id, `{"type":"text","text":""}`, fmt.Sprintf(`{"type":"text_delta","text":%q}`, text), "end_turn")
}

func calls(id, command string) string {
	input, _ := json.Marshal(fmt.Sprintf(`{"command":%q}`, command))
	return sse("m"+id, fmt.Sprintf(`{"type":"tool_use","id":%q,"name":"Bash","input":{}}`, id), `{"type":"input_json_delta","partial_json":`+string(input)+`}`, "tool_use")
}

const overloaded = `!529 {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}`

// play runs an input against scripted answers and gives what came out.
func play(t *testing.T, opt headless.Options, in io.Reader, change func(*harness.Config), bodies ...string) (out string, s *server, err error) {
	t.Helper()
	s = &server{bodies: bodies}
	m := sim.New(sim.Config{Seed: 1, Start: time.Date(2026, 11, 30, 9, 0, 0, 0, time.UTC), Server: s, Tools: s, Approver: s, MaxEvents: 100_000})
	var b strings.Builder
	end := m.Run(func(w world.World) {
		cfg := harness.Config{Model: "claude-sonnet-5", ConfigDir: "/c", Cwd: "/w/app", APIKey: "k"}
		if change != nil {
			change(&cfg)
		}
		session, e := harness.Start(w, cfg)
		require.NoError(t, e)
		_, err = headless.Run(w, session, in, &b, opt)
		require.NoError(t, session.Close(w))
	})
	require.Empty(t, end.Panic)
	return b.String(), s, err
}

// objects parses a stream.
func objects(t *testing.T, out string) (lines []map[string]any) {
	t.Helper()
	for l := range strings.Lines(out) {
		var o map[string]any
		require.NoError(t, json.Unmarshal([]byte(l), &o), l)
		lines = append(lines, o)
	}
	return lines
}

// kinds are the types of the lines of a stream, with their subtypes.
func kinds(lines []map[string]any) (out []string) {
	for _, l := range lines {
		k := l["type"].(string)
		if sub, ok := l["subtype"].(string); ok {
			k += "/" + sub
		}
		out = append(out, k)
	}
	return out
}

// Text shows the last answer, JSON the last result (H-LOOP-60).
func TestTextAndJSONShowTheEnd(t *testing.T) {
	out, s, err := play(t, headless.Options{}, strings.NewReader("which test\nfails?\n"), nil, says("m1", "TestLogin."))
	require.NoError(t, err)
	assert.Equal(t, "TestLogin.\n", out)
	assert.Contains(t, s.got[0], `"text":"which test\nfails?"`)

	out, _, err = play(t, headless.Options{Output: headless.JSON}, strings.NewReader("hello"), nil, says("m1", "Hi."))
	require.NoError(t, err)
	lines := objects(t, out)
	require.Len(t, lines, 1)
	r := lines[0]
	assert.NotEmpty(t, r["session_id"])
	delete(r, "session_id")
	assert.Equal(t, map[string]any{
		"type": "result", "subtype": "success", "is_error": false, "duration_ms": 1000.0, "duration_api_ms": 1000.0, "num_turns": 1.0,
		"result": "Hi.", "stop_reason": "end_turn", "total_cost_usd": 0.00007,
		"usage": map[string]any{"input_tokens": 10.0, "cache_creation_input_tokens": 0.0, "cache_read_input_tokens": 0.0, "output_tokens": 5.0,
			"cache_creation": map[string]any{"ephemeral_1h_input_tokens": 0.0, "ephemeral_5m_input_tokens": 0.0}},
		"modelUsage": map[string]any{"claude-sonnet-5": map[string]any{"inputTokens": 10.0, "outputTokens": 5.0, "cacheReadInputTokens": 0.0,
			"cacheCreationInputTokens": 0.0, "costUSD": 0.00007, "contextWindow": 1000000.0}},
		"permission_denials": []any{}, "terminal_reason": "completed",
	}, r)
}

// A stream has a line for the start, each message, each retry and each result, with their fields (H-LOOP-60, H-LOOP-61,
// H-LOOP-49).
func TestAStreamHasALineForEachThing(t *testing.T) {
	out, _, err := play(t, headless.Options{Output: headless.StreamJSON}, strings.NewReader("go"), nil, calls("a", "make"), overloaded, says("m2", "Done."))
	require.NoError(t, err)
	lines := objects(t, out)
	require.Equal(t, []string{"system/init", "assistant", "user", "system/api_retry", "assistant", "result/success"}, kinds(lines))
	for _, l := range lines {
		assert.Equal(t, lines[0]["session_id"], l["session_id"])
	}
	for _, field := range []string{"cwd", "model", "tools", "mcp_servers", "permissionMode", "slash_commands", "skills", "agents", "apiKeySource", "claude_code_version", "output_style"} {
		assert.Contains(t, lines[0], field)
	}
	assert.Len(t, lines[0]["tools"], 30)
	assert.Equal(t, "/w/app", lines[0]["cwd"])

	call := lines[1]
	assert.Nil(t, call["parent_tool_use_id"])
	assert.Contains(t, call, "parent_tool_use_id")
	assert.NotEmpty(t, call["uuid"])
	message := call["message"].(map[string]any)
	assert.Equal(t, "ma", message["id"])
	assert.Equal(t, "tool_use", message["stop_reason"])
	assert.Equal(t, "tool_use", message["content"].([]any)[0].(map[string]any)["type"])

	result := lines[2]
	assert.Equal(t, "ok", result["tool_use_result"].(map[string]any)["stdout"])
	assert.Equal(t, "a", result["message"].(map[string]any)["content"].([]any)[0].(map[string]any)["tool_use_id"])

	retry := lines[3]
	assert.EqualValues(t, 1, retry["attempt"])
	assert.EqualValues(t, 10, retry["max_retries"])
	assert.EqualValues(t, 529, retry["error_status"])
	assert.Equal(t, "overloaded_error", retry["error"])
	assert.GreaterOrEqual(t, retry["retry_delay_ms"], 500.0)

	assert.EqualValues(t, 2, lines[5]["num_turns"])
	assert.Equal(t, "Done.", lines[5]["result"])
}

// With partial messages each event of an answer has a line, in the server's own words (H-LOOP-60).
func TestPartialMessagesAreTheEvents(t *testing.T) {
	out, _, err := play(t, headless.Options{Output: headless.StreamJSON, Partials: true}, strings.NewReader("go"), nil, says("m1", "Hi."))
	require.NoError(t, err)
	assert.Equal(t, 6, strings.Count(out, `{"type":"stream_event","event":{"type":"`))
	assert.Contains(t, out, `"event":{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Hi."}},"session_id":`)
}

// Each way a turn ends has its subtype and terminal reason, and what was denied is listed (H-LOOP-62, H-LOOP-7).
func TestResultsSayHowATurnEnded(t *testing.T) {
	refusal := `!400 {"type":"error","error":{"type":"invalid_request_error","message":"no"}}`
	long := `!400 {"type":"error","error":{"type":"invalid_request_error","message":"prompt is too long: 9 tokens > 8 maximum"}}`
	for name, c := range map[string]struct {
		bodies            []string
		change            func(*harness.Config)
		subtype, terminal string
		failed            bool
	}{
		"completed":   {[]string{says("m1", "Hi.")}, nil, "success", "completed", false},
		"rounds":      {[]string{calls("a", "make"), says("m1", "Hi.")}, func(c *harness.Config) { c.MaxTurns = 1 }, "error_max_turns", "max_turns", true},
		"budget":      {[]string{calls("a", "make"), says("m1", "Hi.")}, func(c *harness.Config) { c.MaxBudgetUSD = 1e-6 }, "error_max_budget_usd", "max_budget", true},
		"api":         {[]string{refusal}, nil, "error_during_execution", "api_error", true},
		"too long":    {[]string{long}, nil, "error_during_execution", "prompt_too_long", true},
		"declined":    {[]string{sse("m1", `{"type":"text","text":""}`, `{"type":"text_delta","text":"No."}`, "refusal")}, nil, "error_during_execution", "model_error", true},
		"broken":      {[]string{says("m1", "Hi.")[:600]}, func(c *harness.Config) { c.MaxRetries = -1 }, "error_during_execution", "api_error", true},
		"denied once": {[]string{calls("a", "rm x"), says("m1", "Hi.")}, nil, "success", "completed", false},
	} {
		t.Run(name, func(t *testing.T) {
			out, _, err := play(t, headless.Options{Output: headless.JSON}, strings.NewReader("go"), c.change, c.bodies...)
			require.NoError(t, err)
			r := objects(t, out)[0]
			assert.Equal(t, c.subtype, r["subtype"])
			assert.Equal(t, c.terminal, r["terminal_reason"])
			assert.Equal(t, c.failed, r["is_error"])
			if c.failed {
				require.Len(t, r["errors"], 1)
				text, _, _ := play(t, headless.Options{}, strings.NewReader("go"), c.change, c.bodies...)
				assert.Equal(t, r["errors"].([]any)[0].(string)+"\n", text)
			}
			if name == "denied once" {
				assert.Equal(t, []any{map[string]any{"tool_name": "Bash", "tool_use_id": "a", "tool_input": map[string]any{"command": "rm x"}}}, r["permission_denials"])
			}
		})
	}
}

// Messages come one a line; one that is held goes with the next turn (H-LOOP-63).
func TestMessagesComeOneALine(t *testing.T) {
	in := `{"type":"user","message":{"role":"user","content":"one"}}

{"type":"user","message":{"role":"user","content":[{"type":"text","text":"wait"},{"type":"text","text":"for it"}]},"shouldQuery":false}
{"type":"user","message":{"content":"two"},"shouldQuery":true,"session_id":"x"}`
	out, s, err := play(t, headless.Options{Input: headless.StreamJSON, Output: headless.StreamJSON}, strings.NewReader(in), nil, says("m1", "A."), says("m2", "B."))
	require.NoError(t, err)
	require.Len(t, s.got, 2)
	assert.Contains(t, s.got[1], `{"type":"text","text":"wait\nfor it"},{"type":"text","text":"two"`)
	assert.Equal(t, []string{"system/init", "assistant", "result/success", "assistant", "result/success"}, kinds(objects(t, out)))
}

// What cannot be read is an error with its line, and what came before it was done (H-LOOP-63).
func TestBadInputIsNamed(t *testing.T) {
	good := `{"type":"user","message":{"role":"user","content":"one"}}` + "\n"
	for line, want := range map[string]string{
		"hello":                      "input line 2: it is no JSON",
		"[1]":                        "it is an array, want an object",
		`{"type":"control_request"}`: `its type is "control_request", want user`,
		`{"type":"user"}`:            "it has no message",
		`{"type":"user","message":{"role":"assistant","content":"x"}}`:                        `message.role is "assistant", want user`,
		`{"type":"user","message":{"content":3}}`:                                             "neither a string nor an array",
		`{"type":"user","message":{"content":" "}}`:                                           "message.content is empty",
		`{"type":"user","message":{"content":[]}}`:                                            "message.content is empty",
		`{"type":"user","message":{"content":[{"type":"text","text":"a"},{"type":"image"}]}}`: "message.content.1 is no text block",
	} {
		out, s, err := play(t, headless.Options{Input: headless.StreamJSON}, strings.NewReader(good+line), nil, says("m1", "A."))
		assert.ErrorContains(t, err, want, line)
		assert.Len(t, s.got, 1)
		assert.Equal(t, "A.\n", out)
	}
	_, _, err := play(t, headless.Options{}, strings.NewReader(" \n"), nil, says("m1", "A."))
	assert.EqualError(t, err, "headless: the input is empty, want a prompt")
	for _, opt := range []headless.Options{{Input: headless.JSON}, {Output: "xml"}, {Partials: true}} {
		_, s, err := play(t, opt, strings.NewReader("x"), nil, says("m1", "A."))
		assert.ErrorContains(t, err, "headless: ")
		assert.Empty(t, s.got)
	}
	_, _, err = play(t, headless.Options{Input: headless.StreamJSON}, io.MultiReader(strings.NewReader(good), failing{}), nil, says("m1", "A."))
	assert.ErrorContains(t, err, "input line 2: gone")
}

type failing struct{}

func (failing) Read([]byte) (int, error)  { return 0, errors.New("gone") }
func (failing) Write([]byte) (int, error) { return 0, errors.New("gone") }

// An output that cannot be written ends the run, after the turn.
func TestAnOutputThatFailsIsAnError(t *testing.T) {
	s := &server{bodies: []string{says("m1", "A.")}}
	m := sim.New(sim.Config{Seed: 1, Server: s})
	m.Run(func(w world.World) {
		session, err := harness.Start(w, harness.Config{Model: "claude-sonnet-5", ConfigDir: "/c", Cwd: "/w", APIKey: "k"})
		require.NoError(t, err)
		_, err = headless.Run(w, session, strings.NewReader("x"), failing{}, headless.Options{Output: headless.StreamJSON})
		assert.EqualError(t, err, "headless: the output could not be written: gone")
		require.NoError(t, session.Close(w))
	})
}

// An unanswered prompt is run before the input is read, where that is wanted; an empty input is then none (H-CMD-44).
func TestAnUnansweredPromptIsRunFirst(t *testing.T) {
	s := &server{bodies: []string{overloaded, says("m2", "A."), says("m3", "B.")}}
	m := sim.New(sim.Config{Seed: 1, Server: s})
	run := func(open func(world.World, harness.Config) (*harness.Session, error), in string, opt headless.Options) (out string, ok bool, err error) {
		var b strings.Builder
		m.Run(func(w world.World) {
			session, e := open(w, harness.Config{Model: "claude-sonnet-5", ConfigDir: "/c", Cwd: "/w", APIKey: "k", MaxRetries: -1})
			require.NoError(t, e)
			ok, err = headless.Run(w, session, strings.NewReader(in), &b, opt)
			require.NoError(t, session.Close(w))
		})
		return b.String(), ok, err
	}
	resume := func(w world.World, c harness.Config) (*harness.Session, error) { return harness.Resume(w, c, "") }
	out, ok, err := run(harness.Start, "one", headless.Options{})
	require.NoError(t, err)
	assert.False(t, ok, "the turn ended badly")
	assert.Contains(t, out, "529")
	out, ok, err = run(resume, "", headless.Options{Rerun: true})
	require.NoError(t, err)
	assert.True(t, ok)
	assert.Equal(t, "A.\n", out)
	_, ok, err = run(resume, "", headless.Options{Rerun: true})
	assert.False(t, ok)
	assert.EqualError(t, err, "headless: the input is empty, want a prompt")
	out, ok, err = run(resume, "two", headless.Options{Rerun: true})
	require.NoError(t, err)
	assert.True(t, ok)
	assert.Equal(t, "B.\n", out)
}
