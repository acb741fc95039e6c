package fakeapi

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"harnessbench/fakeapi/script"
	"harnessbench/fakeapi/validate"
)

// TestWhatIsRememberedChangesNoEdit is the same for conversations that the server clears and summarises, with
// summaries that come, stand in the middle and are rewound.
func TestWhatIsRememberedChangesNoEdit(t *testing.T) {
	said := script.Script{Turns: []script.Turn{{Prefix: true, Answers: []script.Answer{
		{Blocks: []script.Block{{Kind: "compaction", Text: "what was"}, {Kind: "thinking", Text: "hm"}, {Kind: "text", Text: "Yes."}}},
	}}}}
	for len(said.Turns[0].Answers) < 30 {
		said.Turns[0].Answers = append(said.Turns[0].Answers, said.Turns[0].Answers[0])
	}
	header := append([]Field{{"anthropic-beta", validate.EditBeta + "," + validate.CompactBeta + "," + validate.OnDemandBeta}}, plainHeaders...)
	type obj = map[string]any
	edits := []any{
		nil,
		obj{"edits": []any{obj{"type": "clear_thinking_20251015", "keep": obj{"type": "thinking_turns", "value": 1}}}},
		obj{"edits": []any{obj{"type": "clear_tool_uses_20250919", "trigger": obj{"type": "tool_uses", "value": 1}, "keep": obj{"type": "tool_uses", "value": 1}, "clear_tool_inputs": true}}},
		obj{"edits": []any{obj{"type": "compact_20260112", "trigger": obj{"type": "input_tokens", "value": 50_000}}}},
	}
	rapid.Check(t, func(t *rapid.T) {
		model := rapid.SampledFrom([]string{"claude-sonnet-4-6", "claude-sonnet-5-5"}).Draw(t, "model")
		opt := Options{Seed: 1, Script: said}
		a, b := New(opt), New(opt)
		now := boundFrom
		system := strings.Repeat("careful ", 400)
		var messages []any
		calls := 0
		for range rapid.IntRange(2, 8).Draw(t, "requests") {
			now = now.Add(time.Duration(rapid.IntRange(1, 200).Draw(t, "seconds")) * time.Second)
			if n := len(messages) / 2; n > 0 && rapid.IntRange(0, 3).Draw(t, "rewind") == 0 {
				messages = append([]any(nil), messages[:rapid.IntRange(0, n).Draw(t, "keep")*2]...)
			}
			if rapid.Bool().Draw(t, "tool") {
				calls++
				id := fmt.Sprintf("toolu_%d", calls)
				messages = append(messages, obj{"role": "user", "content": "run it"},
					obj{"role": "assistant", "content": []any{obj{"type": "tool_use", "id": id, "name": "Bash", "input": obj{"command": "make"}}}},
					obj{"role": "user", "content": []any{obj{"type": "tool_result", "tool_use_id": id, "content": "it ran and said much"}}},
					obj{"role": "assistant", "content": "It ran."})
			}
			size := rapid.SampledFrom([]int{1, 1, 13_000}).Draw(t, "size")
			messages = append(messages, obj{"role": "user", "content": []any{obj{"type": "text", "text": strings.Repeat("é", size) + "go", "cache_control": obj{"type": "ephemeral"}}}})
			body := obj{"model": model, "max_tokens": 100, "thinking": obj{"type": "adaptive"}, "system": system, "messages": messages}
			if e := rapid.SampledFrom(edits).Draw(t, "edits"); e != nil {
				body["context_management"] = e
			}
			raw, err := json.Marshal(body)
			require.NoError(t, err)
			req := Request{Method: "POST", Path: "/v1/messages", Header: header, Body: raw}
			x, y := a.Handle(now, req), b.Handle(now, req)
			b.recent = newRecent()
			require.Equal(t, x, y)
			if x.Status != 200 { // rewound into the middle of a tool loop
				messages = nil
				continue
			}
			var answer struct{ Content []any }
			require.NoError(t, json.Unmarshal(x.Body(), &answer))
			messages = append(messages, obj{"role": "assistant", "content": answer.Content})
			if rapid.IntRange(0, 5).Draw(t, "cut") == 0 { // what stands before the summary need not be sent
				for i := len(messages) - 1; i > 0; i-- {
					c, ok := messages[i].(obj)["content"].([]any)
					if ok && len(c) > 0 && c[0].(obj)["type"] == "compaction" {
						messages = append([]any(nil), messages[i:]...)
						break
					}
				}
			}
		}
	})
}
