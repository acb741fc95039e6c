package invariant

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"harnessbench/conformance/trace"
)

// TestTheServerClearsWhatItWasAskedTo: an answer that reports another edit of the server's than the one before it says why the
// rest was not read (messages-api.md 5.7, 8.2); one that reports the same edit, or a request that asks for another one, says
// nothing.
func TestTheServerClearsWhatItWasAskedTo(t *testing.T) {
	const (
		all  = `{"edits":[{"type":"clear_thinking_20251015","keep":"all"}]}`
		last = `{"edits":[{"type":"clear_thinking_20251015","keep":{"type":"thinking_turns","value":1}}]}`
	)
	cleared := func(turns int) string {
		return fmt.Sprintf(`,"context_management":{"applied_edits":[{"type":"clear_thinking_20251015","cleared_thinking_turns":%d,"cleared_input_tokens":50}]}`, turns)
	}
	asks := func(first, second, one, two string) func(h *hand) {
		return long(func(h *hand) {
			with := func(edits string) {
				h.edit = func(b string) string {
					return strings.Replace(b, `"max_tokens":1000`, `"max_tokens":1000,"context_management":`+edits, 1)
				}
			}
			with(first)
			h.reports(2, 0, 9000, 20)
			h.usage += one // beside it
			h.turn("a", "1")
			with(second)
			h.reports(2, 6000, 3100, 20)
			h.usage += two
			h.turn("b", "2")
		})
	}
	play(t, []situation{
		{"it clears for the first time", "CACHE-7", "", asks(last, last, "", cleared(1)), Unknown, "", "", 0},
		{"it clears more", "CACHE-7", "", asks(last, last, cleared(1), cleared(2)), Unknown, "", "", 0},
		{"it clears the same", "CACHE-7", "", asks(last, last, cleared(1), cleared(1)), Broken, C, "reports 6000 tokens read", 1},
		{"it clears nothing", "CACHE-7", "", asks(last, last, "", ""), Broken, C, "reports 6000 tokens read", 1},
		{"it was asked for something else", "CACHE-7", "", asks(all, last, "", cleared(1)), Broken, C, "reports 6000 tokens read", 1},
	})
	stream := "event: message_start\ndata: {\"type\":\"message_start\",\"message\":{\"id\":\"m\",\"type\":\"message\",\"role\":\"assistant\",\"content\":[],\"usage\":{}}}\n\n" +
		"event: message_delta\ndata: {\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"end_turn\"}" + cleared(3) + "}\n\nevent: message_stop\ndata: {\"type\":\"message_stop\"}\n\n"
	require.Equal(t, "clear_thinking_20251015  3;", assemble(&trace.Response{Status: 200, Body: trace.JSONText(stream)}).edits)
}
