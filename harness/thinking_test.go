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
	"harnessbench/harness/world/sim"
)

const redacted = `{"type":"redacted_thinking","data":"b3BhcXVl"}`

// Thinking before and between the calls of a turn goes back in its place and in its own bytes while the loop is open, and
// stays there in later turns (H-LOOP-51, H-LOOP-52, H-LOOP-53; bugs t-not-replayed-in-tool-loop, t-interleaving-flattened,
// t-redacted-dropped, t-cannot-be-modified-wave).
func TestThinkingGoesBackUnmodified(t *testing.T) {
	odd := thinking("spaces  \t and 😀 ", "c2lnMQ==")
	for _, model := range []string{plain, systems, bound} {
		r := newRig(t, model,
			says(odd, use("a", "Bash", making)),
			says(thinking("between", "c2lnMg=="), redacted, use("b", "Bash", making), thinking("behind", "c2lnMw=="), use("c", "Bash", making)),
			says(text("Done.")), says(text("Hi.")))
		var file string
		r.session(func(w world.World, s *harness.Session) {
			r.prompt(w, s, "one")
			r.prompt(w, s, "two")
			file = s.File()
		})
		loop := []string{"assistant: thinking tool_use(a)", "assistant: thinking redacted_thinking tool_use(b) thinking tool_use(c)"}
		for i := 1; i < 4; i++ {
			shape := r.shape(i)
			assert.Equal(t, loop[0], shape[1])
			if i > 1 {
				assert.Equal(t, loop[1], shape[3])
			}
			for _, block := range []string{odd, thinking("between", "c2lnMg=="), redacted, thinking("behind", "c2lnMw==")}[:min(i*2-1, 4)] {
				assert.Contains(t, string(r.requests[i].Body), block)
			}
		}
		kinds := 0
		for _, e := range ofType(r.log(file), "assistant", "") {
			content := e["message"].(map[string]any)["content"].([]any)
			require.Len(t, content, 1)
			if strings.HasSuffix(content[0].(map[string]any)["type"].(string), "thinking") {
				kinds++
			}
		}
		assert.Equal(t, 4, kinds, "an entry of its own for each")
	}
}

// Older thinking is kept by default; thinking.keep=last-turn leaves out all but the open turn's, in one process and after a
// resume alike (H-LOOP-54, H-LOOP-52).
func TestOlderThinkingIsKeptOrLeftOut(t *testing.T) {
	for keep, want := range map[string]string{"": "assistant: thinking text(A.)", "all": "assistant: thinking text(A.)", "last-turn": "assistant: text(A.)"} {
		for _, model := range []string{manual, plain, systems, bound} {
			r := newRig(t, model, says(thinking("hm", "c2ln"), text("A.")), says(thinking("again", "c2ln"), use("a", "Bash", making)), says(text("B.")), says(text("C.")))
			r.cfg.Switches.ThinkingKeep = keep
			r.session(func(w world.World, s *harness.Session) { r.prompt(w, s, "one"); r.prompt(w, s, "two") })
			r.resumed(func(w world.World, s *harness.Session) { r.prompt(w, s, "three") })
			assert.Equal(t, want, r.shape(1)[1], "%s %s", model, keep)
			assert.Equal(t, "assistant: thinking tool_use(a)", r.shape(2)[3], "the open loop keeps its own")
			assert.Equal(t, want, r.shape(3)[1])
			assert.Equal(t, keep == "last-turn", r.shape(3)[3] == "assistant: tool_use(a)")
		}
	}
	_, err := harness.ParseSwitches(map[string]string{"thinking.keep": "none"})
	assert.EqualError(t, err, `switch thinking.keep: "none" is no value of it; it takes all, last-turn`)
}

// A model that takes thinking by a budget alone wants a tool loop to begin with it: when a fallback takes over a loop whose
// thinking it cannot read, the rest of that turn goes without, and the next turn thinks again (H-LOOP-50, H-LOOP-52; bug
// t-foreign-latest-turn).
func TestALoopTakenOverGoesOnWithoutThinking(t *testing.T) {
	r := newRig(t, bound, says(thinking("hm", "c2ln"), use("a", "Bash", making)), overload(), overload(), overload(),
		says(use("b", "Bash", making)), says(text("Done.")), says(text("Hi.")))
	r.cfg.Fallback = manual
	r.session(func(w world.World, s *harness.Session) {
		assert.Equal(t, "completed", r.prompt(w, s, "one").Reason)
		r.prompt(w, s, "two")
	})
	require.Len(t, r.requests, 7)
	assert.Equal(t, "assistant: tool_use(a)", r.shape(4)[1])
	for i, want := range map[int]string{4: `"thinking":{"type":"disabled"}`, 5: `"thinking":{"type":"disabled"}`, 6: `"thinking":{"type":"enabled"`} {
		assert.Contains(t, string(r.requests[i].Body), want)
	}

	// A loop of the model's own keeps its thinking on.
	r = newRig(t, manual, says(thinking("hm", "c2ln"), use("a", "Bash", making)), says(use("b", "Bash", making)), says(text("Done.")))
	listened(r, "one")
	assert.Contains(t, string(r.requests[2].Body), `"thinking":{"type":"enabled"`)
}

// Events are read as the API writes them: pings anywhere, unknown events and deltas passed over, input joined from its parts
// and parsed at the stop of its block, none being {}, usage overwritten by what message_delta holds (H-LOOP-40, H-LOOP-41,
// H-LOOP-42; bugs s-ping-blind-watchdog, s-index-reuse).
func TestAStreamIsReadAsTheAPIWritesIt(t *testing.T) {
	var b strings.Builder
	for _, data := range []string{
		`{"type":"ping"}`,
		`{"type":"message_start","message":{"id":"msg_1","type":"message","role":"assistant","model":"claude-sonnet-5","content":[],"stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":3,"cache_read_input_tokens":70,"output_tokens":1,"service_tier":"standard"}}}`,
		`{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}`,
		`{"type":"ping"}`,
		`{"type":"content_block_delta","index":0,"delta":{"type":"from_the_future","x":1}}`,
		`{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Run"}}`,
		`{"type":"from_the_future","x":1}`,
		`{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"ning."}}`,
		`{"type":"content_block_stop","index":0}`,
		`{"type":"content_block_start","index":1,"content_block":{"type":"tool_use","id":"a","name":"Bash","input":{}}}`,
		`{"type":"content_block_delta","index":1,"delta":{"type":"input_json_delta","partial_json":""}}`,
		`{"type":"content_block_delta","index":1,"delta":{"type":"input_json_delta","partial_json":"{\"comm"}}`,
		`{"type":"content_block_delta","index":1,"delta":{"type":"input_json_delta","partial_json":"and\": \"make\"}"}}`,
		`{"type":"content_block_stop","index":1}`,
		`{"type":"content_block_start","index":2,"content_block":{"type":"tool_use","id":"b","name":"TaskList","input":{}}}`,
		`{"type":"content_block_stop","index":2}`,
		`{"type":"message_delta","delta":{"stop_reason":"tool_use","stop_sequence":null},"usage":{"output_tokens":9,"input_tokens":5}}`,
		`{"type":"message_stop"}`,
	} {
		var v struct{ Type string }
		require.NoError(t, json.Unmarshal([]byte(data), &v))
		b.WriteString("event: " + v.Type + "\ndata: " + data + "\n\n")
	}
	e := sim.Exchange{Status: 200, Frames: []sim.Frame{{Data: []byte(b.String())}}}
	r := newRig(t, systems, answer{exchange: &e}, says(text("Hi.")))
	out, heard, entries := listened(r, "one")
	assert.Equal(t, "completed", out.Reason)
	assert.Contains(t, string(r.requests[1].Body), `"input":{"command": "make"}}`)
	assert.Contains(t, string(r.requests[1].Body), `"name":"TaskList","input":{}}`)
	usage := ofType(entries, "assistant", "")[0]["message"].(map[string]any)["usage"]
	assert.Equal(t, map[string]any{"input_tokens": 5.0, "cache_read_input_tokens": 70.0, "output_tokens": 9.0, "service_tier": "standard"}, usage)
	assert.Len(t, heard.events, 18+7)
}

// Blocks of tools that the server runs pass through as they came and get no result of ours; a failing tool of ours never
// ends the loop (H-ARCH-6, H-LOOP-14, H-LOOP-13).
func TestServerToolsPassThroughAndFailuresGoOn(t *testing.T) {
	search := `{"type":"server_tool_use","id":"srvtoolu_1","name":"web_search","input":{"query":"go"}}`
	found := `{"type":"web_search_tool_result","tool_use_id":"srvtoolu_1","content":[{"type":"web_search_result","url":"https://go.dev","encrypted_content":"x"}]}`
	r := newRig(t, plain, says(search, found, use("a", "Nope", `{}`), use("b", "Bash", `{"command":3}`), use("c", "Bash", making)), says(text("Hi.")))
	r.tool = func(world.ToolCall) (world.ToolResult, time.Duration) { return world.ToolResult{}, time.Second }
	out, _, _ := listened(r, "one")
	assert.Equal(t, "completed", out.Reason)
	assert.Contains(t, string(r.requests[1].Body), search[:len(search)-1])
	assert.Contains(t, string(r.requests[1].Body), found[:len(found)-1])
	assert.Equal(t, "user: tool_result(a <tool_use_error>there is) tool_result(b <tool_use_error>command ) tool_result(c (Bash completed with no )*", r.shape(1)[2])
	assert.Equal(t, []string{"c"}, r.ran)
}
