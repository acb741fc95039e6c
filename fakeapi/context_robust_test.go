package fakeapi_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"harnessbench/fakeapi"
	"harnessbench/fakeapi/validate"
)

// edited has what server-side edits look at; compacted what on-demand compaction does.
const (
	edited = `{"model":"claude-sonnet-5","max_tokens":50,"context_management":{"edits":[
{"type":"clear_thinking_20251015","keep":{"type":"thinking_turns","value":1}},
{"type":"clear_tool_uses_20250919","trigger":{"type":"tool_uses","value":0},"keep":{"type":"tool_uses","value":0},"clear_tool_inputs":true},
{"type":"compact_20260112","trigger":{"type":"input_tokens","value":50000},"pause_after_compaction":false}]},
"messages":[{"role":"user","content":"go"},
{"role":"assistant","content":[{"type":"text","text":"before"},{"type":"compaction","content":"sum"},{"type":"tool_use","id":"toolu_1","name":"Bash","input":{"command":"x"}}]},
{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1","content":[{"type":"text","text":"b"}]},{"type":"text","text":"c"}]}]}`
	compacted = `{"model":"claude-sonnet-5","max_tokens":50,"stream":true,"compaction":{"type":"summarize","instructions":"short"},
"messages":[{"role":"assistant","content":[{"type":"compaction","content":"sum","signature":"s","encrypted_content":"e","tool_changes":[{"type":"tool_removal","tool":{"type":"tool_reference","name":"Bash"}}]}]},
{"role":"user","content":"c"}]}`
)

func TestNoBodyBreaksTheEdits(t *testing.T) {
	header := append([]fakeapi.Field{{Name: "anthropic-beta", Value: validate.EditBeta + "," + validate.CompactBeta + "," + validate.OnDemandBeta}}, usual...)
	statuses := map[int]int{}
	rapid.Check(t, func(t *rapid.T) {
		var body any
		require.NoError(t, json.Unmarshal([]byte(rapid.SampledFrom([]string{edited, compacted}).Draw(t, "body")), &body))
		for range rapid.IntRange(0, 2).Draw(t, "edits") {
			body = disturb(t, body)
		}
		data, err := json.Marshal(body)
		require.NoError(t, err)
		s := fakeapi.New(fakeapi.Options{TrustSignatures: true})
		for _, path := range []string{"/v1/messages", "/v1/messages", "/v1/messages/count_tokens"} {
			resp := s.Handle(begin, fakeapi.Request{Method: "POST", Path: path, Header: header, Body: data})
			require.Contains(t, []int{200, 400, 404}, resp.Status)
			statuses[resp.Status]++
			if resp.Status == 200 && resp.View.Effective != "" {
				require.True(t, json.Valid([]byte(resp.View.Effective)), "%s", resp.View.Effective)
			}
		}
	})
	require.Positive(t, statuses[200])
	require.Positive(t, statuses[400])
}
