package httpfront_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"harnessbench/fakeapi"
	"harnessbench/fakeapi/httpfront"
)

func inspect(t *testing.T, url, key, body string) fakeapi.Inspection {
	req, err := http.NewRequest("POST", url+"/_bench/validate", strings.NewReader(body))
	require.NoError(t, err)
	req.Header.Set("x-api-key", key)
	req.Header.Set("anthropic-version", "2023-06-01")
	resp, err := http.DefaultClient.Do(req)
	require.NoError(t, err)
	defer resp.Body.Close()
	require.Equal(t, 200, resp.StatusCode)
	raw, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	var out fakeapi.Inspection
	require.NoError(t, json.Unmarshal(raw, &out), string(raw))
	return out
}

func TestTheValidateEndpointListsEveryFault(t *testing.T) {
	srv := httptest.NewServer(httpfront.New(fakeapi.New(fakeapi.Options{Keys: []string{"key"}}), httpfront.Options{}))
	defer srv.Close()
	got := inspect(t, srv.URL, "wrong", `{"model":"claude-sonnet-5","max_tokens":-1,"zzz":1,"messages":[{"role":"user","content":"hi"},{"role":"assistant","content":"x"}]}`)
	var messages []string
	for _, f := range got.Faults {
		messages = append(messages, f.Message)
	}
	require.Equal(t, []string{"invalid x-api-key", "max_tokens: must be greater than or equal to 0", "zzz: Extra inputs are not permitted",
		"This model does not support assistant message prefill. The conversation must end with a user message."}, messages)
	require.Equal(t, 401, got.Faults[0].Status)
	require.Equal(t, "prefill.model", got.Faults[3].Rule)

	good := inspect(t, srv.URL, "key", `{"model":"claude-sonnet-5","max_tokens":1,"messages":[{"role":"user","content":"hi"}]}`)
	require.Empty(t, good.Faults)
	resp, err := http.Get(srv.URL + "/_bench/validate")
	require.NoError(t, err)
	resp.Body.Close()
	require.Equal(t, 405, resp.StatusCode)
}
