package httpfront_test

import (
	"context"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"harnessbench/fakeapi"
	"harnessbench/fakeapi/httpfront"
)

// log writes down what a front tells.
type log struct {
	mu      sync.Mutex
	arrived []string
	left    []string
	whole   []bool
	sent    []string
}

func (l *log) Arrived(n int, at time.Time, req fakeapi.Request, resp fakeapi.Response) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.arrived = append(l.arrived, req.Method+" "+req.Path)
}

func (l *log) Left(n int, at time.Time, resp fakeapi.Response, sent []byte, whole bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.left, l.whole, l.sent = append(l.left, resp.View.RequestID), append(l.whole, whole), append(l.sent, string(sent))
}

func (l *log) ended() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.left)
}

func TestAWatcherHearsOfEveryExchange(t *testing.T) {
	for _, speed := range []float64{0, 1} {
		m, l := &metronome{now: noon, stands: make(chan struct{})}, &log{}
		url := serve(t, fakeapi.New(fakeapi.Options{}), httpfront.Options{Clock: m.clock, Wait: m.wait, Speed: speed, Watcher: l}).URL
		var bodies []string
		for _, body := range []string{cached, `{"model":1}`, strings.Replace(cached, `"stream":true`, `"stream":false`, 1)} {
			_, got := post(t, url+"/v1/messages", body)
			bodies = append(bodies, got)
			post(t, url+"/_bench/clock", `{"advance_ms":0}`)
		}
		require.Eventually(t, func() bool { return l.ended() == 3 }, 5*time.Second, time.Millisecond)
		assert.Equal(t, []string{"POST /v1/messages", "POST /v1/messages", "POST /v1/messages"}, l.arrived)
		assert.Equal(t, bodies, l.sent, "the bytes as they were sent, padding included")
		assert.Equal(t, []bool{true, true, true}, l.whole)
	}
}

func TestAWatcherHearsOfAnAnswerThatNobodyWaitedFor(t *testing.T) {
	m, l := &metronome{now: noon, stopAt: fakeapi.FirstByte + fakeapi.PerToken, stands: make(chan struct{})}, &log{}
	url := serve(t, fakeapi.New(fakeapi.Options{}), httpfront.Options{Clock: m.clock, Wait: m.wait, Speed: 1, Watcher: l}).URL
	ctx, cancel := context.WithCancel(context.Background())
	resp := begin(t, ctx, url, cached, nil)
	<-m.stands
	cancel()
	resp.Body.Close()
	require.Eventually(t, func() bool { return l.ended() == 1 }, 5*time.Second, time.Millisecond)
	assert.Equal(t, []bool{false}, l.whole)
	assert.Contains(t, l.sent[0], "message_start")
	assert.NotContains(t, l.sent[0], "message_stop")
}
