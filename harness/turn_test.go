package harness_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"harnessbench/harness"
	"harnessbench/harness/world"
)

// A prompt starts one turn, each tool round adds an answer with its thinking and one message of results (H-LOOP-1, H-LOOP-3,
// H-LOOP-12, H-LOOP-53).
func TestToolRoundsGrowTheMessages(t *testing.T) {
	r := newRig(t, bound,
		says(thinking("look", "c2ln"), text("Running."), use("toolu_1", "Bash", `{"command":"make  test", "b":1e2}`)),
		says(text("Fails.")))
	r.tool = func(world.ToolCall) (world.ToolResult, time.Duration) {
		return world.ToolResult{Output: "--- FAIL\n", Exit: 2}, time.Second
	}
	r.session(func(w world.World, s *harness.Session) {
		out := r.prompt(w, s, "which test fails?")
		assert.Equal(t, harness.Outcome{Reason: "completed", Text: "Fails."}, out)
	})
	assert.Equal(t, []string{"user: text(The project keeps instru) text(which test fails?)*"}, r.shape(0))
	assert.Equal(t, []string{
		"user: text(The project keeps instru) text(which test fails?)",
		"assistant: thinking text(Running.) tool_use(toolu_1)",
		"user: tool_result(toolu_1 Exit code 2|--- FAIL|[re)*",
	}, r.shape(1))
	assert.Contains(t, string(r.requests[1].Body), `"input":{"command":"make  test", "b":1e2}`, "the model's bytes")
	assert.Contains(t, string(r.requests[1].Body), `"content":"Exit code 2\n--- FAIL\n[rerun: b1]","is_error":true,"cache_control":{`)
}

func TestRequestHasFixedFieldsAndHeaders(t *testing.T) {
	for model, want := range map[string]string{
		plain:   `"thinking":{"type":"adaptive"},"output_config":{"effort":"high"},"stream":true`,
		systems: `"thinking":{"type":"adaptive"},"output_config":{"effort":"high"},"stream":true`,
		bound:   `"thinking":{"type":"adaptive"},"output_config":{"effort":"high"},"stream":true`,
		manual:  `"thinking":{"type":"enabled","budget_tokens":4000},"stream":true`,
	} {
		t.Run(model, func(t *testing.T) {
			r := newRig(t, model, says(text("Hi.")))
			r.session(func(w world.World, s *harness.Session) { r.prompt(w, s, "hello <&>") })
			body := string(r.requests[0].Body)
			assert.True(t, strings.HasPrefix(body, `{"model":"`+model+`","max_tokens":8000,"system":[{"type":"text","text":"You are`), body[:80])
			assert.Contains(t, body, `}],"tools":[{"name":"Agent",`)
			assert.Contains(t, body, `],`+want+`,"messages":[{"role":"user","content":[`)
			assert.Contains(t, body, `{"type":"text","text":"hello <&>","cache_control":{"type":"ephemeral","ttl":"1h"}}]}]}`)
			assert.Equal(t, 3, strings.Count(body, `"cache_control"`), "tail, system, static system")
			assert.True(t, json.Valid(r.requests[0].Body))

			beta := world.Field{Name: "anthropic-beta", Value: "mid-conversation-system-clear-at-2026-08-21"}
			if model == bound || model == systems {
				assert.Contains(t, r.requests[0].Header, beta)
			} else {
				assert.NotContains(t, r.requests[0].Header, beta)
			}
			assert.Contains(t, r.requests[0].Header, world.Field{Name: "anthropic-version", Value: "2026-10-21"})
			assert.Contains(t, r.requests[0].Header, world.Field{Name: "x-api-key", Value: "test-key"})
			assert.Equal(t, "main", r.requests[0].Chain)
		})
	}
}

// The thinking parameter follows the model; what it refuses is not sent (H-LOOP-50).
func TestThinkingIsSentOnlyAsTheModelTakesIt(t *testing.T) {
	for _, c := range []struct{ model, set, want string }{
		{plain, "enabled", `"thinking":{"type":"enabled","budget_tokens":4000},"output_config"`},
		{plain, "off", `"thinking":{"type":"disabled"}`},
		{bound, "enabled", `"thinking":{"type":"adaptive"}`},
		{bound, "off", `"thinking":{"type":"adaptive"}`},
		{manual, "adaptive", `"thinking":{"type":"enabled","budget_tokens":4000},"stream"`},
		{"claude-opus-5", "off", `"thinking":{"type":"disabled"},"output_config":{"effort":"high"}`},
		{"claude-3-5-haiku", "enabled", `],"stream":true`},
	} {
		t.Run(c.model+" "+c.set, func(t *testing.T) {
			r := newRig(t, c.model, says(text("Hi.")))
			r.cfg.Switches.Thinking = c.set
			if c.model == "claude-3-5-haiku" {
				r.cfg.Model = "claude-3-5-haiku-20241022"
			}
			r.session(func(w world.World, s *harness.Session) { r.prompt(w, s, "hello") })
			assert.Contains(t, string(r.requests[0].Body), c.want)
		})
	}
}

// Neighbours that may run side by side do, others alone; all results go back in one message, in the order of the calls
// (H-LOOP-11, H-LOOP-12, H-ARCH-23).
func TestParallelCallsGiveTheirResultsInCallOrder(t *testing.T) {
	r := newRig(t, plain,
		says(use("a", "Read", `{"file_path":"/w/app/a"}`), use("b", "Bash", `{"command":"ls -l"}`),
			use("c", "Bash", `{"command":"make"}`), use("d", "Nope", `{}`), use("e", "Read", `{"file_path":"/w/app/e"}`)),
		says(text("Done.")))
	took := map[string]time.Duration{"a": 3 * time.Second, "b": time.Second, "c": time.Second, "e": time.Second}
	r.tool = func(call world.ToolCall) (world.ToolResult, time.Duration) {
		return world.ToolResult{Output: "of " + call.ID}, took[call.ID]
	}
	r.session(func(w world.World, s *harness.Session) {
		start := w.Now()
		r.prompt(w, s, "go")
		assert.Less(t, w.Now().Sub(start), 9*time.Second, "a and b run side by side: 3 s, c 1 s, e 1 s and the answers")
	})
	assert.ElementsMatch(t, []string{"a", "b"}, r.ran[:2])
	assert.Equal(t, []string{"c", "e"}, r.ran[2:])
	assert.Equal(t, "user: tool_result(a 1\tof a) tool_result(b of b|[rerun: b1]) tool_result(c of c|[rerun: b2]) "+
		"tool_result(d <tool_use_error>there is) tool_result(e 1\tof e)*", r.shape(1)[2])
}

func TestRerunRepeatsACommandAlsoAfterResume(t *testing.T) {
	r := newRig(t, plain,
		says(use("a", "Bash", `{"command":"make test"}`)), says(text("Ok.")),
		says(use("b", "Bash", `{"rerun":"b1"}`)), says(text("Ok.")),
		says(use("c", "Bash", `{"rerun":"b2"}`), use("d", "Bash", `{"rerun":"b9"}`)), says(text("Ok.")))
	var inputs []string
	r.tool = func(call world.ToolCall) (world.ToolResult, time.Duration) {
		inputs = append(inputs, string(call.Input))
		return world.ToolResult{Output: "ok"}, 0
	}
	r.session(func(w world.World, s *harness.Session) { r.prompt(w, s, "one"); r.prompt(w, s, "two") })
	r.resumed(func(w world.World, s *harness.Session) { r.prompt(w, s, "three") })
	assert.Equal(t, []string{`{"command":"make test"}`, `{"command":"make test"}`, `{"command":"make test"}`}, inputs)
	last := r.shape(5)
	assert.Equal(t, "user: tool_result(c ok|[rerun: b3]) tool_result(d <tool_use_error>no Bash )*", last[len(last)-1])
}

func TestLogHoldsOneEntryPerBlockWithFinalUsage(t *testing.T) {
	r := newRig(t, plain,
		says(thinking("look", "c2ln"), text("Running."), use("toolu_1", "Bash", `{"command":"make"}`)),
		says(text("Done.")))
	var file string
	r.session(func(w world.World, s *harness.Session) { r.prompt(w, s, "go"); file = s.File() })
	assert.True(t, strings.HasPrefix(file, "/home/u/.claude/projects/-w-app/"))

	entries := r.log(file)
	require.Len(t, entries, 6)
	parent := any(nil)
	for _, e := range entries {
		assert.Equal(t, parent, e["parentUuid"])
		parent = e["uuid"]
		for _, f := range []string{"type", "sessionId", "timestamp", "isSidechain", "userType", "cwd", "version", "gitBranch", "entrypoint"} {
			assert.Contains(t, e, f)
		}
	}
	assert.Equal(t, "go", entries[0]["message"].(map[string]any)["content"])
	for _, e := range entries[1:4] {
		m := e["message"].(map[string]any)
		assert.Equal(t, "msg_1", m["id"])
		assert.Equal(t, "tool_use", m["stop_reason"])
		assert.Equal(t, "req_msg_1", e["requestId"])
		assert.EqualValues(t, 9, m["usage"].(map[string]any)["output_tokens"])
		assert.Len(t, m["content"], 1)
	}
	assert.Equal(t, entries[3]["uuid"], entries[4]["sourceToolAssistantUUID"])
	assert.Contains(t, entries[4], "toolUseResult")
}

// log reads a session file as generic JSON, without the checkpoint behind each prompt.
func (r *rig) log(file string) []map[string]any {
	r.t.Helper()
	data, err := r.disk.Read(file)
	require.NoError(r.t, err)
	var out []map[string]any
	for line := range strings.Lines(string(data)) {
		var e map[string]any
		require.NoError(r.t, json.Unmarshal([]byte(line), &e))
		if e["type"] != "file-history-snapshot" {
			out = append(out, e)
		}
	}
	return out
}

func TestBadUseOfASessionIsRefused(t *testing.T) {
	r := newRig(t, plain, says(text("Hi.")))
	r.process(func(w world.World) {
		s, err := harness.Start(w, r.cfg)
		require.NoError(t, err)
		_, err = s.Prompt(w, " \n")
		assert.ErrorContains(t, err, "empty")
		s.Interrupt() // no turn: nothing happens
		assert.ErrorContains(t, s.Set("inject.time", "maybe"), "off, on")
		assert.ErrorContains(t, s.Set("inject.clock", "on"), "inject.time")
		require.NoError(t, s.Close(w))
		_, err = s.Prompt(w, "hello")
		assert.ErrorContains(t, err, "closed")

		_, err = harness.Resume(w, r.cfg, "0794013f-0000-4000-8000-000000000000")
		assert.EqualError(t, err, "No conversation found with session ID: 0794013f-0000-4000-8000-000000000000")
		_, err = harness.Resume(w, r.cfg, "")
		assert.ErrorContains(t, err, "no session in /home/u/.claude/projects/-w-app")
		_, err = harness.Start(w, harness.Config{Model: "gpt", ConfigDir: "/c", Cwd: "/w"})
		assert.ErrorContains(t, err, `"gpt"`)
		_, err = harness.Start(w, harness.Config{Model: plain, ConfigDir: "c", Cwd: "/w"})
		assert.ErrorContains(t, err, "absolute")
	})
	_, err := harness.ParseSwitches(map[string]string{"cache.ttl": "2h"})
	assert.EqualError(t, err, `switch cache.ttl: "2h" is no value of it; it takes 1h, 5m`)
}
