package fakeapi_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"harnessbench/fakeapi"
)

// Rules of the request through the whole server: the refusal on the wire, and the nearest request that is answered.
func TestRefusalsGoThroughTheWholeServer(t *testing.T) {
	const (
		begin  = `{"model":"claude-sonnet-4-5","max_tokens":64,`
		hi     = `"messages":[{"role":"user","content":"hi"}]`
		search = `"tools":[{"type":"web_search_20250305","name":"web_search"}],`
		code   = `"tools":[{"type":"code_execution_20250825","name":"code_execution"}],`
		closed = `"output_config":{"format":{"type":"json_schema","schema":{"type":"object","additionalProperties":false}}},`
		open   = `"output_config":{"format":{"type":"json_schema","schema":{"type":"object"}}},`
	)
	turn := func(content string) string {
		return `"messages":[{"role":"user","content":"hi"},{"role":"assistant","content":[` + content + `]},{"role":"user","content":"on"}]`
	}
	ask := func(block string) string { return `"messages":[{"role":"user","content":[` + block + `]}]` }
	use := `{"type":"server_tool_use","id":"srvtoolu_a","name":"web_search","input":{}}`
	found := `{"type":"web_search_tool_result","tool_use_id":"srvtoolu_a","content":[]}`
	tool := func(schema string) string { return `"tools":[{"name":"t","input_schema":` + schema + `}],` }
	for name, c := range map[string]struct{ bad, good, want string }{
		"a container without code execution": {begin + `"container":"c",` + hi, begin + code + `"container":"c",` + hi,
			"container: Container identifier can only be provided when using the code execution tool"},
		"a search without its result": {begin + search + turn(use), begin + search + turn(use+","+found),
			"`web_search` tool use with id `srvtoolu_a` was found without a corresponding `web_search_tool_result` block"},
		"a result without its search": {begin + turn(found), begin + turn(use+","+found),
			"messages.1.content.0: unexpected `tool_use_id` found in `web_search_tool_result` blocks: srvtoolu_a. Each `web_search_tool_result` block must have a corresponding `server_tool_use` block before it."},
		"a link that is not safe": {begin + ask(`{"type":"image","source":{"type":"url","url":"http://example.com/a.png"}}`), begin + ask(`{"type":"image","source":{"type":"url","url":"https://example.com/a.png"}}`),
			"Only HTTPS URLs are supported."},
		"a schema of no draft": {begin + tool(`{"type":"object","properties":{"x":{"type":"strng"}}}`) + hi, begin + tool(`{"type":"object","properties":{"x":{"type":"string"}}}`) + hi,
			"tools.0.custom.input_schema: JSON schema is invalid. It must match JSON Schema draft 2020-12 (https://json-schema.org/draft/2020-12). Learn more about tool use at https://platform.claude.com/docs/en/agents-and-tools/tool-use/overview."},
		"an open format": {begin + open + hi, begin + closed + hi, "output_config.format.schema: For 'object' type, 'additionalProperties' must be explicitly set to false"},
		"a strange field of a known tool": {begin + `"tools":[{"type":"web_search_20250305","name":"web_search","bogus":1}],` + hi, begin + search + hi,
			"tools.0.web_search_20250305.bogus: Extra inputs are not permitted"},
		"a known tool under another name": {begin + `"tools":[{"type":"memory_20250818","name":"memo"}],` + hi, begin + `"tools":[{"type":"memory_20250818","name":"memory"}],` + hi,
			"tools.0.memory_20250818.name: Input should be 'memory'"},
		"an address as user": {begin + `"metadata":{"user_id":"someone@example.com"},` + hi, begin + `"metadata":{"user_id":"someone"},` + hi,
			"metadata.user_id: user_id appears to contain an email address. Please send a uuid or hash value instead."},
	} {
		t.Run(name, func(t *testing.T) {
			send := func(body string) fakeapi.Response {
				return fakeapi.New(fakeapi.Options{}).Handle(time.Date(2026, 11, 30, 9, 0, 0, 0, time.UTC), fakeapi.Request{Method: "POST", Path: "/v1/messages", Body: []byte(body + "}"),
					Header: []fakeapi.Field{{Name: "x-api-key", Value: "key"}, {Name: "anthropic-version", Value: "2023-06-01"}}})
			}
			bad := send(c.bad)
			var envelope struct {
				Error struct{ Type, Message string }
			}
			require.NoError(t, json.Unmarshal(bad.Body(), &envelope))
			require.Equal(t, 400, bad.Status)
			require.Equal(t, "invalid_request_error", envelope.Error.Type)
			require.Equal(t, c.want, envelope.Error.Message)
			good := send(c.good)
			require.Equal(t, 200, good.Status, string(good.Body()))
		})
	}
}
