package httpfront_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"harnessbench/fakeapi"
	"harnessbench/fakeapi/httpfront"
	"harnessbench/internal/wire"
)

var noon = time.Date(2026, 10, 1, 12, 0, 0, 0, time.UTC)

// still is a clock that stands, so that only /_bench/clock moves it.
func still() time.Time { return noon }

func serve(t testing.TB, s *fakeapi.Server, opt httpfront.Options) *httptest.Server {
	if opt.Clock == nil {
		opt.Clock = still
	}
	srv := httptest.NewServer(httpfront.New(s, opt))
	t.Cleanup(srv.Close)
	return srv
}

func post(t testing.TB, url, body string) (*http.Response, string) {
	req, err := http.NewRequest("POST", url, strings.NewReader(body))
	require.NoError(t, err)
	req.Header = http.Header{"X-Api-Key": {"k"}, "Anthropic-Version": {"2023-06-01"}, "Content-Type": {"application/json"}}
	resp, err := http.DefaultClient.Do(req)
	require.NoError(t, err)
	defer resp.Body.Close()
	out, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	return resp, string(out)
}

var cached = `{"model":"claude-sonnet-5-5","max_tokens":100,"stream":true,"system":[{"type":"text","text":"` +
	strings.Repeat("careful ", 1000) + `","cache_control":{"type":"ephemeral"}}],"messages":[{"role":"user","content":"hello"}]}`

func TestEventsArePaddedButPings(t *testing.T) {
	srv := serve(t, fakeapi.New(fakeapi.Options{}), httpfront.Options{Seed: 4})
	var lengths = map[int]bool{}
	for range 20 {
		resp, body := post(t, srv.URL+"/v1/messages", cached)
		assert.Equal(t, "text/event-stream; charset=utf-8", resp.Header.Get("content-type"))
		assert.Equal(t, "no-cache", resp.Header.Get("cache-control"))
		assert.Contains(t, body, "event: ping\ndata: {\"type\": \"ping\"}\n\n")
		for _, m := range regexp.MustCompile(`( *)\}\n\n`).FindAllStringSubmatch(body, -1) {
			lengths[len(m[1])] = true
		}
		var sse wire.SSE
		var a wire.Assembler
		for _, e := range sse.Feed([]byte(body)) {
			require.NoError(t, a.Event(e))
		}
		assert.True(t, a.Answer().Complete)
	}
	for n := range 16 {
		assert.True(t, lengths[n], "%d blanks", n)
	}
	assert.Len(t, lengths, 16)

	_, body := post(t, serve(t, fakeapi.New(fakeapi.Options{}), httpfront.Options{Plain: true}).URL+"/v1/messages", cached)
	assert.NotRegexp(t, ` \}\n\n`, body)
}

func TestTheSameSeedServesTheSameBytes(t *testing.T) {
	serveOnce := func() string {
		_, body := post(t, serve(t, fakeapi.New(fakeapi.Options{Seed: 9}), httpfront.Options{Seed: 9}).URL+"/v1/messages", cached)
		return body
	}
	assert.Equal(t, serveOnce(), serveOnce())
}

func TestTheControlEndpoints(t *testing.T) {
	srv := serve(t, fakeapi.New(fakeapi.Options{}), httpfront.Options{})
	view := func(resp *http.Response) (v fakeapi.View) {
		got, err := http.Get(srv.URL + "/_bench/view?request_id=" + resp.Header.Get("request-id"))
		require.NoError(t, err)
		defer got.Body.Close()
		require.Equal(t, 200, got.StatusCode)
		require.NoError(t, json.NewDecoder(got.Body).Decode(&v))
		return v
	}
	first, _ := post(t, srv.URL+"/v1/messages", cached)
	assert.Equal(t, "first", view(first).Cold)
	second, _ := post(t, srv.URL+"/v1/messages", cached)
	assert.Equal(t, "", view(second).Cold)
	assert.Positive(t, view(second).Usage.Read)

	resp, body := post(t, srv.URL+"/_bench/clock", `{"advance_ms":299999}`)
	assert.Equal(t, 200, resp.StatusCode)
	assert.JSONEq(t, `{"name":"bench","version":1,"now":"2026-10-01T12:04:59.999Z"}`, body)
	third, _ := post(t, srv.URL+"/v1/messages", cached)
	assert.Equal(t, "", view(third).Cold, "one millisecond before the end")
	post(t, srv.URL+"/_bench/clock", `{"advance_ms":300000}`)
	fourth, _ := post(t, srv.URL+"/v1/messages", cached)
	assert.Equal(t, "expired", view(fourth).Cold)

	_, body = post(t, srv.URL+"/_bench/reset", "")
	assert.JSONEq(t, `{"name":"bench","version":1,"now":"2026-10-01T12:00:00Z"}`, body)
	again, _ := post(t, srv.URL+"/v1/messages", cached)
	assert.Equal(t, first.Header.Get("request-id"), again.Header.Get("request-id"))
	assert.Equal(t, "first", view(again).Cold)
}

func TestControlMistakesAreNamed(t *testing.T) {
	srv := serve(t, fakeapi.New(fakeapi.Options{}), httpfront.Options{})
	for _, tc := range []struct {
		method, path, body string
		status             int
		text               string
	}{
		{"POST", "/_bench/clock", `{}`, 400, `{\"advance_ms\": N}`},
		{"POST", "/_bench/clock", `{"advance_ms":-1}`, 400, "from 0 to"},
		{"POST", "/_bench/clock", `{"advance_ms":9223372036854775807}`, 400, "from 0 to"},
		{"GET", "/_bench/clock", ``, 405, "takes POST, not GET"},
		{"GET", "/_bench/reset", ``, 405, "takes POST"},
		{"POST", "/_bench/info", ``, 405, "takes GET"},
		{"GET", "/_bench/stop", ``, 404, "there are info, clock, reset, struck, validate, view"},
		{"GET", "/_bench/view?request_id=req_x", ``, 404, `no view of request`},
		{"GET", "/_bench/view", ``, 404, `no view of request`},
	} {
		req, err := http.NewRequest(tc.method, srv.URL+tc.path, strings.NewReader(tc.body))
		require.NoError(t, err)
		resp, err := http.DefaultClient.Do(req)
		require.NoError(t, err)
		body, _ := io.ReadAll(resp.Body)
		resp.Body.Close()
		assert.Equal(t, tc.status, resp.StatusCode, "%s %s", tc.method, tc.path)
		assert.Contains(t, string(body), tc.text)
	}
}

func TestABodyOverTheLimitIs413HoweverItIsSent(t *testing.T) {
	srv := serve(t, fakeapi.New(fakeapi.Options{}), httpfront.Options{})
	big := strings.Repeat(" ", 32<<20+1)
	for _, body := range []io.Reader{strings.NewReader(big), io.MultiReader(strings.NewReader(big))} { // with a length and chunked
		resp, err := http.Post(srv.URL+"/v1/messages", "application/json", body)
		require.NoError(t, err)
		resp.Body.Close()
		assert.Equal(t, 413, resp.StatusCode)
	}
}

func TestHeadAndStrayRequestsGetAnAnswer(t *testing.T) {
	srv := serve(t, fakeapi.New(fakeapi.Options{}), httpfront.Options{})
	resp, err := http.Head(srv.URL + "/")
	require.NoError(t, err)
	resp.Body.Close()
	assert.Equal(t, 404, resp.StatusCode)
	resp, err = http.Get(srv.URL + "/v1/messages")
	require.NoError(t, err)
	resp.Body.Close()
	assert.Equal(t, 405, resp.StatusCode)
}

// Clients come, go in the middle of a request, turn the clock and reset, all at once.
func TestManyClientsAtOnce(t *testing.T) {
	srv := serve(t, fakeapi.New(fakeapi.Options{}), httpfront.Options{})
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			for n := range 10 {
				switch {
				case i == 0:
					post(t, srv.URL+"/_bench/clock", `{"advance_ms":1000}`)
				case i == 1 && n == 5:
					post(t, srv.URL+"/_bench/reset", "")
				case i == 2:
					ctx, cancel := context.WithCancel(context.Background())
					body, w := io.Pipe()
					req, _ := http.NewRequestWithContext(ctx, "POST", srv.URL+"/v1/messages", body)
					go func() {
						fmt.Fprint(w, cached[:100])
						cancel()
						w.Close()
					}()
					resp, err := http.DefaultClient.Do(req)
					if err == nil {
						resp.Body.Close()
					}
				default:
					resp, _ := post(t, srv.URL+"/v1/messages", cached)
					assert.Equal(t, 200, resp.StatusCode)
				}
			}
		})
	}
	wg.Wait()
	resp, _ := post(t, srv.URL+"/v1/messages", cached)
	assert.Equal(t, 200, resp.StatusCode)
}
