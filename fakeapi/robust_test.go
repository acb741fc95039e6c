package fakeapi_test

import (
	"encoding/json"
	"maps"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"harnessbench/fakeapi"
)

// rich has most of what a request can hold.
const rich = `{"model":"claude-sonnet-5-5","max_tokens":100,"stream":true,"metadata":{"user_id":"u"},
"thinking":{"type":"adaptive","display":"summarized","block_binding":{"prefix_mismatch_behavior":"drop_block"}},
"tool_choice":{"type":"auto"},"cache_control":{"type":"ephemeral"},"output_config":{"effort":"low"},
"tools":[{"name":"Bash","description":"d","input_schema":{"type":"object"},"cache_control":{"type":"ephemeral","ttl":"1h"}}],
"system":[{"type":"text","text":"careful","cache_control":{"type":"ephemeral"}}],
"messages":[{"role":"user","content":"go"},
{"role":"assistant","content":[{"type":"thinking","thinking":"","signature":"CAQS"},{"type":"text","text":"a"},{"type":"tool_use","id":"toolu_1","name":"Bash","input":{"command":"x"}},{"type":"redacted_thinking","data":"d"}]},
{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1","content":[{"type":"text","text":"b"}]},{"type":"image","source":{"type":"base64","media_type":"image/png","data":"iVBORw0KGgo="}},{"type":"text","text":"c","cache_control":{"type":"ephemeral"}}]},
{"role":"system","content":[{"type":"text","text":"note"}],"clear_at":"next_user_message"}]}`

var odd = []string{`null`, `true`, `-1`, `0`, `1e300`, `""`, `"go"`, `"claude-haiku-4-5"`, `[]`, `[null]`, `["x"]`, `{}`,
	`{"type":"text"}`, `{"type":"thinking"}`, `{"role":"user"}`, `{"type":"enabled"}`}

func oddValue(t *rapid.T) (v any) {
	require.NoError(t, json.Unmarshal([]byte(rapid.SampledFrom(odd).Draw(t, "odd")), &v))
	return v
}

// TestNoBodyBreaksTheServer puts odd values into a rich request and cuts its bytes.
func TestNoBodyBreaksTheServer(t *testing.T) {
	header := append([]fakeapi.Field{{Name: "anthropic-beta", Value: "thinking-binding-controls-2026-08-01,mid-conversation-system-clear-at-2026-08-21"}}, usual...)
	rapid.Check(t, func(t *rapid.T) {
		var body any
		require.NoError(t, json.Unmarshal([]byte(rich), &body))
		for range rapid.IntRange(0, 3).Draw(t, "edits") {
			body = disturb(t, body)
		}
		data, err := json.Marshal(body)
		require.NoError(t, err)
		if rapid.IntRange(0, 3).Draw(t, "cut") == 0 {
			data = data[:rapid.IntRange(0, len(data)).Draw(t, "to")]
		}
		s := fakeapi.New(fakeapi.Options{})
		for range 2 { // the second time from what is remembered of the first
			resp := s.Handle(begin, fakeapi.Request{Method: "POST", Path: "/v1/messages", Header: header, Body: data})
			require.Contains(t, []int{200, 400, 404}, resp.Status)
			if resp.Status != 200 {
				require.NotEmpty(t, errorText(t, resp))
				require.NotEmpty(t, resp.View.Rule)
			}
		}
	})
}

// disturb replaces or removes one value somewhere.
func disturb(t *rapid.T, v any) any {
	if rapid.IntRange(0, 2).Draw(t, "here") == 0 {
		return oddValue(t)
	}
	switch v := v.(type) {
	case map[string]any:
		if len(v) == 0 {
			return v
		}
		key := rapid.SampledFrom(slices.Sorted(maps.Keys(v))).Draw(t, "key")
		if rapid.IntRange(0, 4).Draw(t, "remove") == 0 {
			delete(v, key)
			return v
		}
		v[key] = disturb(t, v[key])
	case []any:
		if len(v) > 0 {
			i := rapid.IntRange(0, len(v)-1).Draw(t, "element")
			v[i] = disturb(t, v[i])
		}
	default:
		return oddValue(t)
	}
	return v
}
