package harness_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"harnessbench/harness"
	"harnessbench/harness/world"
)

// Before each main call the cheap layer comes first, and where it makes the conversation short enough the one that costs a
// call does not come at all (H-CMP-1, H-CMP-2, H-CMP-4); what it does not free goes to the summary. Both decisions are in
// the log, and a resume repeats them (H-CMP-3), with a list that can be sent (H-CMP-5).
func TestTheCheapLayerComesFirst(t *testing.T) {
	for size, compacts := range map[int]bool{67_100: false, 73_000: true} {
		for _, model := range []string{plain, bound} {
			r := newRig(t, model, says(text("-")))
			r.cfg.Window = 100_000
			r.tool = func(world.ToolCall) (world.ToolResult, time.Duration) {
				return world.ToolResult{Output: strings.Repeat("0123456789", 300)}, time.Second
			}
			r.answer = func() answer {
				switch n := len(r.requests); {
				case r.requests[n-1].Chain == "compact":
					return summary("plums")
				case n <= 9:
					return says(use(fmt.Sprint("c", n), "Bash", `{"command":"ls"}`))
				case n == 10:
					return full(size, text("A."))
				}
				return says(text("B."))
			}
			r.session(func(w world.World, s *harness.Session) {
				r.prompt(w, s, "one")
				require.NoError(t, w.Sleep(61*time.Minute))
				r.prompt(w, s, "two")
				var layers []string
				for _, e := range r.entries(s.File()) {
					if name, _ := e["subtype"].(string); strings.HasSuffix(name, "compact_boundary") {
						layers = append(layers, name)
					}
				}
				want := []string{"microcompact_boundary", "compact_boundary"}
				if !compacts {
					want = want[:1]
				}
				assert.Equal(t, want, layers)
			})
			sent := r.requests[len(r.requests)-1].Body
			holds(t, !compacts, string(sent), "[Old tool result content cleared]")
			r.resumed(func(w world.World, s *harness.Session) { r.prompt(w, s, "three") })
			was, now := messages(t, sent), messages(t, r.requests[len(r.requests)-1].Body)
			assert.Equal(t, was[:len(was)-1], now[:len(was)-1])
			for _, q := range r.requests {
				legal(t, q.Body)
			}
		}
	}
}

// A small conversation meets no layer: nothing is asked beside it, and nothing is logged but what was said.
func TestTheLayersLeaveASmallConversation(t *testing.T) {
	r := newRig(t, bound, says(thinking("t", "c2ln"), use("a", "Bash", `{"command":"ls"}`)), says(text("A.")))
	r.session(func(w world.World, s *harness.Session) {
		r.prompt(w, s, "one")
		r.prompt(w, s, "two")
		for _, e := range r.entries(s.File()) {
			assert.Contains(t, []any{"user", "assistant"}, e["type"])
		}
		assert.Empty(t, s.Report())
	})
	assert.Equal(t, []string{"main", "main", "main"}, r.chains())
}

// While the server is yet to answer a call of its own no layer comes in, however long the conversation is: a summary would
// take that call away. Behind its result they do (H-LOOP-32, H-CMP-5).
func TestTheLayersWaitForTheServer(t *testing.T) {
	search := `{"type":"server_tool_use","id":"srvtoolu_1","name":"web_search","input":{"query":"go"}}`
	found := `{"type":"web_search_tool_result","tool_use_id":"srvtoolu_1","content":[]}`
	for _, model := range everyModel {
		for _, beside := range []bool{false, true} { // a call of the client's
			pause, want := stopped("pause_turn", text("Searching."), search), []string{"main", "main", "compact", "main"}
			if beside {
				pause = stopped("tool_use", text("Searching."), search, use("c1", "Bash", ls))
			}
			pause.input = 70_000
			r := newRig(t, model, pause, full(70_000, found, text("Found.")), summary("s"), says(text("B.")))
			r.cfg.Window = 100_000
			r.session(func(w world.World, s *harness.Session) {
				r.prompt(w, s, "one")
				r.prompt(w, s, "two")
			})
			assert.Equal(t, want, r.chains(), "%s %v", model, beside)
			holds(t, true, string(r.requests[1].Body), "srvtoolu_1", model)
		}
	}
}
