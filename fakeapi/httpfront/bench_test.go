package httpfront_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"harnessbench/fakeapi"
	"harnessbench/fakeapi/httpfront"
)

// The budgets of architecture.md 7 that the server answers for, each as a ratio measured side by side in one run:
//
//	BenchmarkNextTurn    4 MB, turn n+1 over loopback: x-read at most 1.3, x-valid below 1
//	BenchmarkFirstSeen   4 MB never seen: x-valid at most 3
//	BenchmarkHistory     one more turn at 10,000 messages against 100, beyond reading the body: x-history at most 2
//	BenchmarkSmall       small requests on 32 connections, clients included: x-bare at most 2
//	BenchmarkSessions    1,000 sessions of 1 MB: MB-sys under 2,000

// talk is a conversation of n messages of size bytes each, breakpoints on the system prompt and the last message.
func talk(n, size int) []byte {
	var b bytes.Buffer
	b.WriteString(`{"model":"claude-sonnet-4-6","max_tokens":100,"system":[{"type":"text","text":"` + strings.Repeat("careful ", 1000) +
		`","cache_control":{"type":"ephemeral"}}],"messages":[`)
	filler := strings.Repeat("understanding documentation, implementation considerations. ", size/60+1)[:size]
	for i := range n {
		mark := ""
		if i > 0 {
			b.WriteByte(',')
		}
		if i == n-1 {
			mark = `,"cache_control":{"type":"ephemeral"}`
		}
		fmt.Fprintf(&b, `{"role":%q,"content":[{"type":"text","text":"%d %s"%s}]}`, [2]string{"user", "assistant"}[i%2], i, filler, mark)
	}
	b.WriteString(`]}`)
	return b.Bytes()
}

// turns are a conversation at n messages and its next few turns.
func turns(n, size int) [][]byte {
	var out [][]byte
	for i := range 6 {
		out = append(out, talk(n|1+2*i, size))
	}
	return out
}

var answer = []byte(`{"ok":true}`)

func reading(w http.ResponseWriter, r *http.Request) {
	body := make([]byte, r.ContentLength)
	if _, err := io.ReadFull(r.Body, body); err == nil {
		w.Write(answer)
	}
}

// readingAll is the bare handler as it is usually written: without a look at the length.
func readingAll(w http.ResponseWriter, r *http.Request) {
	if _, err := io.ReadAll(r.Body); err == nil {
		w.Write(answer)
	}
}

func validating(w http.ResponseWriter, r *http.Request) {
	body := make([]byte, r.ContentLength)
	if _, err := io.ReadFull(r.Body, body); err == nil && json.Valid(body) {
		w.Write(answer)
	}
}

// contest sends the same bodies to several servers in turn and measures each one's time.
type contest struct {
	urls  []string
	spent []time.Duration
}

func newContest(b *testing.B, handlers ...http.Handler) *contest {
	c := &contest{spent: make([]time.Duration, len(handlers))}
	for _, h := range handlers {
		srv := httptest.NewServer(h)
		b.Cleanup(srv.Close)
		c.urls = append(c.urls, srv.URL+"/v1/messages")
	}
	return c
}

func (c *contest) send(b *testing.B, body []byte) {
	for i, url := range c.urls {
		c.spent[i] += exchange(b, url, body)
	}
}

// play sends turns over and over; the first of them, a rewind, is not measured.
func (c *contest) play(b *testing.B, bodies [][]byte, n int) {
	for sent := 0; sent < n; {
		before := slices.Clone(c.spent)
		c.send(b, bodies[0])
		copy(c.spent, before)
		for _, body := range bodies[1:] {
			if sent++; sent <= n {
				c.send(b, body)
			}
		}
	}
}

func (c *contest) reset() { clear(c.spent) }

func (c *contest) ratio(i, j int) float64 { return float64(c.spent[i]) / float64(c.spent[j]) }

func exchange(b *testing.B, url string, body []byte) time.Duration {
	req, err := http.NewRequest("POST", url, bytes.NewReader(body))
	require.NoError(b, err)
	req.Header = http.Header{"X-Api-Key": {"k"}, "Anthropic-Version": {"2023-06-01"}}
	start := time.Now()
	resp, err := http.DefaultClient.Do(req)
	require.NoError(b, err)
	out, err := io.ReadAll(resp.Body)
	spent := time.Since(start)
	require.NoError(b, err)
	resp.Body.Close()
	require.Equal(b, 200, resp.StatusCode, "%s", out)
	return spent
}

func machine() http.Handler {
	return httpfront.New(fakeapi.New(fakeapi.Options{}), httpfront.Options{})
}

func BenchmarkNextTurn(b *testing.B) {
	bodies := turns(1000, 4<<20/1000)
	c := newContest(b, machine(), http.HandlerFunc(reading), http.HandlerFunc(validating), http.HandlerFunc(readingAll))
	for _, body := range bodies {
		c.send(b, body)
	}
	c.reset()
	b.ResetTimer()
	c.play(b, bodies, b.N)
	b.ReportMetric(c.ratio(0, 1), "x-read")
	b.ReportMetric(c.ratio(0, 2), "x-valid")
	b.ReportMetric(c.ratio(0, 3), "x-readall")
}

func BenchmarkFirstSeen(b *testing.B) {
	body := talk(1001, 4<<20/1000)
	c := newContest(b, http.HandlerFunc(validating))
	var spent time.Duration
	for range b.N {
		b.StopTimer()
		fresh := httptest.NewServer(machine())
		b.StartTimer()
		spent += exchange(b, fresh.URL+"/v1/messages", body)
		c.send(b, body)
		b.StopTimer()
		fresh.Close()
		b.StartTimer()
	}
	b.ReportMetric(float64(spent)/float64(c.spent[0]), "x-valid")
}

func BenchmarkHistory(b *testing.B) {
	beyond := func(n int) time.Duration {
		bodies := turns(n, 300)
		c := newContest(b, machine(), http.HandlerFunc(reading))
		for range 3 {
			for _, body := range bodies {
				c.send(b, body)
			}
		}
		c.reset()
		c.play(b, bodies, b.N)
		return c.spent[0] - c.spent[1]
	}
	few, many := beyond(100), beyond(10_000)
	b.ReportMetric(float64(many)/float64(few), "x-history")
	b.ReportMetric(float64(few.Microseconds())/float64(b.N), "us-at-100")
	b.ReportMetric(float64(many.Microseconds())/float64(b.N), "us-at-10000")
}

func BenchmarkSmall(b *testing.B) {
	http.DefaultTransport.(*http.Transport).MaxIdleConnsPerHost = 64
	for _, stream := range []string{"false", "true"} {
		b.Run("stream="+stream, func(b *testing.B) {
			body := []byte(`{"model":"claude-sonnet-5","max_tokens":100,"stream":` + stream + `,"messages":[{"role":"user","content":"hello"}]}`)
			c := newContest(b, machine(), http.HandlerFunc(reading))
			const connections, round = 32, 16
			for sent := 0; sent < b.N; sent += connections * round {
				for i, url := range c.urls { // in turn, so that both meet the same neighbours on the machine
					start := time.Now()
					var wg sync.WaitGroup
					for range connections {
						wg.Go(func() {
							for range round {
								exchange(b, url, body)
							}
						})
					}
					wg.Wait()
					c.spent[i] += time.Since(start)
				}
			}
			b.ReportMetric(c.ratio(0, 1), "x-bare")
		})
	}
}

// BenchmarkSessions holds 1,000 sessions of 1 MB and reports the heap after a collection.
func BenchmarkSessions(b *testing.B) {
	h := fakeapi.New(fakeapi.Options{})
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	for i := range 1000 {
		body := bytes.Replace(talk(1001, 1000), []byte("careful"), fmt.Appendf(nil, "%07d", i), 1)
		resp := h.Handle(noon, fakeapi.Request{Method: "POST", Path: "/v1/messages", Body: body, Header: []fakeapi.Field{
			{Name: "x-api-key", Value: "k"}, {Name: "anthropic-version", Value: "2023-06-01"}}})
		require.Equal(b, 200, resp.Status)
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	b.ReportMetric(float64(after.HeapAlloc-before.HeapAlloc)/(1<<20), "MB-heap")
	b.ReportMetric(float64(after.Sys)/(1<<20), "MB-sys")
	runtime.KeepAlive(h)
}
