package httpfront_test

import (
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"github.com/anthropics/anthropic-sdk-go/v2"
	"github.com/anthropics/anthropic-sdk-go/v2/option"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"harnessbench/fakeapi"
	"harnessbench/fakeapi/httpfront"
)

// ask sends a request with the usual header fields; "-" takes one away.
func ask(t testing.TB, method, url, body string, header map[string]string) (*http.Response, string) {
	req, err := http.NewRequest(method, url, strings.NewReader(body))
	require.NoError(t, err)
	req.Header = http.Header{"X-Api-Key": {"k"}, "Anthropic-Version": {"2023-06-01"}, "Content-Type": {"application/json"}}
	for k, v := range header {
		if v == "-" {
			req.Header.Del(k)
		} else {
			req.Header.Set(k, v)
		}
	}
	resp, err := http.DefaultClient.Do(req)
	require.NoError(t, err)
	defer resp.Body.Close()
	out, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	return resp, string(out)
}

const hello = `{"model":"claude-sonnet-4-6","max_tokens":10,"messages":[{"role":"user","content":"hello"}]}`

func TestEndpointsAnswerAsTheAPIDoes(t *testing.T) {
	srv := serve(t, fakeapi.New(fakeapi.Options{Keys: []string{"k"}}), httpfront.Options{})
	const invalid, missing, auth = "invalid_request_error", "not_found_error", "authentication_error"
	noKey := map[string]string{"X-Api-Key": "-"}
	for _, c := range []struct {
		method, path, body string
		header             map[string]string
		status             int
		typ, message       string
		known              bool // whose key it is
	}{
		{method: "POST", path: "/v1/messages", body: hello, status: 200, known: true},
		{method: "POST", path: "/v1/messages?beta=true", body: hello, status: 200, known: true},
		{method: "POST", path: "/v1/messages?beta=false", body: hello, status: 200, known: true},
		{method: "POST", path: "/v1/messages/count_tokens?beta=true", body: strings.Replace(hello, `"max_tokens":10,`, "", 1), status: 200, known: true},
		{method: "GET", path: "/v1/models", status: 200, known: true},
		{method: "HEAD", path: "/v1/models", status: 200, known: true},
		{method: "GET", path: "/v1/models", header: noKey, status: 401, typ: auth, message: "x-api-key header is required"},
		{method: "GET", path: "/v1/models", header: map[string]string{"X-Api-Key": "other"}, status: 401, typ: auth, message: "invalid x-api-key"},
		{method: "GET", path: "/v1/models", header: map[string]string{"Anthropic-Version": "-"}, status: 400, typ: invalid, message: "anthropic-version: header is required", known: true},
		{method: "GET", path: "/v1/models/claude-nine", status: 404, typ: missing, message: "model: claude-nine", known: true},
		{method: "POST", path: "/v1/messages", body: strings.Replace(hello, "sonnet-4-6", "nine", 1), status: 404, typ: missing, message: "model: claude-nine", known: true},
		{method: "POST", path: "/v1/messages/count_tokens", body: `{"model":"claude-nine","messages":[{"role":"user","content":"x"}]}`, status: 404, typ: missing, message: "model: claude-nine", known: true},
		{method: "POST", path: "/v1/messages/count_tokens", body: hello, status: 400, typ: invalid, message: "max_tokens: Extra inputs are not permitted", known: true},
		{method: "GET", path: "/", status: 404, typ: missing, message: "Not Found"},
		{method: "HEAD", path: "/", status: 404},
		{method: "POST", path: "/v1/v1/messages", body: hello, status: 404, typ: missing, message: "Not Found"},
		{method: "POST", path: "/messages", body: hello, status: 404, typ: missing, message: "Not Found"},
		{method: "GET", path: "/v1/models/a/b", status: 404, typ: missing, message: "Not Found"},
		{method: "GET", path: "/v1/models/", status: 404, typ: missing, message: "Not Found"},
		{method: "GET", path: "/v1/messages", status: 405, typ: invalid, message: "Method Not Allowed"},
		{method: "DELETE", path: "/v1/models/claude-sonnet-5", status: 405, typ: invalid, message: "Method Not Allowed"},
		{method: "PUT", path: "/v1/messages/count_tokens", status: 405, typ: invalid, message: "Method Not Allowed"},
	} {
		t.Run(c.method+" "+c.path, func(t *testing.T) {
			resp, body := ask(t, c.method, srv.URL+c.path, c.body, c.header)
			h := resp.Header
			assert.Equal(t, c.status, resp.StatusCode)
			assert.Equal(t, "application/json", h.Get("content-type"))
			assert.Regexp(t, `^req_01[1-9A-HJ-NP-Za-km-z]{22}$`, h.Get("request-id"))
			assert.Equal(t, c.known, h.Get("anthropic-organization-id") != "")
			assert.Equal(t, c.known, h.Get("anthropic-workspace-id") != "")
			assert.Empty(t, h.Get("retry-after"))
			switch c.status {
			case 400, 401, 404:
				assert.Equal(t, "false", h.Get("x-should-retry"))
			case 405:
				assert.NotEmpty(t, h.Get("allow"))
			default:
				assert.Empty(t, h.Get("x-should-retry"))
			}
			if c.method == "HEAD" {
				assert.Empty(t, body)
				return
			}
			if c.status != 200 {
				var e struct {
					Type      string
					Error     struct{ Type, Message string }
					RequestID string `json:"request_id"`
				}
				require.NoError(t, json.Unmarshal([]byte(body), &e))
				assert.Equal(t, []string{"error", c.typ, c.message, h.Get("request-id")}, []string{e.Type, e.Error.Type, e.Error.Message, e.RequestID})
			}
			limits := c.status == 200 && c.method == "POST" && !strings.Contains(c.path, "count")
			assert.Equal(t, limits, h.Get("anthropic-ratelimit-tokens-limit") != "", "rate limits stand on the 200 of Messages")
			if !limits {
				return
			}
			n := func(name string) int {
				v, err := strconv.Atoi(h.Get("anthropic-ratelimit-" + name))
				require.NoError(t, err, name)
				return v
			}
			assert.Equal(t, n("input-tokens-limit")+n("output-tokens-limit"), n("tokens-limit"))
			for _, kind := range []string{"tokens", "input-tokens", "output-tokens"} {
				assert.Zero(t, n(kind+"-remaining")%1000)
			}
			assert.Positive(t, n("requests-remaining"))
			assert.Equal(t, "2026-10-01T12:00:00Z", h.Get("anthropic-ratelimit-requests-reset"))
		})
	}
}

func TestModelsAreListedNewestFirst(t *testing.T) {
	srv := serve(t, fakeapi.New(fakeapi.Options{}), httpfront.Options{})
	type page struct {
		Data []struct {
			ID, Lifecycle string
			CreatedAt     string  `json:"created_at"`
			DeprecatedAt  *string `json:"deprecated_at"`
		}
		HasMore bool    `json:"has_more"`
		FirstID *string `json:"first_id"`
		LastID  *string `json:"last_id"`
		Error   struct{ Message string }
	}
	get := func(query url.Values) (p page) {
		_, body := ask(t, "GET", srv.URL+"/v1/models?"+query.Encode(), "", nil)
		require.NoError(t, json.Unmarshal([]byte(body), &p))
		return p
	}
	all := get(url.Values{"limit": {"1000"}})
	n := len(all.Data)
	require.Greater(t, n, 15)
	assert.False(t, all.HasMore)
	for i, m := range all.Data {
		assert.NotEqual(t, "retired", m.Lifecycle)
		assert.Equal(t, m.Lifecycle == "deprecated", m.DeprecatedAt != nil, m.ID)
		if i > 0 {
			assert.GreaterOrEqual(t, all.Data[i-1].CreatedAt, m.CreatedAt)
		}
	}
	var walked, back []string
	for after := ""; ; {
		p := get(url.Values{"limit": {"7"}, "after_id": {after}})
		for _, m := range p.Data {
			walked = append(walked, m.ID)
		}
		assert.Equal(t, p.Data[0].ID, *p.FirstID)
		if after = *p.LastID; !p.HasMore {
			break
		}
	}
	for before := walked[len(walked)-1]; ; {
		p := get(url.Values{"limit": {"7"}, "before_id": {before}})
		for i := range p.Data {
			back = append(back, p.Data[len(p.Data)-1-i].ID)
		}
		if before = *p.FirstID; !p.HasMore {
			break
		}
	}
	require.Len(t, walked, n)
	for i, m := range all.Data {
		assert.Equal(t, m.ID, walked[i])
		if i < n-1 {
			assert.Equal(t, m.ID, back[n-2-i])
		}
	}
	end := get(url.Values{"after_id": {walked[n-1]}})
	assert.Empty(t, end.Data)
	assert.Nil(t, end.FirstID)
	retired := get(url.Values{"lifecycle": {"retired", "active"}, "limit": {"1000"}})
	seen := map[string]bool{}
	for _, m := range retired.Data {
		seen[m.Lifecycle] = true
	}
	assert.Equal(t, map[string]bool{"retired": true, "active": true}, seen)
	for query, want := range map[string]string{
		"limit=0": "limit: Input should be greater than or equal to 1", "limit=1001": "limit: Input should be less than or equal to 1000",
		"limit=x": "limit: Input should be a valid integer, unable to parse string as an integer", "lifecycle=old": "lifecycle: Input should be 'active', 'deprecated' or 'retired'",
		"after_id=none": "after_id: no object with the id 'none'", "before_id=none": "before_id: no object with the id 'none'",
	} {
		q, err := url.ParseQuery(query)
		require.NoError(t, err)
		assert.Equal(t, want, get(q).Error.Message)
	}
}

// The official client reads the model object whole.
func TestAModelHasItsCapabilities(t *testing.T) {
	srv := serve(t, fakeapi.New(fakeapi.Options{}), httpfront.Options{})
	client := anthropic.NewClient(option.WithBaseURL(srv.URL), option.WithAPIKey("k"), option.WithMaxRetries(0))
	m, err := client.Models.Get(t.Context(), "claude-sonnet-4-5", anthropic.ModelGetParams{})
	require.NoError(t, err)
	c := m.Capabilities
	assert.Equal(t, "claude-sonnet-4-5-20250929", m.ID, "an alias shows its model")
	assert.EqualValues(t, []int64{200_000, 64_000}, []int64{m.MaxInputTokens, m.MaxTokens})
	assert.Equal(t, []bool{true, false, true, false}, []bool{c.Thinking.Types.Enabled.Supported, c.Thinking.Types.Adaptive.Supported, c.ImageInput.Supported, c.Effort.Supported})
	assert.Equal(t, "2025-09-29T00:00:00Z", m.CreatedAt.Format("2006-01-02T15:04:05Z"))
	m, err = client.Models.Get(t.Context(), "claude-opus-5-5", anthropic.ModelGetParams{})
	require.NoError(t, err)
	c = m.Capabilities
	assert.Equal(t, []bool{false, true, true, true}, []bool{c.Thinking.Types.Enabled.Supported, c.Thinking.Types.Adaptive.Supported, c.Effort.Xhigh.Supported, c.ContextManagement.Compact20260112.Supported})
	assert.True(t, m.DeprecatedAt.IsZero())
	assert.Equal(t, "opus", string(m.Line))

	_, body := ask(t, "GET", srv.URL+"/v1/models/claude-opus-5", "", nil)
	assert.NotContains(t, body, `"compaction"`)
	_, body = ask(t, "GET", srv.URL+"/v1/models/claude-opus-5", "", map[string]string{"Anthropic-Beta": "compact-2026-09-04"})
	assert.Contains(t, body, `"compaction":{"supported":true}`)
}

func TestACountEqualsTheUsageOfTheSameRequest(t *testing.T) {
	srv := serve(t, fakeapi.New(fakeapi.Options{}), httpfront.Options{})
	tool := `"tools":[{"name":"t","description":"does things","input_schema":{"type":"object","properties":{"x":{"type":"string"}}}}],`
	for _, rest := range []string{
		`"messages":[{"role":"user","content":"How many tokens is this?"}]`,
		tool + `"system":[{"type":"text","text":"` + strings.Repeat("be careful ", 900) + `","cache_control":{"type":"ephemeral"}}],"messages":[{"role":"user","content":"x"}]`,
		tool + `"thinking":{"type":"enabled","budget_tokens":2048},"messages":[{"role":"user","content":"x"},{"role":"assistant","content":[{"type":"tool_use","id":"toolu_1","name":"t","input":{"x":"y"}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1","content":"z"}]}]`,
	} {
		if strings.Contains(rest, "toolu_1") {
			rest = strings.Replace(rest, `"thinking":{"type":"enabled","budget_tokens":2048},`, "", 1)
		}
		_, body := ask(t, "POST", srv.URL+"/v1/messages/count_tokens", `{"model":"claude-haiku-4-5",`+rest+`}`, nil)
		var counted struct {
			N int `json:"input_tokens"`
		}
		require.NoError(t, json.Unmarshal([]byte(body), &counted))
		_, body = ask(t, "POST", srv.URL+"/v1/messages", `{"model":"claude-haiku-4-5","max_tokens":4096,`+rest+`}`, nil)
		var m struct {
			Usage struct {
				Input int `json:"input_tokens"`
				Write int `json:"cache_creation_input_tokens"`
				Read  int `json:"cache_read_input_tokens"`
			}
		}
		require.NoError(t, json.Unmarshal([]byte(body), &m))
		assert.Positive(t, counted.N, body)
		assert.Equal(t, m.Usage.Input+m.Usage.Write+m.Usage.Read, counted.N)
		if strings.Contains(rest, "ephemeral") {
			assert.Zero(t, m.Usage.Read, "a count writes nothing to the cache")
		}
	}
}

func TestEncodedBodiesAreUnderstood(t *testing.T) {
	srv := serve(t, fakeapi.New(fakeapi.Options{}), httpfront.Options{})
	zip := func(body string) string {
		var b bytes.Buffer
		w := gzip.NewWriter(&b)
		_, err := w.Write([]byte(body))
		require.NoError(t, err)
		require.NoError(t, w.Close())
		return b.String()
	}
	deflate := func(body string) string {
		var b bytes.Buffer
		w := zlib.NewWriter(&b)
		_, err := w.Write([]byte(body))
		require.NoError(t, err)
		require.NoError(t, w.Close())
		return b.String()
	}
	for _, c := range []struct {
		encoding, body string
		status         int
		code           string
	}{
		{"gzip", zip(hello), 200, ""},
		{"deflate", deflate(hello), 200, ""},
		{"identity", hello, 200, ""},
		{"deflate, gzip", zip(deflate(hello)), 200, ""},
		{"gzip", hello, 400, "request_body_encoding_invalid"},
		{"gzip", zip(hello)[:40], 400, "request_body_encoding_invalid"},
		{"br", hello, 400, "request_body_encoding_unsupported"},
		{"gzip", zip(strings.Repeat(" ", 33<<20)), 413, "request_body_too_large_after_decoding"},
		{"gzip", zip("{"), 400, ""},
	} {
		resp, body := ask(t, "POST", srv.URL+"/v1/messages", c.body, map[string]string{"Content-Encoding": c.encoding})
		assert.Equal(t, c.status, resp.StatusCode, body)
		if c.code != "" {
			assert.Contains(t, body, `"details":{"error_code":"`+c.code+`"}`)
			assert.True(t, strings.HasPrefix(body, `{"type":"error",`))
		}
	}
	resp, body := ask(t, "POST", srv.URL+"/v1/messages", strings.Repeat(" ", 32<<20)+" ", nil)
	assert.Equal(t, 413, resp.StatusCode)
	assert.Equal(t, `{"error":{"type":"request_too_large","message":"Request exceeds the maximum size"}}`, body)
}
