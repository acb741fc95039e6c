package validate_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"harnessbench/fakeapi/validate"
	"harnessbench/internal/wire"
)

// base is a request that passes; rows exchange or add members by a JSON object laid over it, null removing
// a member when quoted as "-".
const base = `{"model":"claude-sonnet-5","max_tokens":64,"messages":[{"role":"user","content":"hi"}]}`

func overlay(t testing.TB, over string) []byte {
	t.Helper()
	if over != "" && !strings.HasPrefix(over, "{") {
		return []byte(over)
	}
	var members, changes map[string]json.RawMessage
	require.NoError(t, json.Unmarshal([]byte(base), &members))
	if over != "" {
		require.NoError(t, json.Unmarshal([]byte(over), &changes), over)
	}
	for name, raw := range changes {
		if string(raw) == `"-"` {
			delete(members, name)
		} else {
			members[name] = raw
		}
	}
	out, err := json.Marshal(members)
	require.NoError(t, err)
	return out
}

func usual(betas string) headers {
	return headers{"x-api-key": "key", "anthropic-version": "2023-06-01", "anthropic-beta": betas}
}

func check(t testing.TB, body []byte, h headers) (*validate.Checked, *validate.Fault) {
	t.Helper()
	if f := validate.CheckHeaders(h, []string{"key"}); f != nil {
		return nil, f
	}
	req, err := wire.Parse(nil, body)
	if err != nil {
		return nil, validate.SyntaxFault(err)
	}
	return validate.Check(nil, req, h)
}

// row is a refusal and, where it is not the base request, the nearest request that passes.
type row struct {
	rule, bad, want, good string
	beta                  string // of both requests
	version               string // API version of both, "" for 2023-06-01
	status                int
	typ                   string
}

func (r row) run(t *testing.T) {
	h := usual(r.beta)
	if r.version != "" {
		h["anthropic-version"] = r.version
	}
	_, f := check(t, overlay(t, r.bad), h)
	require.NotNil(t, f, "%s must be refused", r.bad)
	assert.Equal(t, r.want, f.Message)
	assert.Equal(t, r.rule, f.Rule)
	status, typ := r.status, r.typ
	if status == 0 {
		status, typ = 400, "invalid_request_error"
	}
	assert.Equal(t, status, f.Status)
	assert.Equal(t, typ, f.Type)
	_, f = check(t, overlay(t, r.good), h)
	assert.Nil(t, f, "%s must pass", r.good)
}

func TestEachRuleRefusesItsSmallestRequestAndPassesTheNearest(t *testing.T) {
	covered := map[string]bool{}
	for _, area := range []struct {
		name string
		rows func(run func(...row))
	}{
		{"each field of the top level", eachFieldOfTheTopLevel},
		{"pairing of calls and results", pairingOfCallsAndResults},
		{"turns and their texts", turnsAndTheirTexts},
		{"blocks and the roles that hold them", blocksAndTheRolesThatHoldThem},
		{"system messages", systemMessages},
		{"cache marks", cacheMarks},
		{"tools", tools},
		{"thinking modes", thinkingModes},
		{"shapes of messages and blocks", shapesOfMessagesAndBlocks},
		{"the rest of the shapes", theRestOfTheShapes},
		{"what schemas may say", whatSchemasMaySay},
		{"keywords no grammar knows", keywordsNoGrammarKnows},
		{"names of tools", namesOfTools},
		{"images and documents", imagesAndDocuments},
		{"what pictures say of themselves", whatPicturesSayOfThemselves},
		{"server tools and their results", serverToolsAndTheirResults},
		{"fields beside each other", fieldsBesideEachOther},
		{"the field thread", theFieldThread},
		{"server-side edits", serverSideEdits},
		{"compaction requests and blocks", compactionRequests},
	} {
		t.Run(area.name, func(t *testing.T) {
			area.rows(func(rows ...row) {
				for _, r := range rows {
					covered[r.rule] = true
					t.Run(r.rule, r.run)
				}
			})
		})
	}
	t.Run("spoilt by machine", func(t *testing.T) { spoiltByMachine(t, covered) })
	for _, r := range validate.Rules() {
		_, elsewhere := toldBy[r.ID]
		assert.True(t, covered[r.ID] != elsewhere, "%s has no row and no test of its own, or both", r.ID)
		delete(covered, r.ID)
	}
	assert.Empty(t, covered, "rules that Rules does not list")
}

func TestHeadersAreJudgedBeforeTheBody(t *testing.T) {
	with := func(pairs ...string) headers {
		h := usual("")
		for i := 0; i < len(pairs); i += 2 {
			h[pairs[i]] = pairs[i+1]
		}
		return h
	}
	for name, c := range map[string]struct {
		rule   string
		h      headers
		status int
		want   string
	}{
		"no key":            {"auth.missing", with("x-api-key", ""), 401, "x-api-key header is required"},
		"wrong key":         {"auth.key", with("x-api-key", "other"), 401, "invalid x-api-key"},
		"another scheme":    {"auth.missing", with("x-api-key", "", "authorization", "Basic key"), 401, "x-api-key header is required"},
		"wrong bearer":      {"auth.bearer", with("x-api-key", "", "authorization", "Bearer other"), 401, "Invalid bearer token"},
		"the key decides":   {"auth.key", with("x-api-key", "other", "authorization", "Bearer key"), 401, "invalid x-api-key"},
		"no version":        {"version.missing", with("anthropic-version", ""), 400, "anthropic-version: header is required"},
		"bad version":       {"version.unknown", with("anthropic-version", "2025-04-14"), 400, `anthropic-version: "2025-04-14" is not a valid version`},
		"key before others": {"auth.missing", with("x-api-key", "", "anthropic-version", ""), 401, "x-api-key header is required"},
		"unknown betas": {"beta.unknown", with("anthropic-beta", "a-2020-01-01, context-1m-2025-08-07,b"), 400,
			"Unexpected value(s) `a-2020-01-01`, `b` for the `anthropic-beta` header. Please consult our documentation at platform.claude.com/docs or try again without the header."},
	} {
		t.Run(name, func(t *testing.T) {
			f := validate.CheckHeaders(c.h, []string{"key"})
			require.NotNil(t, f)
			assert.Equal(t, c.status, f.Status)
			assert.Equal(t, c.want, f.Message)
			assert.Equal(t, c.rule, f.Rule)
			if c.status == 401 {
				assert.Equal(t, "authentication_error", f.Type)
			}
		})
	}
	for name, h := range map[string]headers{
		"key":           usual(""),
		"bearer":        with("x-api-key", "", "authorization", "Bearer key"),
		"bearer, small": with("x-api-key", "", "authorization", "bearer key"),
		"first version": with("anthropic-version", "2023-01-01"),
		"new version":   with("anthropic-version", "2026-10-21"),
		"retired beta":  with("anthropic-beta", "prompt-caching-2024-07-31"),
		"known betas":   with("anthropic-beta", " context-1m-2025-08-07,"),
	} {
		assert.Nil(t, validate.CheckHeaders(h, []string{"key"}), name)
	}
	assert.Nil(t, validate.CheckHeaders(headers{"x-api-key": "any", "anthropic-version": "2023-06-01"}, nil), "any key passes without a list")
}

func TestBodiesThatAreNoObject(t *testing.T) {
	for _, c := range []struct{ rule, bad, good, want string }{
		{"body.json", base[:len(base)-1], base, "The request body is not valid JSON: the data ends where a comma or the end of the object is due: line 1 column 87 (char 86)"},
		{"body.json", `{"model": }`, base, "The request body is not valid JSON: found '}' where a value is due: line 1 column 11 (char 10)"},
		{"body.object", "[" + base + "]", base, "Input should be an object"},
	} {
		_, f := check(t, []byte(c.bad), usual(""))
		require.NotNil(t, f, c.bad)
		assert.Equal(t, c.rule, f.Rule)
		assert.Equal(t, c.want, f.Message)
		_, f = check(t, []byte(c.good), usual(""))
		assert.Nil(t, f)
	}
}

func eachFieldOfTheTopLevel(run func(...row)) {
	run(
		row{rule: "model.missing", bad: `{"model":"-","max_tokens":"-","tools":7}`, want: "model: Field required"},
		row{rule: "model.string", bad: `{"model":7}`, want: "model: Input should be a valid string"},
		row{rule: "model.short", bad: `{"model":""}`, want: "model: String should have at least 1 character"},
		row{rule: "model.unknown", bad: `{"model":"claude-none"}`, want: "model: claude-none", status: 404, typ: "not_found_error",
			good: `{"model":"claude-3-7-sonnet-latest"}`},
		row{rule: "max_tokens.missing", bad: `{"max_tokens":"-"}`, want: "max_tokens: Field required"},
		row{rule: "max_tokens.integer", bad: `{"max_tokens":"many"}`, want: "max_tokens: Input should be a valid integer"},
		row{rule: "max_tokens.bound", bad: `{"max_tokens":-1}`, want: "max_tokens: must be greater than or equal to 0", good: `{"max_tokens":0}`},
		row{rule: "max_tokens.model", bad: `{"model":"claude-haiku-4-5","max_tokens":64001}`, good: `{"model":"claude-haiku-4-5","max_tokens":64000}`,
			want: "max_tokens: 64001 > 64000, which is the maximum allowed number of output tokens for claude-haiku-4-5-20251001"},
		row{rule: "messages.missing", bad: `{"messages":"-"}`, want: "messages: Field required"},
		row{rule: "messages.array", bad: `{"messages":{}}`, want: "messages: Input should be a valid array"},
		row{rule: "messages.none", bad: `{"messages":[]}`, want: "messages: at least one message is required"},
		row{rule: "system.array", bad: `{"system":null}`, want: "system: Input should be a valid array", good: `{"system":""}`},
		row{rule: "system.item.object", bad: `{"system":["s"]}`, want: "system.0: Input should be an object"},
		row{rule: "system.item.type.missing", bad: `{"system":[{"text":"s"}]}`, want: "system.0.type: Field required"},
		row{rule: "system.item.type.enum", bad: `{"system":[{"type":"image"}]}`, want: "system.0.type: Input should be 'text'"},
		row{rule: "system.item.text.missing", bad: `{"system":[{"type":"text"}]}`, want: "system.0.text: Field required"},
		row{rule: "system.item.text.string", bad: `{"system":[{"type":"text","text":7}]}`, want: "system.0.text: Input should be a valid string"},
		row{rule: "system.item.extra", bad: `{"system":[{"type":"text","text":"s","x":1}]}`, want: "system.0.x: Extra inputs are not permitted"},
		row{rule: "system.item.empty-marked", bad: `{"system":[{"type":"text","text":"","cache_control":{"type":"ephemeral"}}]}`,
			want: "system.0: cache_control cannot be set for empty text blocks"},
		row{rule: "system.empty-text", bad: `{"system":[{"type":"text","text":""}]}`, want: "system: text content blocks must be non-empty"},
		row{rule: "system.blank-text", bad: `{"system":[{"type":"text","text":" \n"}]}`,
			want: "system: text content blocks must contain non-whitespace text", good: `{"system":[{"type":"text","text":" s"}]}`},
		row{rule: "metadata.shape", bad: `{"metadata":"u"}`, want: "metadata: Input does not match the expected shape.", good: `{"metadata":null}`},
		row{rule: "metadata.user_id.string", bad: `{"metadata":{"user_id":7}}`, want: "metadata.user_id: Input should be a valid string"},
		row{rule: "metadata.extra", bad: `{"metadata":{"x":1}}`, want: "metadata.x: Extra inputs are not permitted", good: `{"metadata":{"user_id":"u"}}`},
		row{rule: "stop_sequences.array", bad: `{"stop_sequences":"x"}`, want: "stop_sequences: Input should be a valid array", good: `{"stop_sequences":null}`},
		row{rule: "stop_sequences.item.string", bad: `{"stop_sequences":[1]}`, want: "stop_sequences.0: Input should be a valid string"},
		row{rule: "stop_sequences.blank", bad: `{"stop_sequences":["a","\n"]}`, want: "stop_sequences: each stop sequence must contain non-whitespace",
			good: `{"stop_sequences":[]}`},
		row{rule: "temperature.number", bad: `{"temperature":"1"}`, want: "temperature: Input should be a valid number"},
		row{rule: "temperature.range", bad: `{"temperature":1.5}`, want: "temperature: range: 0..1", good: `{"temperature":1}`},
		row{rule: "top_p.number", bad: `{"top_p":"1"}`, want: "top_p: Input should be a valid number"},
		row{rule: "top_p.range", bad: `{"top_p":-0.1}`, want: "top_p: range: 0..1", good: `{"top_p":0.99}`},
		row{rule: "top_k.integer", bad: `{"top_k":"1"}`, want: "top_k: Input should be a valid integer"},
		row{rule: "top_k.minimum", bad: `{"top_k":-1}`, want: "top_k: Input should be greater than or equal to 0"},
		row{rule: "service_tier.enum", bad: `{"service_tier":"priority"}`, want: "service_tier: Input should be 'auto' or 'standard_only'",
			good: `{"service_tier":"auto"}`},
		row{rule: "stream.boolean", bad: `{"stream":"true"}`, want: "stream: Input should be a valid boolean", good: `{"stream":true}`},
		row{rule: "inference_geo.string", bad: `{"inference_geo":1}`, want: "inference_geo: Input should be a valid string", good: `{"inference_geo":null}`},
		row{rule: "inference_geo.oneof", bad: `{"inference_geo":"eu"}`, want: "inference_geo: must be one of ['global', 'us']", good: `{"inference_geo":"us"}`},
		row{rule: "output_config.shape", bad: `{"output_config":"high"}`, want: "output_config: Input does not match the expected shape."},
		row{rule: "output_config.effort.enum", bad: `{"output_config":{"effort":"minimal"}}`,
			want: "output_config.effort: Input should be 'low', 'medium', 'high', 'xhigh' or 'max'", good: `{"output_config":{"effort":"low"}}`},
		row{rule: "output_config.extra", bad: `{"output_config":{"task_budget":{"type":"tokens","total":50000}}}`,
			want: "output_config.task_budget: Extra inputs are not permitted"},
		row{rule: "output_config.effort.model", bad: `{"model":"claude-haiku-4-5","output_config":{"effort":"low"}}`,
			want: "This model does not support the effort parameter."},
		row{rule: "output_config.effort.level", bad: `{"model":"claude-opus-4-6","output_config":{"effort":"xhigh"}}`,
			want: "This model does not support effort level 'xhigh'. Supported levels: high, low, max, medium."},
		row{rule: "top.extra", bad: `{"response_format":{}}`, want: "response_format: Extra inputs are not permitted"},
		row{rule: "sampling.both", bad: `{"model":"claude-sonnet-4-5","temperature":0.2,"top_p":0.4}`, good: `{"model":"claude-sonnet-4-5","temperature":0.2}`,
			want: "`temperature` and `top_p` cannot both be specified for this model. Please use only one."},
		row{rule: "sampling.deprecated", bad: `{"model":"claude-opus-4-7","temperature":0}`, want: "`temperature` is deprecated for this model.",
			good: `{"model":"claude-opus-4-6","temperature":0}`},
	)
}

func TestBetaFieldsAreUnknownWithoutTheirHeader(t *testing.T) {
	for name, with := range map[string]struct{ value, beta string }{
		"mcp_servers":           {"[]", "mcp-client-2025-11-20"},
		"fallbacks":             {`"default"`, "server-side-fallback-2026-07-01"},
		"fallback_credit_token": {`"t"`, "fallback-credit-2026-07-01"},
		"billing_policy":        {"{}", "user-profiles-billing-2026-10-01"},
	} {
		body := overlay(t, `{"`+name+`":`+with.value+`}`)
		_, f := check(t, body, usual(""))
		require.NotNil(t, f, name)
		assert.Equal(t, name+": Extra inputs are not permitted", f.Message)
		_, f = check(t, body, usual(with.beta))
		require.Nil(t, f, name)
	}
	h := usual("")
	h["anthropic-version"] = "2026-10-21"
	for _, name := range []string{"temperature", "top_p", "top_k"} {
		_, f := check(t, overlay(t, `{"`+name+`":1}`), h)
		require.NotNil(t, f, name)
		assert.Equal(t, name+": Extra inputs are not permitted", f.Message)
	}
}

// The walking order of the top level, measured: with every known field spoilt, they are reported one by one.
func TestFaultsAreReportedInTheMeasuredOrder(t *testing.T) {
	order := []string{"model", "tool_choice", "tools", "messages", "system", "thinking", "output_config", "cache_control", "max_tokens",
		"metadata", "stop_sequences", "temperature", "service_tier", "top_k", "top_p", "stream", "inference_geo"}
	good := map[string]string{"model": `"claude-sonnet-5"`, "max_tokens": "1", "messages": `[{"role":"user","content":[]}]`}
	for i, name := range order {
		var members []string
		for j := len(order) - 1; j >= 0; j-- { // the body's own order plays no part
			if j >= i {
				members = append(members, `"`+order[j]+`":false`)
			} else if g := good[order[j]]; g != "" {
				members = append(members, `"`+order[j]+`":`+g)
			}
		}
		members = append([]string{`"unknown":1`}, members...)
		body := strings.ReplaceAll("{"+strings.Join(members, ",")+"}", `"stream":false`, `"stream":1`)
		_, f := check(t, []byte(body), usual(""))
		require.NotNil(t, f, name)
		assert.True(t, strings.HasPrefix(f.Message, name+":"), "%s expected, got %s", name, f.Message)
	}
	_, f := check(t, overlay(t, `{"zzz":1,"messages":[{"role":"user","content":[]}]}`), usual(""))
	assert.Equal(t, "zzz: Extra inputs are not permitted", f.Message, "unknown members stand before the conversation")
	_, f = check(t, overlay(t, `{"model":"none","messages":[{"role":"user","content":[]}]}`), usual(""))
	assert.Equal(t, "model: none", f.Message, "the model is looked up before the conversation")
}

func TestRulesHaveNamesOfTheirOwn(t *testing.T) {
	seen := map[string]bool{}
	for _, r := range validate.Rules() {
		assert.False(t, seen[r.ID], r.ID)
		seen[r.ID] = true
		assert.NotEmpty(t, r.Area, r.ID)
		assert.NotEmpty(t, r.Source, r.ID)
		assert.Contains(t, []string{"high", "medium", "low"}, r.Confidence, r.ID)
	}
}
